import { type ByteSource, latin1Text } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import { createMemo, getOrCompute } from '../../../base/memo.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asStream,
  type PdfFile,
  type PdfObject,
  type XrefPart,
  type XrefSection,
} from '../../../formats/pdf/index.ts';
import { endingOf } from '../unlisted-objects.ts';
import { laterSections, readObject } from './reading.ts';
import { referencesIn } from './reference-graph.ts';

/**
 * The reason, in words, why the bytes after a signed revision are not updates that every reader
 * interprets alike. Undefined if they are. Readers tolerate many faults, each in its own way:
 * content that one ignores is displayed by another. Any such fault causes doubt, because no one
 * signed these bytes.
 *
 * @throws pdf.* if an object of the updates cannot be read strictly
 */
export function findAmbiguousForm(before: PdfFile, after: PdfFile): string | undefined {
  const { source } = after;
  const start = before.source.lengthBytes;
  if (source.lengthBytes - start > limits.laterBytes) return 'the updates are too long to check';
  const later = laterSections(before, after);
  const broken = findChainFault(before, after);
  if (broken !== undefined) return broken;
  for (const section of later) {
    const fault = keptFault(after, section);
    if (fault !== undefined) return fault;
  }
  const strict = after.readStrictly();
  for (const { ranges } of later) {
    for (const { first, count } of ranges) {
      for (let number = first; number < first + count; number++) {
        const value = readObject(strict, number);
        if (asStream(value)?.dict.has('F') === true) {
          return 'a stream of the updates has its data in another file';
        }
      }
    }
  }
  const { tail, unlisted } = endingOf(after, start);
  if (!/^(?:%EOF)?[\0\t\n\f\r ]{0,1024}$/.test(tail)) return 'bytes follow the last one';
  return unlisted.some((head) => head.offset >= start && head.section >= later.length)
    ? 'an object of the updates is not listed in any cross-reference section'
    : undefined;
}

const faults = createMemo<XrefSection, string | false>();

/** The cached fault of a section of the file. */
function keptFault(after: PdfFile, section: XrefSection): string | undefined {
  return getOrCompute(faults, section, () => sectionFault(after, section) ?? false) || undefined;
}

function sectionFault(after: PdfFile, section: XrefSection): string | undefined {
  const { table = section, stream } = section.parts ?? {};
  const fault =
    section.kind === 'stream'
      ? streamFault(section)
      : tableFault(after, section.offsetBytes, table.ranges);
  if (fault !== undefined) return `the cross-reference section ${fault}`;
  if (overlaps(table) || (stream !== undefined && !agrees(table, stream))) {
    return 'the cross-reference section has two entries for an object';
  }
  return undefined;
}

/** Every line of a table has 20 bytes: an entry in any other form is invisible to some readers. */
function tableFault(
  { source, originBytes }: PdfFile,
  offsetBytes: number,
  ranges: XrefPart['ranges'],
): string | undefined {
  const entries = ranges.reduce((sum, { count }) => sum + count, 0);
  const start = originBytes + offsetBytes;
  const longest = 64 + 20 * entries + 64 * ranges.length;
  const text = latin1Text(source.slice(start, Math.min(start + longest, source.lengthBytes)));
  const form = /xref[ \r\n]+/y;
  if (!form.test(text)) return 'does not start with "xref"';
  let at = form.lastIndex;
  for (const { first, count } of ranges) {
    const head = /(?:\d+ 0 ?(?:\r\n|\r|\n))*(\d+) (\d+) ?(?:\r\n|\r|\n)/y;
    head.lastIndex = at;
    const [, from, lines] = head.exec(text) ?? [];
    if (Number(from) !== first || Number(lines) !== count) return 'has a damaged subsection';
    at = head.lastIndex;
    for (let i = 0; i < count; i++, at += 20) {
      if (!/^\d{10} \d{5} [nf](?: \r| \n|\r\n)$/.test(text.slice(at, at + 20))) {
        return 'has a damaged entry';
      }
    }
  }
  return /^(?:\d+ 0\s+)*\s*trailer/.test(text.slice(at, at + 64)) ? undefined : 'has no trailer';
}

const layoutKeys = ['Type', 'Size', 'Index', 'Prev', 'W', 'Filter', 'DecodeParms', 'Length'];

