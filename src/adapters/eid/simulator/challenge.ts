import { createHash, createHmac } from 'node:crypto';
import type { EidChallenge, EidChannel } from '../../../app/ports/index.ts';

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
      return { verificationCode: showsCode ? simCode(id) : '' };
    case 'App':
      return { verificationCode: verificationCode(facts.digest ?? hash(`challenge ${id}`)) };
    case 'Redirect':
      return { redirectUrl: `${SIMULATOR_PAGE}/redirect/${shortened(id)}` };
    default:
      return linkChallenge(facts);
  }
}

/** Animated code: the seconds and an HMAC over them, under a secret that stays here. */
export function animatedQr(id: string, elapsedSeconds: number): string {
  const seconds = String(elapsedSeconds);
  const proof = createHmac('sha256', secretOf(id)).update(seconds).digest('hex');
  return `eid-simulator.${shortened(`token ${id}`)}.${seconds}.${proof}`;
}

/** Four digits: the last two bytes of the SHA-256 of the digest, modulo 10,000. */
function verificationCode(digest: Uint8Array): string {
  const value = createHash('sha256').update(digest).digest().readUInt16BE(30);
  return String(value % 10_000).padStart(4, '0');
}

/** A SIM computes nothing: the code is part of the text that its provider sends. */
function simCode(id: string): string {
  return String(hash(`code ${id}`).readUInt32BE(0) % 10_000).padStart(4, '0');
}

/** A link for the same device and its QR code, protected by an HMAC over all of it. */
function linkChallenge(facts: ChallengeFacts): EidChallenge {
  const { id, elapsedSeconds, isAnimated = false } = facts;
  return {
    qrData: isAnimated ? animatedQr(id, elapsedSeconds) : protectedLink(facts, 'QR'),
    sameDeviceLink: protectedLink(facts, 'Web2App'),
    autoStartToken: shortened(`start ${id}`),
  };
}

function protectedLink(
  { id, purpose, language, elapsedSeconds }: ChallengeFacts,
  type: 'QR' | 'Web2App',
): string {
  const parameters = new URLSearchParams({
    deviceLinkType: type,
    ...(type === 'QR' ? { elapsedSeconds: String(elapsedSeconds) } : {}),
    sessionToken: shortened(`token ${id}`),
    sessionType: purpose,
    version: '1.0',
    lang: language,
  });
  const link = `${SIMULATOR_PAGE}/device-link?${parameters}`;
  const proof = createHmac('sha256', secretOf(id)).update(`simulator|${link}`);
  return `${link}&authCode=${proof.digest('base64url')}`;
}

function secretOf(id: string): Buffer {
  return hash(`secret ${id}`);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function shortened(text: string): string {
  return createHash('sha256').update(`shown ${text}`).digest('hex').slice(0, 32);
}
