import { InnsigliError } from '../../base/errors.ts';
import { isTimeZone } from '../../base/time-zone.ts';

/** Reads a member of a JSON object. @throws validation.error */
export type ParseMember<Value> = (value: unknown, name: string) => Value;

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses a member. @throws validation.error always */
export function refuseMember(name: string, expected: string, found: unknown): never {
  throw new InnsigliError(
    'validation.error',
    `${name}: expected ${expected}, found ${shown(found)}`,
    {
      details: { field: name },
    },
  );
}

/** True or false. */
export const flag: ParseMember<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : refuseMember(name, 'true or false', value);

/** A text with something in it, at most `charactersMax` long, on one line. */
export function text(charactersMax: number): ParseMember<string> {
  return (value, name) => {
    const trimmed = typeof value === 'string' ? value.trim() : '';
    const isLine = trimmed !== '' && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(trimmed);
    if (!isLine || trimmed.length > charactersMax) {
      return refuseMember(name, `a line of 1 to ${charactersMax} characters`, value);
    }
    return trimmed;
  };
}

/** A whole number. */
export function whole(min: number, max: number): ParseMember<number> {
  return (value, name) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : refuseMember(name, `a whole number from ${min} to ${max}`, value);
}

/** One of `words`, in any letter case. */
export function word<Word extends string>(words: readonly Word[]): ParseMember<Word> {
  return (value, name) => {
    const wish = typeof value === 'string' ? value.toLowerCase() : undefined;
    const found = words.find((each) => each.toLowerCase() === wish);
    return found ?? refuseMember(name, `one of ${words.join(', ')}`, value);
  };
}

/** A time zone by its IANA name. */
export const timeZone: ParseMember<string> = (value, name) =>
  typeof value === 'string' && isTimeZone(value)
    ? value
    : refuseMember(name, 'a time zone such as Europe/Prague', value);

/** As `parse`; undefined for a member that is absent, null or empty. */
export function optional<Value>(parse: ParseMember<Value>): ParseMember<Value | undefined> {
  return (value, name) =>
    value === undefined || value === null || value === '' ? undefined : parse(value, name);
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object'
    ? Array.isArray(value)
      ? 'a list'
      : 'an object'
    : String(value);
}
