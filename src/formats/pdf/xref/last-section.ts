import { asBuffer, type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';

/** Greatest distance of the last section from the end, in bytes. */
const TAIL_BYTES = 1024 * 1024;
/** Limit for candidates of a section. */
const TRIES = 64;
const XREF = latin1Bytes('xref');
const TYPE = latin1Bytes('/XRef');
const OBJ = latin1Bytes('obj');
const tableStart = /^xref[\0\t\n\f\r ]+\d/;
const streamHeader = /\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+$/;

/**
 * Offset of what looks like the last cross-reference section of the file, for files whose
 * `startxref` is wrong and all else is right; undefined when there is none in the last MiB. The
 * section must still be read to know that it is sound.
 */
export function findLastSection(source: ByteSource): number | undefined {
  const base = Math.max(0, source.lengthBytes - TAIL_BYTES);
  const tail = asBuffer(source.slice(base, source.lengthBytes));
  const found = Math.max(findTable(tail), findStream(tail));
  return found < 0 ? undefined : base + found;
}

function findTable(tail: Buffer): number {
  let at = tail.lastIndexOf(XREF);
  for (let tries = 0; at >= 0 && tries < TRIES; tries++) {
    const before = tail[at - 1] ?? 0x0a;
    // `startxref` ends in the same letters, and a number follows it, too.
    if (before <= 0x20 && tableStart.test(latin1Text(tail.subarray(at, at + 16)))) return at;
    at = at === 0 ? -1 : tail.lastIndexOf(XREF, at - 1);
  }
  return -1;
}

function findStream(tail: Buffer): number {
  const type = tail.lastIndexOf(TYPE);
  const header = type < 0 ? -1 : tail.lastIndexOf(OBJ, type);
  if (header < 0) return -1;
  const start = Math.max(0, header - 32);
  const match = streamHeader.exec(latin1Text(tail.subarray(start, header)));
  return match === null ? -1 : start + match.index;
}
