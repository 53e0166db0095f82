import type { CompanyKey, PersonKey, ProcessKey, SequenceKey, SigneeKey } from '../keys.ts';
import type { Sequence, SequencePerson, SigningKey } from '../sequence.ts';

/** Scope of a token: a signee of a process, or a person of a sequence with all their signees. */
export type AccessScope =
  | {
      readonly kind: 'process';
      readonly processKey: ProcessKey;
      readonly signeeKey: SigneeKey;
    }
  | {
      readonly kind: 'sequence';
      readonly sequenceKey: SequenceKey;
      readonly personKey: PersonKey;
    };

/** A token as stored. The token itself is never stored. */
export interface AccessToken {
  /** SHA-256 of the token, hexadecimal. */
  readonly sha256: string;
  readonly companyKey: CompanyKey;
  readonly scope: AccessScope;
  /** Opaque ID of the person logged in. Absent if the company or a passcode vouches for them. */
  readonly who?: string;
  /** The token was issued for a passcode: it opens documents but is not a login. */
  readonly isPasscode?: true;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Lifetime of a token, in seconds: default, minimum and maximum. */
export const accessSeconds = { initial: 3600, least: 60, most: 86_400 } as const;

/** The signee of a process that the scope covers, directly or through their sequence. */
export function signeeOfScope(
  scope: AccessScope,
  processKey: ProcessKey,
  sequence: Sequence | undefined,
): SigneeKey | undefined {
  const isHere = (place: { readonly processKey: string }) => place.processKey === processKey;
  if (scope.kind === 'process') return isHere(scope) ? scope.signeeKey : undefined;
  if (sequence?.key !== scope.sequenceKey) return undefined;
  return findPerson(sequence, scope.personKey)?.signingKeys.find(isHere)?.signeeKey;
}

/** The signees that the scope covers. `sequence` is the sequence named by the scope. */
export function openedPlaces(
  scope: AccessScope,
  sequence: Sequence | undefined,
): readonly SigningKey[] {
  if (scope.kind === 'process') return [scope];
  if (sequence?.key !== scope.sequenceKey) return [];
  return findPerson(sequence, scope.personKey)?.signingKeys ?? [];
}

/** The person with this key. */
export function findPerson(sequence: Sequence, key: string): SequencePerson | undefined {
  return sequence.persons.find((person) => person.key === key);
}
