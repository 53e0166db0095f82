import { createHash } from 'node:crypto';
import { type AnswerObject, answerFault, findNumber, findText } from '../../provider-answer.ts';

/** What the claims of an ID token are held against. */
export interface ExpectedClaims {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: the protocol sends none. */
  readonly nonce?: string | undefined;
  readonly accessToken: string;
  /** Epoch milliseconds of the start of the session. */
  readonly startedAtMs: number;
  readonly nowMs: number;
}

/** Clocks may differ by this much. */
const SKEW_MS = 120_000;

const what = 'the ID token';

/**
 * Checks the claims of an ID token whose signature holds.
 *
 * @throws EidError `invalidResponse`
 * @spec OpenID Connect Core §3.1.3.7, §3.1.3.8
 */
export function checkClaims(claims: AnswerObject, expected: ExpectedClaims): void {
  const { issuer, clientId, nonce, accessToken, startedAtMs, nowMs } = expected;
  if (findText(claims, 'iss') !== issuer) throw answerFault(`${what}: expected another issuer`);
  if (!isFor(claims, clientId)) throw answerFault(`${what}: expected this client as audience`);
  if (nonce !== undefined && findText(claims, 'nonce') !== nonce) {
    throw answerFault(`${what}: expected the nonce of the session`);
  }
  const expiresAtMs = 1_000 * (findNumber(claims, 'exp') ?? 0);
  if (expiresAtMs <= nowMs - SKEW_MS) throw answerFault(`${what} has expired`);
  const issuedAtMs = 1_000 * (findNumber(claims, 'iat') ?? Number.NaN);
  const isOfSession = issuedAtMs >= startedAtMs - SKEW_MS && issuedAtMs <= nowMs + SKEW_MS;
  if (!isOfSession) throw answerFault(`${what}: expected a time within the session`);
  const hash = findText(claims, 'at_hash');
  if (hash !== undefined && hash !== accessTokenHash(accessToken)) {
    throw answerFault(`${what}: expected the hash of the access token`);
  }
}

function isFor(claims: AnswerObject, clientId: string): boolean {
  const audience = Object.hasOwn(claims, 'aud') ? claims['aud'] : undefined;
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  const party = Object.hasOwn(claims, 'azp') ? claims['azp'] : undefined;
  if (!all.includes(clientId)) return false;
  return party === clientId || (party === undefined && all.length === 1);
}

/** Left half of the SHA-256. @spec OpenID Connect Core §3.1.3.6 */
function accessTokenHash(accessToken: string): string {
  const digest = createHash('sha256').update(accessToken).digest();
  return digest.subarray(0, 16).toString('base64url');
}
