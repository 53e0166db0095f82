import { createHmac } from 'node:crypto';

/** How a device link is opened: scanned as a QR code, or followed on the same device. */
export type DeviceLinkType = 'QR' | 'Web2App' | 'App2App';

/** Parts of a device link. */
export interface DeviceLinkInput {
  readonly deviceLinkBase: string;
  readonly type: DeviceLinkType;
  readonly sessionToken: string;
  readonly sessionType: 'auth' | 'sign' | 'cert';
  /** ISO 639-3. */
  readonly language: string;
  /** Time since the response that created the session; for QR codes only. */
  readonly elapsedSeconds?: number;
}

/** Data of both parties that is covered by codes and signatures of a session. */
export interface SessionParties {
  readonly schemeName: string;
  readonly relyingPartyName: string;
  readonly brokeredRpName: string;
  /** Base64, as sent. */
  readonly interactions: string;
  /** Empty for QR codes. */
  readonly initialCallbackUrl: string;
}

/** Data that an authCode covers besides the link. */
export interface AuthCodeInput extends SessionParties {
  /** Empty in certificate-choice sessions, as are challenge and interactions. */
  readonly signatureProtocol: '' | 'ACSP_V2' | 'RAW_DIGEST_SIGNATURE';
  /** `rpChallenge` or digest, base64. */
  readonly challenge: string;
}

/**
 * The link opened by the app, with its authCode. The order of its parameters is significant because
 * the code covers them as written.
 *
 * @param sessionSecret base64, as received
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

/** Encodes the UTF-8 of a text as base64. */
export function base64Text(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
