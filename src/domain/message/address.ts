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
