import { normalPhone } from '../../base/text/index.ts';
import { HIDDEN } from './block-texts.ts';

const mailForm = /[^\s<>"'(),;:=@]+@[^\s<>"'(),;:=@]+/g;
/** Separators of digits as people write them, including those escaped in certificate names. */
const between = "[\\s.,()/+:_'\\u2019\\u00b7*\\\\\\p{Pd}\\p{Cf}]{0,3}";
const SECRET_MIN = 4;
const NATIONAL_PHONE_MIN = 7;

/** A number, mail or network address that texts could repeat. */
export interface Secret {
  readonly kind: 'number' | 'phone' | 'mail' | 'ip';
  readonly text: string | undefined;
}

/** A pattern that matches one secret in any notation, and its replacement. */
interface KnownSecret {
  readonly pattern: RegExp;
  readonly mask: string;
}

/** Masks a mail address except its first letter: the host would reveal a person's employer. */
export function maskMail(address: string): string {
  const [first = ''] = address;
  // Some addresses start with a number, which is already masked.
  const shown = first === '…' ? '' : first;
  return address.includes('@') ? `${shown}…@${HIDDEN}` : HIDDEN;
}

/** Masks a number except its last digits, as in logs. */
export function maskNumber(number: string): string {
  return `…${number.replace(/\D/g, '').slice(-2)}`;
}

/** Masks all mail addresses in `text`, whoever they belong to. */
export function maskMails(text: string): string {
  return text.replace(mailForm, (address) =>
    address.includes(`…@${HIDDEN}`) ? address : maskMail(address),
  );
}

/** Masks the known secrets in `text`. */
export function maskKnown(text: string, known: readonly KnownSecret[]): string {
  return known.reduce((rest, { pattern, mask }) => rest.replace(pattern, () => mask), text);
}

/** Patterns of the secrets, longest first, because a shorter one may be part of a longer one. */
export function knownSecrets(secrets: readonly Secret[]): readonly KnownSecret[] {
  const found = new Map<string, KnownSecret & { readonly length: number }>();
  for (const { kind, text } of secrets) {
    if (text === undefined || text.length < SECRET_MIN || text.startsWith('…')) continue;
    for (const [length, source, mask] of formsOf(kind, text)) {
      found.set(source, { pattern: new RegExp(source, 'giu'), mask, length });
    }
  }
  return [...found.values()].sort((a, b) => b.length - a.length);
}

type Form = readonly [length: number, source: string, mask: string];

function formsOf(kind: Secret['kind'], text: string): readonly Form[] {
  // 192.0.2.1 must not match within 192.0.2.10.
  if (kind === 'ip') return [[text.length, `(?<![\\d.])${literal(text)}(?!\\d)`, HIDDEN]];
  if (kind === 'mail') return [[text.length, literal(text), maskMail(text)]];
  const bare = kind === 'phone' ? phonesOf(text) : nationalNumbersOf(text);
  return bare
    .filter((each) => each.length >= SECRET_MIN)
    .map((each) => [each.length, [...each].map(written).join(between), maskNumber(text)]);
}

/** A national number without a prefix like `PNOEE-`, and also without any century digits. */
function nationalNumbersOf(text: string): readonly string[] {
  const bare = text.replace(/^[a-z]{2,5}[-:]/i, '').replace(/[^\p{L}\p{Nd}]/gu, '');
  return /^(18|19|20)\d{10}$/.test(bare) ? [bare, bare.slice(2)] : [bare];
}

/** A phone number with and without its country code, which has up to three digits. */
function phonesOf(text: string): readonly string[] {
  const normal = normalPhone(text);
  const digits = normal.replace(/\D/g, '');
  if (!normal.startsWith('+')) return [digits];
  const national = [1, 2, 3].map((code) => digits.slice(code));
  return [digits, ...national.filter((each) => each.length >= NATIONAL_PHONE_MIN)];
}

/** Pattern of one character of a number. Digits also match their full-width forms. */
function written(character: string): string {
  const isDigit = /^[0-9]$/.test(character);
  if (!isDigit) return literal(character);
  return `[${character}${String.fromCharCode(0xff10 + Number(character))}]`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
