import { constants, verify } from 'node:crypto';
import type { EidEnvironment, EidPoll } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { answerFault } from '../provider-answer.ts';
import { learnStatus } from '../revocation-request.ts';
import { acspPayload, userChallengeOf } from './acsp.ts';
import { hashAlgorithms, type SmartIdOptions, usual } from './options.ts';
import { personOf, readCertificate, requireProfile, rsaKeyOf } from './person-certificate.ts';
import type { CompletedAuthentication } from './session-status.ts';
import type { SmartIdSession } from './start-session.ts';

/** Types of interactions that are asked for. */
const interactionTypes: readonly string[] = ['confirmationMessage', 'displayTextAndPIN'];

/**
 * The person who has answered, after all that the protocol demands was verified: flow, challenge of
 * the return, path, status, policies, use and level of the certificate, and the signature over what
 * both sides have said.
 *
 * @throws EidError `invalidResponse`, `assuranceTooLow`, `certificateErr`, `accountUnusable`
 */
export async function verifyLogin(
  answer: CompletedAuthentication,
  session: SmartIdSession,
  options: SmartIdOptions,
  environment: EidEnvironment,
): Promise<EidPoll & { readonly status: 'complete' }> {
  const { trust, now } = environment;
  checkFlow(answer, session);
  const sent = [answer.certificate, ...(options.intermediates ?? [])];
  const path = trust.requirePath(sent, options.anchors, now());
  const certificate = readCertificate(answer.certificate);
  requireProfile(certificate, answer.certificateLevel, options);
  const message = acspPayload({
    schemeName: options.schemeName,
    serverRandom: answer.serverRandom,
    rpChallenge: session.rpChallenge,
    userChallenge: answer.userChallenge,
    relyingPartyName: options.relyingPartyName,
    brokeredRpName: options.brokeredRpName ?? '',
    interactions: session.interactions,
    interactionTypeUsed: answer.interactionTypeUsed,
    initialCallbackUrl: session.initialCallbackUrl,
    flowType: session.flow,
  });
  const { name: hash, lengthBytes: saltLength } =
    hashAlgorithms[options.hashAlgorithm ?? usual.hashAlgorithm];
  const key = { key: rsaKeyOf(certificate), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  if (!verify(hash, message, key, answer.signature)) {
    throw answerFault('the signature is not one of the certificate over this session');
  }
  const person = personOf(certificate);
  // A document number is the identifier of its person with that of one device behind it.
  if (!answer.documentNumber.startsWith(`${person.identifier}-`)) {
    throw answerFault('the document number is not one of the person of the certificate');
  }
  const { assurance = 'unknown' } = options;
  const ocsp = await learnStatus(path, { timeoutMs: usual.timeoutMs, ...options }, environment);
  return {
    status: 'complete',
    identity: {
      ssn: person.number,
      name: person.name,
      country: person.country,
      subject: answer.documentNumber,
      assurance,
    },
    evidence: defined({
      scheme: options.scheme ?? 'smart-id-v3',
      format: 'raw-signature',
      data: base64(answer.signature),
      ocsp: ocsp === undefined ? undefined : base64(ocsp),
      certificates: path.map(base64),
      message: base64(message),
      asked: { nonce: session.rpChallenge },
    }),
  };
}

function checkFlow(answer: CompletedAuthentication, session: SmartIdSession): void {
  if (answer.flowType !== session.flow) throw answerFault('the app has followed another flow');
  if (!interactionTypes.includes(answer.interactionTypeUsed)) {
    throw answerFault('the app has shown another interaction than was asked for');
  }
  const { verifier } = session;
  if (session.flow === 'QR') return;
  if (verifier === undefined || userChallengeOf(verifier) !== answer.userChallenge) {
    throw answerFault('the app was opened on another device than the one that came back');
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
