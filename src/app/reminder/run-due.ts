import { asKey } from '../../domain/keys.ts';
import type { Signee, SigningProcess } from '../../domain/process/index.ts';
import { deliverMessage, type MessagePorts, messageTerms } from '../message/index.ts';
import type { Job, StoreUnit } from '../ports/index.ts';
import {
  decideIn,
  type JobHandler,
  lockGroup,
  runDueJobs,
  type ServicePorts,
  settleGroup,
} from '../service/index.ts';

/** Dependencies of {@link runDueReminders}. */
export type ReminderRunPorts = ReminderPorts & MessagePorts;

/** Result of a run of due reminders and messages. */
export interface ReminderRun {
  /** Number of processes whose reminders were due. */
  readonly processes: number;
  /** Number of attempts to send a message, accepted or not. */
  readonly messages: number;
  /** Number of failed jobs, including messages that were not sent. */
  readonly faults: number;
}

const remindTerms = { limit: 5, leaseMs: 60_000 };
const roundsMax = 100_000;

/** Queues due reminders and sends all pending messages once; safe with other runs and a server. */
export async function runDueReminders(ports: ReminderRunPorts): Promise<ReminderRun> {
  const owner = `remind-${Buffer.from(ports.random(8)).toString('hex')}`;
  let faults = 0;
  const failed = () => {
    faults += 1;
  };
  const drain = async (handler: JobHandler, terms: typeof remindTerms) => {
    let count = 0;
    for (let round = 0; round < roundsMax; round += 1) {
      const options = { ...terms, owner, failed };
      const done = await runDueJobs(ports, [handler], options);
      if (done === 0) break;
      count += done;
    }
    return count;
  };
  const remind: JobHandler = { kind: 'remind', run: (job: Job) => remindDue(job, ports) };
  const processes = await drain(remind, remindTerms);
  const message: JobHandler = {
    kind: 'message',
    run: async (job: Job) => {
      if ((await deliverMessage(job, ports)) !== undefined) failed();
    },
  };
  const messages = await drain(message, messageTerms);
  return { processes, messages, faults };
}

// Delay before a due signee whose turn has not come is checked again.
const againMs = 60 * 60 * 1000;

/**
 * Queues the due reminders of a process and schedules the next, in one transaction: if it is
 * interrupted, nothing was written; once it commits, the job is a new one. In a sequence all
 * documents are handled together, so that a person gets one message for all.
 *
 * @throws store.busy, store.unavailable and other faults of the store
 */
export async function remindDue(job: Job, ports: ReminderPorts): Promise<void> {
  const key = asKey('process', job.ref);
  await ports.store.write(async (unit) => {
    const group = await lockGroup(unit, ports, key);
    // Finished before the next one is scheduled, which has the same reference.
    const isOurs = await unit.jobs.finish(job.kind, job.ref, job.owner);
    if (!isOurs || group === undefined) return;
    const others = group.all().filter((each) => each.key !== key && isOpen(each));
    for (const each of [group.get(key), ...others]) {
      await decideIn(unit, ports, group, each.key, { type: 'remindDue' });
    }
    await settleGroup(unit, ports, group);
    await planNext(unit, group.get(key), group.nowMs);
  });
}

/** Schedules the next job, because the decision plans it only if a reminder was sent. */
async function planNext(unit: StoreUnit, process: SigningProcess, nowMs: number): Promise<void> {
  if (!isOpen(process)) return;
  const times = process.signees.flatMap(dueTimes);
  if (times.length === 0) return;
  const nextAtMs = Math.min(...times);
  const runAtMs = nextAtMs > nowMs ? nextAtMs : nowMs + againMs;
  await unit.jobs.put({ kind: 'remind', ref: process.key, runAtMs });
}

function dueTimes({ state, reminder }: Signee): readonly number[] {
  const isDone = state === 'Signed' || state === 'Declined';
  return isDone || reminder?.nextAtMs === undefined ? [] : [reminder.nextAtMs];
}

function isOpen({ status, phase }: SigningProcess): boolean {
  return status === 'Active' && phase === 'Open';
}

/** Dependencies of reminders. */
export type ReminderPorts = Pick<
  ServicePorts,
  'store' | 'now' | 'random' | 'frontEnd' | 'closedChannels'
>;
