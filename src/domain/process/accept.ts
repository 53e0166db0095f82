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
/** Log text that marks a purge as requested, not due. */
export const purgedOnRequest = 'on request';

/** Consequences collected while a decision is made. */
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

/** Changed members of a process. Undefined removes a member. */
export type ProcessChange = {
  readonly [Name in keyof SigningProcess]?: SigningProcess[Name] | undefined;
};

/** The decision to accept a change of the process. */
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

/** The signees of `process`, with `signee` replacing the one with the same key. */
export function withSignee(process: SigningProcess, signee: Signee): readonly Signee[] {
  return process.signees.map((each) => (each.key === signee.key ? signee : each));
}

/** `process` with `change` applied. Undefined members are omitted, as in a stored process. */
export function withChange(process: SigningProcess, change: ProcessChange): SigningProcess {
  const members = Object.entries({ ...process, ...change });
  return Object.fromEntries(
    members.filter(([, value]) => value !== undefined),
  ) as unknown as SigningProcess;
}

/**
 * Invites every signee whose turn it is. Returns the signees and adds the messages to `draft`,
 * except in a sequence: there a person gets one message for all documents, which the sequence
 * writes.
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

/** The invitation to sign for `signee`; empty if the owner informs the signee. */
export function invitation(signee: Signee): readonly MessageDraft[] {
  const { delivery, key } = signee;
  if (delivery === 'None') return [];
  return [{ template: 'Signup', channel: delivery, signeeKey: key }];
}

/** Notifies the invited signees who have not signed that there is nothing left to sign. */
export function cancellations({ signees }: SigningProcess): readonly MessageDraft[] {
  return signees.flatMap((signee): readonly MessageDraft[] => {
    const { invitedAtMs, delivery: channel, key: signeeKey } = signee;
    const isWaiting = invitedAtMs !== undefined && !isDone(signee);
    return isWaiting && channel !== 'None' ? [{ template: 'Canceled', channel, signeeKey }] : [];
  });
}

/** The job for the earliest reminder of any signee who may sign now. */
export function reminderJobs({ key, signees }: SigningProcess): readonly JobDraft[] {
  const times = signees
    .filter((signee) => !isDone(signee))
    .flatMap(({ reminder }) => reminder?.nextAtMs ?? []);
  if (times.length === 0) return [];
  return [{ kind: 'remind', ref: key, runAtMs: Math.min(...times) }];
}

/** The end of the retention period of the contents of a process, in epoch milliseconds. */
export function retainedUntilMs({ policy }: SigningProcess, endedAtMs: number): number {
  return endedAtMs + policy.retentionDays * 86_400_000;
}

/** The job that purges the process at the end of its retention period. */
export function purgeJob(process: SigningProcess, endedAtMs: number): JobDraft {
  return { kind: 'purge', ref: process.key, runAtMs: retainedUntilMs(process, endedAtMs) };
}

/** The changes that end a process: lease, reminders and suspension are removed. */
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

/** Releases the lease. The incremented token fences off a signature in progress. */
export function withoutLease({ lease, leaseToken, signees }: SigningProcess) {
  const isHeld = lease !== undefined;
  return {
    lease: undefined,
    leaseToken: leaseToken + (isHeld ? 1 : 0),
    signees: signees.map(withoutSigningState),
  };
}

/** Returns the signee to the state before they began to sign. Other signees are unchanged. */
export function withoutSigningState(signee: Signee): Signee {
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
