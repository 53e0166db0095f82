const addressCharactersMax = 254;
const localCharactersMax = 64;
// RFC 5322 dot-atom; quoted local parts are left out: nobody has one, and they can hold anything.
const localForm = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const labelForm = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/**
 * True for one mail address that can be written to: a dot-atom, `@` and a domain, at most 254
 * characters. Lists, names, comments, line breaks and control characters are not.
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

const spacing = /[\s().-]+/g;

/**
 * A phone number without spacing: `+` and 7 to 15 digits (E.164), or seven digits of the national
 * plan. Undefined when `text` is neither; `00` for `+` is understood.
 *
 * @spec ITU-T E.164 §6.2
 */
export function normalPhoneNumber(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const digits = text.trim().replace(spacing, '').replace(/^00/, '+');
  return /^(\+[1-9]\d{6,14}|\d{7})$/.test(digits) ? digits : undefined;
}

/**
 * `text` on one line: control characters, line breaks and marks that turn the direction of
 * writing become spaces, so that a value can never begin another header or show another name.
 */
export function singleLine(text: string): string {
  return text.replace(unsafeCharacters, ' ').replace(/ {2,}/g, ' ').trim();
}

// Control and format characters, line and paragraph separators, halves of characters. A joiner
// inside an emoji is lost with them; no name needs one in a header.
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** `"name" <address>` for a From or Reply-To header; the bare address when nothing is left. */
export function formatMailbox(name: string, address: string): string {
  const shown = singleLine(name.replace(/["\\<>,;:@]/g, ' ')).slice(0, 120);
  return shown === '' ? address : `"${shown.trim()}" <${address}>`;
}
