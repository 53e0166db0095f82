import type { JWK, JWTPayload } from 'jose';
import {
  EidError,
  type EidEvidence,
  type EidFinding,
  type EidShownLogin,
} from '../../../../app/ports/index.ts';
import { isoTime } from '../../../../base/time/iso-time.ts';
import { shown } from '../../kept-evidence.ts';
import { readOr, responseFault } from '../../provider-answer.ts';
import { TOLERANCE_S } from '../client/provider.ts';
import { type OidcOptions, usualIdTokenAlgorithms } from '../oidc-options.ts';
import { claimText, findNationalNumber } from '../profile/identity.ts';
import type { OidcProfile } from '../profile/profile.ts';

/**
 * Verifies the ID token in the evidence of a login: the signature by a key that the provider
 * published at the time, issuer, audience, time, person and nonce.
 *
 * @throws EidError if the evidence does not prove the login
 */
export async function verifyOidcEvidence(
  evidence: EidEvidence,
  login: EidShownLogin,
  options: OidcOptions,
  profile: OidcProfile,
): Promise<readonly EidFinding[]> {
  if (evidence.format !== 'jwt') throw responseFault('the evidence has a different format');
  const claims = await verifiedClaims(evidence, login, options);
  requireTimeOf(claims, login);
  const { nonce } = evidence.asked ?? {};
  if (nonce !== undefined && claims['nonce'] !== nonce) {
    throw responseFault('the ID token belongs to a different login');
  }
  return [
    shown('signature', 'the provider signed the ID token with a key stored with it'),
    shown('session', sessionText(nonce)),
    personFinding(claims, login, profile),
  ];
}

/** As at the login: the token must not be issued before the start or after the session's end. */
function requireTimeOf({ iat }: JWTPayload, { startedAtMs, endedAtMs }: EidShownLogin): void {
  const issuedAtMs = 1000 * (iat ?? Number.NaN);
  const toleranceMs = 1000 * TOLERANCE_S;
  const isThen = issuedAtMs >= startedAtMs - toleranceMs && issuedAtMs <= endedAtMs + toleranceMs;
  // A time beyond the ECMAScript range cannot be the end of a login.
  if (!isThen || endedAtMs > LATEST_MS)
    throw responseFault('the ID token was not issued in the session');
}

/** Userinfo is unsigned, so data from userinfo alone does not identify anyone. */
function personFinding(claims: Claims, login: EidShownLogin, profile: OidcProfile): EidFinding {
  const number = findNationalNumber(claims, profile)?.replace(/[\s-]/g, '');
  const names = profile.claims.subject;
  const own = claimText(claims, names.length > 1 ? names.filter((name) => name !== 'sub') : names);
  const isOther =
    (number !== undefined && number !== login.ssn) || (own !== undefined && own !== login.subject);
  if (isOther) throw new EidError('identityMismatch', 'the ID token belongs to a different person');
  const told = [...(own ? ['pseudonym'] : []), ...(number ? ['number'] : [])].join(' and ');
  if (told !== '') return shown('person', `the ID token has the ${told} of the person`);
  const message = 'the ID token contains neither number nor pseudonym: they were received unsigned';
  return { name: 'person', isOk: false, message };
}

async function verifiedClaims(
  { data, keys = '' }: EvidenceParts,
  { endedAtMs }: EidShownLogin,
  { issuer, clientId, idTokenAlgorithms = usualIdTokenAlgorithms }: OidcOptions,
): Promise<JWTPayload> {
  const { importJWK, jwtVerify, decodeProtectedHeader } = await import('jose');
  const plain = issuer.replace(/\/$/, '');
  const expected = {
    issuer: [plain, `${plain}/`],
    audience: clientId,
    algorithms: [...idTokenAlgorithms],
    currentDate: new Date(endedAtMs),
    clockTolerance: TOLERANCE_S,
  };
  for (const each of readKeys(keys)) {
    try {
      const key = await importJWK(each, decodeProtectedHeader(data).alg);
      return (await jwtVerify(data, key, expected)).payload;
    } catch {
      // Try the next key.
    }
  }
  throw responseFault(
    `no stored key signed an ID token for this client, valid ${isoTime(endedAtMs)}`,
  );
}

type Claims = Readonly<Record<string, unknown>>;

type EvidenceParts = Pick<EidEvidence, 'data' | 'keys'>;

const MOST_KEYS = 20;
/** Latest time value of ECMAScript. */
const LATEST_MS = 8.64e15;

function readKeys(text: string): readonly JWK[] {
  return readOr('the keys of the provider were not stored', () => {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(keys) ? (keys.slice(0, MOST_KEYS) as JWK[]) : [];
  });
}

function sessionText(nonce: string | undefined): string {
  return nonce === undefined
    ? 'the protocol has no nonce: only the time shows which login it belongs to'
    : 'the ID token has the nonce of the login';
}
