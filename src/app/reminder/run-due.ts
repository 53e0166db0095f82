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

/** Result of a run. */
export interface ReminderRun {
  /** Processes whose reminders were due. */
  readonly processes: number;
  /** Attempts to send a message, accepted or not. */
  readonly messages: number;
  /** Jobs that met a fault, messages that did not leave among them. */
  readonly faults: number;
}

const remindTerms = { limit: 5, leaseMs: 60_000 };
const roundsMax = 100_000;

/**
 * Writes the reminders that are due and sends all messages that wait, once each; then it is done.
 * Several of them and a server may run at the same time.
 */
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

// A signee whose time has come but whose turn it is not is looked at again after this.
const againMs = 60 * 60 * 1000;

/**
 * Writes the reminders of a process whose time has come, with the next appointment, in one
 * transaction: killed before its end it wrote nothing, and after it the job is another one. In a
 * sequence all documents are asked at once, so that a person gets one message for them all.
 *
 * @throws store.busy, store.unavailable and other faults of the store
 */
export async function remindDue(job: Job, ports: ReminderPorts): Promise<void> {
  const key = asKey('process', job.ref);
  await ports.store.write(async (unit) => {
    const group = await lockGroup(unit, ports, key);
    // Taken away before the plan is made anew: the new appointment has the same name.
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

/** The decision plans the next time only when a reminder was sent. */
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
