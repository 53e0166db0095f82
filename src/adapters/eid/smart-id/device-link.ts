import { createHmac } from 'node:crypto';

/** What a device link starts: an app that has scanned it, or one on the same device. */
export type DeviceLinkType = 'QR' | 'Web2App' | 'App2App';

/** What a link is made of. */
export interface DeviceLinkInput {
  readonly deviceLinkBase: string;
  readonly type: DeviceLinkType;
  readonly sessionToken: string;
  readonly sessionType: 'auth' | 'sign' | 'cert';
  /** ISO 639-3. */
  readonly language: string;
  /** Since the answer with the session; QR codes only. */
  readonly elapsedSeconds?: number;
}

/** What codes and signatures of a session cover of both sides. */
export interface SessionParties {
  readonly schemeName: string;
  readonly relyingPartyName: string;
  readonly brokeredRpName: string;
  /** Base64 as it was sent. */
  readonly interactions: string;
  /** Empty for QR codes. */
  readonly initialCallbackUrl: string;
}

/** What an authCode covers besides the link. */
export interface AuthCodeInput extends SessionParties {
  /** Empty in sessions for a choice of certificate, as are the next and the interactions. */
  readonly signatureProtocol: '' | 'ACSP_V2' | 'RAW_DIGEST_SIGNATURE';
  /** `rpChallenge` or digest, base64. */
  readonly challenge: string;
}

/**
 * The link that an app opens, with its authCode. The order of its members counts, because the code
 * covers them as they stand.
 *
 * @param sessionSecret base64 as it was answered
 */
export function deviceLink(
  link: DeviceLinkInput,
  covered: AuthCodeInput,
  sessionSecret: string,
): string {
  const plain = plainLink(link);
  const parts = [
    covered.schemeName,
    covered.signatureProtocol,
    covered.challenge,
    base64Text(covered.relyingPartyName),
    base64Text(covered.brokeredRpName),
    covered.interactions,
    covered.initialCallbackUrl,
    plain,
  ];
  const key = Buffer.from(sessionSecret, 'base64');
  const code = createHmac('sha256', key).update(parts.join('|')).digest('base64url');
  return `${plain}&authCode=${code}`;
}

function plainLink(link: DeviceLinkInput): string {
  const { deviceLinkBase, type, elapsedSeconds = 0, sessionToken, sessionType, language } = link;
  const elapsed = type === 'QR' ? [`elapsedSeconds=${elapsedSeconds}`] : [];
  const members = [
    `deviceLinkType=${type}`,
    ...elapsed,
    `sessionToken=${sessionToken}`,
    `sessionType=${sessionType}`,
    'version=1.0',
    `lang=${language}`,
  ];
  return `${deviceLinkBase}?${members.join('&')}`;
}

/** Base64 of the UTF-8 of a text. */
export function base64Text(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
