import { CoreError } from '../../base/errors.ts';
import {
  type AccessScope,
  type AccessToken,
  accessSeconds,
  findPerson,
  signeeOfScope,
} from '../../domain/auth/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { AuthPorts } from './ports.ts';
import { newToken, tokenDigest } from './secret-token.ts';

/** A token that was made; it is shown this once. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
  readonly expiresInSeconds: number;
}

/** What a token is worth for a place: good for it, good for nothing, or for something else. */
export type TokenVerdict =
  | {
      readonly state: 'valid';
      /** The signee of the process, or person of the sequence, whose token it is. */
      readonly key: string;
    }
  | { readonly state: 'unknown' | 'other' };

/** A place that a token may open; `signeeKey` left out: any signee of the process. */
export type TokenPlace =
  | { readonly processKey: string; readonly signeeKey?: string }
  | { readonly sequenceKey: string; readonly personKey?: string };

/**
 * A token for a person of a sequence of the company, for programs that know who is there.
 *
 * @throws process.not_found, error.signee.not_found, validation.error
 */
export async function issueToken(
  ports: AuthPorts,
  companyKey: CompanyKey,
  place: { readonly sequenceKey: string; readonly personKey: string },
  seconds: number = accessSeconds.initial,
): Promise<IssuedToken> {
  const { least, most } = accessSeconds;
  if (!Number.isInteger(seconds) || seconds < least || seconds > most) {
    throw new CoreError('validation.error', `expiresInSeconds: expected ${least} to ${most}`, {
      details: { field: 'expiresInSeconds' },
    });
  }
  const token = newToken(ports.random);
  const nowMs = ports.now();
  await ports.store.write(async (unit) => {
    const { sequence, person } = await requirePerson(unit, place, 'find');
    if (sequence.companyKey !== companyKey) throw unknownSequence(place.sequenceKey);
    const scope = { kind: 'sequence', sequenceKey: sequence.key, personKey: person.key } as const;
    await unit.accessTokens.put(tokenRow(token, companyKey, scope, nowMs, seconds));
  });
  return { token, expiresAtMs: nowMs + seconds * 1000, expiresInSeconds: seconds };
}

/** What is stored of a token. */
export function tokenRow(
  token: string,
  companyKey: CompanyKey,
  scope: AccessScope,
  createdAtMs: number,
  seconds: number = accessSeconds.initial,
): AccessToken {
  const expiresAtMs = createdAtMs + seconds * 1000;
  return { sha256: tokenDigest(token), companyKey, scope, createdAtMs, expiresAtMs };
}

/**
 * The token that goes with a login: the same each time that the login is asked for, so that an
 * answer that was lost can be fetched again.
 */
export function tokenOfLogin(ports: Pick<AuthPorts, 'vault'>, loginToken: string): string {
  const mac = ports.vault.mac(tokenDigest(loginToken), 'access token of a login');
  return Buffer.from(mac, 'hex').toString('base64url');
}

/** What a token is worth for a place. */
export async function judgeToken(
  { store, now }: Pick<AuthPorts, 'store' | 'now'>,
  token: string,
  place: TokenPlace,
): Promise<TokenVerdict> {
  return store.read(async (unit) => {
    const known = await unit.accessTokens.find(tokenDigest(token));
    if (known === undefined || now() >= known.expiresAtMs) return { state: 'unknown' };
    const { scope } = known;
    if ('sequenceKey' in place) {
      const isOurs = scope.kind === 'sequence' && scope.sequenceKey === place.sequenceKey;
      return verdict(isOurs ? scope.personKey : undefined, place.personKey);
    }
    const sequence =
      scope.kind === 'sequence' ? await unit.sequences.find(scope.sequenceKey) : undefined;
    const own = signeeOfScope(scope, asKey('process', place.processKey), sequence);
    return verdict(own, place.signeeKey);
  });
}

function verdict(own: string | undefined, wanted: string | undefined): TokenVerdict {
  const isOwn = own !== undefined && (wanted ?? own) === own;
  return isOwn ? { state: 'valid', key: own } : { state: 'other' };
}

/**
 * A person of a sequence, which is locked if need be.
 *
 * @throws process.not_found, error.signee.not_found
 */
export async function requirePerson(
  unit: StoreUnit,
  { sequenceKey, personKey }: { readonly sequenceKey: string; readonly personKey: string },
  how: 'find' | 'lock',
): Promise<{ readonly sequence: Sequence; readonly person: SequencePerson }> {
  const sequence = await requireSequence(unit, sequenceKey, how);
  const person = findPerson(sequence, personKey);
  if (person !== undefined) return { sequence, person };
  throw new CoreError('error.signee.not_found', 'the sequence has no such signee');
}

/** A sequence, which is locked if need be. @throws process.not_found */
export async function requireSequence(
  unit: StoreUnit,
  key: string,
  how: 'find' | 'lock',
): Promise<Sequence> {
  const sequence = await unit.sequences[how](asKey('sequence', key));
  if (sequence === undefined) throw unknownSequence(key);
  return sequence;
}

function unknownSequence(key: string): CoreError {
  return new CoreError('process.not_found', `there is no sequence ${key.slice(0, 40)}`);
}
