import { createHash, createHmac } from 'node:crypto';
import type { EidChallenge, EidChannel } from '../../../app/ports/index.ts';
import { sha256Of } from '../../../base/bytes.ts';
import { appVerificationCode, randomCode } from '../audkenni/login-content.ts';

/** Reserved for examples: no such page is anywhere, and no app opens it. */
const SIMULATOR_PAGE = 'https://eid-simulator.invalid';

/** Facts that a challenge is computed from. */
export interface ChallengeFacts {
  /** Session, 32 hexadecimal digits. */
  readonly id: string;
  readonly channel: EidChannel;
  readonly purpose: 'auth' | 'sign';
  readonly language: string;
  /** Whole seconds since the start. */
  readonly elapsedSeconds: number;
  /** True when the phone shows a code as well. */
  readonly showsCode: boolean;
  /** True where the provider shows an animated code instead of a link. */
  readonly isAnimated?: boolean;
  /** Digest of what is signed. */
  readonly digest?: Uint8Array | undefined;
}

/**
 * What a simulated provider shows, by the algorithms of real ones, so that pages and terminals
 * meet what they will meet: codes as apps compute them, animated QR codes, links that expire.
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

/** The seconds, and an HMAC over them under a secret that stays here. */
function animatedCode(secret: Buffer, token: string, elapsedSeconds: number): string {
  const seconds = String(elapsedSeconds);
  const proof = createHmac('sha256', secret).update(seconds).digest('hex');
  return `eid-simulator.${token}.${seconds}.${proof}`;
}

/** Parts of the challenge of a session by link that stay the same. */
export interface SimulatedLinks {
  readonly secret: string;
  /** The link of the QR code up to the seconds, and behind them. */
  readonly beforeSeconds: string;
  readonly afterSeconds: string;
  readonly sameDeviceLink: string;
  readonly autoStartToken: string;
  /** Token of an animated code, which is shown instead of a link. */
  readonly animatedToken?: string;
}

/** What a session by link keeps, so that the code of a second costs one HMAC. */
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

/** A link for the same device and its QR code, protected by an HMAC over all of it. */
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
