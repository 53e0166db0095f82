import type { ByteSource } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import { listPages, listSignatureFields, openPdf, PdfReference } from '../../formats/pdf/index.ts';
import { documentFormat } from './document-format.ts';

/** Upper limits of a small document: the cost of work on a document grows with each of these. */
const light = {
  pdfBytes: 256 * 1024,
  xmlBytes: 16 * 1024,
  objects: 1_000,
  sections: 16,
  pages: 100,
  signatures: 8,
} as const;

/**
 * True when sealing, archiving or verifying a document takes so little that handing it to a thread
 * costs more than the stall that it makes. The length of the file is no measure: a few hundred
 * bytes can expand to millions. So its structure is read, as long as that is quick itself.
 */
export function isLightDocument(source: ByteSource): boolean {
  switch (documentFormat(source)) {
    case 'pdf':
      // A fault is reported by the actual work.
      return (
        source.lengthBytes <= light.pdfBytes &&
        attempt(
          () => isLightPdf(source),
          () => false,
        )
      );
    case 'xml':
      return source.lengthBytes <= light.xmlBytes;
    default:
      // Every file of a container may be a document of its own.
      return false;
  }
}

function isLightPdf(source: ByteSource): boolean {
  const file = openPdf(source, { repair: 'never', light: true });
  if (file.objectCount > light.objects || file.sections.length > light.sections) return false;
  const containers = new Set<number>();
  for (let number = 1; number < file.objectCount; number++) {
    const place = file.locate(number);
    if (place?.kind !== 'compressed' || containers.has(place.container)) continue;
    containers.add(place.container);
    // Inflates the whole container on account of what may be read.
    file.read(new PdfReference(number));
  }
  const signatures = listSignatureFields(file).length;
  return signatures <= light.signatures && listPages(file).length <= light.pages;
}
