import { type ByteSource, latin1Bytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { ReadBudget } from '../budget.ts';
import { asDict, type PdfDict, type PdfObject, PdfReference, PdfStream } from './objects.ts';
import { type PdfParser, parseAt } from './parser.ts';

/** An object with the numbers that stand in front of it. */
export interface IndirectObject {
  readonly objectNumber: number;
  readonly generation: number;
  readonly value: PdfObject;
  /** Offset behind its last byte; undefined when more than its own bytes decided about it. */
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
 * The indirect object that starts at `offset`, or undefined when no `N G obj` stands there. White
 * space and comments in front of it are accepted. `lengthOf` gives the value of `/Length`, which
 * may be a reference; the data must end where it says.
 *
 *     12 0 obj  <object>  endobj
 *     12 0 obj  <dictionary>  stream EOL  data  endstream  endobj
 *
 * @throws pdf.syntax.invalid, pdf.truncated, limit.exceeded
 * @throws pdf.stream.invalid when /Length does not lead to `endstream`
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

/** `N G obj` here, or undefined; the parser then stands behind it. */
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
  // An empty object is null: qpdf and others read it so.
  if (parser.peek() === 0x65 && parser.acceptKeyword(ENDOBJ)) return endedBy(parser, header, null);
  const value = parser.parseObject();
  parser.skipSpace();
  if (parser.acceptKeyword(ENDOBJ)) return endedBy(parser, header, value);
  const next = parser.peek();
  if (next === -1) throw parser.exhausted();
  // Some programs leave "endobj" out; the number of the next object follows.
  if (next >= 0x30 && next <= 0x39) return endedBy(parser, header, value);
  if (asDict(value) === undefined || !parser.acceptKeyword(STREAM)) {
    // The scan of a damaged file takes such an object, too.
    if (isDamaged) return endedBy(parser, header, value);
    throw parser.failure('expected "endobj"');
  }
  const endOfLine = parser.peek();
  if (endOfLine === 0x0d) parser.position++;
  // A carriage return alone is wrong, but some programs write it.
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
