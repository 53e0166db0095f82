import type { ByteSource } from '../../base/bytes.ts';
import type { InnsigliError } from '../../base/errors.ts';
import { openPdf } from './file.ts';
import type { OpenOptions, PdfFile } from './pdf-file.types.ts';
import { isMendable } from './repair/recover-file.ts';

/**
 * The result of `work` over the document. When damage shows during the work, the work is done again
 * over the document as a scan of all its bytes finds it; when that fails too, the first error is
 * thrown.
 *
 * @throws pdf.* and what `work` throws
 */
export function withPdf<T>(
  source: ByteSource,
  { password, ...options }: Omit<OpenOptions, 'password'> & { password?: string | undefined },
  work: (file: PdfFile) => T,
): T {
  const open = password === undefined ? options : { ...options, password };
  const file = openPdf(source, open);
  try {
    return work(file);
  } catch (error) {
    if (!isMendable(error) || file.previous === undefined) throw error;
    return work(openRepaired(source, open, error));
  }
}

function openRepaired(source: ByteSource, options: OpenOptions, cause: InnsigliError): PdfFile {
  try {
    return openPdf(source, { ...options, repair: 'always' });
  } catch (error) {
    throw isMendable(error) ? cause : error;
  }
}