/** Fault of a stream dictionary: entries needed for reading must be direct and in usual form. */
function streamFault({ trailer }: XrefSection): string | undefined {
  for (const key of layoutKeys) {
    const [indirect] = referencesIn(trailer.get(key) ?? null);
    if (indirect !== undefined) return `has its /${key} in another object`;
  }
  const widths = asArray(trailer.get('W')) ?? [];
  if (widths.length !== 3) return `has ${widths.length} widths`;
  const filter = trailer.get('Filter');
  const filters: readonly PdfObject[] = asArray(filter) ?? (filter === undefined ? [] : [filter]);
  if (filters.some((name) => asName(name) === undefined)) return 'has an unknown filter';
  const parameters = trailer.get('DecodeParms');
  const isUsual =
    parameters === undefined ||
    asDict(parameters) !== undefined ||
    asArray(parameters)?.length === filters.length;
  return isUsual && asInteger(trailer.get('Size')) !== undefined
    ? undefined
    : 'has an unusual structure';
}

/** Whether a hybrid section hides nothing from readers that read only its table. */
function agrees(table: XrefPart, stream: XrefPart): boolean {
  for (const { first, count } of stream.ranges) {
    for (let number = first; number < first + count; number++) {
      const [open, hidden] = [table.find(number), stream.find(number)];
      if (open?.kind !== 'offset' || hidden?.kind !== 'offset') return false;
      if (open.offsetBytes !== hidden.offsetBytes) return false;
    }
  }
  return true;
}

function overlaps({ ranges }: XrefPart): boolean {
  const sorted = [...ranges].sort((a, b) => a.first - b.first);
  return sorted.some(({ first }, index) => {
    const previous = sorted[index - 1];
    return previous !== undefined && first < previous.first + previous.count;
  });
}

/** Bytes at the end of the file that are searched for `startxref`. */
const TAIL_BYTES = 4_096;
/** White space permitted before a section, which all readers skip. */
const SPACE_BYTES = 64;

/**
 * The reason, in words, why readers may not find the signed sections from the end of the file.
 * Undefined if all of them do. If `startxref` or /Prev has a different target, some readers repair
 * the file in their own way. The strict reader checks that the values of these keywords are
 * integers.
 *
 * @spec ISO 32000-2 §7.5.5, §7.5.6
 */
function findChainFault(before: PdfFile, after: PdfFile): string | undefined {
  const { source, originBytes, sections } = after;
  const later = laterSections(before, after);
  const signed = sections[later.length];
  if (later.length === 0 || signed === undefined) return undefined;
  const view = (start: number, end: number) => source.slice(originBytes + start, originBytes + end);
  let named = readStart(source);
  for (const [index, { offsetBytes, trailer }] of later.entries()) {
    if (!leadsTo(view, named, offsetBytes)) {
      const what = index === 0 ? '"startxref"' : '/Prev';
      return `${what} does not lead to a cross-reference section`;
    }
    if (originBytes + offsetBytes < before.source.lengthBytes) {
      return 'a cross-reference section of the updates is in the signed bytes';
    }
    named = asInteger(trailer.get('Prev'));
  }
  if (!leadsTo(view, named, signed.offsetBytes)) {
    return '/Prev does not lead to the signed cross-reference section';
  }
  const [now = 0, old = 0] = [sections[0], signed].map((one) =>
    asInteger(one?.trailer.get('Size')),
  );
  return now < old ? 'the cross-reference section has a /Size that leaves objects out' : undefined;
}

function readStart(source: ByteSource): number | undefined {
  const from = Math.max(0, source.lengthBytes - TAIL_BYTES);
  const tail = latin1Text(source.slice(from, source.lengthBytes));
  const found = /^startxref ?(?:\r\n|\r|\n)(\d+) ?(?:\r\n|\r|\n)%%EOF/.exec(
    tail.slice(Math.max(0, tail.lastIndexOf('startxref'))),
  );
  return found === null ? undefined : Number(found[1]);
}

function leadsTo(view: ByteSource['slice'], named: number | undefined, offset: number): boolean {
  if (named === undefined || named > offset || offset - named > SPACE_BYTES) return false;
  return /^[\0\t\n\f\r ]*$/.test(latin1Text(view(named, offset)));
}
