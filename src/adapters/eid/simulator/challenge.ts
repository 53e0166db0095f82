import { createHash, createHmac } from 'node:crypto';
import type { EidChallenge, EidChannel } from '../../../app/ports/index.ts';
import { sha256Of } from '../../../base/bytes.ts';
import { appVerificationCode, randomCode } from '../audkenni/login-content.ts';

/** Uses a reserved top-level domain: the page does not exist, and no app opens it. */
const SIMULATOR_PAGE = 'https://eid-simulator.invalid';

/** Input of a challenge. */
export interface ChallengeFacts {
  /** Session identifier, 32 hexadecimal digits. */
  readonly id: string;
  readonly channel: EidChannel;
  readonly purpose: 'auth' | 'sign';
  readonly language: string;
  /** Whole seconds since the start. */
  readonly elapsedSeconds: number;
  /** Whether the phone shows a code as well. */
  readonly showsCode: boolean;
  /** Whether the provider shows an animated code instead of a link. */
  readonly isAnimated?: boolean;
  /** Digest of the data to be signed. */
  readonly digest?: Uint8Array | undefined;
}

/**
 * The challenge of a simulated provider, computed with the algorithms of real ones so that user
 * interfaces are exercised realistically: verification codes, animated QR codes, expiring links.
 */
export function simulatedChallenge(facts: ChallengeFacts): EidChallenge {
  const { id, channel, showsCode } = facts;
  switch (channel) {
    case 'Sim':
      return { verificationCode: showsCode ? randomCode(hash(`code ${id}`)) : '' };
    case 'App':
      return { verificationCode: appVerificationCode(facts.digest ?? hash(`challenge ${id}`)) };
    case 'Redirect':
      return { redirectUrl: `${SIMULATOR_PAGE}/redirect/${shortened(id)}` };
    default:
      return linkChallenge(simulatedLinks(facts), facts.elapsedSeconds);
  }
}

/** The elapsed seconds and an HMAC over them with a secret that is never sent. */
function animatedCode(secret: Buffer, token: string, elapsedSeconds: number): string {
  const seconds = String(elapsedSeconds);
  const proof = createHmac('sha256', secret).update(seconds).digest('hex');
  return `eid-simulator.${token}.${seconds}.${proof}`;
}

/** Constant parts of the challenge of a device-link session. */
export interface SimulatedLinks {
  readonly secret: string;
  /** Parts of the QR code's link before and after the seconds. */
  readonly beforeSeconds: string;
  readonly afterSeconds: string;
  readonly sameDeviceLink: string;
  readonly autoStartToken: string;
  /** Token of an animated code that is shown instead of a link. */
  readonly animatedToken?: string;
}

/** The constant parts of a device-link session, stored so that a new code costs only one HMAC. */
export function simulatedLinks({
  id,
  purpose,
  language,
  isAnimated = false,
}: Pick<ChallengeFacts, 'id' | 'purpose' | 'language' | 'isAnimated'>): SimulatedLinks {
  const secret = sha256Of(`secret ${id}`);
  const page = `${SIMULATOR_PAGE}/device-link?deviceLinkType=`;
  const sessionToken = shortened(`token ${id}`);
  const shared = { sessionToken, sessionType: purpose, version: '1.0', lang: language };
  const rest = `&${new URLSearchParams(shared)}`;
  return {
    secret,
    beforeSeconds: `${page}QR&elapsedSeconds=`,
    afterSeconds: rest,
    sameDeviceLink: withProof(secret, `${page}Web2App${rest}`),
    autoStartToken: shortened(`start ${id}`),
    ...(isAnimated ? { animatedToken: sessionToken } : {}),
  };
}

/** A link for the same device and the content of its QR code, each protected by an HMAC. */
export function linkChallenge(links: SimulatedLinks, elapsedSeconds: number): EidChallenge {
  const { secret, beforeSeconds, afterSeconds, sameDeviceLink, autoStartToken } = links;
  const { animatedToken: token } = links;
  const qrData =
    token === undefined
      ? withProof(secret, `${beforeSeconds}${elapsedSeconds}${afterSeconds}`)
      : animatedCode(Buffer.from(secret, 'hex'), token, elapsedSeconds);
  return { qrData, sameDeviceLink, autoStartToken };
}

function withProof(secret: string, link: string): string {
  const proof = createHmac('sha256', Buffer.from(secret, 'hex')).update(`simulator|${link}`);
  return `${link}&authCode=${proof.digest('base64url')}`;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function shortened(text: string): string {
  return sha256Of(`shown ${text}`).slice(0, 32);
}
