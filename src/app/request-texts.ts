import { defined } from '../base/defined.ts';
import { InnsigliError } from '../base/errors.ts';
import type { Read } from '../base/input.ts';

/** Characters of one text at most, unless its reader says otherwise. */
const TEXT_MAX = 400;

/** `value` trimmed; undefined when there is none. @throws validation.error when it is too long */
export function text(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  if (isBlank(value)) return undefined;
  if (typeof value !== 'string') invalid(name, `expected text, found ${typeof value}`);
  const trimmed = value.trim();
  if (trimmed.length > max) invalid(name, `expected at most ${max} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(trimmed)) {
    invalid(name, 'expected text, found control characters');
  }
  return trimmed;
}

/** As {@link text} on one line: what goes into headers, subjects and names of files. */
export function line(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  const known = text(value, name, max);
  if (known !== undefined && /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(known)) {
    invalid(name, 'expected one line of text, found a line break, tab or unpaired surrogate');
  }
  return known;
}

/** Who asks for a change: an address of a user, or `System`. */
export const actor: Read<string> = (by, path) => {
  if (typeof by !== 'string') return invalid(path, `expected text, found ${typeof by}`);
  return line(by, path) ?? invalid(path, 'expected the person who asks, found nothing');
};

/** A key, whatever was handed in: what is no text belongs to nothing. */
export const anyKey: Read<string> = (key) => (typeof key === 'string' ? key : typeof key);

/** As {@link text}, at most `max` characters long. */
export function longText(max: number): Read<string | undefined> {
  return (value, path) => text(value as string | undefined, path, max);
}

/** Refuses a value of a request. @throws validation.error always */
export function invalid(field: string, why: string, hint?: string): never {
  throw new InnsigliError('validation.error', `${field}: ${why}`, {
    details: { field },
    ...defined({ hint }),
  });
}

/** An object with the one member, or none when there is no value. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

/** True for no text, or nothing but space. */
export function isBlank(value: string | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}
