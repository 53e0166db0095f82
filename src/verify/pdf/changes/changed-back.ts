import { asBuffer, latin1Bytes } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import type { PdfFile, XrefSection } from '../../../formats/pdf/index.ts';

const END = latin1Bytes('endobj');

/** Whether updates rewrote an object, now as it was when signed, with other content in between. */
export function wasChangedBack(
  { source, originBytes }: PdfFile,
  later: readonly XrefSection[],
  objectNumber: number,
): boolean {
  const offsets = new Set<number>();
  for (const section of later) {
    const entry = section.find(objectNumber);
    if (entry?.kind === 'free') return true;
    if (entry?.kind === 'offset') offsets.add(entry.offsetBytes);
  }
  if (offsets.size < 2) return false;
  const texts = new Set<string>();
  for (const offset of offsets) {
    const start = Math.min(originBytes + offset, source.lengthBytes);
    const end = Math.min(start + limits.brokenObjectBytes, source.lengthBytes);
    const bytes = asBuffer(source.slice(start, end));
    const length = bytes.indexOf(END);
    texts.add(wordsOf(bytes.toString('latin1', 0, length < 0 ? bytes.length : length)));
  }
  return texts.size > 1;
}

/** The tokens of an object, sorted, because tools reorder the entries of a dictionary. */
function wordsOf(text: string): string {
  return text
    .split(/[\0\t\n\f\r ]+|(?=[/<>[\]()])/)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}
