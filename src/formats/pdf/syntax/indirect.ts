import { type ByteSource, latin1Bytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { ReadBudget } from '../budget.ts';
import { asDict, type PdfDict, type PdfObject, PdfReference, PdfStream } from './objects.ts';
import { type PdfParser, parseAt } from './parser.ts';

/** An indirect object with its number and generation. */
export interface IndirectObject {
  readonly objectNumber: number;
  readonly generation: number;
  readonly value: PdfObject;
  /** Offset after its last byte; undefined if the end does not depend on its own bytes only. */
  readonly endBytes: number | undefined;
}

interface Found extends IndirectObject {
  /** Offset of the data of a stream. */
  readonly dataOffset: number | undefined;
}

const OBJ = latin1Bytes('obj');
const ENDOBJ = latin1Bytes('endobj');
const STREAM = latin1Bytes('stream');
const ENDSTREAM = latin1Bytes('endstream');

/**
 * The indirect object that starts at `offset`; undefined if there is no `N G obj`. Leading white
 * space and comments are skipped. `lengthOf` returns the value of `/Length`, which may be a
 * reference; the data must end there.
 *
 *     12 0 obj  <object>  endobj
 *     12 0 obj  <dictionary>  stream EOL  data  endstream  endobj
 *
 * @throws pdf.syntax.invalid, pdf.truncated, limit.exceeded
 * @throws pdf.stream.invalid if /Length does not lead to `endstream`
 * @spec ISO 32000-1 §7.3.8, §7.3.10
 */
export function readIndirectObject(
  source: ByteSource,
  offset: number,
  budget: ReadBudget,
  lengthOf: (dict: PdfDict) => number | undefined,
): IndirectObject | undefined {
  const isDamaged = budget.strayWords !== undefined;
  const found = parseAt(source, offset, budget, (parser) => parseIndirect(parser, isDamaged));
  if (found?.dataOffset === undefined) return found;
  const dict = found.value as PdfDict;
  const start = found.dataOffset;
  const length = lengthOf(dict);
  if (length === undefined || length < 0 || start + length > source.lengthBytes) {
    throw streamInvalid(found.objectNumber, start, 'has no /Length inside the file');
  }
  const ends = parseAt(source, start + length, budget, (parser) => {
    parser.skipSpace(false);
    return parser.acceptKeyword(ENDSTREAM) ? parser.offsetBytes : undefined;
  });
  if (ends === undefined) {
    throw streamInvalid(found.objectNumber, start, `does not end after ${length} bytes`);
  }
  const value = new PdfStream(dict, () => source.slice(start, start + length));
  const { objectNumber, generation } = found;
  const isOwn = !(dict.get('Length') instanceof PdfReference);
  return { objectNumber, generation, value, endBytes: isOwn ? ends : undefined };
}

/** Reads `N G obj` and moves after it; undefined if it is not here. */
function acceptHeader(parser: PdfParser): Found | undefined {
  parser.skipSpace();
  const objectNumber = parser.acceptDigits();
  if (objectNumber === undefined) return undefined;
  parser.skipSpace();
  const generation = parser.acceptDigits();
  if (generation === undefined) return undefined;
  parser.skipSpace();
  if (!parser.acceptKeyword(OBJ)) return undefined;
  return { objectNumber, generation, value: null, endBytes: undefined, dataOffset: undefined };
}

function parseIndirect(parser: PdfParser, isDamaged: boolean): Found | undefined {
  const header = acceptHeader(parser);
  if (header === undefined) return undefined;
  parser.skipSpace();
  // An empty object is null, as in qpdf and other readers.
  if (parser.peek() === 0x65 && parser.acceptKeyword(ENDOBJ)) return endedBy(parser, header, null);
  const value = parser.parseObject();
  parser.skipSpace();
  if (parser.acceptKeyword(ENDOBJ)) return endedBy(parser, header, value);
  const next = parser.peek();
  if (next === -1) throw parser.exhausted();
  // Some programs omit "endobj"; the number of the next object follows.
  if (next >= 0x30 && next <= 0x39) return endedBy(parser, header, value);
  if (asDict(value) === undefined || !parser.acceptKeyword(STREAM)) {
    // The scan of a damaged file accepts such an object too.
    if (isDamaged) return endedBy(parser, header, value);
    throw parser.failure('expected "endobj"');
  }
  const endOfLine = parser.peek();
  if (endOfLine === 0x0d) parser.position++;
  // A single carriage return is not allowed, but some programs write it.
  if (parser.peek() === 0x0a) parser.position++;
  else if (endOfLine !== 0x0d) throw parser.failure('expected a line feed after "stream"');
  return { ...header, value, dataOffset: parser.offsetBytes };
}

function endedBy(parser: PdfParser, header: Found, value: PdfObject): Found {
  return { ...header, value, endBytes: parser.offsetBytes };
}

function streamInvalid(objectNumber: number, offsetBytes: number, message: string): InnsigliError {
  return new InnsigliError(
    'pdf.stream.invalid',
    `the stream of object ${objectNumber} ${message}`,
    {
      details: { objectNumber, offsetBytes },
    },
  );
}
