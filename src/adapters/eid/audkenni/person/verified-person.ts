import { EidError, type EidEvidence, type EidIdentity } from '../../../../app/ports/index.ts';
import { equalBytes } from '../../../../base/bytes.ts';
import { defined } from '../../../../base/defined.ts';
import { normalPhone } from '../../../../base/text/index.ts';
import { answerFault, base64Of, decodeBase64, readCertificate } from '../../provider-answer.ts';
import { learnStatus } from '../../revocation-request.ts';
import { type AudkenniClient, type CommonOptions, usualTimeoutMs } from '../options.ts';
import { requirePerson, requireUsage } from './signer-certificate.ts';
import { birthDateOf, nationalNumber, type UserInfo } from './user-info.ts';
import { requireCms, requireRawSignature, type SignedHash } from './verify-signature.ts';

/** What an answer is held against. */
export interface Expected {
  readonly channel: 'Sim' | 'App';
  readonly purpose: 'auth' | 'certificate' | 'sign';
  /** Phone number for `Sim`, national number for `App`. */
  readonly loginHint: string;
  /** What was sent to be signed; absent with purpose `certificate`. */
  readonly hash?: SignedHash | undefined;
  /** The bytes of that hash, where they are known. */
  readonly message?: Uint8Array | undefined;
  /** DER of the certificate that the hash was made for. */
  readonly certificate?: Uint8Array | undefined;
}

/** A person whose signature and certificate were verified. */
export interface VerifiedPerson {
  readonly identity: EidIdentity;
  readonly evidence: EidEvidence;
  /** DER; that of the person first, an anchor last. */
  readonly certificates: readonly Uint8Array[];
  /** Bytes of the signature: a value from the app, a CMS from a SIM card. */
  readonly signature: Uint8Array | undefined;
}

/**
 * The person whom the provider names, after signature, path, subject and use of their certificate
 * were verified, and their number is the one that was asked for. The responder of the
 * configuration, or of the certificate, has said that the certificate is good.
 *
 * @throws EidError `invalidResponse`; `identityMismatch` when another person has answered;
 *   `certificateErr` for a certificate that is revoked; `providerUnavailable` when the responder
 *   may be asked again
 */
export async function verifyPerson(
  info: UserInfo,
  idToken: string,
  expected: Expected,
  client: AudkenniClient,
): Promise<VerifiedPerson> {
  const person = personOf(info, idToken, expected, client);
  const asked = { timeoutMs: usualTimeoutMs, ...client.options };
  const ocsp = await learnStatus(person.certificates, asked, client.environment);
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
    throw answerFault('the certificate in the response is not the selected one');
  }
  if (channel === 'App' && signature !== undefined) {
    requireRawSignature(signature, certificate, requireHash(expected));
  }
  requireAsked(info, expected);
  return {
    identity: identityOf(info, expected, options),
    evidence: evidenceOf(idToken, signature, path, expected, options),
    certificates: path,
    signature,
  };
}

function requireSignature({ signature }: UserInfo): Uint8Array {
  if (signature === undefined) throw answerFault('the user information: expected a signature');
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
  if (certificate === undefined) throw answerFault('the user information: expected a certificate');
  // The documentation shows base64 alone; PEM around it is the same certificate.
  const plain = certificate.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').trim();
  return decodeBase64(plain, 'the certificate');
}

/** The app was asked for by number: nobody else may answer, however good their certificate. */
function requireAsked(info: UserInfo, { channel, loginHint }: Expected): void {
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
