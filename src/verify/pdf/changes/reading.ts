import {
  type PdfFile,
  type PdfObject,
  PdfReference,
  type XrefSection,
} from '../../../formats/pdf/index.ts';

/** The object with this number, whatever its generation. Null if it is absent. */
export function readObject(file: PdfFile, objectNumber: number): PdfObject {
  const location = file.locate(objectNumber);
  if (location === undefined) return null;
  const generation = location.kind === 'offset' ? location.generation : 0;
  return file.read(new PdfReference(objectNumber, generation));
}

/** The sections after those of the old file, newest first. */
export function laterSections(before: PdfFile, after: PdfFile): readonly XrefSection[] {
  return after.sections.slice(0, after.sections.length - before.sections.length);
}
