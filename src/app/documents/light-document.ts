import type { ByteSource } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import { listPages, listSignatureFields, openPdf, PdfReference } from '../../formats/pdf/index.ts';
import { documentFormat } from './document-format.ts';

/** Upper limits of a small document: the cost of processing grows with each of them. */
const light = {
  pdfBytes: 256 * 1024,
  xmlBytes: 16 * 1024,
  objects: 1_000,
  sections: 16,
  pages: 100,
  signatures: 8,
} as const;

/**
 * True if sealing, archiving or verifying a document is so cheap that passing it to a thread would
 * cost more than blocking the event loop. The file length is no measure: a few hundred bytes can
 * expand to millions. Therefore its structure is read, as long as that is itself cheap.
 */
export function isLightDocument(source: ByteSource): boolean {
  switch (documentFormat(source)) {
    case 'pdf':
      // The actual operation reports the fault.
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
      // Every file of a container may itself be a document.
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
    // Inflates the whole object stream, charged to the read budget.
    file.read(new PdfReference(number));
  }
  const signatures = listSignatureFields(file).length;
  return signatures <= light.signatures && listPages(file).length <= light.pages;
}
