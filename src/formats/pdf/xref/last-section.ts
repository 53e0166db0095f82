import { asBuffer, type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';

/** Maximum distance in bytes of the last section from the end. */
const TAIL_BYTES = 1024 * 1024;
/** Maximum number of candidates. */
const TRIES = 64;
const XREF = latin1Bytes('xref');
const TYPE = latin1Bytes('/XRef');
const OBJ = latin1Bytes('obj');
const tableStart = /^xref[\0\t\n\f\r ]+\d/;
const streamHeader = /\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+$/;

/**
 * Offset of the apparent last cross-reference section, for files in which only `startxref` is
 * incorrect; undefined if there is none in the last MiB. Whether the section is valid shows only
 * when it is read.
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
    // `startxref` ends with the same letters and is also followed by a number.
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
