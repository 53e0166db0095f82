import { sealLevels } from '../../base/level.ts';
import { parseMailbox } from '../../base/mailbox.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import type { SettingValue, TsaConfig } from './config.ts';
import { absolutePath, type Environment } from './paths.ts';
import type { Setting } from './settings.table.ts';

/** Base folder for relative paths of a layer. */
export interface PathBase {
  readonly folder: string;
  /** Environment with the home folder for expanding `~/`. Undefined: `~/` is not expanded. */
  readonly home?: Environment;
}

/** An invalid value, for a message with expected and found. */
export class ValueProblem {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
  readonly hint: string | undefined;

  constructor(at: string, expected: string, found: unknown, hint?: string) {
    this.at = at;
    this.expected = expected;
    this.found = describe(found);
    this.hint = hint;
  }
}

/** Longest timeout that can be configured for one authority. */
const durationMsMax = 600_000;

const countMax = 1000;

/** Validates the text of a flag or variable, or several texts for a list setting. */
export function parseText(
  setting: Setting,
  texts: readonly string[],
  base: PathBase,
): SettingValue | ValueProblem {
  const text = texts.at(-1) ?? '';
  switch (setting.kind) {
    case 'paths':
      return texts.map((path) => pathFrom(path, base));
    case 'names': {
      const names = texts.map((name) => parseName(name, ''));
      return firstProblem(names) ?? (names as readonly string[]);
    }
    case 'sources': {
      const sources = texts.map((source) => parseSource(source, ''));
      return firstProblem(sources) ?? (sources as readonly string[]);
    }
    case 'authorities': {
      const urls = texts.map((url) => parseUrl(url, ''));
      return firstProblem(urls) ?? urls.map((url) => ({ url: String(url) }));
    }
    case 'boolean': {
      const word = text.toLowerCase();
      if (['1', 'true', 'yes', 'on'].includes(word)) return true;
      if (['0', 'false', 'no', 'off'].includes(word)) return false;
      return new ValueProblem('', 'true or false', text);
    }
    case 'duration':
      return parseDuration(text);
    case 'count':
      return parseCount(setting, /^\d{1,7}$/.test(text) ? Number(text) : text, '');
    default:
      return parseScalar(setting, text, base, '');
  }
}

/** Validates a value of a configuration file. `at` is its JSON path. */
export function parseJsonValue(
  setting: Setting,
  value: unknown,
  base: PathBase,
  at: string,
): SettingValue | ValueProblem {
  switch (setting.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : new ValueProblem(at, 'true or false', value);
    case 'duration': {
      const fits = typeof value === 'number' && Number.isInteger(value);
      if (fits && value >= 1 && value <= durationMsMax) return value;
      return new ValueProblem(at, `whole milliseconds from 1 to ${durationMsMax}`, value);
    }
    case 'count':
      return parseCount(setting, value, at);
    case 'paths':
    case 'names':
    case 'sources':
    case 'authorities': {
      if (!Array.isArray(value)) return new ValueProblem(at, 'a list', value);
      const items = value.map((item: unknown, index) => {
        const place = `${at}[${index}]`;
        if (setting.kind === 'authorities') return parseAuthority(item, base, place);
        if (setting.kind === 'names') return parseName(item, place);
        if (setting.kind === 'sources') return parseSource(item, place);
        const isPath = typeof item === 'string' && item !== '';
        return isPath ? pathFrom(item, base) : new ValueProblem(place, 'a path', item);
      });
      return firstProblem(items) ?? (items as readonly string[] | readonly TsaConfig[]);
    }
    default:
      if (typeof value !== 'string') return new ValueProblem(at, 'a text', value);
      return parseScalar(setting, value, base, at);
  }
}

const nameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;

function parseName(value: unknown, at: string): string | ValueProblem {
  const fits = typeof value === 'string' && nameForm.test(value);
  return fits ? value : new ValueProblem(at, 'a name of lower-case letters and digits', value);
}

/** `NAME=URL`. TLS is required except for this machine, because the lists decide about persons. */
function parseSource(value: unknown, at: string): string | ValueProblem {
  const [, name = '', address = ''] =
    (typeof value === 'string' && /^([^=]*)=(.*)$/s.exec(value)) || [];
  if (!/^[\p{L}\p{N}._-]{1,100}$/u.test(name)) {
    return new ValueProblem(at, 'NAME=URL', typeof value === 'string' ? name : value);
  }
  const url = parseUrl(address, at);
  if (url instanceof ValueProblem) return url;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return `${name}=${address}`;
  return new ValueProblem(at, 'an https address', `${protocol}//${hostname}`);
}

