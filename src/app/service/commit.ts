import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import {
  type CommandOf,
  type Consequences,
  type Decision,
  decide,
  isOverdue,
  isTimed,
  type ProcessCommand,
  type Refusal,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import { appendActivity, isActivityIntact, requireActivity } from '../activity/index.ts';
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

type CommitPorts = Pick<ServicePorts, 'random' | 'frontEnd'>;

interface CommandOutcome {
  /** The process after the command. */
  readonly process: SigningProcess;
  /** The rule that refused the command. Changes due to elapsed time are written nonetheless. */
  readonly refusal?: Refusal;
  /** Time of the decision, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * Applies `command` to a process. The change and all its consequences are written in one
 * transaction.
 *
 * @param known the process as read before, if it was; the decision reads it again
 * @returns the process after the command; a command whose result already holds changes nothing
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

/** Returns the process after a command. @throws the code of the rule that refused it */
export function requireAccepted({ process, refusal, nowMs }: CommandOutcome): SigningProcess {
  if (refusal !== undefined) throw refusalError(refusal, nowMs);
  return process;
}

/**
 * Like {@link runCommand}, within a transaction of the caller. A refusal is returned, not thrown,
 * so that the transaction can commit: an overdue process expires although the command fails.
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

/** The outcome of a command for a process of `group`. */
export function outcomeOf(
  group: ProcessGroup,
  key: ProcessKey,
  refusal: Refusal | undefined,
): CommandOutcome {
  const { nowMs } = group;
  return { process: group.get(key), nowMs, ...defined({ refusal }) };
}

/**
 * Applies `command` to one process of a locked group and returns the rule that refuses it.
 * {@link settleGroup} must follow the last command of the transaction. Times in the row of a
 * process can be edited, so an end or deadline that contradicts the log is ignored.
 *
 * @throws activity.chain.broken if the command depends on such a time
 */
export async function decideIn(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
  key: ProcessKey,
  command: ProcessCommand,
): Promise<Refusal | undefined> {
  const process = group.get(key);
  if (isTimed(process, command, group.nowMs)) await requireActivity(unit, process);
  if (isOverdue(process, group.nowMs) && (await isActivityIntact(unit, process))) {
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
 * Writes the log rows, events, messages and jobs of a change in the transaction of the change.
 *
 * @param persons messages queued in this transaction so far to the persons of the sequence
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
  await writeConsequences(unit, ports, next, consequences, group.nowMs, group.notified);
  return decision;
}

/** Whether the process can still expire or need reminders. */
function mayBeSigned({ phase }: SigningProcess): boolean {
  return phase === 'Draft' || phase === 'Waiting' || phase === 'Open';
}

/** Starts and announces the turns due after the commands. Does nothing if no process changed. */
export async function settleGroup(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
): Promise<void> {
  const { sequence, nowMs, notified } = group;
  if (sequence === undefined || !group.isChanged()) return;
  // In a cancelled sequence, no turn starts.
  for (const { key } of sequence.canceledAtMs === undefined ? group.all() : []) {
    await applyDecision(unit, ports, group, key, { type: 'start', by: systemActor });
  }
  const { messages, events, next } = advanceSequence(sequence, group);
  for (const { process, draft } of messages) {
    await queueMessages(unit, ports, process, [draft], nowMs, notified);
  }
  for (const { process, draft } of events) {
    await recordEvents(unit, ports, process, [draft], nowMs);
  }
  if (next !== undefined) await saveSequence(unit, group, next);
}

/** Saves `next` in the store and the group. @throws process.conflict */
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
