import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import type { ReadBudget } from '../budget.ts';
import { xrefInvalid } from '../xref/xref.ts';
import { asInteger, type PdfDict, type PdfObject } from './objects.ts';
import { PdfParser } from './parser.ts';

/** A decoded object stream; its objects are parsed one by one. */
export interface ObjectStream {
  /** Returns the object at `index`, which must have this number. */
  read(objectNumber: number, index: number): PdfObject;
}

/**
 * An object stream over its decoded data. `container` is its object number, for messages.
 *
 *     11 0 12 547 13 665 | << ... >>  [ ... ]  (...)
 *     pairs: number and  | objects, offsets relative
 *     offset             | to /First
 *
 * @throws pdf.stream.invalid if the pairs are damaged
 * @spec ISO 32000-1 §7.5.7
 */
export function openObjectStream(
  dict: PdfDict,
  data: Uint8Array,
  container: number,
  budget: ReadBudget,
): ObjectStream {
  const { count, first, numbers, offsets } = readPairs(dict, data, container, budget);
  if (budget.strict === true && new Set(numbers).size !== count) {
    throw damaged(container, 'a number occurs twice');
  }
  return {
    read(objectNumber, index) {
      if (index >= count || numbers[index] !== objectNumber) {
        throw xrefInvalid(
          `object ${objectNumber} is not object ${index} of stream ${container}`,
          index,
        );
      }
      return parseMember(data, first + (offsets[index] as number), container, budget);
    },
  };
}

/**
 * The pairs before the objects, and the offset of the first object.
 *
 * @throws pdf.stream.invalid if they are damaged
 */
export function readPairs(dict: PdfDict, data: Uint8Array, container: number, budget: ReadBudget) {
  const count = asInteger(dict.get('N')) ?? -1;
  const first = asInteger(dict.get('First')) ?? -1;
  // A pair takes at least three bytes: two digits and a space.
  if (count < 0 || first < 0 || first > data.length || count > first / 3) {
    throw damaged(container, '/N or /First is invalid');
  }
  const numbers = new Float64Array(count);
  const offsets = new Float64Array(count);
  const parser = new PdfParser(data.subarray(0, first), 0, true, budget);
  for (let i = 0; i < count; i++) {
    parser.skipSpace();
    const objectNumber = parser.acceptDigits();
    parser.skipSpace();
    const offset = parser.acceptDigits();
    if (objectNumber === undefined || offset === undefined) {
      throw damaged(container, `pair ${i + 1} of ${count} is damaged`);
    }
    numbers[i] = objectNumber;
    offsets[i] = offset;
  }
  return { count, first, numbers, offsets };
}

function parseMember(
  data: Uint8Array,
  at: number,
  container: number,
  budget: ReadBudget,
): PdfObject {
  if (at >= data.length) throw damaged(container, 'an offset is outside the stream');
  const parser = new PdfParser(data.subarray(at), at, true, budget);
  try {
    return parser.parseObject();
  } catch (error) {
    if (isInnsigliError(error) && error.code !== 'limit.exceeded') {
      const message = `${error.message} of object stream ${container}`;
      throw new InnsigliError('pdf.syntax.invalid', message);
    }
    throw error;
  } finally {
    budget.parsedBytes -= parser.position;
  }
}

function damaged(container: number, message: string): InnsigliError {
  return new InnsigliError('pdf.stream.invalid', `object stream ${container}: ${message}`, {
    details: { objectNumber: container },
  });
}
