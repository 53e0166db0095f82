import { latin1Text } from '../../base/bytes.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import { objectHeads } from './object-heads.ts';

/** What stands behind a signed revision, beside what the sections say. */
export interface FileEnding {
  /** What follows the percent sign of the last end of file. */
  readonly tail: string;
  /** Objects that readers find when they look through a file to mend it, and their places. */
  readonly unlisted: readonly FoundObject[];
}

/** An object with the first section, counted from the newest, that lists it or that it is. */
interface FoundObject {
  /** In the file. */
  readonly offset: number;
  /** Infinite when no section lists it. */
  readonly section: number;
}

const endings = new WeakMap<PdfFile, FileEnding & { readonly start: number }>();

/**
 * What stands behind `start`, which may begin earlier when that was asked before: signatures are
 * asked about one after the other, and the file is looked through once.
 */
export function endingOf(after: PdfFile, start: number): FileEnding {
  const known = endings.get(after);
  if (known !== undefined && known.start <= start) return known;
  const { source, originBytes } = after;
  const text = latin1Text(source.slice(start, source.lengthBytes));
  const tail = text.slice(text.lastIndexOf('%%EOF') + 1);
  const unlisted: FoundObject[] = [];
  for (const { objectNumber, at } of objectHeads(text)) {
    const offset = start + at;
    unlisted.push({ offset, section: sectionOf(after, objectNumber, offset - originBytes) });
  }
  const found = { start, tail, unlisted };
  endings.set(after, found);
  return found;
}

function sectionOf({ sections }: PdfFile, objectNumber: number, offset: number): number {
  const index = sections.findIndex((section) => {
    if (section.offsetBytes === offset) return true;
    const entry = section.find(objectNumber);
    return entry?.kind === 'offset' && entry.offsetBytes === offset;
  });
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}
