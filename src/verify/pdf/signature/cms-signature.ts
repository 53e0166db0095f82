import { isInnsigliError } from '../../../base/errors.ts';
import { createMemo, getOrCompute } from '../../../base/memo.ts';
import { type SignedData, signedDataOf } from '../../../formats/cms/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { type CmsVerdict, verifySigner } from '../../cms/index.ts';
import { buildFinding } from '../../findings/index.ts';

import type { SignatureObject } from '../signature-objects.ts';

/** Verdict on a signature whose format prevents further checks. */
const broken = { intact: false, subIndication: 'FORMAT_FAILURE' } as const;

const detached = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached']);

/**
 * Verifies digest and signature value of a CMS signature over the covered bytes, with the
 * certificate that the signed attributes bind, or without such a binding, the one that the signer
 * identifies. An unknown form, or several signers where only one is permitted, leaves the
 * conclusion open.
 */
export function verifyCmsSignature(evidence: SignatureObject, pool: CertificatePool): CmsVerdict {
  if (evidence.findings.length > 0) return { ...broken, findings: evidence.findings };
  const isKnown = detached.has(evidence.subFilter) || evidence.subFilter === 'adbe.pkcs7.sha1';
  if (!isKnown) {
    const message = `/SubFilter /${evidence.subFilter} is not checked`;
    const finding = buildFinding('signature.format.unsupported', message);
    return { ...broken, isOpen: true, findings: [finding] };
  }
  let signedData: SignedData;
  try {
    signedData = signedDataOf(evidence.contents);
  } catch (thrown) {
    if (!isInnsigliError(thrown)) throw thrown;
    // Anyone can add unsigned data if there is space, so nothing is refuted.
    const isOpen = thrown.code === 'limit.exceeded';
    const code = isOpen ? 'signature.cms.limit' : 'signature.cms.invalid';
    return { ...broken, ...(isOpen && { isOpen }), findings: [buildFinding(code, thrown.message)] };
  }
  const ofPool = getOrCompute(verdicts, pool, () => new Map());
  const ofValue = getOrCompute(ofPool, evidence.contents, () => new Map());
  return getOrCompute(ofValue, evidence.subFilter, () => verifyOnce(evidence, signedData, pool));
}

/** Verdicts by value and form: many fields may share one value, which is verified once. */
const verdicts = createMemo<CertificatePool, Map<Uint8Array, Map<string, CmsVerdict>>>();

function verifyOnce(
  evidence: SignatureObject,
  signedData: SignedData,
  pool: CertificatePool,
): CmsVerdict {
  for (const der of signedData.certificates) pool.add(der);
  const [signerInfo, ...others] = signedData.signerInfos;
  if (signerInfo === undefined || others.length > 0) {
    const found = signedData.signerInfos.length;
    const finding = buildFinding(
      'signature.cms.signers',
      `expected one SignerInfo, found ${found}`,
    );
    return { ...broken, isOpen: true, signedData, findings: [finding] };
  }
  const embedsDigest = evidence.subFilter === 'adbe.pkcs7.sha1';
  return verifySigner(signedData, signerInfo, { ...evidence, embedsDigest }, pool);
}
