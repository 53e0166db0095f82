import type { ByteSource } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import type { ReadBudget } from '../budget.ts';
import { costOfDamage, decodeCounted, type Resolve, spendDecoded } from '../filters/filters.ts';
import { openObjectStream } from '../syntax/object-stream.ts';
import { asInteger, type PdfObject, PdfStream } from '../syntax/objects.ts';
import { PdfParser } from '../syntax/parser.ts';
import { attempt } from './damaged-object.ts';
import type { FoundContainer } from './scan/index.ts';

/**
 * Decodes an object stream of an encrypted file, given its object number and the stream as it
 * stands in the file; undefined when it cannot.
 */
export type ContainerDecoder = (objectNumber: number, stream: PdfStream) => Uint8Array | undefined;

/** Reads object streams that a scan found. */
export interface ContainerReader {
  /** Object numbers in the order of their index; undefined when the stream is damaged. */
  members(container: FoundContainer): readonly number[] | undefined;
  /** An object of the stream, undefined when it or the stream is damaged. */
  read(container: FoundContainer, objectNumber: number, index: number): PdfObject | undefined;
  /** The decoded data, undefined when the stream is damaged. */
  data(container: FoundContainer): Uint8Array | undefined;
}

/**
 * A reader that keeps the data of the last object stream. Damage is no error, but a used up
 * budget is.
 */
export function containerReader(
  source: ByteSource,
  budget: ReadBudget,
  resolve: Resolve,
  decoder: ContainerDecoder | undefined,
): ContainerReader {
  let last: { readonly of: FoundContainer; readonly data: Uint8Array | undefined } | undefined;
  const decode = (container: FoundContainer): Uint8Array | undefined => {
    const { objectNumber, dict, dataOffset, lengthBytes } = container;
    const stream = new PdfStream(dict, () => source.slice(dataOffset, dataOffset + lengthBytes));
    if (decoder === undefined) return decodeCounted(stream, resolve, budget);
    const data = decoder(objectNumber, stream);
    spendDecoded(budget, data?.length ?? costOfDamage(lengthBytes));
    return data;
  };
  const containerData = (container: FoundContainer): Uint8Array | undefined => {
    if (last?.of !== container) last = { of: container, data: attempt(() => decode(container)) };
    return last.data;
  };
  return {
    data: containerData,
    members(container) {
      const data = containerData(container);
      return data === undefined ? undefined : readNumbers(container, data, budget);
    },
    read(container, objectNumber, index) {
      const data = containerData(container);
      if (data === undefined) return undefined;
      return attempt(() =>
        openObjectStream(container.dict, data, container.objectNumber, budget).read(
          objectNumber,
          index,
        ),
      );
    },
  };
}

/** The object numbers of the pairs; those in front of a damaged pair are no use to readers. */
function readNumbers(
  { dict }: FoundContainer,
  data: Uint8Array,
  budget: ReadBudget,
): readonly number[] | undefined {
  const count = asInteger(dict.get('N')) ?? -1;
  const first = asInteger(dict.get('First')) ?? -1;
  if (count < 0 || first < 0 || first > data.length || count > first / 3) return undefined;
  const parser = new PdfParser(data.subarray(0, first), 0, true, budget);
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) {
    parser.skipSpace();
    const objectNumber = parser.acceptDigits();
    parser.skipSpace();
    const offset = parser.acceptDigits();
    if (objectNumber === undefined || offset === undefined) return undefined;
    const usable = objectNumber <= limits.pdfObjectNumber && first + offset < data.length;
    numbers.push(usable ? objectNumber : 0);
  }
  return numbers;
}
