import { InnsigliError } from '../../../base/errors.ts';
import type { PdfFile, PdfPage } from '../../../formats/pdf/index.ts';

/**
 * Returns the warnings for a document that had to be repaired. A signed document is rejected:
 * programs repair in different ways, and some would lose the signature. A document that programs
 * repair to different contents is rejected too: a seal would choose one of them.
 *
 * @throws pdf.damaged.signed, pdf.damaged.ambiguous
 */
export function damageWarnings(file: PdfFile, signedCount: number): readonly string[] {
  const warnings = leadingWarnings(file);
  const [first, ...others] = file.findings;
  const { doubt } = file;
  if (first === undefined && doubt === undefined) return warnings;
  if (first !== undefined && signedCount > 0) {
    const message = `the signed document is damaged: ${first.message}`;
    const hint = 'the earlier signature could be lost: ask for an undamaged copy';
    throw new InnsigliError('pdf.damaged.signed', message, { hint });
  }
  if (doubt !== undefined) {
    const message = `the document is damaged, and readers interpret it in different ways: ${doubt}`;
    const hint = 'programs show different content: ask the author for an undamaged copy';
    throw new InnsigliError('pdf.damaged.ambiguous', message, { hint });
  }
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return [
    `the document is damaged: ${first?.message}${more}; the seal covers it unchanged`,
    ...warnings,
  ];
}

/** Viewers skip bytes before the header, but some validators reject such a file. */
function leadingWarnings({ leadingBytes }: PdfFile): readonly string[] {
  if (leadingBytes === 0) return [];
  const count = leadingBytes === 1 ? '1 byte' : `${leadingBytes} bytes`;
  return [`${count} before "%PDF-": some validators reject this file`];
}

/** The warning for a seal that turns direct page objects into indirect objects. */
export function pageWarnings(pages: readonly PdfPage[]): readonly string[] {
  if (pages.every(({ reference }) => reference !== undefined)) return [];
  const message = 'a page is a direct object in the page tree';
  return [`the document is damaged: ${message}; the seal turns it into an indirect object`];
}
