import { assert } from '../../base/errors.ts';
import type { ProcessKey, RandomBytes, SequenceKey } from '../../domain/keys.ts';
import {
  confirmations,
  type DecisionContext,
  type EventDraft,
  type MessageDraft,
  type SigningProcess,
} from '../../domain/process/index.ts';
import { type Sequence, sequenceTurn, signeesByPerson } from '../../domain/sequence.ts';
import { type NotifiedPersons, notificationTracker } from '../message/index.ts';
import type { BlobStore, ChannelPorts, Store, StoreUnit, Vault } from '../ports/index.ts';
import { notFoundError } from '../required.ts';

/** A locked process with the rest of its sequence: the scope of a transaction's decisions. */
export interface ProcessGroup {
  /** The sequence after the decisions so far. */
  sequence: Sequence | undefined;
  /** Time of all decisions, in milliseconds since the epoch, read after all locks were acquired. */
  readonly nowMs: number;
  /** The process with that key, after the decisions so far. */
  get(key: ProcessKey): SigningProcess;
  set(process: SigningProcess): void;
  all(): readonly SigningProcess[];
  isChanged(): boolean;
  /** Signees not yet invited when the group was locked. */
  readonly uninvited: ReadonlySet<string>;
  /** Messages queued since then to the persons of the sequence. */
  readonly notified: NotifiedPersons | undefined;
}

/** The group of a sequence. */
export interface SequenceGroup extends ProcessGroup {
  sequence: Sequence;
}

/** Immutable members of a process, known before it is locked. */
export type KnownProcess = Pick<SigningProcess, 'sequenceKey'>;

/** Locks the group of a process. Undefined if the process does not exist. */
export async function lockGroup(
  unit: StoreUnit,
  clock: Pick<ServicePorts, 'now'>,
  key: ProcessKey,
  known?: KnownProcess,
): Promise<ProcessGroup | undefined> {
  const found = known ?? (await unit.processes.find(key));
  if (found === undefined) return undefined;
  if (found.sequenceKey !== undefined) return lockSequence(unit, clock, found.sequenceKey);
  const process = await unit.processes.lock(key);
  return process === undefined ? undefined : groupOf(clock, [process], undefined);
}

/** Like {@link lockGroup}. @throws process.not_found */
export async function requireGroup(
  unit: StoreUnit,
  clock: Pick<ServicePorts, 'now'>,
  key: ProcessKey,
  known?: KnownProcess,
): Promise<ProcessGroup> {
  const group = await lockGroup(unit, clock, key, known);
  if (group !== undefined) return group;
  throw notFoundError('process', key);
}

/** Locks the group of a sequence: first the sequence, then its processes in key order. */
export async function lockSequence(
  unit: StoreUnit,
  clock: Pick<ServicePorts, 'now'>,
  key: SequenceKey,
): Promise<SequenceGroup | undefined> {
  const sequence = await unit.sequences.lock(key);
  if (sequence === undefined) return undefined;
  const processes = await unit.processes.lockAll(sequence.processKeys);
  return { ...groupOf(clock, processes, sequence), sequence };
}

function groupOf(
  { now }: Pick<ServicePorts, 'now'>,
  locked: readonly SigningProcess[],
  sequence: Sequence | undefined,
): ProcessGroup {
  const processes = new Map(locked.map((process) => [process.key, process]));
  const signees = locked.flatMap((process) => process.signees);
  const waiting = signees.filter(({ invitedAtMs }) => invitedAtMs === undefined);
  let isChanged = false;
  return {
    sequence,
    nowMs: now(),
    uninvited: new Set(waiting.map(({ key }) => key)),
    notified: sequence === undefined ? undefined : notificationTracker(sequence),
    get(key) {
      const process = processes.get(key);
      assert(process !== undefined, `process ${key} is not of this group`);
      return process;
    },
    set(process) {
      isChanged = true;
      processes.set(process.key, process);
    },
    all: () => [...processes.values()],
    isChanged: () => isChanged,
  };
}

/** The context of a decision in this group. */
export function contextOf({ sequence, all, nowMs }: ProcessGroup): DecisionContext {
  if (sequence === undefined) return { nowMs };
  const turn = sequenceTurn(sequence, all());
  const persons = () => signeesByPerson(sequence, all());
  return { nowMs, persons, ...(turn === undefined ? {} : { sequenceTurn: turn }) };
}

/** Messages and events of a sequence after a change of its documents. */
interface SequenceEffects {
  readonly messages: readonly { process: SigningProcess; draft: MessageDraft }[];
  readonly events: readonly { process: SigningProcess; draft: EventDraft }[];
  /** The changed sequence to save. Undefined if unchanged. */
  readonly next?: Sequence;
}

/**
 * Returns the messages and events of a sequence: one invitation to each person whose turn has come,
 * for all of their documents; once no document is open, one confirmation to each person of
 * completed documents; and GroupSigned if every document is completed.
 */
export function advanceSequence(sequence: Sequence, group: ProcessGroup): SequenceEffects {
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
    // The latest signature has the current address.
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

function invitations({ persons }: Sequence, group: ProcessGroup): SequenceEffects['messages'] {
  return persons.flatMap(({ signingKeys }) => {
    for (const { processKey, signeeKey } of signingKeys) {
      const process = group.get(processKey);
      const signee = process.signees.find(({ key }) => key === signeeKey);
      if (signee?.invitedAtMs === undefined) continue;
      // A person invited to one document is not invited again to the next.
      if (!group.uninvited.has(signeeKey)) return [];
      if (signee.delivery === 'None') continue;
      const draft = { template: 'Signup', channel: signee.delivery, signeeKey } as const;
      return [{ process, draft }];
    }
    return [];
  });
}

/** Dependencies of every use case of the service. */
export interface ServicePorts extends ChannelPorts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly vault: Vault;
  /** Current time in milliseconds since the epoch. Read once per command. */
  now(): number;
  readonly random: RandomBytes;
  /** Base URL of signing pages and downloads, without a trailing slash. */
  readonly frontEnd: string;
  /** Whether files can be verified at `/s/verify` of the front end. */
  readonly checksFiles?: boolean;
}

/** Reads the persons of a process's sequence, to preview a decision. Empty outside a sequence. */
export async function readPersons(
  unit: StoreUnit,
  { sequenceKey }: Pick<SigningProcess, 'sequenceKey'>,
): Promise<Pick<DecisionContext, 'persons'>> {
  if (sequenceKey === undefined) return {};
  const sequence = await unit.sequences.find(sequenceKey);
  if (sequence === undefined) return {};
  const places = signeesByPerson(sequence, await unit.processes.findAll(sequence.processKeys));
  return { persons: () => places };
}
