import { type ByteSource, latin1Text } from '../../../base/bytes.ts';
import { asInteger, type PdfFile } from '../../../formats/pdf/index.ts';
import { laterSections } from './reading.ts';

/** Bytes at the end that are looked through for `startxref`. */
const TAIL_BYTES = 4_096;
/** White space that may stand in front of a section: all readers pass over it. */
const SPACE_BYTES = 64;

/**
 * The reason that readers may not find the signed sections from the end of the file, in words;
 * undefined if all of them do. If `startxref` or /Prev leads elsewhere, some repair the file in
 * their own way. The strict reader checks that the values of the keywords are integers.
 *
 * @spec ISO 32000-2 §7.5.5, §7.5.6
 */
export function findChainFault(before: PdfFile, after: PdfFile): string | undefined {
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
      return 'a cross-reference section of the updates stands in the signed bytes';
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
