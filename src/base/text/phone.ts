/**
 * Normalises a phone number: `+` and digits without separators, or seven digits for an Icelandic
 * number, with or without `+354`. Numbers are counted and compared in this form, whatever their
 * notation.
 */
export function normalPhone(text: string): string {
  const plain = text.normalize('NFKC').replace(/[^\d+]/g, '');
  const digits = plain.replace(/\+/g, '');
  if (!/^(\+|00)/.test(plain)) return digits;
  const international = plain.startsWith('00') ? digits.slice(2) : digits;
  return /^354\d{7}$/.test(international) ? international.slice(3) : `+${international}`;
}

const spacing = /[\s().-]+/g;

/**
 * A phone number as dialled: `+` and 7 to 15 digits (E.164), or seven digits of the national plan.
 * `00` in place of `+` and common separators are accepted. Undefined for anything else.
 *
 * @spec ITU-T E.164 §6.2
 */
export function dialledPhone(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const digits = text.trim().replace(spacing, '').replace(/^00/, '+');
  return /^(\+[1-9]\d{6,14}|\d{7})$/.test(digits) ? digits : undefined;
}
