import { nextReminderAtMs } from '../reminder.ts';
import type {
  ActivityDraft,
  Consequences,
  Decision,
  EventDraft,
  JobDraft,
  MessageDraft,
} from './consequences.ts';
import type { Signee, SigningProcess } from './process.ts';
import { type DecisionContext, isDone, isTurnOf } from './turn.ts';

/** Actor of changes that no person made. */
export const systemActor = 'System';
/** Says in the log that nobody waited for the time of a purge. */
export const purgedOnRequest = 'on request';

/** Consequences that are collected while a decision is made. */
export interface Draft {
  activity: ActivityDraft[];
  events: EventDraft[];
  messages: MessageDraft[];
  jobs: JobDraft[];
}

/** An empty {@link Draft}. */
export function newDraft(): Draft {
  return { activity: [], events: [], messages: [], jobs: [] };
}

/** Members of a process that change; undefined removes one. */
export type ProcessChange = {
  readonly [Name in keyof SigningProcess]?: SigningProcess[Name] | undefined;
};

/** The decision for a changed process. */
export function accept(
  before: SigningProcess,
  change: ProcessChange,
  consequences: Partial<Consequences>,
): Decision {
  return {
    kind: 'accepted',
    next: withChange(before, { ...change, rev: before.rev + 1 }),
    consequences: { ...newDraft(), ...consequences },
  };
}

/** `process` with `signee` in the place of the one with its key. */
export function withSignee(process: SigningProcess, signee: Signee): readonly Signee[] {
  return process.signees.map((each) => (each.key === signee.key ? signee : each));
}

/** `process` with `change`; members without a value are left out, as a stored one has them. */
export function withChange(process: SigningProcess, change: ProcessChange): SigningProcess {
  const members = Object.entries({ ...process, ...change });
  return Object.fromEntries(
    members.filter(([, value]) => value !== undefined),
  ) as unknown as SigningProcess;
}

/**
 * The signees after everybody whose turn it is was invited, with the messages for that. In a
 * sequence a person gets one message for all documents, so the sequence writes it.
 */
export function inviteInTurn(
  process: SigningProcess,
  context: DecisionContext,
  draft: Draft,
): readonly Signee[] {
  if (process.status !== 'Active' || process.phase !== 'Open') return process.signees;
  return process.signees.map((signee) => {
    if (signee.state !== 'Pending' || !isTurnOf(process, signee, context)) return signee;
    if (process.sequenceKey === undefined) draft.messages.push(...invitation(signee));
    return invited(process, signee, context.nowMs);
  });
}

/** The message that asks `signee` to sign; none when the owner does that. */
export function invitation(signee: Signee): readonly MessageDraft[] {
  const { delivery, key } = signee;
  if (delivery === 'None') return [];
  return [{ template: 'Signup', channel: delivery, signeeKey: key }];
}

/** Tells those who were asked to sign, and have not, that nothing is to be signed any more. */
export function cancellations({ signees }: SigningProcess): readonly MessageDraft[] {
  return signees.flatMap((signee): readonly MessageDraft[] => {
    const { invitedAtMs, delivery: channel, key: signeeKey } = signee;
    const isWaiting = invitedAtMs !== undefined && !isDone(signee);
    return isWaiting && channel !== 'None' ? [{ template: 'Canceled', channel, signeeKey }] : [];
  });
}

/** The earliest reminder of anybody who may sign now, as a job. */
export function reminderJobs({ key, signees }: SigningProcess): readonly JobDraft[] {
  const times = signees
    .filter((signee) => !isDone(signee))
    .flatMap(({ reminder }) => reminder?.nextAtMs ?? []);
  if (times.length === 0) return [];
  return [{ kind: 'remind', ref: key, runAtMs: Math.min(...times) }];
}

/** The end of the retention period of the contents of a process, in epoch milliseconds. */
export function keptUntilMs({ policy }: SigningProcess, endedAtMs: number): number {
  return endedAtMs + policy.retentionDays * 86_400_000;
}

/** The job that removes contents when they have been kept long enough. */
export function purgeJob(process: SigningProcess, endedAtMs: number): JobDraft {
  return { kind: 'purge', ref: process.key, runAtMs: keptUntilMs(process, endedAtMs) };
}

/** Changes at the end of a process: lease, reminders and suspension are removed. */
export function ended(process: SigningProcess, nowMs: number) {
  const { signees, ...free } = withoutLease(process);
  return {
    ...free,
    phase: 'Done' as const,
    endedAtMs: nowMs,
    blockedFrom: undefined,
    signees: signees.map(({ reminder: _over, ...rest }) => rest),
  };
}

/** Nobody may put the next signature: the next token fences off one that is being made. */
export function withoutLease({ lease, leaseToken, signees }: SigningProcess) {
  const isHeld = lease !== undefined;
  return {
    lease: undefined,
    leaseToken: leaseToken + (isHeld ? 1 : 0),
    signees: signees.map(notSigning),
  };
}

/** The signee in the state before they began to sign; everybody else as they are. */
export function notSigning(signee: Signee): Signee {
  if (signee.state !== 'Signing') return signee;
  const { authenticatedAtMs, viewedAtMs } = signee;
  if (authenticatedAtMs !== undefined) return { ...signee, state: 'Authenticated' };
  return { ...signee, state: viewedAtMs === undefined ? 'Invited' : 'Viewed' };
}

function invited(process: SigningProcess, signee: Signee, nowMs: number): Signee {
  const { reminderRule, expiresAtMs } = process;
  const nextAtMs =
    reminderRule === undefined || signee.delivery === 'None'
      ? undefined
      : nextReminderAtMs(reminderRule, nowMs, 0, { expiresAtMs });
  return {
    ...signee,
    state: signee.authenticatedAtMs !== undefined ? 'Authenticated' : 'Invited',
    invitedAtMs: nowMs,
    ...(nextAtMs === undefined ? {} : { reminder: { nextAtMs, sentCount: 0 } }),
  };
}
