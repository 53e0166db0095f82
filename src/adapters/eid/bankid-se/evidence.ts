import { createHash } from 'node:crypto';
import {
  EidError,
  type EidEvidence,
  type EidFinding,
  type EidIdentity,
  type EidShownLogin,
  type EidTrust,
} from '../../../app/ports/index.ts';
import { equalBytes } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import { isoTime } from '../../../base/time/iso-time.ts';
import { oids, readOid, readSequence, readText } from '../../../formats/asn1/index.ts';
import {
  type Certificate,
  keyUsageBits,
  parseCertificate,
  parseName,
  parseOcspResponse,
} from '../../../formats/x509/index.ts';
import { parseBase64 } from '../../../formats/xmldsig/index.ts';
import { shown } from '../kept-evidence.ts';
import type { BankidOptions } from './options.ts';
import { findPersonalNumber } from './personal-number.ts';
import { verifySignatureXml } from './signature-xml.ts';
import { type BankidContent, findContentFault } from './signed-content.ts';

/** What a stored response has to prove. Plain JSON; absent members are not compared. */
export interface BankidExpected extends BankidContent {
  /** Twelve digits. */
  readonly personalNumber?: string;
  /** Object identifiers, at least one of which the person's certificate must contain. */
  readonly certificatePolicies?: readonly string[];
  /** Epoch milliseconds between which the person responded, with a tolerance of five minutes. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** Trust anchors and checks for the certificates of a response. */
export interface BankidTrust {
  readonly checks: EidTrust;
  /** Roots of BankID for the environment, DER. */
  readonly anchors: readonly Uint8Array[];
}

/** What a response proves. */
export interface BankidProof {
  readonly identity: Omit<EidIdentity, 'assurance'>;
  /** Time at which the provider checked the person's certificate, in epoch milliseconds. */
  readonly checkedAtMs: number;
  /** Certification path of the person's certificate, trust anchor last, DER. */
  readonly path: readonly Uint8Array[];
}

/** Tolerated clock difference. */
const SKEW_MS = 5 * 60_000;
/** Length in bytes of the digest at the start of the nonce, and of the whole nonce. */
const NONCE = { digest: 20, whole: 32 };

/**
 * Verifies a response of BankID offline: the signature over exactly the two elements of the
 * profile; the certification path to an anchor; that text, digest and nonce match; the purpose; the
 * person; and the OCSP response with its nonce, which ties it to this signature. The time of the
 * OCSP response is used throughout. The party that stores the evidence must prove, with a seal or
 * time-stamp of its own, that it existed while algorithms and responder were reliable.
 *
 * @throws EidError `invalidResponse` if it does not prove what is expected, `certificateErr` if the
 *   certificate was revoked, `identityMismatch` if a different person has responded
 */
export function verifyBankidEvidence(
  evidence: EidEvidence,
  expected: BankidExpected,
  trust: BankidTrust,
): BankidProof {
  try {
    return verifyParts(evidence, expected, trust);
  } catch (error) {
    if (error instanceof EidError) throw error;
    // Errors of the format parsers contain offsets and parts of the response.
    if (isInnsigliError(error)) throw refused('a part of it is malformed');
    throw refused('a part of it cannot be read');
  }
}

function verifyParts(
  evidence: EidEvidence,
  expected: BankidExpected,
  { checks, anchors }: BankidTrust,
): BankidProof {
  if (evidence.format !== 'xmldsig') throw refused('its format is different');
  const xml = Buffer.from(evidence.data, 'utf8');
  const signed = verifySignatureXml(xml);
  const funcId = expected.purpose === 'auth' ? 'Identification' : 'Signing';
  if (signed.funcId !== funcId) throw refused('it was created for a different purpose');
  const fault = findContentFault(expected, signed);
  if (fault !== undefined) throw refused(fault);
  const [der] = signed.certificates as readonly [Uint8Array];
  const [kept] = evidence.certificates ?? [];
  if (kept !== undefined && kept !== Buffer.from(der).toString('base64')) {
    throw refused('the certificate stored with it is a different one');
  }
  const ocsp = parseBase64(evidence.ocsp ?? '');
  if (ocsp === undefined || ocsp.length === 0) throw refused('the OCSP response is missing');
  const atMs = producedAt(ocsp, expected);
  const path = checks.requirePath(signed.certificates, anchors, atMs);
  const issuer = path[1];
  if (issuer === undefined) throw refused('the certificate has no issuer');
  const certificate = parseCertificate(der);
  requirePersonal(certificate, expected.certificatePolicies);
  const { status, nonce } = checks.checkOcsp(ocsp, der, issuer, atMs);
  requireNonce(nonce, xml);
  if (status !== 'good') throw new EidError('certificateErr', 'the certificate was revoked');
  const identity = identityOf(certificate, atMs);
  if (expected.personalNumber !== undefined && expected.personalNumber !== identity.ssn) {
    throw new EidError('identityMismatch', 'a different person answered than requested');
  }
  return { identity, checkedAtMs: atMs, path };
}

/** `producedAt` of the OCSP response; its signature is verified at that time. */
function producedAt(ocsp: Uint8Array, { fromMs, untilMs }: BankidExpected): number {
  const { basic } = parseOcspResponse(ocsp);
  if (basic === undefined) throw refused('the OCSP responder returned no status');
  const { producedAtMs } = basic;
  const isEarly = fromMs !== undefined && producedAtMs < fromMs - SKEW_MS;
  const isLate = untilMs !== undefined && producedAtMs > untilMs + SKEW_MS;
  if (isEarly || isLate) throw refused('the OCSP response is from a different time');
  return producedAtMs;
}

/** The nonce starts with the SHA-1 digest of the signature as text, the base64 of the XML. */
function requireNonce(nonce: Uint8Array | undefined, xml: Buffer): void {
  const digest = createHash('sha1').update(xml.toString('base64'), 'latin1').digest();
  if (nonce?.length === NONCE.whole && equalBytes(nonce.subarray(0, NONCE.digest), digest)) return;
  throw refused('the OCSP response belongs to a different signature');
}

/** Requires an end-entity certificate whose key usage, if stated, permits signatures. */
function requirePersonal(
  { extensions }: Certificate,
  policies: readonly string[] | undefined,
): void {
  const signs = keyUsageBits.digitalSignature | keyUsageBits.nonRepudiation;
  const isAuthority = extensions.basicConstraints?.ca === true;
  if (isAuthority || ((extensions.keyUsage ?? signs) & signs) === 0) {
    throw refused('the certificate is not for signatures of persons');
  }
  if (policies === undefined) return;
  const { certificatePolicies: node } = extensions.policies;
  const named = node === undefined ? [] : readSequence(node, 'policies');
  const found = named.map((each) => readOid(readSequence(each, 'policy')[0], 'policy'));
  if (found.some((policy) => policies.includes(policy))) return;
  throw new EidError('assuranceTooLow', 'the certificate has none of the accepted policies');
}

function identityOf({ subjectDer }: Certificate, atMs: number): BankidProof['identity'] {
  const attributes = parseName(subjectDer).flat();
  const one = (wanted: string): string => {
    const [found, ...others] = attributes.filter(({ type }) => type === wanted);
    if (found === undefined || others.length > 0) {
      throw refused('the certificate does not name one person');
    }
    return readText(found.value);
  };
  const ssn = one(oids.serialNumber);
  const number = /^\d{12}$/.test(ssn) ? findPersonalNumber(ssn, atMs) : undefined;
  if (number === undefined) throw refused('the certificate has no personal number');
  const name = one(oids.commonName).trim();
  if (name === '') throw refused('the certificate has no name');
  const { birthDate } = number;
  const born = birthDate === undefined ? {} : { birthDate };
  return { ssn, name, country: 'SE', subject: ssn, ...born };
}

function refused(why: string): EidError {
  return new EidError('invalidResponse', `response of BankID: ${why}`);
}

/**
 * Verifies the evidence of a login, with the same checks as at the time of the login.
 *
 * @throws EidError if the evidence does not prove the login
 */
export function verifyBankidLogin(
  evidence: EidEvidence,
  { ssn: personalNumber, startedAtMs: fromMs, endedAtMs: untilMs }: EidShownLogin,
  trust: BankidTrust,
  { certificatePolicies }: Pick<BankidOptions, 'certificatePolicies'>,
): readonly EidFinding[] {
  const { nonce, text } = evidence.asked ?? {};
  const asked = defined({ nonce, text, certificatePolicies });
  const expected = { purpose: 'auth', personalNumber, fromMs, untilMs, ...asked } as const;
  const { checkedAtMs } = verifyBankidEvidence(evidence, expected, trust);
  const at = isoTime(checkedAtMs);
  return [
    shown('signature', 'the person signed the response, as an identification'),
    shown('certificate', `its path ended at an anchor of BankID on ${at}`),
    shown(
      'revocation',
      `the certificate was good on ${at}; the OCSP response belongs to this response`,
    ),
    shown('person', 'the certificate names the person'),
    shown('session', sessionText(nonce)),
  ];
}

function sessionText(nonce: string | undefined): string {
  if (nonce === undefined) return 'no nonce was stored: nothing shows which login it belongs to';
  return 'the response repeats nonce and text of the login';
}
