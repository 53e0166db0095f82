import { assert } from '../../base/errors.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import {
  confirmations,
  type DecisionContext,
  type EventDraft,
  type MessageDraft,
  type SigningProcess,
} from '../../domain/process/index.ts';
import { type Sequence, sequenceTurn } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/** A process with those of its sequence: what one decision can touch. */
export interface ProcessGroup {
  readonly sequence: Sequence | undefined;
  /** The process of that key, as it is after what was decided so far. */
  get(key: ProcessKey): SigningProcess;
  set(process: SigningProcess): void;
  all(): readonly SigningProcess[];
  /** Signees who were not invited when the group was locked. */
  readonly uninvited: ReadonlySet<string>;
}

/** The group of a process, locked: the sequence first, then processes in order of their keys. */
export async function lockGroup(
  unit: StoreUnit,
  key: ProcessKey,
): Promise<ProcessGroup | undefined> {
  const found = await unit.processes.find(key);
  if (found === undefined) return undefined;
  const { sequenceKey } = found;
  const sequence = sequenceKey === undefined ? undefined : await unit.sequences.lock(sequenceKey);
  const keys = sequence === undefined ? [key] : [...sequence.processKeys].sort();
  const processes = new Map<ProcessKey, SigningProcess>();
  for (const each of keys) {
    const locked = await unit.processes.lock(each);
    if (locked !== undefined) processes.set(each, locked);
  }
  return groupOf(sequence, processes);
}

/** A group of processes that nobody else can change. */
export function groupOf(
  sequence: Sequence | undefined,
  processes: Map<ProcessKey, SigningProcess>,
): ProcessGroup {
  const signees = [...processes.values()].flatMap((process) => process.signees);
  const waiting = signees.filter(({ invitedAtMs }) => invitedAtMs === undefined);
  return {
    sequence,
    uninvited: new Set(waiting.map(({ key }) => key)),
    get(key) {
      const process = processes.get(key);
      assert(process !== undefined, `process ${key} is not of this group`);
      return process;
    },
    set: (process) => void processes.set(process.key, process),
    all: () => [...processes.values()],
  };
}

/** What a decision in this group must know. */
export function contextOf({ sequence, all }: ProcessGroup, nowMs: number): DecisionContext {
  const turn = sequence === undefined ? undefined : sequenceTurn(sequence, all());
  return { nowMs, ...(turn === undefined ? {} : { sequenceTurn: turn }) };
}

/** What a sequence has to tell after its documents changed. */
export interface SequenceNews {
  readonly messages: readonly { process: SigningProcess; draft: MessageDraft }[];
  readonly events: readonly { process: SigningProcess; draft: EventDraft }[];
  /** The sequence as it is to be saved, when it changed. */
  readonly next?: Sequence;
}

/**
 * One invitation for each person whose turn has come, however many documents they sign; one
 * confirmation each for what was completed, when no document is open any more; and GroupSigned,
 * when every document is completed.
 */
export function advanceSequence(sequence: Sequence, group: ProcessGroup): SequenceNews {
  const messages = invitations(sequence, group);
  const all = sequence.processKeys.map((key) => group.get(key));
  const completed = all.filter(({ status }) => status === 'Completed');
  const isOver = all.every(({ phase }) => phase === 'Done');
  const last = completed.at(-1);
  if (!isOver || sequence.isEndTold || last === undefined) return { messages, events: [] };
  const news = sequence.persons.flatMap(({ signingKeys }) => {
    const signed = signingKeys.flatMap(({ processKey, signeeKey }) => {
      const process = completed.find(({ key }) => key === processKey);
      const signee = process?.signees.find(({ key }) => key === signeeKey);
      return process === undefined || signee === undefined ? [] : [{ process, signee }];
    });
    // The last signature has the newest address.
    const [newest] = signed
      .reverse()
      .sort((a, b) => (b.signee.signedAtMs ?? 0) - (a.signee.signedAtMs ?? 0));
    if (newest === undefined) return [];
    const { process, signee } = newest;
    return confirmations(process)
      .filter(({ signeeKey }) => signeeKey === signee.key)
      .map((draft) => ({ process, draft }));
  });
  const toOthers = confirmations(last).filter(({ signeeKey }) => signeeKey === undefined);
  const isWhole = completed.length === all.length;
  const told = { process: last, draft: { type: 'GroupSigned', withDocument: false } } as const;
  return {
    messages: [...messages, ...news, ...toOthers.map((draft) => ({ process: last, draft }))],
    events: isWhole ? [told] : [],
    next: { ...sequence, rev: sequence.rev + 1, isEndTold: true },
  };
}

function invitations({ persons }: Sequence, group: ProcessGroup): SequenceNews['messages'] {
  return persons.flatMap(({ signingKeys }) => {
    for (const { processKey, signeeKey } of signingKeys) {
      const process = group.get(processKey);
      const signee = process.signees.find(({ key }) => key === signeeKey);
      if (signee?.invitedAtMs === undefined) continue;
      // Somebody who was told of one document is not told again of the next.
      if (!group.uninvited.has(signeeKey)) return [];
      if (signee.delivery === 'None') continue;
      const draft = { template: 'Signup', channel: signee.delivery, signeeKey } as const;
      return [{ process, draft }];
    }
    return [];
  });
}
