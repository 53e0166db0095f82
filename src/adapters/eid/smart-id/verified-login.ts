import { constants, createHash, verify } from 'node:crypto';
import {
  EidError,
  type EidEvidence,
  type EidFinding,
  type EidPoll,
  type EidShownLogin,
  type EidTrust,
} from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import { decodeEvidence, pathFindings, shown } from '../kept-evidence.ts';
import { base64Of, readCertificate, responseFault } from '../provider-answer.ts';
import { requireNotRevoked } from '../revocation-request.ts';
import { base64Text, type DeviceLinkType, type SessionParties } from './device-link.ts';
import { hashAlgorithms, type SmartIdClient, type SmartIdOptions, usual } from './options.ts';
import { levelOf, personOf, requireProfile, rsaKeyOf } from './person-certificate.ts';
import type { CompletedAuthentication } from './session-status.ts';
import { partiesOf, type SmartIdSession } from './start-session.ts';

/** Requested interaction types. */
const interactionTypes: readonly string[] = ['confirmationMessage', 'displayTextAndPIN'];

/**
 * Returns the person of a completed session after all checks of the protocol: flow, user challenge,
 * certification path, revocation status, policies, key usage and level of the certificate, and the
 * signature over the data of both parties.
 *
 * @throws EidError `invalidResponse`, `assuranceTooLow`, `certificateErr`, `accountUnusable`
 */
export async function verifyLogin(
  answer: CompletedAuthentication,
  session: SmartIdSession,
  { options, environment }: SmartIdClient,
): Promise<EidPoll & { readonly status: 'complete' }> {
  const { trust, now } = environment;
  checkFlow(answer, session);
  const sent = [answer.certificate, ...(options.intermediates ?? [])];
  const path = trust.requirePath(sent, options.anchors, now());
  const certificate = readCertificate(answer.certificate);
  requireProfile(certificate, answer.certificateLevel, options);
  const { rpChallenge, flow: flowType } = session;
  const { serverRandom, userChallenge, interactionTypeUsed } = answer;
  const own = { serverRandom, rpChallenge, userChallenge, interactionTypeUsed, flowType };
  const message = acspPayload({ ...partiesOf(session, options), ...own });
  if (!isSigned(message, certificate, answer.signature, options)) {
    throw responseFault('the signature does not match the certificate and this session');
  }
  const { identifier, number: ssn, name, country } = personOf(certificate);
  // A document number is the person's identifier followed by that of a device.
  if (!answer.documentNumber.startsWith(`${identifier}-`)) {
    throw responseFault('the document number does not belong to the person of the certificate');
  }
  const { assurance = 'unknown' } = options;
  const ocsp = await requireNotRevoked(
    path,
    { timeoutMs: usual.timeoutMs, ...options },
    environment,
  );
  return {
    status: 'complete',
    identity: { ssn, name, country, subject: answer.documentNumber, assurance },
    evidence: defined({
      scheme: options.scheme ?? 'smart-id-v3',
      format: 'raw-signature',
      data: base64Of(answer.signature),
      ocsp: ocsp === undefined ? undefined : base64Of(ocsp),
      certificates: path.map(base64Of),
      message: base64Of(message),
      asked: { nonce: rpChallenge },
    }),
  };
}

/** @spec RFC 8017 §8.1.2 */
function isSigned(
  message: Uint8Array,
  certificate: Certificate,
  signature: Uint8Array,
  { hashAlgorithm = usual.hashAlgorithm }: SmartIdOptions,
): boolean {
  const { name, lengthBytes: saltLength } = hashAlgorithms[hashAlgorithm];
  const key = { key: rsaKeyOf(certificate), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  return verify(name, message, key, signature);
}

function checkFlow(answer: CompletedAuthentication, session: SmartIdSession): void {
  if (answer.flowType !== session.flow) throw responseFault('the app followed a different flow');
  if (!interactionTypes.includes(answer.interactionTypeUsed)) {
    throw responseFault('the app showed a different interaction than requested');
  }
  const { verifier } = session;
  if (session.flow === 'QR') return;
  if (verifier === undefined || userChallengeOf(verifier) !== answer.userChallenge) {
    throw responseFault('the app was opened on a different device than the one that returned');
  }
}

/**
 * Verifies the evidence of a login: the signature over challenge and relying party, the
 * certification path, and the person.
 *
 * @throws EidError if the evidence does not prove the login
 */
export function verifySmartIdEvidence(
  evidence: EidEvidence,
  login: EidShownLogin,
  options: SmartIdOptions,
  trust: EidTrust,
): readonly EidFinding[] {
  const { certificates = [], asked } = evidence;
  if (evidence.format !== 'raw-signature')
    throw responseFault('the evidence has a different format');
  const kept = certificates.map((text) => decodeEvidence(text, 'certificates'));
  const sent = [...kept, ...(options.intermediates ?? [])];
  const path = trust.requirePath(sent, options.anchors, login.endedAtMs);
  const certificate = readCertificate(path[0] ?? new Uint8Array());
  requireProfile(certificate, levelOf(certificate, options), options);
  const message = decodeEvidence(evidence.message, 'what was signed');
  if (!isSigned(message, certificate, decodeEvidence(evidence.data, 'a signature'), options)) {
    throw responseFault('the signature does not match the certificate and the stored data');
  }
  requireSession(Buffer.from(message).toString('utf8'), asked?.nonce, options);
  const { number, identifier } = personOf(certificate);
  if (number !== login.ssn || !login.subject.startsWith(`${identifier}-`)) {
    throw new EidError('identityMismatch', 'the certificate belongs to a different person');
  }
  return [
    shown('signature', 'the person signed the challenge of the login'),
    ...pathFindings(path, evidence, login, trust),
    shown('person', 'the certificate has the number of the person'),
    shown('session', 'the signed text contains challenge and relying party of the login'),
  ];
}

/** Scheme, protocol, challenge and relying party name have fixed positions in the signed text. */
function requireSession(
  message: string,
  challenge: string | undefined,
  { schemeName, relyingPartyName }: SmartIdOptions,
): void {
  const [scheme, protocol, , signed, , party] = message.split('|');
  const isOurs = scheme === schemeName && party === base64Text(relyingPartyName);
  if (protocol === 'ACSP_V2' && isOurs && challenge !== undefined && signed === challenge) return;
  throw responseFault('the signed text is not that of this login');
}

/** Data signed by an authentication with protocol ACSP_V2. */
interface AcspInput extends SessionParties {
  readonly serverRandom: string;
  readonly rpChallenge: string;
  readonly userChallenge: string;
  readonly interactionTypeUsed: string;
  readonly flowType: DeviceLinkType;
}

/** The bytes signed by the app. */
export function acspPayload(input: AcspInput): Uint8Array {
  const parts = [
    input.schemeName,
    'ACSP_V2',
    input.serverRandom,
    input.rpChallenge,
    input.userChallenge,
    base64Text(input.relyingPartyName),
    base64Text(input.brokeredRpName),
    createHash('sha256').update(input.interactions).digest('base64'),
    input.interactionTypeUsed,
    input.initialCallbackUrl,
    input.flowType,
  ];
  return new Uint8Array(Buffer.from(parts.join('|'), 'utf8'));
}

/** SHA-256 of the session secret as base64url, which a redirect URL must contain. */
export function sessionSecretDigest(sessionSecret: string): string {
  return createHash('sha256').update(Buffer.from(sessionSecret, 'base64')).digest('base64url');
}

/** The user challenge for a verifier: SHA-256 of its text as base64url. */
export function userChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
