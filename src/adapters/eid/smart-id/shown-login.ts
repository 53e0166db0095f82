import { constants, verify } from 'node:crypto';
import {
  EidError,
  type EidEvidence,
  type EidFinding,
  type EidShownLogin,
  type EidTrust,
} from '../../../app/ports/index.ts';
import { keptBytes, shown, shownPath } from '../kept-evidence.ts';
import { answerFault } from '../provider-answer.ts';
import { base64Text } from './device-link.ts';
import { hashAlgorithms, type SmartIdOptions, usual } from './options.ts';
import { personOf, readCertificate, requireProfile, rsaKeyOf } from './person-certificate.ts';

/**
 * What the evidence of a login shows: signature over challenge and relying party, path, person.
 *
 * @throws EidError when it does not show the login
 */
export function shownSmartIdLogin(
  evidence: EidEvidence,
  login: EidShownLogin,
  options: SmartIdOptions,
  trust: EidTrust,
): readonly EidFinding[] {
  const { certificates = [], asked } = evidence;
  if (evidence.format !== 'raw-signature') throw answerFault('the evidence has another format');
  const kept = certificates.map((text) => keptBytes(text, 'certificates'));
  const sent = [...kept, ...(options.intermediates ?? [])];
  const path = trust.requirePath(sent, options.anchors, login.endedAtMs);
  const certificate = readCertificate(path[0] ?? new Uint8Array());
  requireProfile(certificate, options.certificateLevel ?? usual.certificateLevel, options);
  const message = keptBytes(evidence.message, 'what was signed');
  const { name: hash, lengthBytes: saltLength } =
    hashAlgorithms[options.hashAlgorithm ?? usual.hashAlgorithm];
  const key = { key: rsaKeyOf(certificate), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  if (!verify(hash, message, key, keptBytes(evidence.data, 'a signature'))) {
    throw answerFault('the signature is not one of the certificate over what is kept');
  }
  requireSession(Buffer.from(message).toString('utf8'), asked?.nonce, options);
  const { number, identifier } = personOf(certificate);
  if (number !== login.ssn || !login.subject.startsWith(`${identifier}-`)) {
    throw new EidError('identityMismatch', 'the certificate is that of another person');
  }
  return [
    shown('signature', 'the person has signed the challenge of the login'),
    ...shownPath(path, evidence, login, trust),
    shown('person', 'the certificate has the number of the person'),
    shown('session', 'the signed text names challenge and relying party of the login'),
  ];
}

/** Scheme, protocol, challenge and name of the relying party stand at the same places always. */
function requireSession(
  message: string,
  challenge: string | undefined,
  { schemeName, relyingPartyName }: SmartIdOptions,
): void {
  const [scheme, protocol, , signed, , party] = message.split('|');
  const isOurs = scheme === schemeName && party === base64Text(relyingPartyName);
  if (protocol === 'ACSP_V2' && isOurs && challenge !== undefined && signed === challenge) return;
  throw answerFault('the signed text is not that of this login');
}
