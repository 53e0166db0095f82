import { latin1Text } from '../../../base/bytes.ts';

/** Calls `each` for each character code of a string, with its length in bytes. */
export type CodeReader = (
  bytes: Uint8Array,
  each: (code: number, lengthBytes: number) => void,
) => void;

/** Each byte is a code. */
export const singleBytes: CodeReader = (bytes, each) => {
  for (const byte of bytes) each(byte, 1);
};

const pairs: CodeReader = (bytes, each) => {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    each((bytes[at] as number) * 256 + (bytes[at + 1] as number), 2);
  }
};

/** Codes of one or two bytes, depending on the first byte. */
function mixed(isFirstOfTwo: (byte: number) => boolean): CodeReader {
  return (bytes, each) => {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const second = isFirstOfTwo(byte) ? bytes[at + 1] : undefined;
      if (second === undefined) {
        each(byte, 1);
        continue;
      }
      each(byte * 256 + second, 2);
      at++;
    }
  };
}

/** Maximum number of bytes read of a CMap program. */
export const PROGRAM_BYTES = 65_536;

/**
 * The reader that splits strings of a composite font into codes, selected by the name of its
 * encoding or by an embedded CMap program.
 *
 * @spec ISO 32000-1 §9.7.5
 */
export function codesOf(name: string, program: Uint8Array | undefined): CodeReader {
  if (program !== undefined) return codesOfProgram(program);
  if (name.includes('RKSJ')) {
    return mixed((byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc));
  }
  if (/EUC|GBK|GBpc|B5|HKscs|KSC|CNS/.test(name) && !/UCS2|UTF/.test(name)) {
    return mixed((byte) => byte >= 0x81);
  }
  return pairs;
}

/** The code ranges that the program declares; without any, two bytes per code. */
function codesOfProgram(program: Uint8Array): CodeReader {
  const text = latin1Text(program.subarray(0, PROGRAM_BYTES));
  const from = text.indexOf('begincodespacerange');
  const to = text.indexOf('endcodespacerange', from);
  const ranges = from < 0 || to < 0 ? '' : text.slice(from, to);
  // Bytes that are single-byte codes; looked up for each byte of each string.
  const isShort: boolean[] = Array.from({ length: 256 }, () => false);
  let hasShort = false;
  let isLong = false;
  for (const [, low = '', high = ''] of ranges.matchAll(/<([\da-f]+)>\s*<([\da-f]+)>/gi)) {
    if (low.length === 2) {
      isShort.fill(true, Number.parseInt(low, 16), Number.parseInt(high, 16) + 1);
      hasShort = true;
    } else isLong = true;
  }
  if (!hasShort) return pairs;
  if (!isLong) return singleBytes;
  return mixed((byte) => isShort[byte] === false);
}
