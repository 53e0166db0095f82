import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import {
  type AccessScope,
  type AccessToken,
  accessSeconds,
  findPerson,
  openedPlaces,
  signeeOfScope,
} from '../../domain/auth/index.ts';
import { asKey, type CompanyKey, newToken } from '../../domain/keys.ts';
import type { Sequence, SequencePerson, SigningKey } from '../../domain/sequence.ts';
import { coded } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { notFoundError, requireSequence } from '../required.ts';
import type { AuthPorts } from './ports.ts';

/** A newly issued token. It is shown only once. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
  readonly expiresInSeconds: number;
}

/** Verdict on a token: valid; unknown, or superseded by another person; or for another place. */
export type TokenVerdict =
  | {
      readonly state: 'valid';
      /** The signee of the process, or the person of the sequence, that the token was issued to. */
      readonly key: string;
    }
  | { readonly state: 'unknown' | 'other' };

/** A place that a token may give access to. Without `signeeKey`: any signee of the process. */
export type TokenPlace =
  | { readonly processKey: string; readonly signeeKey?: string }
  | { readonly sequenceKey: string; readonly personKey?: string };

/** Issues and verifies access tokens. */
export const tokenOperations = {
  /**
   * Issues a token for a person of a sequence of the company, for programs that identify the person
   * themselves.
   *
   * @example
   * const { token } = await identity.issueToken(companyKey, { sequenceKey, personKey }, 600);
   */
  issueToken: coded(
    ['process.not_found', 'error.signee.not_found'],
    async (
      ports: AuthPorts,
      companyKey: CompanyKey,
      place: { readonly sequenceKey: string; readonly personKey: string },
      seconds: number = accessSeconds.initial,
    ): Promise<IssuedToken> => {
      const { least, most } = accessSeconds;
      if (!Number.isInteger(seconds) || seconds < least || seconds > most) {
        invalid('expiresInSeconds', `expected ${least} to ${most}`);
      }
      const token = newToken(ports.random);
      const nowMs = ports.now();
      await ports.store.write(async (unit) => {
        const { sequence, person } = await requirePerson(unit, place, 'find');
        if (sequence.companyKey !== companyKey) throw notFoundError('sequence', place.sequenceKey);
        const scope = {
          kind: 'sequence',
          sequenceKey: sequence.key,
          personKey: person.key,
        } as const;
        await unit.accessTokens.put(tokenRow(token, companyKey, scope, nowMs, { seconds }));
      });
      return { token, expiresAtMs: nowMs + seconds * 1000, expiresInSeconds: seconds };
    },
  ),
  /**
   * Verifies a token for a place.
   *
   * @example
   * const verdict = await identity.check(token, place);
   */
  check: coded(
    [],
    async (
      { store, now }: Pick<AuthPorts, 'store' | 'now'>,
      token: string,
      place: TokenPlace,
    ): Promise<TokenVerdict> => {
      return store.read(async (unit) => {
        const known = await unit.accessTokens.find(tokenDigest(token));
        if (known === undefined || now() >= known.expiresAtMs) return { state: 'unknown' };
        const { scope } = known;
        const sequence =
          scope.kind === 'sequence' ? await unit.sequences.find(scope.sequenceKey) : undefined;
        const found = verdictOn(scope, place, sequence);
        const places = openedPlaces(scope, sequence).filter(
          (each) => 'sequenceKey' in place || each.processKey === place.processKey,
        );
        const isOver = found.state === 'valid' && (await isSuperseded(unit, known.who, places));
        return isOver ? { state: 'unknown' } : found;
      });
    },
  ),
};

/** Builds the stored form of a token, with its lifetime and the login that it represents. */
export function tokenRow(
  token: string,
  companyKey: CompanyKey,
  scope: AccessScope,
  createdAtMs: number,
  { seconds = accessSeconds.initial, who }: { seconds?: number; who?: string } = {},
): AccessToken {
  const expiresAtMs = createdAtMs + seconds * 1000;
  const row = { sha256: tokenDigest(token), companyKey, scope, createdAtMs, expiresAtMs };
  return { ...row, ...defined({ who }) };
}

/** Derives a login's access token: equal for every poll, so that a lost response is recoverable. */
export function tokenOfLogin(ports: Pick<AuthPorts, 'vault'>, loginToken: string): string {
  const mac = ports.vault.mac(tokenDigest(loginToken), 'access token of a login');
  return Buffer.from(mac, 'hex').toString('base64url');
}

function verdictOn(
  scope: AccessScope,
  place: TokenPlace,
  sequence: Sequence | undefined,
): TokenVerdict {
  if ('sequenceKey' in place) {
    const isOurs = scope.kind === 'sequence' && scope.sequenceKey === place.sequenceKey;
    return verdict(isOurs ? scope.personKey : undefined, place.personKey);
  }
  const own = signeeOfScope(scope, asKey('process', place.processKey), sequence);
  return verdict(own, place.signeeKey);
}

function verdict(own: string | undefined, wanted: string | undefined): TokenVerdict {
  const isOwn = own !== undefined && (wanted ?? own) === own;
  return isOwn ? { state: 'valid', key: own } : { state: 'other' };
}

/** True if a person other than `who` has since logged in at every place that has a login. */
export async function isSuperseded(
  unit: StoreUnit,
  who: string | undefined,
  places: readonly SigningKey[],
): Promise<boolean> {
  if (who === undefined) return false;
  const logins: string[] = [];
  for (const { processKey, signeeKey } of places) {
    const process = await unit.processes.find(processKey);
    const signee = process?.signees.find(({ key }) => key === signeeKey);
    if (signee?.login !== undefined) logins.push(signee.login.who);
  }
  return logins.length > 0 && !logins.includes(who);
}

/**
 * Finds a person of a sequence; `lock` locks the sequence.
 *
 * @throws process.not_found, error.signee.not_found
 */
export async function requirePerson(
  unit: StoreUnit,
  { sequenceKey, personKey }: { readonly sequenceKey: string; readonly personKey: string },
  how: 'find' | 'lock',
): Promise<{ readonly sequence: Sequence; readonly person: SequencePerson }> {
  const sequence = await requireSequence(unit, undefined, sequenceKey, how);
  const person = findPerson(sequence, personKey);
  if (person !== undefined) return { sequence, person };
  throw new InnsigliError('error.signee.not_found', 'the sequence has no such signee');
}

/** The digest under which a token is stored: its SHA-256, hexadecimal. */
export function tokenDigest(token: string): string {
  return sha256Of(token);
}
