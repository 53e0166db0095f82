import type { CompanyKey, PersonKey, ProcessKey, SequenceKey, SigneeKey } from '../keys.ts';

/** The place of a person in one document of a sequence. */
export interface SigningKey {
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
}

/** One person across all documents of a sequence. */
export interface SequencePerson {
  readonly key: PersonKey;
  /** From 0 on. */
  readonly order: number;
  readonly signingKeys: readonly SigningKey[];
  /** Scrypt of the passcode with its salt, `salt:hash`, when one was set. */
  readonly passcodeHash?: string;
}

/** Several documents that are signed together. Its status follows from those of its processes. */
export interface Sequence {
  readonly key: SequenceKey;
  readonly companyKey: CompanyKey;
  readonly rev: number;
  /** E-mail of the person who started it, and who alone may cancel it. */
  readonly user: string;
  readonly requiresAuth: boolean;
  /** The first person signs all documents before the second is told. */
  readonly signInOrder: boolean;
  readonly processKeys: readonly ProcessKey[];
  readonly persons: readonly SequencePerson[];
  readonly createdAtMs: number;
  readonly canceledAtMs?: number;
  /** Everybody was told of the end; with GroupSigned, where every document was completed. */
  readonly isEndTold: boolean;
}
