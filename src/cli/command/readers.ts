import { isMailAddress } from '../../base/mailbox.ts';
import { meantHint } from '../../base/text/index.ts';
import { findDayMs } from '../../base/time/day.ts';
import { findTime, timeForms } from '../../base/time/iso-time.ts';
import { asKey } from '../../domain/keys.ts';
import { refuseUsage } from '../context.ts';
import type { Reader } from './command.types.ts';

/**
 * Returns a reader to spread into the specification of an option:
 * `{ text: '…', ...integer(1, 9) }`. An object, because types are not inferred from generic
 * functions that return functions.
 */
export function reading<T>(read: Reader<T>) {
  return { read };
}

/** Quotes a text for an error; a long one is cut. */
function quoted(text: string): string {
  return text.length <= 40
    ? `"${text}"`
    : `"${text.slice(0, 39).replace(/[\ud800-\udbff]$/, '')}…"`;
}

/** Reads one of `words`, in any letter case. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return { ...reading((text, name): Word => findWord(words, text, name)), offered: words };
}

/** Returns the word that `text` matches in any letter case. @throws usage.invalid */
export function findWord<Word extends string>(
  words: readonly Word[],
  text: string,
  name: string,
): Word {
  const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const message = `${name}: expected one of ${words.join(', ')}, found "${text}"`;
  return refuseUsage(message, meantHint(text, words));
}

/** Reads an integer in the range; errors describe it as `expected`. */
export function integer(min: number, max: number, expected = `${min} to ${max}`) {
  return reading((text, name) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return value;
    return refuseUsage(`${name}: expected ${expected}, found ${quoted(text)}`);
  });
}

/** Specification of an option for the maximum number of `what`. */
export function atMost(what: string, [min, max]: readonly [number, number], usual: number) {
  return { text: `maximum number of ${what}`, ...integer(min, max), default: `${usual}` };
}

/** IDs of webhooks and mail templates are int32. */
const ID_MAX = 2 ** 31 - 1;

/** Reads the ID of `what` ("a webhook"). */
export function idNumber(what: string) {
  return reading((text) => {
    const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
    if (id <= ID_MAX) return id;
    return refuseUsage(`expected the number of ${what}, found ${quoted(text)}`);
  });
}

/** Reads a key. Whether it exists is checked later. */
export function key<const Kind extends Parameters<typeof asKey>[0]>(kind: Kind) {
  return reading((text) => asKey(kind, text));
}

/** Reads `on` or `off`. */
export const onOff = reading((text, name) => findWord(['on', 'off'], text, name) === 'on');

/** Reads a port; 0 selects a free one. */
export const port = integer(0, 65535);

/** Reads the mail address of a user, trimmed. */
export const mailAddress = reading((text, name) => {
  if (isMailAddress(text.trim())) return text.trim();
  return refuseUsage(`${name}: expected an e-mail address, found "${text.slice(0, 60)}"`);
});

/** The option that names the acting user. */
export const byUser = {
  text: 'author for the log (default: the logged-in operator, else System)',
  ...mailAddress,
};

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts `7d`, `12h` or `30m` to the time that long ago; returns any other text unchanged. */
export function timeText(text: string, nowMs: number): string {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) return text;
  return new Date(Math.max(0, nowMs - Number(count) * unitMs)).toISOString();
}

/** Reads a time in the format of {@link timeText}, as epoch milliseconds. */
export const pastTime = reading((text, name, { io }) => {
  const atMs = findTime(timeText(text, io.now()));
  return atMs ?? refuseTime(text, name, '7d or 12h ago');
});

/** Reads an end as epoch milliseconds: the end of a day, a time, or a number of days from now. */
export const endTime = reading((given, name, { io }) => {
  const text = given.trim();
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return io.now() + Number(days) * 86_400_000;
  const dayMs = findDayMs(text);
  if (dayMs !== undefined) return dayMs + 86_399_000;
  return findTime(text) ?? refuseTime(given, name, '7d from now');
});

function refuseTime(text: string, name: string, further: string): never {
  const expected = [...timeForms, `or ${further}`].join(', ');
  return refuseUsage(`${name}: expected ${expected}, found ${quoted(text)}`);
}

/** Reads `NAME=VALUE`. */
export const pair = reading((text, name): readonly [name: string, value: string] => {
  const at = text.indexOf('=');
  if (at < 1) refuseUsage(`${name}: expected NAME=VALUE, found ${quoted(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
});

/** Reads `expiresAfterDays=14`, `mayDecline=true`, `reminderRule=1:3`, `defaultSignees=[…]`. */
export const setting = reading((text, name, context): readonly [name: string, value: unknown] => {
  const [member, value] = pair.read(text, name, context);
  const isJson = /^(?:true|false|null|-?\d{1,9}|[[{].*)$/s.test(value);
  try {
    return [member, isJson ? JSON.parse(value) : value];
  } catch {
    return refuseUsage(`${name} ${member}: expected JSON, found "${value.slice(0, 40)}"`);
  }
});
