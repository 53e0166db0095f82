import type { CompanyKey, PersonKey, ProcessKey, SequenceKey, SigneeKey } from '../keys.ts';
import type { Sequence, SequencePerson, SigningKey } from '../sequence.ts';

/** Scope of a token: one signee's place in a process, or one person's places in a sequence. */
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

/** A token as it is stored: the token itself is nowhere kept. */
export interface AccessToken {
  /** SHA-256 of the token, hexadecimal. */
  readonly sha256: string;
  readonly companyKey: CompanyKey;
  readonly scope: AccessScope;
  /**
   * Opaque identifier of the person who logged in; absent: the company or a passcode vouches.
   * Opaque.
   */
  readonly who?: string;
  /** A passcode was given for it: it opens documents, and is no login. */
  readonly isPasscode?: true;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Seconds that a token lives: default, least and most. */
export const accessSeconds = { initial: 3600, least: 60, most: 86_400 } as const;

/** The signee of a process that the scope represents, alone or as part of their sequence. */
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

/** The places that a scope opens; `sequence` is the one that it names. */
export function openedPlaces(
  scope: AccessScope,
  sequence: Sequence | undefined,
): readonly SigningKey[] {
  if (scope.kind === 'process') return [scope];
  if (sequence?.key !== scope.sequenceKey) return [];
  return findPerson(sequence, scope.personKey)?.signingKeys ?? [];
}

/** The person of that key. */
export function findPerson(sequence: Sequence, key: string): SequencePerson | undefined {
  return sequence.persons.find((person) => person.key === key);
}
