import type { ByteSource } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { readBudget } from '../budget.ts';
import { openSecurity, type PdfSecurity } from '../encryption/index.ts';
import { ObjectReader } from '../object-reader.ts';
import { asArray, asDict, asString, type PdfStream } from '../syntax/objects.ts';
import { readSections } from '../xref/sections.ts';
import type { XrefSection } from '../xref/xref.ts';
import { type Recovered, recoverSections } from './recovery.ts';

/** Codes of errors that a scan of the whole file may mend. */
const mendable: ReadonlySet<string> = new Set([
  'pdf.xref.invalid',
  'pdf.truncated',
  'pdf.syntax.invalid',
  'pdf.stream.invalid',
  'pdf.object.missing',
  'pdf.structure.invalid',
]);

/** True for the error of a damaged file that `repair: 'always'` may open. */
export function isMendable(error: unknown): error is InnsigliError {
  return isInnsigliError(error) && mendable.has(error.code);
}

/**
 * The objects found by reading all of the file, object streams of an encrypted file included.
 *
 * @throws pdf.password.needed, pdf.password.wrong, pdf.encryption.*, limit.exceeded
 */
export function recoverAll(view: ByteSource, password: string | undefined): Recovered {
  const decoding = readBudget(view.lengthBytes);
  const decodeObjectStream = (number: number, stream: PdfStream, explicit: XrefSection) => {
    const reader = new ObjectReader(view, [explicit], decoding);
    const security = securityOf(reader, password);
    const clear = security?.decrypt(number, 0, stream) ?? stream;
    try {
      return reader.decode(clear as PdfStream);
    } catch (error) {
      if (isMendable(error)) return undefined;
      throw error;
    }
  };
  return recoverSections(view, decodeObjectStream);
}

/**
 * True when the last `startxref` leads to a sound section although objects follow it: readers show
 * the document without them, and never notice that its end is missing.
 */
export function hasEarlierState(view: ByteSource, { details }: InnsigliError): boolean {
  const { startOffset } = details;
  if (typeof startOffset !== 'number') return false;
  try {
    return readSections(view, startOffset, readBudget(view.lengthBytes)).length > 0;
  } catch (error) {
    if (isMendable(error)) return false;
    throw error;
  }
}

/** The open lock, when the file is encrypted. An older section may be the only one to say so. */
export function securityOf(
  reader: ObjectReader,
  password: string | undefined,
): PdfSecurity | undefined {
  for (const { trailer } of reader.sections) {
    const encrypt = reader.resolve(trailer.get('Encrypt'));
    if (encrypt === null) continue;
    const dict = asDict(encrypt);
    if (dict === undefined) {
      const message = 'the encryption dictionary is not a dictionary';
      throw new InnsigliError('pdf.encryption.invalid', message);
    }
    const [first] = asArray(reader.resolve(trailer.get('ID'))) ?? [];
    const firstId = asString(reader.resolve(first))?.bytes ?? new Uint8Array();
    return openSecurity(dict, (value) => reader.resolve(value), firstId, password);
  }
  return undefined;
}
