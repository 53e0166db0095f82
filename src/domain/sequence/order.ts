import type { SigneeKey } from '../keys.ts';
import { isSamePerson } from '../person/index.ts';
import type { ProcessStatus, SigningProcess } from '../process/index.ts';
import type { Sequence, SequencePerson } from './sequence.ts';

/** Those who sign, with the process in which; one that is being made has no status yet. */
type Place = Pick<SigningProcess, 'key' | 'signees'> & Partial<Pick<SigningProcess, 'status'>>;

/**
 * The persons behind the signees of several documents, in order of first appearance: one entry
 * for each person, with the keys in every document.
 */
export function groupPersons(
  processes: readonly Place[],
  newKey: () => SequencePerson['key'],
): readonly SequencePerson[] {
  const groups: { first: SigningProcess['signees'][number]; person: SequencePerson }[] = [];
  for (const process of processes) {
    for (const signee of process.signees) {
      const signingKey = { processKey: process.key, signeeKey: signee.key };
      // Twice on one document is two signatures: not one person of the sequence.
      const group = groups.find(
        ({ first, person }) =>
          isSamePerson(first, signee) &&
          person.signingKeys.every(({ processKey }) => processKey !== process.key),
      );
      if (group === undefined) {
        const person = {
          key: newKey(),
          order: groups.length,
          signingKeys: [signingKey],
          passcodeTries: 0,
        };
        groups.push({ first: signee, person });
      } else {
        const { person } = group;
        group.person = { ...person, signingKeys: [...person.signingKeys, signingKey] };
      }
    }
  }
  return groups.map(({ person }) => person);
}

/**
 * The persons who may sign now: all who have not, or the first of them in an ordered sequence. A
 * document that was cancelled or has expired holds nobody up.
 */
export function personsInTurn(
  { persons, signInOrder }: Pick<Sequence, 'persons' | 'signInOrder'>,
  processes: readonly Place[],
): readonly SequencePerson[] {
  const done = new Set(
    processes.flatMap(({ status, signees }) => {
      const isOver = status === 'Canceled' || status === 'Expired';
      return signees.filter(({ state }) => isOver || state === 'Signed').map(({ key }) => key);
    }),
  );
  const open = persons
    .filter(({ signingKeys }) => signingKeys.some(({ signeeKey }) => !done.has(signeeKey)))
    .sort((a, b) => a.order - b.order);
  return signInOrder ? open.slice(0, 1) : open;
}

/**
 * The signees whose turn it is over all documents; undefined where the sequence has no order and
 * each document keeps its own.
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

/** The status of a sequence, which is nowhere stored: it follows from its documents. */
export function sequenceStatus(
  { canceledAtMs }: Pick<Sequence, 'canceledAtMs'>,
  statuses: readonly ProcessStatus[],
): ProcessStatus {
  if (canceledAtMs !== undefined) return 'Canceled';
  const ranked: readonly ProcessStatus[] = ['Blocked', 'Active', 'InActive', 'Expired', 'Canceled'];
  return ranked.find((status) => statuses.includes(status)) ?? 'Completed';
}
