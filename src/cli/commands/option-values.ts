import { resolve } from 'node:path';
import type { Command } from 'commander';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { isMailAddress } from '../../domain/message/index.ts';
import { foundInstead, readNamedNow } from '../../wire/documents.ts';
import { type CommandContext, refuseUsage } from '../context.ts';
import type { CliIo } from '../io.ts';
import { noFileError } from '../no-file.ts';

/** The member of `values` that `text` is, whatever its case. @throws usage.invalid */
export function oneOf<T extends string>(
  values: readonly T[],
  text: string | undefined,
  name: string,
): T | undefined {
  if (text === undefined) return undefined;
  const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
  return found ?? refuseUsage(`${name}: expected ${values.join(', ')}, found "${text}"`);
}

/** Numbers of webhooks and mail texts are int32. */
const ID_MAX = 2 ** 31 - 1;

/** The number of `what` («a webhook»). @throws usage.invalid */
export function idNumber(text: string, what: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (id <= ID_MAX) return id;
  return refuseUsage(`expected the number of ${what}, found "${text.slice(0, 40)}"`);
}

/** `NAME=VALUE` pairs as an object. @throws usage.invalid */
export function readPairs(pairs: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) refuseUsage(`${flag}: expected NAME=VALUE, found "${pair.slice(0, 40)}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The bytes of a file that an option names. @throws io.input.notfound, io.input.unreadable */
export function readOptionFile(path: string, cwd: string): Uint8Array {
  try {
    return readNamedNow(resolve(cwd, path));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    const name = isMissing ? 'io.input.notfound' : 'io.input.unreadable';
    const found = foundInstead(cause);
    if (found !== undefined) throw noFileError(path, found, cause);
    const what = isMissing ? 'does not exist' : `cannot be read (${code})`;
    throw new InnsigliError(name, `${path} ${what}`, { cause });
  }
}

/** As {@link readOptionFile}; `-` is standard input. @throws usage.input.required */
export async function readOptionInput(path: string, io: CliIo): Promise<Uint8Array> {
  if (path !== '-') return readOptionFile(path, io.cwd);
  const { readInput } = await import('../files/index.ts');
  const { source } = await readInput('-', io);
  return source.slice(0, source.lengthBytes);
}

/** The text of a file, or of standard input. @throws as {@link readOptionInput} */
export async function readInputText(path: string, io: CliIo): Promise<string> {
  const bytes = await readOptionInput(path, io);
  return Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** The JSON in a file, or on standard input. @throws usage.invalid, io.input.* */
export async function readJsonInput(path: string, io: CliIo): Promise<unknown> {
  const text = await readInputText(path, io);
  try {
    return JSON.parse(text);
  } catch {
    return refuseUsage(`${path}: expected JSON, found other text`);
  }
}

/** Refuses more than one option that reads standard input. @throws usage.invalid */
export function requireOneStdin(inputs: readonly (string | undefined)[]): void {
  const count = inputs.filter((input) => input === '-').length;
  if (count > 1)
    refuseUsage(`expected - once, because stdin is read once, found it ${count} times`);
}

/** The address of a user in an option. @throws usage.invalid */
export function readUser(user: string | undefined, flag = '--user'): string | undefined {
  if (user === undefined || isMailAddress(user.trim())) return user?.trim();
  return refuseUsage(`${flag}: expected an e-mail address, found "${user.slice(0, 60)}"`);
}

/** A number of an option, within bounds. @throws usage.invalid */
export function numberOf(text: string, name: string, least: number, most: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  return refuseUsage(`${name}: expected ${least} to ${most}, found "${text.slice(0, 40)}"`);
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `7d`, `12h`, `30m` as the time so long ago; any other text as it is. */
export function timeText(text: string, nowMs: number): string {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) return text;
  return new Date(Math.max(0, nowMs - Number(count) * unitMs)).toISOString();
}

/** Epoch milliseconds of a time in an option, as {@link timeText} has it. @throws usage.invalid */
export function timeOf(text: string, flag: string, nowMs: number): number {
  const atMs = Date.parse(timeText(text, nowMs));
  if (!Number.isNaN(atMs)) return atMs;
  return refuseUsage(`${flag}: expected 2026-01-31, 7d or 12h, found "${text.slice(0, 40)}"`);
}

/**
 * What `work` gives; an error about a member of the request says by which option it came.
 *
 * @param options names of members with what people know them by
 */
export async function namingOptions<T>(
  options: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inOptionNames(error, options);
  }
}

/** `error` in the words of the command line, when it is about a member of `options`. */
export function inOptionNames(error: unknown, options: Readonly<Record<string, string>>): unknown {
  if (!isInnsigliError(error)) return error;
  const { code, message, hint, details, cause } = error;
  const [field, head = '', below = ''] =
    /^([a-z]\w*)((?:\[\d+\]|\.\w+)*)(?=: )/i.exec(message) ?? [];
  if (field === undefined) return error;
  const [, at, member] = /^signees\[(\d+)\](?:\.(.+))?$/.exec(field) ?? [];
  const nth = `signee ${Number(at) + 1}${member === undefined ? '' : `, ${member}`}`;
  const named = Object.hasOwn(options, head) ? options[head] : undefined;
  // A list is one option that is given several times.
  const rest = below.replace(/^\[\d+\]/, '').replace(/^\./, ' ');
  const whole = Object.hasOwn(options, field) ? options[field] : named && `${named}${rest}`;
  const option = at === undefined ? whole : nth;
  if (option === undefined) return error;
  const why = message.slice(field.length + 2);
  const more = { details, cause, ...(hint === undefined ? {} : { hint }) };
  return new InnsigliError(code, `${option}: ${why}`, more);
}

/** Adds the option that names who asks. */
export function addUserOption(command: Command): Command {
  return command.option('--user <e-mail>', 'who does it, for the log (default: System)');
}

const DAY_MS = 86_400_000;

/**
 * Epoch milliseconds of the value of `--until`: the end of a day, a time, or so many days from now.
 *
 * @throws usage.invalid
 */
export function readEnd(text: string, nowMs: number): number {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return nowMs + Number(days) * DAY_MS;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const atMs = isDay ? Date.parse(`${text}T23:59:59Z`) : isTime ? Date.parse(text) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  const isKnown = !Number.isNaN(atMs) && (!isDay || new Date(atMs).toISOString().startsWith(text));
  if (isKnown) return atMs;
  return refuseUsage(
    `--until: expected 2027-01-31, 2027-01-31T12:00Z or 7d, found "${text.slice(0, 40)}"`,
  );
}

/** Asks before what cannot be undone; `--yes` is the answer. @throws usage.input.required */
export async function requireYes(question: string, { io, globals }: CommandContext): Promise<void> {
  if (!globals.input || globals.json || !io.stdin.isTerminal) {
    throw new InnsigliError('usage.input.required', 'what cannot be undone needs a yes', {
      hint: '--yes does it without being asked',
    });
  }
  if (!(await io.confirm(question))) refuseUsage('nothing was done');
}
