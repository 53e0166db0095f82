import type { ByteSource } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import { attemptRead, type ReadBudget } from '../budget.ts';
import { costOfDamage, decodeCounted, type Resolve, spendDecoded } from '../filters/filters.ts';
import { openObjectStream, readPairs } from '../syntax/object-stream.ts';
import { type PdfObject, PdfStream } from '../syntax/objects.ts';
import type { FoundContainer } from './scan/index.ts';

/** Decodes an encrypted object stream, given its object number; undefined on failure. */
export type ContainerDecoder = (objectNumber: number, stream: PdfStream) => Uint8Array | undefined;

/** Reads object streams found by a scan. */
export interface ContainerReader {
  /** Returns the object numbers in index order; undefined if the stream is damaged. */
  members(container: FoundContainer): readonly number[] | undefined;
  /** Returns an object of the stream; undefined if it or the stream is damaged. */
  read(container: FoundContainer, objectNumber: number, index: number): PdfObject | undefined;
  /** Returns the decoded data; undefined if the stream is damaged. */
  data(container: FoundContainer): Uint8Array | undefined;
}

/** Reader that caches the last object stream. An exhausted budget is an error, damage is not. */
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
    if (last?.of !== container)
      last = { of: container, data: attemptRead(() => decode(container)) };
    return last.data;
  };
  return {
    data: containerData,
    members(container) {
      const data = containerData(container);
      return data === undefined
        ? undefined
        : attemptRead(() => readNumbers(container, data, budget));
    },
    read(container, objectNumber, index) {
      const data = containerData(container);
      if (data === undefined) return undefined;
      return attemptRead(() =>
        openObjectStream(container.dict, data, container.objectNumber, budget).read(
          objectNumber,
          index,
        ),
      );
    },
  };
}

/** Object numbers of the pairs. If one is damaged, readers cannot use those before it either. */
function readNumbers(
  { dict, objectNumber }: FoundContainer,
  data: Uint8Array,
  budget: ReadBudget,
): readonly number[] {
  const { first, numbers, offsets } = readPairs(dict, data, objectNumber, budget);
  return Array.from(numbers, (number, index) => {
    const isUsable = first + (offsets[index] as number) < data.length;
    return isUsable && number <= limits.pdfObjectNumber ? number : 0;
  });
}
