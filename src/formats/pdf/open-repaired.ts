import type { ByteSource } from '../../base/bytes.ts';
import type { InnsigliError } from '../../base/errors.ts';
import { openPdf } from './file.ts';
import type { OpenOptions, PdfFile } from './pdf-file.types.ts';
import { isRepairable } from './repair/recover-file.ts';

/**
 * The result of `work` on the document. If damage is found during the work, the work is repeated on
 * the document as found by a scan of all its bytes; if that fails too, the first error is thrown.
 *
 * @throws pdf.* and the errors of `work`
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
    if (!isRepairable(error) || file.previous === undefined) throw error;
    return work(openRepaired(source, open, error));
  }
}

function openRepaired(source: ByteSource, options: OpenOptions, cause: InnsigliError): PdfFile {
  try {
    return openPdf(source, { ...options, repair: 'always' });
  } catch (error) {
    throw isRepairable(error) ? cause : error;
  }
}
