import { type PdfFile, type PdfObject, pdfName } from '../formats/pdf/index.ts';
import type { FieldChoice } from './field/index.ts';
import {
  digestContainer,
  fillContainer,
  openContainer,
  type SignatureContainer,
} from './signature-container.ts';
import {
  expectedTokenLength,
  type FreshTimestamp,
  requestTimestamp,
  type TimestampContext,
} from './timestamp-client.ts';

const entries: ReadonlyMap<string, PdfObject> = new Map<string, PdfObject>([
  ['Type', pdfName('DocTimeStamp')],
  ['Filter', pdfName('Adobe.PPKLite')],
  ['SubFilter', pdfName('ETSI.RFC3161')],
]);

const RESERVATION_TRIES = 3;

/**
 * Covers the whole document, including its validation data, with a time-stamp.
 *
 * @throws tsa.*, seal.reservation.exceeded
 * @spec ETSI EN 319 142-1 §5.4.3, ISO 32000-2 §12.8.5
 */
export async function stampPdf(
  file: PdfFile,
  choice: FieldChoice,
  context: TimestampContext,
): Promise<{ readonly container: SignatureContainer; readonly timestamp: FreshTimestamp }> {
  for (let round = 1; ; round++) {
    const capacity = expectedTokenLength(context.authority);
    const container = openContainer(file, choice, entries, capacity);
    const imprint = digestContainer(container, 'sha256');
    const timestamp = await requestTimestamp(context, 'sha256', imprint);
    if (timestamp.token.length > capacity && round < RESERVATION_TRIES) continue;
    fillContainer(container, timestamp.token);
    return { container, timestamp };
  }
}
