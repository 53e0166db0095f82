import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import {
  type CommandOf,
  type Consequences,
  type Decision,
  decide,
  isByTime,
  isOverdue,
  type ProcessCommand,
  type Refusal,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import { appendActivity, holdsActivity, requireActivity } from '../activity/index.ts';
import { recordByFlow } from '../compliance/index.ts';
import { type NotifiedPersons, queueMessages } from '../message/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { recordEvents } from '../webhook/index.ts';
import {
  advanceSequence,
  contextOf,
  type KnownProcess,
  type ProcessGroup,
  requireGroup,
  type ServicePorts,
} from './group.ts';

/** Dependencies of the writing of a decision. */
type CommitPorts = Pick<ServicePorts, 'random' | 'frontEnd'>;

/** Result of a command. */
interface CommandOutcome {
  /** The process after it. */
  readonly process: SigningProcess;
  /** The rule that refused it; changes due to elapsed time are written all the same. */
  readonly refusal?: Refusal;
  /** Epoch milliseconds of the decision. */
  readonly nowMs: number;
}

/**
 * Lets `command` happen to a process: the change with all that follows from it is written in one
 * transaction, or nothing is.
 *
 * @param known the process as it was read before, if it was: the decision reads it again
 * @returns the process after it; a command that asks for what is already so changes nothing
 * @throws process.not_found, and the code of the rule that refuses the command
 */
export async function runCommand(
  ports: CommitPorts & Pick<ServicePorts, 'store' | 'now'>,
  key: ProcessKey,
  command: ProcessCommand,
  known?: KnownProcess,
): Promise<SigningProcess> {
  return requireAccepted(
    await ports.store.write((unit) => applyCommand(unit, ports, key, command, known)),
  );
}

/** The process after a command. @throws the code of the rule that refused it */
export function requireAccepted({ process, refusal, nowMs }: CommandOutcome): SigningProcess {
  if (refusal !== undefined) throw refusalError(refusal, nowMs);
  return process;
}

/**
 * As {@link runCommand}, inside a transaction of the caller. A refusal is a value, so that the
 * transaction can go on: a process whose time is over becomes expired although the command fails.
 *
 * @throws process.not_found
 */
export async function applyCommand(
  unit: StoreUnit,
  ports: CommitPorts & Pick<ServicePorts, 'now'>,
  key: ProcessKey,
  command: ProcessCommand,
  known?: KnownProcess,
): Promise<CommandOutcome> {
  const group = await requireGroup(unit, ports, key, known);
  const refusal = await decideIn(unit, ports, group, key, command);
  await settleGroup(unit, ports, group);
  return outcomeOf(group, key, refusal);
}

/** Result of a command to a process of `group`. */
export function outcomeOf(
  group: ProcessGroup,
  key: ProcessKey,
  refusal: Refusal | undefined,
): CommandOutcome {
  const { nowMs } = group;
  return { process: group.get(key), nowMs, ...defined({ refusal }) };
}

/**
 * Applies `command` to one process of a locked group, and returns the rule that refuses it. After
 * the last command of the transaction comes {@link settleGroup}. Anybody who can edit a process can
 * edit its times: no end or deadline counts that contradicts the log.
 *
 * @throws activity.chain.broken for a command that asks for that
 */
export async function decideIn(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
  key: ProcessKey,
  command: ProcessCommand,
): Promise<Refusal | undefined> {
  const process = group.get(key);
  if (isByTime(process, command, group.nowMs)) await requireActivity(unit, process);
  if (isOverdue(process, group.nowMs) && (await holdsActivity(unit, process))) {
    await applyDecision(unit, ports, group, key, { type: 'expire' });
  }
  const decision = await applyDecision(unit, ports, group, key, command);
  return decision.kind === 'refused' ? decision.refusal : undefined;
}

/** The error for a refused command. */
export function refusalError(refusal: Refusal, nowMs: number): InnsigliError {
  const { code, message, hint, retryAtMs } = refusal;
  const details =
    retryAtMs === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil((retryAtMs - nowMs) / 1000)) };
  return new InnsigliError(code, message, { details, ...defined({ hint }) });
}

/**
 * Writes log rows, events, messages and jobs of a change beside the change itself.
 *
 * @param persons messages of this transaction to the persons of the sequence so far
 */
export async function writeConsequences(
  unit: StoreUnit,
  ports: CommitPorts,
  process: SigningProcess,
  { activity, events, messages, jobs, erases }: Consequences,
  nowMs: number,
  persons?: NotifiedPersons,
): Promise<void> {
  if (erases === true) {
    await unit.activity.erasePersonal(process.key);
    await unit.messages.eraseOf(process.key);
    await unit.webhooks.eraseOf(process.key);
  }
  await appendActivity(unit, ports, process, activity, nowMs);
  await recordEvents(unit, ports, process, events, nowMs);
  await queueMessages(unit, ports, process, messages, nowMs, persons);
  for (const job of jobs) await unit.jobs.put(job);
  await recordByFlow(unit, ports, process, events, nowMs);
}

async function applyDecision(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
  key: ProcessKey,
  command: ProcessCommand,
): Promise<Decision> {
  const process = group.get(key);
  const decision = decide(process, command as CommandOf<typeof command.type>, contextOf(group));
  if (decision.kind !== 'accepted') return decision;
  const { next, consequences } = decision;
  const isSaved = await unit.processes.save(next);
  if (!isSaved)
    throw new InnsigliError('process.conflict', `process ${key} was changed in the meantime`);
  group.set(next);
  if (mayBeSigned(process) && !mayBeSigned(next)) {
    for (const kind of ['expire', 'remind'] as const) await unit.jobs.finish(kind, key);
  }
  await writeConsequences(unit, ports, next, consequences, group.nowMs, group.told);
  return decision;
}

/** True as long as there is something to expire or to be reminded of. */
function mayBeSigned({ phase }: SigningProcess): boolean {
  return phase === 'Draft' || phase === 'Waiting' || phase === 'Open';
}

/** Gives all a turn who have one after the commands, and tells them; nothing without a change. */
export async function settleGroup(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
): Promise<void> {
  const { sequence, nowMs, told } = group;
  if (sequence === undefined || !group.isChanged()) return;
  // A cancelled sequence gives nobody a turn.
  for (const { key } of sequence.canceledAtMs === undefined ? group.all() : []) {
    await applyDecision(unit, ports, group, key, { type: 'start', by: systemActor });
  }
  const { messages, events, next } = advanceSequence(sequence, group);
  for (const { process, draft } of messages) {
    await queueMessages(unit, ports, process, [draft], nowMs, told);
  }
  for (const { process, draft } of events) {
    await recordEvents(unit, ports, process, [draft], nowMs);
  }
  if (next !== undefined) await saveSequence(unit, group, next);
}

/** Puts `next` into the store and the group. @throws process.conflict */
export async function saveSequence(
  unit: StoreUnit,
  group: ProcessGroup,
  next: Sequence,
): Promise<void> {
  if (!(await unit.sequences.save(next))) {
    throw new InnsigliError('process.conflict', `sequence ${next.key} was changed in the meantime`);
  }
  group.sequence = next;
}
