import { InnsigliError } from '../../../base/errors.ts';
import { GrowingBytes } from '../syntax/growing-bytes.ts';

const CLEAR = 256;
const END = 257;
const TABLE_SIZE = 4_096;

/**
 * Decodes LZWDecode data: codes of 9 to 12 bits, most significant bit first. With `earlyChange` 1
 * the code length increases one code early.
 *
 * A sequence is stored as offset and length in the output, because every sequence has already been
 * written there when its code is defined.
 *
 * @throws pdf.stream.invalid, limit.exceeded
 * @spec ISO 32000-1 §7.4.4
 */
export function decodeLzw(data: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array {
  const output = new GrowingBytes(data.length * 3, maxBytes);
  const starts = new Uint32Array(TABLE_SIZE);
  const lengths = new Uint32Array(TABLE_SIZE);
  const early = earlyChange === 0 ? 0 : 1;
  let next = END + 1;
  let codeBits = 9;
  let previousStart = -1;
  let bits = 0;
  let bitCount = 0;
  for (let at = 0; ; ) {
    while (bitCount < codeBits && at < data.length) {
      bits = ((bits << 8) | (data[at++] as number)) & 0xff_ffff;
      bitCount += 8;
    }
    // Some writers omit the end code.
    if (bitCount < codeBits) break;
    bitCount -= codeBits;
    const code = (bits >> bitCount) & ((1 << codeBits) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      next = END + 1;
      codeBits = 9;
      previousStart = -1;
      continue;
    }
    const start = output.lengthBytes;
    if (previousStart >= 0 && next < TABLE_SIZE) {
      // The previous sequence plus the first byte of this one, which is written next.
      starts[next] = previousStart;
      lengths[next] = start - previousStart + 1;
      next++;
    }
    if (code < 256) {
      output.push(code);
    } else {
      if (code >= next) throw new InnsigliError('pdf.stream.invalid', 'a stream is not LZW data');
      output.repeat(starts[code] as number, lengths[code] as number);
    }
    previousStart = start;
    if (next + early >= 1 << codeBits && codeBits < 12) codeBits++;
  }
  return output.bytes;
}
