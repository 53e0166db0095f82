import { InnsigliError } from '../../base/errors.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import { endingOf, objectHeads } from './unlisted-objects.ts';

/** Bytes at the end of a file in which its last end-of-file marker is looked for. */
const END_BYTES = 16 * 1024 * 1024;

/**
 * Refuses a damaged file whose last update has no end: where no signature is found, the one that
 * people expect may stand in it.
 *
 * @throws pdf.truncated
 */
export function requireEnd(file: PdfFile): void {
  if (file.findings.length === 0) return;
  const { lengthBytes } = file.source;
  const { tail } = endingOf(file, Math.max(0, lengthBytes - END_BYTES));
  const [head] = tail.startsWith('%EOF') ? objectHeads(tail) : [];
  if (head === undefined) return;
  const message = `the file ends inside its last update, with object ${head.objectNumber}`;
  throw new InnsigliError('pdf.truncated', message, {
    hint: 'the file seems to be incomplete: download it again',
  });
}
