import type { ByteSource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  isMendable,
  type OpenOptions,
  openPdf,
  type PdfFile,
  type PdfPage,
} from '../../../formats/pdf/index.ts';

/**
 * What `work` gives over the document. When damage turns up on the way, it is done again over the
 * document as a scan of all its bytes finds it; when that fails too, the first error counts.
 *
 * @throws pdf.* and what `work` throws
 */
export function withDocument<T>(
  source: ByteSource,
  options: OpenOptions,
  work: (file: PdfFile) => T,
): T {
  const file = openPdf(source, options);
  try {
    return work(file);
  } catch (error) {
    if (!isMendable(error) || file.previous === undefined) throw error;
    return work(openMended(source, options, error));
  }
}

function openMended(source: ByteSource, options: OpenOptions, cause: InnsigliError): PdfFile {
  try {
    return openPdf(source, { ...options, repair: 'always' });
  } catch (error) {
    throw isMendable(error) ? cause : error;
  }
}

/**
 * What is to be said of a document that had to be mended. One that carries signatures is refused:
 * readers mend in different ways, and some would not find the signature any more.
 *
 * One that readers mend to different documents is refused: a seal would settle for one of them.
 *
 * @throws pdf.damaged.signed, pdf.damaged.ambiguous
 */
export function damageWarnings(file: PdfFile, signedCount: number): readonly string[] {
  const warnings = leadingWarnings(file);
  const [first, ...others] = file.findings;
  const { doubt } = file;
  if (first === undefined && doubt === undefined) return warnings;
  if (first !== undefined && signedCount > 0) {
    throw new InnsigliError(
      'pdf.damaged.signed',
      `the signed document is damaged: ${first.message}`,
      {
        hint: 'the earlier signature could get lost: ask its maker for an undamaged copy',
      },
    );
  }
  if (doubt !== undefined) {
    throw new InnsigliError(
      'pdf.damaged.ambiguous',
      `the document is damaged, and readers take it in different ways: ${doubt}`,
      {
        hint: 'what one program shows, another does not: ask its maker for an undamaged copy',
      },
    );
  }
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return [
    `the document is damaged: ${first?.message}${more}; the seal covers it as it is`,
    ...warnings,
  ];
}

/** Viewers pass over what stands in front of the header; some validators open no such file. */
function leadingWarnings({ leadingBytes }: PdfFile): readonly string[] {
  if (leadingBytes === 0) return [];
  const count = leadingBytes === 1 ? '1 byte stands' : `${leadingBytes} bytes stand`;
  return [`${count} in front of "%PDF-": some validators refuse such a file`];
}

/** What is to be said of a seal that moves pages to objects of their own. */
export function pageWarnings(pages: readonly PdfPage[]): readonly string[] {
  if (pages.every(({ reference }) => reference !== undefined)) return [];
  const message = 'a page stands in the page tree itself, where a reference to it belongs';
  return [`the document is damaged: ${message}; the seal makes it an object of its own`];
}

/** The options for opening with a password, when there is one. */
export function openOptions({ password }: { readonly password?: string | undefined }): OpenOptions {
  return password === undefined ? {} : { password };
}
