import { asBuffer, type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { characterClasses, SPACE } from '../syntax/characters.ts';
import { xrefInvalid } from './xref.ts';

/** The header must start within this many bytes. */
const HEADER_BYTES = 1_024;
/** Distances from the end to search for the end marker, in order; usually the first suffices. */
const TAIL_STEPS = [1_024, 8_192, 65_536] as const;

const MARK = latin1Bytes('%PDF-');
const START = latin1Bytes('startxref');
const END = latin1Bytes('%%EOF');
const OBJ = latin1Bytes('obj');
/** A dictionary object at the start of a line or of the file. */
const firstObject = /(?:^|[\r\n ])\d{1,7} \d{1,5} obj\s{0,9}<</;
const objectHeader = /\d\s+\d{1,5}\s+obj/;

/** Offset of the header, and its version. */
export interface PdfHeader {
  readonly offsetBytes: number;
  /** Such as `1.7`; `1.0` if it cannot be read. */
  readonly version: string;
}

/**
 * The header of the file.
 *
 * @throws pdf.empty, pdf.notpdf
 * @spec ISO 32000-1 §7.5.2
 */
export function readHeader(source: ByteSource): PdfHeader {
  if (source.lengthBytes === 0) throw new InnsigliError('pdf.empty', 'the input is empty');
  const head = source.slice(0, Math.min(source.lengthBytes, HEADER_BYTES));
  const offsetBytes = startsWith(head, MARK, 0) ? 0 : asBuffer(head).indexOf(MARK);
  if (offsetBytes < 0) throw noHeader(head);
  const at = offsetBytes + MARK.length;
  const [version] = /^[0-9]\.[0-9]{1,2}/.exec(latin1Text(head.subarray(at, at + 4))) ?? ['1.0'];
  return { offsetBytes, version };
}

/**
 * The error for a file without a header. It distinguishes a PDF that lost its header, which is not
 * used: an update cannot add one, and most validators open no file without it.
 */
function noHeader(head: Uint8Array): InnsigliError {
  const expected = `expected "%PDF-" in the first ${HEADER_BYTES} bytes, found`;
  if (firstObject.test(latin1Text(head))) {
    return new InnsigliError('pdf.notpdf', `${expected} PDF objects without a header`, {
      hint: 'open and save the document with the program that created it, then try again',
    });
  }
  return new InnsigliError('pdf.notpdf', `${expected} none`, {
    hint: 'seal accepts PDF, seal-xml XML; verify and archive accept both, CMS and ASiC containers',
  });
}

/**
 * The offset in the last `startxref`. White space and other bytes may follow the end marker, but no
 * object: such a file was truncated while being written.
 *
 *     startxref EOL 12345 EOL %%EOF  (rest without objects)
 *
 * @throws pdf.truncated if the end marker is missing or objects follow it
 * @throws pdf.xref.invalid if no offset inside the file follows the keyword
 * @spec ISO 32000-1 §7.5.5
 */
export function readStartXref(source: ByteSource): number {
  const { lengthBytes } = source;
  for (const stepBytes of TAIL_STEPS) {
    const base = Math.max(0, lengthBytes - stepBytes);
    const tail = source.slice(base, lengthBytes);
    const at = asBuffer(tail).lastIndexOf(START);
    if (at >= 0) return parseTail(tail, at, base, lengthBytes);
    if (base === 0) break;
  }
  throw truncated('no "startxref" near the end of the file');
}

function parseTail(tail: Uint8Array, start: number, base: number, lengthBytes: number): number {
  let at = skipSpace(tail, start + START.length);
  let offset = 0;
  const digits = at;
  for (; at < tail.length; at++) {
    const digit = (tail[at] as number) - 0x30;
    if (digit < 0 || digit > 9) break;
    offset = offset * 10 + digit;
  }
  const end = skipSpace(tail, at);
  if (at === digits) {
    if (end >= tail.length) throw truncated('the file ends after "startxref"');
    throw xrefInvalid('expected an offset after "startxref"', base + at);
  }
  if (!startsWith(tail, END, end)) {
    throw truncated('no "%%EOF" follows the last "startxref"', { namedOffset: offset });
  }
  const mayHoldObjects = asBuffer(tail).indexOf(OBJ, end) >= 0;
  if (mayHoldObjects && objectHeader.test(latin1Text(tail.subarray(end)))) {
    const message = 'objects follow the last "%%EOF", but no cross-reference section';
    throw truncated(message, { startOffset: offset });
  }
  if (offset >= lengthBytes) {
    throw xrefInvalid(`"startxref" names byte ${offset} of ${lengthBytes}; it is`, base + start);
  }
  return offset;
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && characterClasses[bytes[at] as number] === SPACE) at++;
  return at;
}

function startsWith(bytes: Uint8Array, expected: Uint8Array, at: number): boolean {
  for (let i = 0; i < expected.length; i++) {
    if (bytes[at + i] !== expected[i]) return false;
  }
  return true;
}

function truncated(message: string, details: Readonly<Record<string, number>> = {}): InnsigliError {
  return new InnsigliError('pdf.truncated', message, {
    details,
    hint: 'the file seems to be incomplete: download it again',
  });
}
