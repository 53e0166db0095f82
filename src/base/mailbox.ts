/** A mail address with its display name. */
export interface Mailbox {
  /** Plain text on one line. Undefined: only the address is displayed. */
  readonly name?: string;
  readonly address: string;
}

const addressCharactersMax = 254;
const localCharactersMax = 64;
const nameCharactersMax = 120;
// RFC 5322 dot-atom. No quoted local parts: they are unused in practice and can contain anything.
const localForm = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const labelForm = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
// A phrase of atoms, including dots as commonly used, or one quoted string.
const mailboxForm = /^(?:"((?:[^"\\]|\\.)*)"|([^"\\<>()[\]:;@,]*))\s*<([^<>]*)>$/u;

/**
 * Whether this is one deliverable mail address: a dot-atom, `@` and a domain, at most 254
 * characters. False for lists, names, comments, line breaks and control characters.
 *
 * @spec RFC 5321 §4.5.3.1, RFC 5322 §3.4.1
 */
export function isMailAddress(text: string): boolean {
  if (text.length > addressCharactersMax) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (local.length > localCharactersMax || !localForm.test(local)) return false;
  const labels = text.slice(at + 1).split('.');
  const isHost = labels.length > 1 || labels[0] === 'localhost';
  return isHost && labels.every((label) => labelForm.test(label));
}

/**
 * Parses a mailbox: `a@b.example`, `<a@b.example>`, `Name <a@b.example>` or
 * `"Name, Inc." <a@b.example>`. Undefined for a list, a group, comments, control characters,
 * bidirectional formatting characters, and names over 120 characters.
 *
 * @spec RFC 5322 §3.4
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const trimmed = text.trim();
  if (isMailAddress(trimmed)) return { address: trimmed };
  const [, quoted, phrase, address = ''] = mailboxForm.exec(trimmed) ?? [];
  if (!isMailAddress(address)) return undefined;
  const name = (quoted?.replace(/\\(.)/gu, '$1') ?? phrase ?? '').trim();
  if (name.length > nameCharactersMax || unsafeCharacters.test(name)) return undefined;
  return name === '' ? { address } : { name, address };
}

/**
 * Formats `"name" <address>`, or the bare address without a name. Characters of the name that a
 * header must not contain are quoted or replaced by a space. {@link parseMailbox} parses the
 * result.
 *
 * @spec RFC 5322 §3.2.4, §3.4
 */
export function formatMailbox({ name = '', address }: Mailbox): string {
  const shown = singleLine(name).slice(0, nameCharactersMax).trim();
  return shown === '' ? address : `"${shown.replace(/["\\]/g, '\\$&')}" <${address}>`;
}

/**
 * Returns `text` on one line: control characters, line breaks and bidirectional formatting
 * characters become spaces, so that a value can never start another header or display a different
 * name.
 */
export function singleLine(text: string): string {
  return text.replace(allUnsafeCharacters, ' ').replace(/ {2,}/g, ' ').trim();
}

// Control and format characters, line and paragraph separators, lone surrogates. This includes the
// joiners of emoji, which no name in a header needs.
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const allUnsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
