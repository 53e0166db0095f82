import { asBuffer } from '../../../base/bytes.ts';
import { startsWith } from './starts-with.ts';
import { malformed } from './xml-error.ts';

/** The predefined entities, each including its semicolon. */
const predefined: ReadonlyMap<string, string> = new Map([
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
]);

const predefinedReferences = Array.from(predefined, ([text, character]) => {
  return { text, codePoint: character.charCodeAt(0) };
});

/** Maximum length of a reference: `&#x` with leading zeros is legal, a page of them is not. */
const REFERENCE_BYTES = 32;

/** A character or predefined entity reference in a document. */
export interface CharacterReference {
  readonly codePoint: number;
  /** Offset after its semicolon. */
  readonly endOffset: number;
}

/**
 * The reference whose ampersand is at `offset`.
 *
 * @throws xml.invalid for an entity other than the five predefined ones, or a character that XML
 * forbids
 * @spec XML 1.0 §4.1, §4.6
 */
export function readReference(bytes: Uint8Array, offset: number): CharacterReference {
  const start = offset + 1;
  if (bytes[start] === 0x23) {
    const reference = readNumber(bytes, start + 1);
    if (reference !== undefined && isCharacter(reference.codePoint)) return reference;
  } else {
    for (const { text, codePoint } of predefinedReferences) {
      if (startsWith(bytes, start, text)) return { codePoint, endOffset: start + text.length };
    }
  }
  const found = asBuffer(bytes)
    .toString('utf8', offset, offset + 20)
    .split(/[;\s<]/, 1)[0];
  const hint = 'expected one of the five predefined entities or a character reference';
  throw malformed(bytes, offset, `"${found}": ${hint}`);
}

/** The number at `start` up to its semicolon; `x` precedes hexadecimal ones. */
function readNumber(bytes: Uint8Array, start: number): CharacterReference | undefined {
  const radix = bytes[start] === 0x78 ? 16 : 10;
  const from = radix === 16 ? start + 1 : start;
  let codePoint = 0;
  for (let at = from; at < start + REFERENCE_BYTES; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x3b) return at === from ? undefined : { codePoint, endOffset: at + 1 };
    const digit = digitOf(byte);
    if (digit >= radix) return undefined;
    codePoint = Math.min(codePoint * radix + digit, 0x110000);
  }
  return undefined;
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.POSITIVE_INFINITY;
}

/** Whether a document may contain the character. @spec XML 1.0 §2.2 */
function isCharacter(codePoint: number): boolean {
  if (codePoint < 0x20) return codePoint === 0x9 || codePoint === 0xa || codePoint === 0xd;
  if (codePoint < 0xd800) return true;
  return (codePoint > 0xdfff && codePoint < 0xfffe) || (codePoint > 0xffff && codePoint < 0x110000);
}

/** Rejects a control character, U+FFFE or U+FFFF at `offset`; returns true for anything else. */
export function requireCharacter(bytes: Uint8Array, offset: number): true {
  const byte = bytes[offset] as number;
  const isControl = byte < 0x20 && byte !== 0x9 && byte !== 0xa && byte !== 0xd;
  const isNoncharacter =
    byte === 0xef && bytes[offset + 1] === 0xbf && (bytes[offset + 2] as number) >= 0xbe;
  if (!isControl && !isNoncharacter) return true;
  throw malformed(bytes, offset, 'a character that XML forbids');
}

// XML 1.0 (fifth edition) §2.3 without the colon, which is reserved for namespaces.
const nameStart =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
  '\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}' +
  '\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const nameRest = `${nameStart}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;
const plainName = new RegExp(`^[${nameStart}][${nameRest}]*$`, 'u');
const asciiName = /^[A-Za-z_][\w.-]*$/;

/** Whether a name is valid and has no colon. @spec Namespaces in XML 1.0 §3 */
export function isPlainName(name: string): boolean {
  return asciiName.test(name) || plainName.test(name);
}

/** Up to this many bytes, a loop costs less than a native call. */
const LOOPED_BYTES = 128;

/**
 * Decodes validated character data, with references resolved and line ends normalised to line
 * feeds.
 *
 * @param asAttribute white space becomes spaces, as in attribute values (XML 1.0 §3.3.3)
 */
export function decodeCharacters(
  bytes: Buffer,
  start: number,
  end: number,
  asAttribute = false,
): string {
  if (start === end) return '';
  if (end - start <= LOOPED_BYTES && isPlain(bytes, start, end)) {
    return bytes.toString('latin1', start, end);
  }
  const plain = bytes.toString('utf8', start, end).replace(/\r\n?/g, '\n');
  const text = asAttribute ? plain.replace(/[\t\n]/g, ' ') : plain;
  return text.includes('&') ? resolveReferences(text) : text;
}

/** Whether the range is ASCII without references and without white space other than spaces. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e || byte === 0x26) return false;
  }
  return true;
}

function resolveReferences(text: string): string {
  let resolved = '';
  let from = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at);
    resolved += text.slice(from, at) + resolve(text.slice(at + 1, end + 1));
    from = end + 1;
  }
  return resolved + text.slice(from);
}

function resolve(reference: string): string {
  if (!reference.startsWith('#')) return predefined.get(reference) as string;
  const isHexadecimal = reference[1] === 'x';
  const digits = reference.slice(isHexadecimal ? 2 : 1);
  return String.fromCodePoint(Number.parseInt(digits, isHexadecimal ? 16 : 10));
}

/** Whether a byte is white space. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
