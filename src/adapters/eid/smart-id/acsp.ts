import { createHash } from 'node:crypto';
import { base64Text, type DeviceLinkType } from './device-link.ts';

/** What an authentication of the protocol ACSP_V2 signs. */
export interface AcspInput {
  readonly schemeName: string;
  readonly serverRandom: string;
  readonly rpChallenge: string;
  readonly userChallenge: string;
  readonly relyingPartyName: string;
  readonly brokeredRpName: string;
  /** Base64 as it was sent. */
  readonly interactions: string;
  readonly interactionTypeUsed: string;
  readonly initialCallbackUrl: string;
  readonly flowType: DeviceLinkType;
}

/** The bytes that the app has signed. */
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

/** Base64url of the SHA-256 of the secret of a session: what a return address has to carry. */
export function sessionSecretDigest(sessionSecret: string): string {
  return createHash('sha256').update(Buffer.from(sessionSecret, 'base64')).digest('base64url');
}

/** The challenge that a verifier belongs to: base64url of the SHA-256 of its text. */
export function userChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
