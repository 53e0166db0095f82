import type { ProcessKey, RandomBytes, SigneeKey } from '../keys.ts';
import { normalPhone } from '../person/index.ts';

/** Lifetime of a one-time code. */
export const codeLifeMs = 10 * 60_000;

/** Wrong answers to one code; after the last one it is of no use any more. */
export const codeTries = 5;

/** Codes that one link can ask for in {@link codeLifeMs}: guessing must not pay. */
export const codesAtOnce = 5;

/** Codes that one link can ask for in a day: the same, for who has patience. */
export const codesADay = 20;

/** Share of {@link CodeBounds} for one link: the rest is for other documents and the company. */
export const codesShareOfLink = 0.8;

/** Share of a link's codes for one client: two clients leave some to a third. */
export const codesShareOfClient = 0.4;

/** Limits for codes to one phone number or mail address, over all documents and companies. */
export interface CodeBounds {
  readonly anHour: number;
  readonly aDay: number;
}

/** The defaults. */
export const usualCodeBounds: CodeBounds = { anHour: 10, aDay: 20 };

/** Share of {@link CodeBounds} for all signees together that were added by links. */
export const codesShareOfAdded = 0.3;

const CODE_DIGITS = 6;

/** Reason for refusing a code, as its published number. */
export type CodeFailure = '1120' | '1121' | '1122';

/** A code of six digits; each is as likely as any other. */
export function newCode(random: RandomBytes): string {
  const count = 10 ** CODE_DIGITS;
  const limit = Math.floor(2 ** 32 / count) * count;
  for (;;) {
    const value = Buffer.from(random(4)).readUInt32BE(0);
    if (value < limit) return String(value % count).padStart(CODE_DIGITS, '0');
  }
}

/** The digits that a person meant: blanks and dashes between them do not count. */
export function typedCode(text: string): string {
  return text.replace(/[\s-]/g, '').slice(0, 64);
}

/**
 * The reason that this challenge accepts no code; undefined if it does. One without remaining tries
 * counts as expired: the person has to request a new code.
 */
export function codeRefusal(challenge: Challenge, nowMs: number): CodeFailure | undefined {
  if (challenge.state === 'done') return '1122';
  if (challenge.state !== 'waiting' || nowMs >= challenge.expiresAtMs) return '1121';
  return challenge.tries >= codeTries ? '1121' : undefined;
}

/** The challenge after a wrong answer. */
export function afterWrongCode(challenge: Challenge): Challenge {
  const tries = challenge.tries + 1;
  if (tries < codeTries) return { ...challenge, tries };
  return { ...challenge, tries, state: 'failed', failureCode: '1120' };
}

/**
 * Outcome of a code for a published test person: `valid` for any code, or always the same failure;
 * undefined for everybody else.
 */
export function testPersonOutcome(phoneNumber: string): 'valid' | CodeFailure | undefined {
  const digit = /^\+1([1-9])\1{9}$/.exec(normalPhone(phoneNumber))?.[1];
  if (digit === undefined) return undefined;
  const failures: Readonly<Record<string, CodeFailure>> = { 7: '1122', 8: '1120', 9: '1121' };
  return failures[digit] ?? 'valid';
}

/** What a provider is asked when a signee signs. */
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

/** What fixes the digest that a signee is asked to sign; the same again makes the same digest. */
export interface PreparedSignature {
  /** Time that the signature states; epoch milliseconds. */
  readonly signedAtMs: number;
  /** Bytes kept free for the CMS. */
  readonly reservedBytes: number;
  /** Shown in the visible signature. */
  readonly name: string;
  readonly ssn?: string;
  /** Of the signed attributes, hexadecimal. */
  readonly digest: string;
  /** SHA-256 of the document before the signature, hexadecimal. */
  readonly seenSha256: string;
  /** Base64 DER; that of the signee first. */
  readonly certificates: readonly string[];
}

/** What a person is shown while a provider waits for them. */
export interface ShownPrompt {
  /** Code that the person compares. */
  readonly verificationCode?: string;
  /** Text of a QR code. */
  readonly qrData?: string;
  /** Opens the app on the device that shows the page. */
  readonly autoStartToken?: string;
  /** Page of the provider that the person goes to. */
  readonly redirectUrl?: string;
}

/**
 * A signature or login that waits for an answer of a person: a one-time code, or a session of an
 * e-ID provider.
 */
export interface Challenge {
  /** Unpredictable; the client polls with it. */
  readonly token: string;
  readonly kind: 'code' | 'eid-sign' | 'eid-auth' | 'click';
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
  /** HMAC of the one-time code, hexadecimal. */
  readonly codeHash?: string;
  readonly tries: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Fencing token of the lease that it holds. */
  readonly leaseToken?: number;
  /** Reference of the provider. */
  readonly providerRef?: string;
  /** Name of the provider. */
  readonly provider?: string;
  /** Way to sign beside SIM and app. */
  readonly scheme?: 'eid-se' | 'eid-dk' | 'device-link';
  /** What the person is asked to sign. */
  readonly prepared?: PreparedSignature;
  /** Request of the signature that follows when the person has given their certificate. */
  readonly start?: SignatureRequest;
  /** What the person is shown for the signature behind that for their certificate. */
  readonly shown?: ShownPrompt;
  /** Time that has to pass between two polls. */
  readonly pollingMs?: number;
  readonly state: 'waiting' | 'done' | 'failed' | 'expired';
  readonly failureCode?: string;
}
