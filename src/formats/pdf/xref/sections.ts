import { type ByteSource, latin1Bytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { ReadBudget } from '../budget.ts';
import { decodeCounted } from '../filters/filters.ts';
import { readIndirectObject } from '../syntax/indirect.ts';
import {
  asInteger,
  asName,
  type PdfDict,
  type PdfObject,
  PdfReference,
  PdfStream,
} from '../syntax/objects.ts';
import { parseAt } from '../syntax/parser.ts';
import { type XrefSection, xrefInvalid } from './xref.ts';
import { readXrefStream, type XrefStream } from './xref-stream.ts';
import { readXrefTable } from './xref-table.ts';

const XREF = latin1Bytes('xref');

/** Sections already read, and the offset that leads to the newest of them. */
export interface KnownSections {
  readonly startOffset: number | undefined;
  readonly sections: readonly XrefSection[];
}

/**
 * All cross-reference sections reachable from `startOffset`, newest first.
 *
 * @throws pdf.xref.invalid if an offset leads elsewhere, or the chain forms a loop
 * @throws limit.exceeded if there are too many
 * @spec ISO 32000-1 §7.5.4, §7.5.6, §7.5.8
 */
export function readSections(
  source: ByteSource,
  startOffset: number,
  budget: ReadBudget,
  known?: KnownSections,
): readonly XrefSection[] {
  const sections: XrefSection[] = [];
  const seen = new Set<number>();
  let offset = startOffset;
  for (;;) {
    if (sections.length >= limits.pdfXrefSections) {
      const message = `the PDF has more than ${limits.pdfXrefSections} cross-reference sections`;
      throw new InnsigliError('limit.exceeded', message);
    }
    const section = readSection(source, offset, budget);
    if (seen.has(section.offsetBytes)) {
      throw xrefInvalid('the cross-reference sections form a loop', section.offsetBytes);
    }
    seen.add(section.offsetBytes);
    sections.push(section);
    const previous = section.trailer.get('Prev');
    if (previous === undefined || previous === null || previous === 0) return sections;
    offset = requireOffset(source, section, 'Prev');
    if (offset === known?.startOffset) return [...sections, ...known.sections];
  }
}

function requireOffset(
  source: ByteSource,
  section: { trailer: PdfDict; offsetBytes: number },
  key: string,
): number {
  const offset = asInteger(section.trailer.get(key));
  if (offset !== undefined && offset > 0 && offset < source.lengthBytes) return offset;
  throw xrefInvalid(
    `/${key} is not an offset inside the file, in the section`,
    section.offsetBytes,
  );
}

/** The single section at an offset. Throws the errors of {@link readSections}. */
export function readSection(source: ByteSource, offset: number, budget: ReadBudget): XrefSection {
  const table = parseAt(source, offset, budget, (parser) => {
    parser.skipSpace();
    const offsetBytes = parser.offsetBytes;
    return { offsetBytes, found: parser.acceptKeyword(XREF), behind: parser.offsetBytes };
  });
  const { offsetBytes } = table;
  if (!table.found) {
    const { dict, stream } = readStreamSection(source, offsetBytes, budget);
    return { offsetBytes, kind: 'stream', trailer: dict, ...stream };
  }
  const { trailer, ranges, find } = readXrefTable(source, table.behind, budget);
  if (!trailer.has('XRefStm')) return { offsetBytes, kind: 'table', trailer, ranges, find };
  const hidden = requireOffset(source, { trailer, offsetBytes }, 'XRefStm');
  const { stream } = readStreamSection(source, hidden, budget);
  return {
    offsetBytes,
    kind: 'hybrid',
    trailer,
    ranges: [...ranges, ...stream.ranges],
    parts: { table: { ranges, find }, stream },
    find(objectNumber) {
      const entry = find(objectNumber);
      // Objects that the table marks as free are hidden from old readers.
      if (entry !== undefined && entry.kind !== 'free') return entry;
      return stream.find(objectNumber) ?? entry;
    },
  };
}

/** References cannot be resolved before all sections are read. */
function directOnly(value: PdfObject | undefined): PdfObject {
  return value === undefined || value instanceof PdfReference ? null : value;
}

function readStreamSection(
  source: ByteSource,
  offsetBytes: number,
  budget: ReadBudget,
): { readonly dict: PdfDict; readonly stream: XrefStream } {
  const object = readIndirectObject(source, offsetBytes, budget, (dict) =>
    asInteger(dict.get('Length')),
  );
  if (object === undefined) {
    throw xrefInvalid('expected "xref" or a cross-reference stream', offsetBytes);
  }
  const { value } = object;
  if (!(value instanceof PdfStream) || asName(value.dict.get('Type'))?.value !== 'XRef') {
    throw xrefInvalid('expected a cross-reference stream', offsetBytes);
  }
  const { dict } = value;
  const decode = (): Uint8Array => decodeCounted(value, directOnly, budget);
  return { dict, stream: readXrefStream(dict, offsetBytes, decode, budget) };
}

/** Number of the first object that no section lists or covers by /Size. */
export function countObjects(sections: readonly XrefSection[]): number {
  let count = 1;
  for (const { trailer, ranges, offsetBytes } of sections) {
    const size = asInteger(trailer.get('Size'));
    if (size === undefined || size < 0) {
      throw xrefInvalid('/Size is not a number of objects, in the section', offsetBytes);
    }
    if (size > limits.pdfObjectNumber + 1) {
      const message = `/Size is ${size}, the maximum is ${limits.pdfObjectNumber + 1}`;
      throw new InnsigliError('limit.exceeded', message);
    }
    count = Math.max(count, size);
    for (const range of ranges) count = Math.max(count, range.first + range.count);
  }
  return count;
}
