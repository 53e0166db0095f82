import { deliverMessage, type MessagePorts, messageTerms } from '../message/index.ts';
import type { Job } from '../ports/index.ts';
import { type JobHandler, runDueJobs } from '../service/index.ts';
import type { ReminderPorts } from './ports.ts';
import { remindDue } from './remind-due.ts';

/** What {@link runDueReminders} stands on. */
export type ReminderRunPorts = ReminderPorts & MessagePorts;

/** What a run did. */
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
