import { InnsigliError } from '../../../base/errors.ts';
import { characterClasses, hexValues, SPACE } from '../syntax/characters.ts';
import { GrowingBytes } from '../syntax/growing-bytes.ts';

function damaged(filter: string): InnsigliError {
  return new InnsigliError('pdf.stream.invalid', `a stream is not ${filter} data`);
}

/** Decodes ASCIIHexDecode data. @throws pdf.stream.invalid @spec ISO 32000-1 §7.4.2 */
export function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array((data.length + 1) >> 1);
  let count = 0;
  for (const byte of data) {
    if (byte === 0x3e) break;
    const value = hexValues[byte] as number;
    if (value === 255) {
      if (characterClasses[byte] === SPACE) continue;
      throw damaged('ASCIIHex');
    }
    const at = count >> 1;
    bytes[at] = (bytes[at] as number) | ((count & 1) === 0 ? value << 4 : value);
    count++;
  }
  return bytes.subarray(0, (count + 1) >> 1);
}

/**
 * Decodes ASCII85Decode data.
 *
 * @throws pdf.stream.invalid, limit.exceeded
 * @spec ISO 32000-1 §7.4.3
 */
export function decodeAscii85(data: Uint8Array, maxBytes: number): Uint8Array {
  const output = new GrowingBytes(data.length, maxBytes);
  let value = 0;
  let count = 0;
  for (const byte of data) {
    if (characterClasses[byte] === SPACE) continue;
    if (byte === 0x7e) break;
    if (byte === 0x7a && count === 0) {
      for (let i = 0; i < 4; i++) output.push(0);
      continue;
    }
    if (byte < 0x21 || byte > 0x75) throw damaged('ASCII85');
    value = value * 85 + (byte - 0x21);
    if (++count < 5) continue;
    if (value > 0xffff_ffff) throw damaged('ASCII85');
    for (let shift = 24; shift >= 0; shift -= 8) output.push((value >>> shift) & 0xff);
    value = 0;
    count = 0;
  }
  if (count === 1) throw damaged('ASCII85');
  if (count > 1) {
    for (let i = count; i < 5; i++) value = value * 85 + 84;
    if (value > 0xffff_ffff) throw damaged('ASCII85');
    for (let i = 0; i < count - 1; i++) output.push((value >>> (24 - 8 * i)) & 0xff);
  }
  return output.bytes;
}

/**
 * Decodes RunLengthDecode data.
 *
 * @throws pdf.stream.invalid, limit.exceeded
 * @spec ISO 32000-1 §7.4.5
 */
export function decodeRunLength(data: Uint8Array, maxBytes: number): Uint8Array {
  const output = new GrowingBytes(data.length * 2, maxBytes);
  let at = 0;
  while (at < data.length) {
    const length = data[at++] as number;
    if (length === 128) break;
    if (length < 128) {
      const end = at + length + 1;
      if (end > data.length) throw damaged('RunLength');
      output.append(data.subarray(at, end));
      at = end;
    } else {
      const byte = data[at++];
      if (byte === undefined) throw damaged('RunLength');
      output.fill(byte, 257 - length);
    }
  }
  return output.bytes;
}
