import { decodeText, type PdfDict, PdfString } from '../../../formats/pdf/index.ts';
import { type Certificate, commonNameOf, organizationOf } from '../../../formats/x509/index.ts';
import { describeSigner } from '../../signer-summary.ts';

/**
 * The person who signed, as the holder of the certificate states it: the entry /Name of a signature
 * dictionary that the signature covers, where the certificate is that of an organisation and has
 * another name. Undefined where nothing of the kind is stated.
 *
 * A seal for somebody who signed by a click or a code looks like this. Only a direct string counts:
 * an update could redefine the object of an indirect one, and leave the dictionary as it was.
 *
 * @spec ISO 32000-2 §12.8.1 table 255 (Name)
 */
export function statedSigner(dict: PdfDict, certificate: Certificate): string | undefined {
  const entry = dict.get('Name');
  if (!(entry instanceof PdfString)) return undefined;
  if (!isOfOrganization(certificate)) return undefined;
  const name = decodeText(entry).trim();
  const words = wordsOf(name);
  if (words === '') return undefined;
  const { subjectDer } = certificate;
  const own = [commonNameOf(subjectDer), organizationOf(subjectDer)].map((one) => wordsOf(one));
  return own.includes(words) ? undefined : name;
}

/** A certificate with a common name alone may be that of a person, who signs for nobody else. */
function isOfOrganization(certificate: Certificate): boolean {
  const { holder } = describeSigner(certificate);
  if (holder !== undefined) return holder === 'legal-person';
  return organizationOf(certificate.subjectDer) !== undefined;
}

/** The words of a name in any order: `DOE John` and `John Doe` are one. */
function wordsOf(name = ''): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.sort().join(' ');
}
