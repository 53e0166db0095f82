import { normalPhone } from '../base/text/index.ts';
import type { CompanyKey, PersonKey, ProcessKey, SequenceKey, SigneeKey } from './keys.ts';
import { contactKeysOf, isSamePerson } from './person/index.ts';
import {
  type ProcessStatus,
  type Signee,
  type SigningProcess,
  statusKinds,
} from './process/index.ts';

/** Key and signees of one process. A process being created has no status yet. */
type Place = Pick<SigningProcess, 'key' | 'signees'> & Partial<Pick<SigningProcess, 'status'>>;

/** Signees recognised as one person so far. */
interface Group {
  /** Every pair of them is the same person: a login that matches only some would never succeed. */
  readonly signees: Signee[];
  readonly key: SequencePerson['key'];
  readonly order: number;
  /** Signing keys by process, at most one per document. */
  readonly signingKeys: Map<ProcessKey, SigningKey>;
}

/**
 * Groups the signees of several documents by person, in order of first appearance. Each person has
 * one entry, with the keys in every document.
 */
export function groupPersons(
  processes: readonly Place[],
  newKey: () => SequencePerson['key'],
): readonly SequencePerson[] {
  const groups: Group[] = [];
  // Only signees that share a number or address are compared: there may be thousands.
  const byTrait = new Map<string, Set<Group>>();
  for (const process of processes) {
    for (const signee of process.signees) {
      const place = { processKey: process.key, signeeKey: signee.key };
      const [known] = traitsToMatch(signee)
        .flatMap((trait) => [...(byTrait.get(trait) ?? [])])
        // Two signees of one document are two signatures, so they are never the same person.
        .filter(({ signingKeys }) => !signingKeys.has(process.key))
        .filter((each) => each.signees.every((other) => isSamePerson(other, signee)))
        .sort((a, b) => a.order - b.order);
      if (known !== undefined) {
        known.signingKeys.set(process.key, place);
        known.signees.push(signee);
        addTraits(byTrait, known, signee);
        continue;
      }
      const group: Group = {
        signees: [signee],
        key: newKey(),
        order: groups.length,
        signingKeys: new Map([[process.key, place]]),
      };
      groups.push(group);
      addTraits(byTrait, group, signee);
    }
  }
  return groups.map(({ key, order, signingKeys }) => {
    return { key, order, signingKeys: [...signingKeys.values()] };
  });
}

function addTraits(byTrait: Map<string, Set<Group>>, group: Group, signee: Signee): void {
  for (const trait of traitsOf(signee)) {
    byTrait.set(trait, (byTrait.get(trait) ?? new Set<Group>()).add(group));
  }
}

function traitsOf(signee: Signee): readonly string[] {
  const { ssn } = signee;
  const reaches = contactKeysOf(signee);
  return [
    ...(ssn === undefined ? [] : [`ssn ${normalPhone(ssn)}`]),
    ...reaches.map((reach) => `reach ${reach}`),
    ...(ssn === undefined ? reaches.map((reach) => `unnumbered ${reach}`) : []),
  ];
}

// Addresses cannot match two signees who both have a national number.
function traitsToMatch(signee: Signee): readonly string[] {
  const { ssn } = signee;
  const reaches = contactKeysOf(signee);
  if (ssn === undefined) return reaches.map((reach) => `reach ${reach}`);
  return [`ssn ${normalPhone(ssn)}`, ...reaches.map((reach) => `unnumbered ${reach}`)];
}

/**
 * The persons who may sign now: all who have not signed, or the first of them in an ordered
 * sequence. An ended document does not block anyone.
 */
function personsInTurn(
  { persons, signInOrder }: Pick<Sequence, 'persons' | 'signInOrder'>,
  processes: readonly Place[],
): readonly SequencePerson[] {
  const done = new Set(
    processes.flatMap(({ status, signees }) => {
      const isOver = status !== undefined && statusKinds[status].isEnd;
      return signees.filter(({ state }) => isOver || state === 'Signed').map(({ key }) => key);
    }),
  );
  const open = persons
    .filter(({ signingKeys }) => signingKeys.some(({ signeeKey }) => !done.has(signeeKey)))
    .sort((a, b) => a.order - b.order);
  return signInOrder ? open.slice(0, 1) : open;
}

/**
 * The signees whose turn it is, across all documents; undefined if the sequence is unordered, so
 * that each document applies its own order.
 */
export function sequenceTurn(
  sequence: Pick<Sequence, 'persons' | 'signInOrder'>,
  processes: readonly Place[],
): ReadonlySet<SigneeKey> | undefined {
  if (!sequence.signInOrder) return undefined;
  const persons = personsInTurn(sequence, processes);
  return new Set(
    persons.flatMap(({ signingKeys }) => signingKeys.map(({ signeeKey }) => signeeKey)),
  );
}

/** For each person of a sequence, their signees in these documents. */
export function signeesByPerson(
  { persons }: Pick<Sequence, 'persons'>,
  processes: readonly Place[],
): readonly (readonly Signee[])[] {
  const signees = new Map(
    processes.flatMap((process) => process.signees.map((signee) => [signee.key, signee] as const)),
  );
  return persons.map(({ signingKeys }) =>
    signingKeys.flatMap(({ signeeKey }) => signees.get(signeeKey) ?? []),
  );
}

/** The status of a sequence. It is never stored but derived from its documents. */
export function sequenceStatus(
  { canceledAtMs }: Pick<Sequence, 'canceledAtMs'>,
  statuses: readonly ProcessStatus[],
): ProcessStatus {
  if (canceledAtMs !== undefined) return 'Canceled';
  const [first] = [...statuses].sort((a, b) => statusKinds[a].rank - statusKinds[b].rank);
  return first ?? 'Completed';
}

/** A person's signee in one document of a sequence. */
export interface SigningKey {
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
}

/** One person across all documents of a sequence. */
export interface SequencePerson {
  readonly key: PersonKey;
  /** Position, counted from 0. */
  readonly order: number;
  readonly signingKeys: readonly SigningKey[];
  /** Scrypt hash of the passcode with its salt, `salt:hash`. Absent if no passcode is set. */
  readonly passcodeHash?: string;
}

/** Several documents signed together. The status is derived from those of its processes. */
export interface Sequence {
  readonly key: SequenceKey;
  readonly companyKey: CompanyKey;
  readonly rev: number;
  /** E-mail address of the user who started it. Only this user may cancel it. */
  readonly user: string;
  readonly requiresAuth: boolean;
  /** The first person signs all documents before the second is notified. */
  readonly signInOrder: boolean;
  readonly processKeys: readonly ProcessKey[];
  readonly persons: readonly SequencePerson[];
  readonly createdAtMs: number;
  readonly canceledAtMs?: number;
  /** True once the end was reported to everyone; by GroupSigned if every document was completed. */
  readonly isEndTold: boolean;
}
