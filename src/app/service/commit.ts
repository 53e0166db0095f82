import { CoreError } from '../../base/errors.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import {
  type CommandOf,
  type Consequences,
  type Decision,
  decide,
  isOverdue,
  type ProcessCommand,
  type Refusal,
  type SigningProcess,
} from '../../domain/process/index.ts';
import { appendActivity } from '../activity/index.ts';
import { queueMessages } from '../message/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { recordEvents } from '../webhook/index.ts';
import { advanceSequence, contextOf, lockGroup, type ProcessGroup } from './group.ts';
import type { ServicePorts } from './ports.ts';

/** What the writing of a decision stands on. */
export type CommitPorts = Pick<ServicePorts, 'random' | 'frontEnd'>;

/** What became of a command. */
export interface CommandOutcome {
  /** The process after it. */
  readonly process: SigningProcess;
  readonly isChanged: boolean;
  /** The rule that refused it; what the passing of time has changed is written all the same. */
  readonly refusal?: Refusal;
}

/**
 * Lets `command` happen to a process: the change with all that follows from it is written in one
 * transaction, or nothing is.
 *
 * @returns the process after it; a command that asks for what is already so changes nothing
 * @throws process.not_found, and the code of the rule that refuses the command
 */
export async function runCommand(
  ports: CommitPorts & Pick<ServicePorts, 'store' | 'now'>,
  key: ProcessKey,
  command: ProcessCommand,
): Promise<SigningProcess> {
  const nowMs = ports.now();
  const { process, refusal } = await ports.store.write((unit) =>
    applyCommand(unit, ports, key, command, nowMs),
  );
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
  ports: CommitPorts,
  key: ProcessKey,
  command: ProcessCommand,
  nowMs: number,
): Promise<CommandOutcome> {
  const group = await lockGroup(unit, key);
  if (group === undefined) throw new CoreError('process.not_found', `there is no process ${key}`);
  const isLate = isOverdue(group.get(key), nowMs);
  if (isLate) await applyDecision(unit, ports, group, key, { type: 'expire' }, nowMs);
  const decision = await applyDecision(unit, ports, group, key, command, nowMs);
  const isChanged = decision.kind === 'accepted';
  // An expiry of which the command itself knows nothing may give others their turn as well.
  if (isChanged || isLate) await settleSequence(unit, ports, group, nowMs);
  const process = group.get(key);
  if (decision.kind === 'refused') return { process, isChanged, refusal: decision.refusal };
  return { process, isChanged };
}

/** The error for a refused command. */
export function refusalError(refusal: Refusal, nowMs: number): CoreError {
  const { code, message, hint, retryAtMs } = refusal;
  const details =
    retryAtMs === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil((retryAtMs - nowMs) / 1000)) };
  return new CoreError(code, message, { details, ...(hint === undefined ? {} : { hint }) });
}

/** Writes log rows, events, messages and jobs of a change beside the change itself. */
export async function writeConsequences(
  unit: StoreUnit,
  ports: CommitPorts,
  process: SigningProcess,
  { activity, events, messages, jobs, erases }: Consequences,
  nowMs: number,
): Promise<void> {
  if (erases === true) {
    await unit.activity.erasePersonal(process.key);
    await unit.messages.eraseOf(process.key);
    await unit.webhooks.eraseOf(process.key);
  }
  await appendActivity(unit, ports, process, activity, nowMs);
  await recordEvents(unit, ports, process, events, nowMs);
  await queueMessages(unit, ports, process, messages, nowMs);
  for (const job of jobs) await unit.jobs.put(job);
}

async function applyDecision(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
  key: ProcessKey,
  command: ProcessCommand,
  nowMs: number,
): Promise<Decision> {
  const process = group.get(key);
  const context = contextOf(group, nowMs);
  const decision = decide(process, command as CommandOf<typeof command.type>, context);
  if (decision.kind !== 'accepted') return decision;
  const { next, consequences } = decision;
  const isSaved = await unit.processes.save(next);
  if (!isSaved) throw new CoreError('process.conflict', `process ${key} was changed meanwhile`);
  group.set(next);
  if (mayBeSigned(process) && !mayBeSigned(next)) {
    for (const kind of ['expire', 'remind'] as const) await unit.jobs.finish(kind, key);
  }
  await writeConsequences(unit, ports, next, consequences, nowMs);
  return decision;
}

/** True as long as there is something to expire or to be reminded of. */
function mayBeSigned({ phase }: SigningProcess): boolean {
  return phase === 'Draft' || phase === 'Waiting' || phase === 'Open';
}

async function settleSequence(
  unit: StoreUnit,
  ports: CommitPorts,
  group: ProcessGroup,
  nowMs: number,
): Promise<void> {
  const { sequence } = group;
  if (sequence === undefined) return;
  // What is called off as a whole gives nobody a turn.
  for (const { key } of sequence.canceledAtMs === undefined ? group.all() : []) {
    await applyDecision(unit, ports, group, key, { type: 'start', by: 'System' }, nowMs);
  }
  const { messages, events, next } = advanceSequence(sequence, group);
  for (const { process, draft } of messages) {
    await queueMessages(unit, ports, process, [draft], nowMs);
  }
  for (const { process, draft } of events) {
    await recordEvents(unit, ports, process, [draft], nowMs);
  }
  if (next !== undefined && !(await unit.sequences.save(next))) {
    throw new CoreError('process.conflict', `sequence ${sequence.key} was changed meanwhile`);
  }
}
