import { memorySource } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { firstPage, listSignatureFields, type PdfFile, withPdf } from '../../formats/pdf/index.ts';
import { requireUsableSigner } from '../documents/check-signer.ts';
import { requirePermission } from '../documents/pdf/check-permission.ts';
import { damageWarnings } from '../documents/pdf/damage.ts';
import type { SealingPorts } from './find-signee.ts';
import { flattenForm } from './flatten-form.ts';

/** Checks and changes of a document before it is stored. */
export interface DocumentWish {
  /** Make the values of its form part of its pages. */
  readonly flatten: boolean;
}

/**
 * The document as it is shown and signed, before anybody is invited to: it can be read, is not
 * encrypted, no signature in it forbids further ones, and the key of the company works. When that
 * is wanted, its form is flattened. To be stored as the first revision, before anybody sees it.
 *
 * @throws pdf.* when it is no PDF that can be signed
 * @throws pdf.password.needed, pdf.permission.denied for an encrypted one
 * @throws pdf.certified.locked, pdf.damaged.signed
 * @throws key.*, config.* when the company cannot seal now
 */
export async function prepareDocument(
  content: Uint8Array,
  wish: DocumentWish,
  ports: Pick<SealingPorts, 'openSealing' | 'now'> & {
    /** {@link openedDocument}, done where it stalls nobody; the bytes of `content` may be moved. */
    readonly opened?: (content: Uint8Array, wish: DocumentWish) => Promise<Uint8Array>;
  },
): Promise<Uint8Array> {
  const ready = await (ports.opened ?? openedDocument)(content, wish);
  requireUsableSigner(await ports.openSealing('B-B'), ports.now());
  return ready;
}

/** The part of {@link prepareDocument} that reads the document. @throws pdf.*, limit.exceeded */
export function openedDocument(content: Uint8Array, { flatten }: DocumentWish): Uint8Array {
  withPdf(memorySource(content), {}, requireOpen);
  return flatten ? flattenForm(content) : content;
}

function requireOpen(file: PdfFile): void {
  if (file.security !== undefined) {
    throw new InnsigliError('pdf.permission.denied', 'expected a document without encryption', {
      hint: 'signees could not open it: remove its password first',
    });
  }
  firstPage(file);
  const fields = listSignatureFields(file);
  damageWarnings(file, fields.filter(({ value }) => value !== undefined).length);
  requirePermission(file, fields, 'Signature', undefined);
}