function parseCount(
  { min = 1, max = countMax }: Setting,
  value: unknown,
  at: string,
): number | ValueProblem {
  const fits = typeof value === 'number' && Number.isInteger(value);
  if (fits && value >= min && value <= max) return value;
  return new ValueProblem(at, `a whole number from ${min} to ${max}`, value);
}

function parseScalar(
  setting: Setting,
  text: string,
  base: PathBase,
  at: string,
): string | ValueProblem {
  if (setting.kind === 'level') return parseLevel(text, at);
  if (setting.kind === 'url') {
    return setting.others?.find((word) => word === text.toLowerCase()) ?? parseUrl(text, at);
  }
  if (setting.kind === 'mailbox') return parseSender(text, at);
  if (setting.kind === 'choice') {
    const choices = setting.choices ?? [];
    const choice = choices.find((one) => one === text.toLowerCase());
    return choice ?? new ValueProblem(at, `one of ${choices.join(', ')}`, text);
  }
  if (text === '') return new ValueProblem(at, `a ${setting.kind}`, text);
  return setting.kind === 'path' ? pathFrom(text, base) : text;
}

// Accepts `B-LTA`, `b-lta` and `lta` as the same level.
function parseLevel(text: string, at: string): string | ValueProblem {
  const word = text.toUpperCase();
  const level = sealLevels.find((one) => one === word || one === `B-${word}`);
  return level ?? new ValueProblem(at, `one of ${sealLevels.join(', ')}`, text);
}

function parseSender(text: string, at: string): string | ValueProblem {
  if (parseMailbox(text) !== undefined) return text;
  const hint = 'quote a name with a comma or other punctuation: "Acme, Inc." <sign@acme.example>';
  return new ValueProblem(at, 'one mail address, or Name <address>', text, hint);
}

function parseUrl(text: string, at: string): string | ValueProblem {
  // The part before an @ or after a ? may be secret, even in a value that is not an address.
  const shown = text.replace(/^.*@/s, '…@').replace(/\?.*$/s, '?…');
  if (!isUrl(text)) {
    const scheme = text.includes('://') ? undefined : `write the scheme: https://${shown}`;
    const hint = text === '' ? 'omit it for the embedded authority' : scheme;
    return new ValueProblem(at, 'an http or https address', shown, hint);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return new ValueProblem(at, 'an http or https address', shown);
  }
  if (url.username !== '' || url.password !== '') {
    const hint = 'give the user and a password file separately';
    return new ValueProblem(at, 'an address without credentials', `…@${url.host}`, hint);
  }
  return text;
}

function parseAuthority(item: unknown, base: PathBase, at: string): TsaConfig | ValueProblem {
  const entry = typeof item === 'string' ? { url: item } : item;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return new ValueProblem(at, 'an address or an object with "url"', item);
  }
  const { url, user, passwordFile, ...rest } = entry as Record<string, unknown>;
  const unknownKey = Object.keys(rest)[0];
  if (unknownKey !== undefined) {
    return new ValueProblem(`${at}.${unknownKey}`, '"url", "user" or "passwordFile"', unknownKey);
  }
  if (typeof url !== 'string') return new ValueProblem(`${at}.url`, 'an address', url);
  const address = parseUrl(url, `${at}.url`);
  if (address instanceof ValueProblem) return address;
  if (user === undefined && passwordFile === undefined) return { url };
  if (typeof user !== 'string') return new ValueProblem(`${at}.user`, 'a text', user);
  if (typeof passwordFile !== 'string' || passwordFile === '') {
    return new ValueProblem(`${at}.passwordFile`, 'a path', passwordFile);
  }
  return { url, username: user, passwordFile: pathFrom(passwordFile, base) };
}

// `10s`, `800ms`, or a bare number of seconds.
function parseDuration(text: string): number | ValueProblem {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|)$/.exec(text);
  const ms = match === null ? Number.NaN : Number(match[1]) * (match[2] === 'ms' ? 1 : 1000);
  if (ms >= 1 && ms <= durationMsMax) return Math.round(ms);
  const expected = `a time such as 10s or 800ms, at most ${durationMsMax / 1000}s`;
  return new ValueProblem('', expected, text);
}

function pathFrom(path: string, base: PathBase): string {
  return absolutePath(path, base.folder, base.home);
}

function firstProblem(values: readonly unknown[]): ValueProblem | undefined {
  return values.find((value) => value instanceof ValueProblem);
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${value.length > 60 ? `${value.slice(0, 57)}…` : value}"`;
}
