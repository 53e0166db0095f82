import { type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { PdfDict } from '../syntax/objects.ts';
import { ByteScanner } from './scan/index.ts';

/** Number of bytes inspected before and after a name. */
const AROUND_BYTES = 40;
/** Maximum number of names inspected, which bounds the work for crafted files. */
const NAMES = 10_000;

/** A name used by encryption, and the context that distinguishes it from text. */
const signs = [
  [latin1Bytes('/Standard'), /\/Filter\s*\/Standard(?![^\s/<>[\]()%])/],
  [latin1Bytes('/Encrypt'), /\/Encrypt\s*(?:<<|\d{1,10}\s+\d{1,5}\s+R)/],
] as const;

/**
 * Rejects a file that was encrypted but whose trailer, found by a scan, lacks /Encrypt: some
 * readers decrypt it, others show its raw bytes, and an intact trailer appended to it would fix one
 * choice for all.
 *
 * @throws pdf.encryption.invalid
 * @spec ISO 32000-1 §7.6.1
 */
export function requireUnencrypted(source: ByteSource, trailer: PdfDict): void {
  if (trailer.has('Encrypt')) return;
  const scanner = new ByteScanner(source);
  let left = NAMES;
  for (const [name, sign] of signs) {
    for (let at = scanner.find(name, 0); at >= 0 && left > 0; at = scanner.find(name, at + 1)) {
      left -= 1;
      const start = Math.max(0, at - AROUND_BYTES);
      const end = Math.min(source.lengthBytes, at + AROUND_BYTES);
      if (!sign.test(latin1Text(source.slice(start, end)))) continue;
      const message =
        'the file is encrypted, and no readable trailer refers to its encryption dictionary';
      throw new InnsigliError('pdf.encryption.invalid', message, {
        details: { offsetBytes: at },
        hint: 'open it in the program that created it, and save it again',
      });
    }
  }
}
