import { concatBytes } from '../base/bytes.ts';
import type { PdfFile } from '../formats/pdf/index.ts';
import type { FieldChoice } from './field/index.ts';
import type { CmsSigner } from './ports.ts';
import { fillContainer, openContainer, type SignatureContainer } from './signature-container.ts';
import {
  type CmsSubFilter,
  type SignatureDetails,
  signatureEntries,
} from './signature-dictionary.ts';

/**
 * Embeds a CMS that an external signer created over the covered bytes, in one update. The CMS
 * determines the level.
 *
 * @throws key.sign.failed from the signer
 * @throws seal.reservation.exceeded if the CMS is longer than the signer estimated
 * @spec ISO 32000-1 §12.8.3.3
 */
export async function embedForeignCms(
  file: PdfFile,
  choice: FieldChoice,
  details: SignatureDetails,
  signer: CmsSigner,
  subFilter: CmsSubFilter,
): Promise<SignatureContainer> {
  const entries = signatureEntries(details, subFilter);
  const container = openContainer(file, choice, entries, signer.estimatedLengthBytes);
  const { source, contentsStart, contentsEnd } = container;
  const covered = concatBytes([
    source.slice(0, contentsStart),
    source.slice(contentsEnd, source.lengthBytes),
  ]);
  fillContainer(container, await signer.signContent(covered));
  return container;
}
