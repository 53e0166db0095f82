import { unwrittenBytes } from '../../base/bytes.ts';
import { assert } from '../../base/errors.ts';

/**
 * An element with the given identifier byte around the parts.
 *
 * @spec X.690 §8.1.3, §10.1
 */
export function element(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const lengthOctets = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  assert(length < 0x1000000, 'a DER element below 16 MiB');
  const bytes = unwrittenBytes(2 + lengthOctets + length);
  bytes[0] = tag;
  if (lengthOctets === 0) bytes[1] = length;
  else {
    bytes[1] = 0x80 | lengthOctets;
    for (let i = 0; i < lengthOctets; i++) {
      bytes[2 + i] = (length >>> (8 * (lengthOctets - 1 - i))) & 0xff;
    }
  }
  let offset = 2 + lengthOctets;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** SEQUENCE of the parts, in this order. */
export function sequence(...parts: Uint8Array[]): Uint8Array {
  return element(0x30, parts);
}

/** SET OF the parts, sorted as DER requires. @spec X.690 §11.6 */
export function setOf(...parts: Uint8Array[]): Uint8Array {
  return element(0x31, sortedSet(parts));
}

/** The parts in the order that DER requires in a SET OF. @spec X.690 §11.6 */
export function sortedSet(parts: readonly Uint8Array[]): Uint8Array[] {
  return [...parts].sort(compareBytes);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** `[number] EXPLICIT` around the parts: constructed, context class. */
export function explicit(number: number, ...parts: Uint8Array[]): Uint8Array {
  return element(0xa0 | number, parts);
}

/** `[number] IMPLICIT`: the element with its tag replaced and the constructed bit unchanged. */
export function implicit(number: number, der: Uint8Array): Uint8Array {
  // Not slice(): on a Buffer it returns a view, and the caller's bytes would change.
  const copy = new Uint8Array(der);
  copy[0] = 0x80 | ((der[0] as number) & 0x20) | number;
  return copy;
}

/** OBJECT IDENTIFIER from dotted decimal form. */
export function oid(dotted: string): Uint8Array {
  // Arcs under 2.25 are as long as a UUID.
  const arcs = dotted.split('.').map(BigInt);
  const bytes: number[] = [];
  const [first = 0n, second = 0n, ...rest] = arcs;
  for (const arc of [first * 40n + second, ...rest]) {
    const group = [Number(arc % 128n)];
    for (let left = arc / 128n; left > 0n; left /= 128n) group.unshift(0x80 | Number(left % 128n));
    bytes.push(...group);
  }
  return element(0x06, [Uint8Array.from(bytes)]);
}

/** INTEGER from its content bytes (two's complement, as {@link readIntegerBytes} returns). */
export function integerFromContent(content: Uint8Array): Uint8Array {
  return element(0x02, [content]);
}

/** Non-negative INTEGER from big-endian bytes: leading zeros removed, sign byte added if needed. */
export function unsignedInteger(magnitude: Uint8Array): Uint8Array {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start++;
  const trimmed = magnitude.subarray(start);
  const needsSign = trimmed.length === 0 || (trimmed[0] as number) >= 0x80;
  return element(0x02, needsSign ? [Uint8Array.of(0), trimmed] : [trimmed]);
}

/** INTEGER from a non-negative safe number. */
export function smallInteger(value: number): Uint8Array {
  assert(Number.isSafeInteger(value) && value >= 0, 'a small non-negative integer');
  const hex = value.toString(16);
  return unsignedInteger(Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex'));
}

/** ENUMERATED from a small non-negative number. */
export function enumerated(value: number): Uint8Array {
  const der = smallInteger(value).slice();
  der[0] = 0x0a;
  return der;
}

/** BOOLEAN. */
export function boolean(value: boolean): Uint8Array {
  return Uint8Array.of(0x01, 0x01, value ? 0xff : 0x00);
}

/** NULL. */
export function nil(): Uint8Array {
  return Uint8Array.of(0x05, 0x00);
}

/** OCTET STRING. */
export function octetString(bytes: Uint8Array): Uint8Array {
  return element(0x04, [bytes]);
}

/** BIT STRING of whole bytes. */
export function bitString(bytes: Uint8Array): Uint8Array {
  return element(0x03, [Uint8Array.of(0), bytes]);
}

/** BIT STRING of named bits: bit 0 of the specification is 1, bit 1 is 2, … No trailing zeros. */
export function namedBits(bits: number): Uint8Array {
  if (bits === 0) return Uint8Array.of(0x03, 0x01, 0x00);
  const count = 32 - Math.clz32(bits);
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < count; i++) {
    if (bits & (1 << i)) bytes[i >> 3] = (bytes[i >> 3] as number) | (0x80 >> (i & 7));
  }
  return element(0x03, [Uint8Array.of((8 - (count % 8)) % 8), bytes]);
}

/** UTF8String. */
export function utf8String(text: string): Uint8Array {
  return element(0x0c, [Buffer.from(text, 'utf8')]);
}

/** PrintableString; the caller ensures that the characters are permitted. */
export function printableString(text: string): Uint8Array {
  return element(0x13, [Buffer.from(text, 'latin1')]);
}

/** IA5String; the caller ensures that the characters are ASCII. */
export function ia5String(text: string): Uint8Array {
  return element(0x16, [Buffer.from(text, 'latin1')]);
}

/** GeneralizedTime in UTC; milliseconds are written only if not zero. @spec X.690 §11.7 */
export function generalizedTime(timeMs: number): Uint8Array {
  const iso = new Date(timeMs).toISOString();
  const seconds = iso.slice(0, 19).replace(/[-:T]/g, '');
  const fraction = iso.slice(20, 23).replace(/0+$/, '');
  const text = fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
  return element(0x18, [Buffer.from(text, 'latin1')]);
}

/**
 * The Time of certificates and CRLs in whole seconds: UTCTime up to 2049, GeneralizedTime after.
 *
 * @spec RFC 5280 §4.1.2.5
 */
export function certificateTime(timeMs: number): Uint8Array {
  const whole = Math.floor(timeMs / 1000) * 1000;
  const date = new Date(whole);
  if (date.getUTCFullYear() > 2049) return generalizedTime(whole);
  const text = `${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`;
  return element(0x17, [Buffer.from(text, 'latin1')]);
}
