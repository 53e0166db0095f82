import { type ByteSource, latin1Bytes } from '../../../base/bytes.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import { budgetExceeded, type ReadBudget } from '../budget.ts';
import { asDict, type PdfObject } from '../syntax/objects.ts';
import { type PdfParser, parseAt } from '../syntax/parser.ts';

/** Content after `N G obj`. */
export interface Body {
  readonly value: PdfObject;
  readonly endOffset: number;
  /** Offset of the data of a stream. */
  readonly dataOffset: number | undefined;
}

const OBJ = latin1Bytes('obj');
const ENDOBJ = latin1Bytes('endobj');
const STREAM = latin1Bytes('stream');
const ENDSTREAM = latin1Bytes('endstream');
/** Cost of an unreadable object, in bytes. */
const FAILURE_BYTES = 4_096;

/**
 * The result of `read`; undefined for damaged bytes.
 *
 * @throws limit.exceeded if the budget is exhausted
 */
export function attemptAt<T>(
  source: ByteSource,
  offset: number,
  budget: ReadBudget,
  read: (parser: PdfParser) => T,
): T | undefined {
  try {
    return parseAt(source, offset, budget, read);
  } catch (error) {
    const spent = budget.parsedBytes < 0 || budget.values < 0 || budget.decodedBytes < 0;
    if (spent || !isInnsigliError(error)) throw error;
    // Each failure is charged, so that reading a file full of damage ends.
    budget.parsedBytes -= FAILURE_BYTES;
    if (budget.parsedBytes < 0) throw budgetExceeded('bytes of objects');
    return undefined;
  }
}

/** Offset after `endstream` if only white space precedes it, otherwise -1. */
export function endstreamAt(source: ByteSource, offset: number, budget: ReadBudget): number {
  if (offset > source.lengthBytes) return -1;
  const end = attemptAt(source, offset, budget, (parser) => {
    parser.skipSpace(false);
    return parser.acceptKeyword(ENDSTREAM) ? parser.offsetBytes : -1;
  });
  return end ?? -1;
}

/** The object whose header is at `offset`; undefined if it is damaged. */
export function bodyAt(source: ByteSource, offset: number, budget: ReadBudget): Body | undefined {
  return attemptAt(source, offset, budget, (parser) => {
    parser.acceptDigits();
    parser.skipSpace();
    parser.acceptDigits();
    parser.skipSpace();
    return parser.acceptKeyword(OBJ) ? parseBody(parser) : undefined;
  });
}

/** Reads the object after its header, and the offset of its data; `endobj` may be missing. */
export function parseBody(parser: PdfParser): Body {
  parser.skipSpace();
  // An empty object is null.
  if (parser.peek() === 0x65 && parser.acceptKeyword(ENDOBJ)) {
    return { value: null, endOffset: parser.offsetBytes, dataOffset: undefined };
  }
  const value = parser.parseObject();
  const endOffset = parser.offsetBytes;
  parser.skipSpace();
  if (asDict(value) === undefined || !parser.acceptKeyword(STREAM)) {
    return { value, endOffset, dataOffset: undefined };
  }
  if (parser.peek() === 0x0d) parser.position++;
  if (parser.peek() === 0x0a) parser.position++;
  return { value, endOffset, dataOffset: parser.offsetBytes };
}
