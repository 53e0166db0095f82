import type { SequenceView } from '../../app/process/index.ts';
import { sequenceStatus } from '../../domain/sequence.ts';
import { printable, type Style } from '../output/index.ts';
import { minute, processDocument, processLines } from './process.ts';

/** A sequence as shown in JSON output. */
export function sequenceDocument({ sequence, processes }: SequenceView, frontEnd: string): object {
  const { key, user, signInOrder, requiresAuth, persons } = sequence;
  const names = namesOf(processes);
  return {
    key,
    status: statusOf({ sequence, processes }),
    user,
    signInOrder,
    requiresAuth,
    persons: persons.map((person) => ({
      key: person.key,
      name: names.get(person.signingKeys[0]?.signeeKey),
      url: `${frontEnd}/s/${key}/${person.key}`,
      signingKeys: person.signingKeys,
    })),
    processes: processes.map((process) => processDocument(process)),
  };
}

/** Text lines about a sequence. */
export function sequenceLines(
  view: SequenceView,
  frontEnd: string,
  style: Style,
): readonly string[] {
  const { sequence, processes } = view;
  const names = namesOf(processes);
  return [
    `${style.bold(sequence.key)}  ${statusOf(view)}  by ${printable(sequence.user)}`,
    ...sequence.persons.map(({ key, signingKeys }) => {
      const name = names.get(signingKeys[0]?.signeeKey) ?? '';
      const count = `${signingKeys.length} document${signingKeys.length === 1 ? '' : 's'}`;
      return `  ${printable(name)}, ${count}: ${frontEnd}/s/${sequence.key}/${key}`;
    }),
    ...processes.flatMap((process) => processLines(process, style).map((line) => `  ${line}`)),
  ];
}

/** One line per sequence. */
export function sequenceTable(
  views: readonly SequenceView[],
  { bold, dim }: Style,
): readonly string[] {
  return views.map(({ sequence, processes }) => {
    const { key, user, createdAtMs, persons } = sequence;
    const done = processes.filter(({ status }) => status === 'Completed').length;
    const count = `${done} of ${processes.length} completed, ${persons.length} to sign`;
    const state = statusOf({ sequence, processes }).padEnd(9);
    return `${bold(key)}  ${state}  ${dim(minute(createdAtMs))}  ${count}  ${printable(user)}`;
  });
}

function namesOf(processes: SequenceView['processes']): ReadonlyMap<string | undefined, string> {
  return new Map(processes.flatMap(({ signees }) => signees.map(({ key, name }) => [key, name])));
}

function statusOf({ sequence, processes }: SequenceView) {
  return sequenceStatus(
    sequence,
    processes.map(({ status }) => status),
  );
}
