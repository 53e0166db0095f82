import { attempt } from '../../base/errors.ts';
import { oids, readTimeMs } from '../../formats/asn1/index.ts';
import {
  findBindingFault,
  findOtherDigest,
  readSigningCertificate,
  type SignerInfo,
} from '../../formats/cms/index.ts';
import { checkSigner, type SignerQuestion, type TrustConclusion } from '../check-signer.ts';
import { findTimeOutside } from '../claimed-time.ts';
import type { StatusContext } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import { type CmsVerdict, checkBrokenSigner } from './cms-verdict.ts';

/** Requirements of a format on the signed attributes in addition to those of RFC 5652. */
interface AttributeRules {
  /** Whether the attribute that binds the certificate by its digest is required. */
  readonly isBindingDemanded: boolean;
  /** Signing time claimed by the signer. In a PDF it is outside the CMS. */
  readonly claimedMs: number | undefined;
}

/**
 * Findings about signed attributes that an intact signature lacks but that the acceptance of an
 * AdES signature requires.
 *
 * @spec ETSI EN 319 122-1 §5.1, §5.2.1, §5.2.2; EN 319 102-1 §5.2.8
 */
function listMissingAttributes(cms: CmsVerdict, rules: AttributeRules): readonly Finding[] {
  const { signerInfo, certificate, intact } = cms;
  if (signerInfo === undefined || !intact) return [];
  const { signedAttributes } = signerInfo;
  if (signedAttributes === undefined) {
    const message = 'the signature has no signed attributes: it is not bound to its content';
    return [buildFinding('signature.attributes.missing', message)];
  }
  const findings: Finding[] = [];
  if (rules.isBindingDemanded && readSigningCertificate(signerInfo).length === 0) {
    const message = 'no signed attribute identifies the signing certificate by its digest';
    findings.push(buildFinding('signature.certificate.unbound', message));
  }
  const misplaced = findBindingFault(signerInfo);
  if (misplaced !== undefined) {
    findings.push(buildFinding('signature.attributes.invalid', misplaced));
  }
  if (rules.claimedMs === undefined) {
    const message = 'no signed attribute or entry states the signing time';
    findings.push(buildFinding('signature.time.missing', message));
  }
  const outside = certificate && findTimeOutside(rules.claimedMs, certificate);
  if (outside !== undefined) findings.push(outside);
  return findings;
}

const GENERALIZED_TIME = 0x18;
const GENERALIZED_FROM_MS = Date.UTC(2050, 0, 1);
const UTC_TIME_FROM_MS = Date.UTC(1950, 0, 1);

/**
 * Value of the signing-time attribute. Undefined if it is absent or not encoded as required:
 * UTCTime from 1950 to 2049, and GeneralizedTime for other years.
 *
 * @spec RFC 5652 §11.3
 */
export function signingTimeOf({ signedAttributes }: SignerInfo): number | undefined {
  const [value] = signedAttributes?.get(oids.signingTime) ?? [];
  if (value === undefined) return undefined;
  return attempt(() => {
    const timeMs = readTimeMs(value);
    const isGeneralized = timeMs < UTC_TIME_FROM_MS || timeMs >= GENERALIZED_FROM_MS;
    return (value.tag === GENERALIZED_TIME) === isGeneralized ? timeMs : undefined;
  });
}

/**
 * The content must be digested with the digest algorithm of the signature. EdDSA permits only one,
 * Ed448 only the SHAKE256 identifier with an explicit length: programs cannot compute digests by
 * the other identifier.
 *
 * @spec RFC 8933 §3.1, RFC 8419 §3.1
 */
function findDisallowedDigest(signerInfo: SignerInfo | undefined): Finding | undefined {
  if (signerInfo?.signedAttributes === undefined) return undefined;
  const { signatureAlgorithm, digest } = signerInfo;
  const scheme = signatureAlgorithm?.scheme;
  const own = { ed25519: 'sha512', ed448: 'shake256' }[scheme as string];
  const expected = own ?? findOtherDigest(signerInfo);
  if (expected === undefined) return undefined;
  if (digest !== expected) {
    const message = `expected the digest ${expected} with ${scheme}, found ${digest ?? 'another'}`;
    return buildFinding('signature.digest.disallowed', message);
  }
  if (scheme !== 'ed448' || signerInfo.digestOid === oids.shake256Len) return undefined;
  const message = `expected ${expected} with its length of 512 bits, found it without a length`;
  return buildFinding('signature.digest.disallowed', message);
}

/**
 * Changes a passed conclusion to INDETERMINATE if the signature lacks something that its acceptance
 * requires. The findings are pushed in any case.
 *
 * @spec ETSI EN 319 102-1 §5.2.8.4
 */
export function requireConstraints(
  trust: TrustConclusion,
  missing: readonly Finding[],
  findings: Finding[],
): TrustConclusion {
  findings.push(...missing);
  if (missing.length === 0 || trust.outcome.indication !== 'TOTAL-PASSED') return trust;
  const outcome = {
    indication: 'INDETERMINATE',
    subIndication: 'SIG_CONSTRAINTS_FAILURE',
  } as const;
  return { ...trust, outcome };
}

/**
 * Checks the signer of a CMS signature at a time. Reasons against it are pushed onto `findings`.
 *
 * @param rulesOf called for an intact signature only: in others, even the claims may be corrupt
 */
export function checkCmsSigner(
  cms: CmsVerdict,
  rulesOf: () => AttributeRules,
  { atMs, data }: Pick<SignerQuestion, 'atMs' | 'data'>,
  context: StatusContext,
  findings: Finding[],
): TrustConclusion {
  const { certificate, signerInfo } = cms;
  if (certificate === undefined || !cms.intact) return checkBrokenSigner(cms);
  const algorithm = signerInfo?.signatureAlgorithm;
  const disallowedDigest = findDisallowedDigest(signerInfo);
  const digests = [cms.contentDigest];
  const question = { certificate, atMs, algorithm, digests, disallowedDigest, data };
  const missing = listMissingAttributes(cms, rulesOf());
  return requireConstraints(checkSigner(question, context, findings), missing, findings);
}
