import type { ByteSource } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { readBudget } from '../budget.ts';
import { openSecurity, type PdfSecurity } from '../encryption/index.ts';
import { ObjectReader } from '../object-reader.ts';
import { asArray, asDict, asString, type PdfStream } from '../syntax/objects.ts';
import { readSections } from '../xref/sections.ts';
import type { XrefSection } from '../xref/xref.ts';
import { type Recovered, recoverSections } from './recovery.ts';

/** Codes of errors that a scan of the whole file may repair. */
const repairable: ReadonlySet<string> = new Set([
  'pdf.xref.invalid',
  'pdf.truncated',
  'pdf.syntax.invalid',
  'pdf.stream.invalid',
  'pdf.object.missing',
  'pdf.structure.invalid',
]);

/** Whether an error is that of a damaged file that `repair: 'always'` may open. */
export function isRepairable(error: unknown): error is InnsigliError {
  return isInnsigliError(error) && repairable.has(error.code);
}

/**
 * The objects found by scanning the whole file, including object streams of an encrypted file.
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
      if (isRepairable(error)) return undefined;
      throw error;
    }
  };
  return recoverSections(view, decodeObjectStream);
}

/**
 * Whether the last `startxref` leads to an intact section although objects follow it: readers show
 * the document without these objects and do not notice that the end is missing.
 */
export function hasEarlierState(view: ByteSource, { details }: InnsigliError): boolean {
  const { startOffset } = details;
  if (typeof startOffset !== 'number') return false;
  try {
    return readSections(view, startOffset, readBudget(view.lengthBytes)).length > 0;
  } catch (error) {
    if (isRepairable(error)) return false;
    throw error;
  }
}

/** The unlocked security handler if any section, possibly an older one, has /Encrypt. */
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
