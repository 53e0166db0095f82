import { type ByteSource, latin1Bytes } from '../../../base/bytes.ts';
import { attempt } from '../../../base/errors.ts';
import { attemptRead, readBudget } from '../budget.ts';
import { asDict, asName } from '../syntax/objects.ts';
import { parseAt } from '../syntax/parser.ts';
import { type PdfHeader, readStartXref } from './tail.ts';

const XREF = latin1Bytes('xref');
const OBJ = latin1Bytes('obj');

/**
 * The base of the offsets of a file with bytes before its header: 0 for the first byte, otherwise
 * the offset of the header. The section that `startxref` points to decides; if it is at neither
 * position, the result is the offset of the header, which most readers use as the base.
 *
 * @throws limit.exceeded
 */
export function findOffsetBase(source: ByteSource, header: PdfHeader): number {
  const { offsetBytes } = header;
  if (offsetBytes === 0) return 0;
  const start = attemptRead(() => readStartXref(source));
  if (start === undefined) return offsetBytes;
  const atHeader = rateSection(source, offsetBytes + start);
  return rateSection(source, start) > atHeader ? 0 : offsetBytes;
}

/** 2 if a section starts exactly here, 1 if white space precedes it, otherwise 0. */
function rateSection(source: ByteSource, offset: number): number {
  if (offset >= source.lengthBytes) return 0;
  const read = () =>
    parseAt(source, offset, readBudget(source.lengthBytes), (parser) => {
      parser.skipSpace();
      const rating = parser.position === 0 ? 2 : 1;
      if (parser.acceptKeyword(XREF)) return rating;
      if (parser.acceptDigits() === undefined) return 0;
      parser.skipSpace();
      if (parser.acceptDigits() === undefined) return 0;
      parser.skipSpace();
      if (!parser.acceptKeyword(OBJ)) return 0;
      const type = asDict(parser.parseObject())?.get('Type');
      return asName(type)?.value === 'XRef' ? rating : 0;
    });
  return attempt(read) ?? 0;
}
