import { latin1Text } from '../../../base/bytes.ts';
import { hexValues } from './characters.ts';

/** Powers of ten that a double represents exactly. */
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * The number that the token `bytes[start..end)` represents; undefined if it is not a number. The
 * result is the double nearest to the decimal value.
 *
 * @spec ISO 32000-1 §7.3.3
 */
export function readNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const sign = bytes[at];
  if (sign === 0x2b || sign === 0x2d) at++;
  let digits = 0;
  let fraction = -1;
  let mantissa = 0;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x2e) {
      if (fraction >= 0) return undefined;
      fraction = 0;
      continue;
    }
    if (byte < 0x30 || byte > 0x39) return undefined;
    mantissa = mantissa * 10 + (byte - 0x30);
    digits++;
    if (fraction >= 0) fraction++;
  }
  if (digits === 0) return undefined;
  let value: number;
  if (fraction <= 0 && digits <= 15) {
    value = mantissa;
  } else if (digits <= 15) {
    // Both are exact, so the quotient is rounded only once, as required.
    value = mantissa / (powersOfTen[fraction] as number);
  } else {
    value = Number(
      latin1Text(bytes.subarray(sign === 0x2b || sign === 0x2d ? start + 1 : start, end)),
    );
    if (!Number.isFinite(value)) return undefined;
  }
  return sign === 0x2d && value !== 0 ? -value : value;
}

/** Whether a token has only characters that unusual programs use in numbers, such as `1e30`. */
export function isLikeNumber(token: Uint8Array): boolean {
  return /^[\d.+\-eE]+$/.test(latin1Text(token));
}

/**
 * The literal string whose opening parenthesis is at `start`; undefined if it does not end within
 * `bytes`. Without escapes the result is a view.
 *
 * @spec ISO 32000-1 §7.3.4.2
 */
export function readLiteral(
  bytes: Uint8Array,
  start: number,
): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  let depth = 1;
  let plain = true;
  let at = start + 1;
  for (; ; at++) {
    if (at >= bytes.length) return undefined;
    const byte = bytes[at];
    if (byte === 0x5c) {
      plain = false;
      at++;
    } else if (byte === 0x28) {
      depth++;
    } else if (byte === 0x29) {
      if (--depth === 0) break;
    } else if (byte === 0x0d) {
      plain = false;
    }
  }
  const content = bytes.subarray(start + 1, at);
  return { bytes: plain ? content : unescapeLiteral(content), end: at + 1 };
}

function unescapeLiteral(content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length);
  let count = 0;
  let at = 0;
  while (at < content.length) {
    let byte = content[at++] as number;
    if (byte === 0x0d) {
      // Any end of line within a string is read as a single line feed.
      if (content[at] === 0x0a) at++;
      byte = 0x0a;
    } else if (byte === 0x5c) {
      const letter = content[at++];
      if (letter === undefined) break;
      if (letter === 0x0a) continue;
      if (letter === 0x0d) {
        if (content[at] === 0x0a) at++;
        continue;
      }
      if (letter >= 0x30 && letter <= 0x37) {
        byte = letter - 0x30;
        for (let i = 0; i < 2; i++) {
          const digit = (content[at] ?? 0) - 0x30;
          if (digit < 0 || digit > 7) break;
          byte = byte * 8 + digit;
          at++;
        }
      } else {
        byte = unescapes.get(letter) ?? letter;
      }
    }
    bytes[count++] = byte;
  }
  return bytes.subarray(0, count);
}

const unescapes: ReadonlyMap<number, number> = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

/** The name in these bytes after a slash, `#xx` decoded. @spec ISO 32000-1 §7.3.5 */
export function unescapeName(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    const high = byte === 0x23 ? (hexValues[bytes[i + 1] ?? 0] as number) : 255;
    const low = high === 255 ? 255 : (hexValues[bytes[i + 2] ?? 0] as number);
    if (low === 255) {
      // A number sign that does not start an escape is literal, as in PDF 1.1.
      text += String.fromCharCode(byte);
    } else {
      text += String.fromCharCode(high * 16 + low);
      i += 2;
    }
  }
  return text;
}

/** Number of digits from which calling Buffer is faster than a loop. */
const LONG_DIGITS = 256;

/** Bytes represented by pairs of hexadecimal digits; undefined if there are other characters. */
export function decodeDigits(digits: Uint8Array): Uint8Array | undefined {
  if (digits.length % 2 !== 0) return undefined;
  if (digits.length >= LONG_DIGITS) {
    // Buffer stops at the first byte that is not a digit.
    const quick = Buffer.from(latin1Text(digits), 'hex');
    return quick.length * 2 === digits.length ? quick : undefined;
  }
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = hexValues[digits[2 * i] as number] as number;
    const low = hexValues[digits[2 * i + 1] as number] as number;
    if ((high | low) > 15) return undefined;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}
