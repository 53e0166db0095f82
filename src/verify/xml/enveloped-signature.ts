import { equalBytes } from '../../base/bytes.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { XmlDocument } from '../../formats/xml/index.ts';
import { createReferenceBudget, findDigest } from '../../formats/xmldsig/index.ts';
import { findWeakProof } from '../../trust/algorithms/index.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import type { XmlContext } from './context.ts';
import { findCoverage } from './coverage/coverage-findings.ts';
import { checkMathematics } from './cryptographic-verification.ts';
import { listSignatures } from './list-signatures.ts';
import { checkReferences } from './references/check-references.ts';
import { createDigestMemo } from './references/digest-memo.ts';
import { checkPropertiesReference } from './references/properties-reference.ts';
import { readSignatureObject } from './signature-object.ts';
import { createCertificateIndex } from './times/certificate-index.ts';
import { collectData } from './times/validation-data.ts';

/** Signer of a whole document, or the reason why there is none. */
export type EnvelopedSigner =
  | { readonly signer: Certificate }
  | { readonly signer?: undefined; readonly message: string };

/**
 * Finds which of the signers created the only signature over a whole document: a direct child of
 * the root that covers all of it, with the certificate that it binds. No path is built: the
 * certificates themselves are trusted, but none that they issued.
 *
 * @spec ETSI TS 119 612 §5.7, ETSI TS 119 615 §4.2
 */
export function findEnvelopedSigner(
  document: XmlDocument,
  signers: readonly Certificate[],
): EnvelopedSigner {
  const [listed, ...more] = listSignatures(document);
  if (listed === undefined) return { message: 'it has no signature' };
  if (more.length > 0 || listed.nested.length > 0) return { message: 'it has several signatures' };
  if (listed.element.parent?.index !== document.root.index) {
    return { message: 'its signature is not directly inside the root' };
  }
  const pool = createCertificatePool(signers.map(({ der }) => der));
  const context: XmlContext = {
    document,
    anchors: signers,
    nowMs: 0,
    pool,
    includeSignedData: false,
    findFile: undefined,
    budget: createReferenceBudget(document),
    certificates: createCertificateIndex(pool),
    digests: createDigestMemo(),
  };
  const found = readSignatureObject(listed);
  const { signature, properties, form } = found;
  if (signature === undefined) return { message: found.faults[0]?.message ?? 'it is malformed' };
  if (form !== 'xades') return { message: 'its signature is not a XAdES signature' };
  const references = checkReferences({ document, signature, properties }, context);
  const uncovered = checkPropertiesReference(found, references);
  const faults = uncovered === undefined ? found.faults : [...found.faults, uncovered];
  const data = collectData(found, pool);
  const verdict = checkMathematics({ ...found, faults }, references, data.certificates, context);
  const { certificate, intact, findings } = verdict;
  if (!intact || certificate === undefined) {
    return { message: findings[0]?.message ?? 'its signature is not valid' };
  }
  if (findCoverage(references) !== 'document')
    return { message: 'its signature covers only a part' };
  if ((properties?.signed?.signingCertificates.length ?? 0) === 0) {
    return { message: 'its signature does not bind the certificate of its signer' };
  }
  const signer = signers.find(({ der }) => equalBytes(der, certificate.der));
  if (signer === undefined)
    return { message: 'its signature is not by one of the expected signers' };
  const digests = references.map(({ reference }) => findDigest(reference.digestUri));
  const { algorithm } = signature.signedInfo.signatureMethod;
  const weakness = findWeakProof({ certificate, algorithm, digests, path: [certificate] });
  return weakness === undefined ? { signer } : { message: weakness };
}
