import type { ByteSource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { attemptRead, rewriteBudget } from '../budget.ts';
import { decodeCounted } from '../filters/filters.ts';
import {
  asArray,
  type PdfDict,
  type PdfObject,
  PdfReference,
  PdfStream,
} from '../syntax/objects.ts';
import { scanObjects } from './scan/index.ts';

/**
 * Checks that all object streams and cross-reference streams of a file decode to little data,
 * whether or not they are referenced: some readers decode every one.
 *
 * @throws limit.exceeded, pdf.filter.unsupported
 */
export function requireSmallContainers(source: ByteSource): void {
  const budget = rewriteBudget(source.lengthBytes);
  const { containers, sections } = scanObjects(source, budget, true);
  for (const { dict, dataOffset, lengthBytes } of [...containers, ...sections]) {
    requireDirectFilters(dict);
    const stream = new PdfStream(dict, () => source.slice(dataOffset, dataOffset + lengthBytes));
    // A damaged stream is rejected by the code that needs it.
    attemptRead(() => decodeCounted(stream, directOnly, budget));
  }
}

// The target of a reference depends on the reader: another reader may find a filter there.
function requireDirectFilters(dict: PdfDict): void {
  const filter = dict.get('Filter');
  const all = [filter, ...(asArray(filter) ?? [])];
  if (!all.some((each) => each instanceof PdfReference)) return;
  const message = 'an object stream has an indirect /Filter';
  throw new InnsigliError('pdf.filter.unsupported', message, { details: { filter: 'reference' } });
}

function directOnly(value: PdfObject | undefined): PdfObject {
  return value instanceof PdfReference ? null : (value ?? null);
}
