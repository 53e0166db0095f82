import { inflateSync } from 'node:zlib';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { inflatesTooFar, type ReadBudget } from '../budget.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  type PdfDict,
  type PdfObject,
  type PdfStream,
} from '../syntax/objects.ts';
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './ascii-filters.ts';
import { decodeLzw } from './lzw.ts';
import { undoPredictor } from './predictors.ts';

/** Follows references; returns null for missing objects. */
export type Resolve = (value: PdfObject | undefined) => PdfObject;

/** Remaining bytes that decoding may produce. */
type Allowance = Pick<ReadBudget, 'decodedBytes'>;

/**
 * The decoded data of a stream: at most `maxBytes`, including the intermediate results between two
 * filters. Without filters the result is the encoded data itself.
 *
 * @throws pdf.stream.invalid if the data is damaged
 * @throws pdf.filter.unsupported for image filters, unknown filters, and encryption
 * @throws limit.exceeded if it is too long
 * @spec ISO 32000-1 §7.4
 */
export function decodeStream(stream: PdfStream, resolve: Resolve, maxBytes: number): Uint8Array {
  return decodeWithin(stream, resolve, { decodedBytes: maxBytes });
}

function decodeWithin(stream: PdfStream, resolve: Resolve, allowance: Allowance): Uint8Array {
  const { dict } = stream;
  if (dict.has('F')) throw unsupported('data in an external file');
  const filters = listOf(resolve(dict.get('Filter')));
  const parameters = listOf(resolve(dict.get('DecodeParms')));
  if (filters.length > limits.pdfFilters) {
    throw new InnsigliError('limit.exceeded', `a stream has ${filters.length} filters`);
  }
  let data = stream.raw;
  // Unfiltered data counts too: it may be requested repeatedly.
  if (filters.length === 0) spend(allowance, data);
  filters.forEach((filter, index) => {
    const name = asName(resolve(filter))?.value;
    const own = asDict(resolve(parameters[index]));
    data = undoFilter(name, data, own, resolve, allowance.decodedBytes);
    spend(allowance, data);
  });
  return data;
}

function spend(allowance: Allowance, { length }: Uint8Array): void {
  if (length > allowance.decodedBytes) throw tooLong(allowance.decodedBytes);
  allowance.decodedBytes -= length;
}

/** Assumed decoding cost in bytes of a damaged stream of this length: the real one is unknown. */
export function costOfDamage(lengthBytes: number): number {
  return 64 * lengthBytes;
}

/** Subtracts decoded bytes from the budget. @throws limit.exceeded if it is exhausted */
export function spendDecoded(budget: ReadBudget, lengthBytes: number): void {
  budget.decodedBytes -= lengthBytes;
  if (budget.decodedBytes < 0) throw inflatesTooFar(budget);
}

/**
 * {@link decodeStream} within the decoding budget of the file. Failures count too, otherwise a file
 * full of streams that are too long or damaged at their end would take forever.
 */
export function decodeCounted(stream: PdfStream, resolve: Resolve, budget: ReadBudget): Uint8Array {
  try {
    return decodeWithin(stream, resolve, budget);
  } catch (error) {
    const isTooLong = isInnsigliError(error) && error.code === 'limit.exceeded';
    spendDecoded(budget, isTooLong ? Number.POSITIVE_INFINITY : costOfDamage(stream.raw.length));
    throw error;
  }
}

function listOf(value: PdfObject): readonly PdfObject[] {
  return value === null ? [] : (asArray(value) ?? [value]);
}

function undoFilter(
  name: string | undefined,
  data: Uint8Array,
  parameters: PdfDict | undefined,
  resolve: Resolve,
  maxBytes: number,
): Uint8Array {
  const numberOf = (key: string, otherwise: number): number =>
    asInteger(resolve(parameters?.get(key))) ?? otherwise;
  switch (name) {
    case 'FlateDecode':
      return undoPredictor(inflate(data, maxBytes), numberOf);
    case 'LZWDecode':
      return undoPredictor(decodeLzw(data, numberOf('EarlyChange', 1), maxBytes), numberOf);
    case 'ASCIIHexDecode':
      return decodeAsciiHex(data);
    case 'ASCII85Decode':
      return decodeAscii85(data, maxBytes);
    case 'RunLengthDecode':
      return decodeRunLength(data, maxBytes);
    case 'Crypt': {
      const kind = asName(resolve(parameters?.get('Name')))?.value ?? 'Identity';
      if (kind === 'Identity') return data;
      throw unsupported(`Crypt with ${kind}`);
    }
    default:
      throw unsupported(name ?? 'no name');
  }
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    if (error instanceof RangeError) throw tooLong(maxBytes);
    throw new InnsigliError('pdf.stream.invalid', 'a Flate stream is damaged', { cause: error });
  }
}

function unsupported(filter: string): InnsigliError {
  return new InnsigliError('pdf.filter.unsupported', `a stream uses ${filter}`, {
    details: { filter: filter.slice(0, 64) },
  });
}

function tooLong(maxBytes: number): InnsigliError {
  return new InnsigliError('limit.exceeded', `a stream decodes to more than ${maxBytes} bytes`);
}
