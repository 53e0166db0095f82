import { isInnsigliError } from '../../base/errors.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';

/** The file as it was when it ended at the offset; undefined when that was no PDF. */
export function openRevision(file: PdfFile, end: number): PdfFile | undefined {
  try {
    return file.revisionAt(end);
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
