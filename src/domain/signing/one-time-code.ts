import type { ProcessKey, RandomBytes, SigneeKey } from '../keys.ts';
import { normalPhone } from '../person/index.ts';

/** Lifetime of a one-time code. */
export const codeLifeMs = 10 * 60_000;

/** Maximum number of wrong attempts per code; the last one invalidates it. */
export const codeTries = 5;

/** Maximum codes that a link can request within {@link codeLifeMs}: guessing must not pay. */
export const codesAtOnce = 5;

/** Maximum number of codes that one link can request per day, against patient guessing. */
export const codesADay = 20;

/** Share of {@link CodeBounds} for one link; the rest is for other documents and the company. */
export const codesShareOfLink = 0.8;

/** Share of a link's codes for one client, so that two clients leave some to a third. */
export const codesShareOfClient = 0.4;

/** Limits for codes to one phone number or mail address, across all documents and companies. */
export interface CodeBounds {
  readonly anHour: number;
  readonly aDay: number;
}

/** Default limits. */
export const usualCodeBounds: CodeBounds = { anHour: 10, aDay: 20 };

/** Share of {@link CodeBounds} for all signees added by links, taken together. */
export const codesShareOfAdded = 0.3;

const CODE_DIGITS = 6;

/** Reason for rejecting a code, as its published number. */
export type CodeFailure = '1120' | '1121' | '1122';

/** Generates a uniformly distributed code of six digits. */
export function newCode(random: RandomBytes): string {
  const count = 10 ** CODE_DIGITS;
  const limit = Math.floor(2 ** 32 / count) * count;
  for (;;) {
    const value = Buffer.from(random(4)).readUInt32BE(0);
    if (value < limit) return String(value % count).padStart(CODE_DIGITS, '0');
  }
}

/** Normalises a typed code: spaces and dashes are ignored. */
export function typedCode(text: string): string {
  return text.replace(/[\s-]/g, '').slice(0, 64);
}

/**
 * The reason that this challenge accepts no code; undefined if it accepts one. A challenge without
 * remaining attempts counts as expired, so that the person must request a new code.
 */
export function codeRefusal(challenge: Challenge, nowMs: number): CodeFailure | undefined {
  if (challenge.state === 'done') return '1122';
  if (challenge.state !== 'waiting' || nowMs >= challenge.expiresAtMs) return '1121';
  return challenge.tries >= codeTries ? '1121' : undefined;
}

/** The challenge after a wrong attempt. */
export function afterWrongCode(challenge: Challenge): Challenge {
  const tries = challenge.tries + 1;
  if (tries < codeTries) return { ...challenge, tries };
  return { ...challenge, tries, state: 'failed', failureCode: '1120' };
}

/** Outcome of any code for a published test person: `valid` or one failure; else undefined. */
export function testPersonOutcome(phoneNumber: string): 'valid' | CodeFailure | undefined {
  const digit = /^\+1([1-9])\1{9}$/.exec(normalPhone(phoneNumber))?.[1];
  if (digit === undefined) return undefined;
  const failures: Readonly<Record<string, CodeFailure>> = { 7: '1122', 8: '1120', 9: '1121' };
  return failures[digit] ?? 'valid';
}

/** Parameters of a signature request to a provider. */
export interface SignatureRequest {
  readonly purpose: 'sign';
  readonly channel: 'Sim' | 'App';
  readonly loginHint: string;
  readonly text: string;
  readonly language?: string;
  readonly includeVerificationCode: boolean;
  readonly returnUrl?: string;
  readonly endUserIp?: string;
}

/** Inputs that determine the digest to be signed: equal inputs give an equal digest. */
export interface PreparedSignature {
  /** Signing time stated in the signature, in epoch milliseconds. */
  readonly signedAtMs: number;
  /** Bytes reserved for the CMS signature. */
  readonly reservedBytes: number;
  /** Shown in the visible signature. */
  readonly name: string;
  readonly ssn?: string;
  /** Digest of the signed attributes, hexadecimal. */
  readonly digest: string;
  /** SHA-256 of the document before the signature, hexadecimal. */
  readonly seenSha256: string;
  /** Base64 DER, with the signee's certificate first. */
  readonly certificates: readonly string[];
}

/** Prompts shown to a person while the provider waits for them. */
export interface ShownPrompt {
  /** Code that the person compares. */
  readonly verificationCode?: string;
  /** Content of a QR code. */
  readonly qrData?: string;
  /** Opens the app on the device that displays the page. */
  readonly autoStartToken?: string;
  /** Page of the provider to which the person is redirected. */
  readonly redirectUrl?: string;
}

/** A pending signature or login: a one-time code, or a session of an e-ID provider. */
export interface Challenge {
  /** Unpredictable. The client polls with it. */
  readonly token: string;
  readonly kind: 'code' | 'eid-sign' | 'eid-auth' | 'click';
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
  /** HMAC of the one-time code, hexadecimal. */
  readonly codeHash?: string;
  readonly tries: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Fencing token of its lease. */
  readonly leaseToken?: number;
  /** The provider's reference for the session. */
  readonly providerRef?: string;
  /** Name of the provider. */
  readonly provider?: string;
  /** Signing method other than SIM and app. */
  readonly scheme?: 'eid-se' | 'eid-dk' | 'device-link';
  /** What the person is asked to sign. */
  readonly prepared?: PreparedSignature;
  /** Signature request that follows once the person has provided their certificate. */
  readonly start?: SignatureRequest;
  /** Prompts for the signature that follows the request for the certificate. */
  readonly shown?: ShownPrompt;
  /** Minimum time between two polls. */
  readonly pollingMs?: number;
  readonly state: 'waiting' | 'done' | 'failed' | 'expired';
  readonly failureCode?: string;
}
