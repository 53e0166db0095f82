import { EidError, type EidEvidence, type EidIdentity } from '../../../../app/ports/index.ts';
import { equalBytes } from '../../../../base/bytes.ts';
import { defined } from '../../../../base/defined.ts';
import { normalPhone } from '../../../../base/text/index.ts';
import { base64Of, decodeBase64, readCertificate, responseFault } from '../../provider-answer.ts';
import { requireNotRevoked } from '../../revocation-request.ts';
import { type AudkenniClient, type CommonOptions, usualTimeoutMs } from '../options.ts';
import { requirePerson, requireUsage } from './signer-certificate.ts';
import { birthDateOf, nationalNumber, type UserInfo } from './user-info.ts';
import { requireCms, requireRawSignature, type SignedHash } from './verify-signature.ts';

/** What the result of a session is verified against. */
export interface Expected {
  readonly channel: 'Sim' | 'App';
  readonly purpose: 'auth' | 'certificate' | 'sign';
  /** Phone number for `Sim`, national number for `App`. */
  readonly loginHint: string;
  /** The hash that was sent for signing; absent for purpose `certificate`. */
  readonly hash?: SignedHash | undefined;
  /** The bytes that were hashed, if available. */
  readonly message?: Uint8Array | undefined;
  /** The certificate that the hash was created for, DER. */
  readonly certificate?: Uint8Array | undefined;
}

/** A person whose signature and certificate were verified. */
export interface VerifiedPerson {
  readonly identity: EidIdentity;
  readonly evidence: EidEvidence;
  /** Certificates, DER: that of the person first, the trust anchor last. */
  readonly certificates: readonly Uint8Array[];
  /** The signature: a signature value from the app, a CMS from a SIM card. */
  readonly signature: Uint8Array | undefined;
}

/**
 * Verifies the person named by the provider: the signature, the certification path, subject and key
 * usage of the certificate, and that the number is the requested one. Whether the certificate is
 * revoked is checked as set in the options.
 *
 * @throws EidError `invalidResponse`; `identityMismatch` if a different person has responded;
 *   `certificateErr` if the certificate is revoked; `providerUnavailable` if the OCSP request may
 *   be retried
 */
export async function verifyPerson(
  info: UserInfo,
  idToken: string,
  expected: Expected,
  client: AudkenniClient,
): Promise<VerifiedPerson> {
  const person = personOf(info, idToken, expected, client);
  const asked = { timeoutMs: usualTimeoutMs, ...client.options };
  const ocsp = await requireNotRevoked(person.certificates, asked, client.environment);
  if (ocsp === undefined) return person;
  return { ...person, evidence: { ...person.evidence, ocsp: base64Of(ocsp) } };
}

function personOf(
  info: UserInfo,
  idToken: string,
  expected: Expected,
  { options, environment: { trust, now } }: AudkenniClient,
): VerifiedPerson {
  const { channel, purpose } = expected;
  const signature = purpose === 'certificate' ? undefined : requireSignature(info);
  const sent = channel === 'Sim' ? cmsCertificates(signature, expected) : [appCertificate(info)];
  const all = [...sent, ...(options.intermediates ?? [])];
  const path = trust.requirePath(all, options.anchors, now());
  const certificate = readCertificate(path[0] ?? new Uint8Array());
  requirePerson(certificate, info);
  requireUsage(certificate, purpose === 'auth' ? 'auth' : 'sign');
  if (expected.certificate !== undefined && !equalBytes(expected.certificate, certificate.der)) {
    throw responseFault('the certificate in the response is not the selected one');
  }
  if (channel === 'App' && signature !== undefined) {
    requireRawSignature(signature, certificate, requireHash(expected));
  }
  requireRequestedPerson(info, expected);
  return {
    identity: identityOf(info, expected, options),
    evidence: evidenceOf(idToken, signature, path, expected, options),
    certificates: path,
    signature,
  };
}

function requireSignature({ signature }: UserInfo): Uint8Array {
  if (signature === undefined) throw responseFault('the user information: expected a signature');
  return decodeBase64(signature, 'the signature');
}

function requireHash({ hash }: Expected): SignedHash {
  if (hash === undefined) throw new EidError('internalError', 'a signature without a hash');
  return hash;
}

function cmsCertificates(cms: Uint8Array | undefined, expected: Expected): readonly Uint8Array[] {
  if (cms === undefined) throw new EidError('internalError', 'a SIM card has no such session');
  return requireCms(cms, requireHash(expected));
}

function appCertificate({ certificate }: UserInfo): Uint8Array {
  if (certificate === undefined)
    throw responseFault('the user information: expected a certificate');
  // The documentation shows plain base64; PEM armour is accepted as well.
  const plain = certificate.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').trim();
  return decodeBase64(plain, 'the certificate');
}

/** The app was addressed by number: anyone else is rejected, even with a valid certificate. */
function requireRequestedPerson(info: UserInfo, { channel, loginHint }: Expected): void {
  if (channel === 'Sim' || nationalNumber(loginHint) === info.number) return;
  throw new EidError('identityMismatch', 'a different person answered than requested');
}

function identityOf(
  { sub, name, number }: UserInfo,
  { channel, loginHint }: Expected,
  { assurance = 'unknown' }: CommonOptions,
): EidIdentity {
  return defined({
    ssn: number,
    name,
    country: 'IS',
    subject: sub,
    assurance,
    birthDate: birthDateOf(number),
    phoneNumber: channel === 'Sim' ? normalPhone(loginHint) : undefined,
  });
}

function evidenceOf(
  idToken: string,
  signature: Uint8Array | undefined,
  path: readonly Uint8Array[],
  { channel, message }: Expected,
  { scheme = 'audkenni-is' }: CommonOptions,
): EidEvidence {
  const certificates = path.map(base64Of);
  if (signature === undefined) return { scheme, format: 'jwt', data: idToken, certificates };
  return defined({
    scheme,
    format: channel === 'Sim' ? 'cms' : 'raw-signature',
    data: base64Of(signature),
    certificates,
    message: message && base64Of(message),
  });
}
