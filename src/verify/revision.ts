import { isCoreError } from '../base/errors.ts';
import { openPdf, type PdfFile } from '../formats/pdf/index.ts';

/** The file as it was when it ended at the offset; undefined when that was no PDF. */
export function openRevision(file: PdfFile, end: number): PdfFile | undefined {
  const { source } = file;
  if (end === source.lengthBytes) return file;
  try {
    return openPdf({ lengthBytes: end, slice: (from, to) => source.slice(from, to) });
  } catch (error) {
    if (isCoreError(error)) return undefined;
    throw error;
  }
}
