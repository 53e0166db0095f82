import { defined } from '../../../base/defined.ts';
import { nextReminderAtMs } from '../../reminder.ts';
import {
  accept,
  cancellations,
  ended,
  inviteInTurn,
  newDraft,
  purgeJob,
  reminderJobs,
  systemActor,
  withoutLease,
} from '../accept.ts';
import { type Handler, refusal, refuse, type Verdict } from '../guards.ts';
import type { Signee, SigningProcess } from '../process.ts';
import { type DecisionContext, isDone, isOverdue } from '../turn.ts';

/** Maximum number of days that a process may stay open. */
const OPEN_DAYS_MAX = 366;

/** Ends a process whose time is over, unless a signature is in progress. */
export const expire: Handler<'expire'> = (process, _command, { nowMs }) => {
  if (!isOverdue(process, nowMs)) return { kind: 'unchanged' };
  return accept(
    process,
    { ...ended(process, nowMs), status: 'Expired' },
    {
      activity: [{ status: 'Expired', createdBy: systemActor }],
      events: [{ type: 'Expired', withDocument: process.document !== undefined }],
      jobs: [purgeJob(process, nowMs)],
    },
  );
};

/** Cancels the process. A signature in progress will be too late. */
export const cancel: Handler<'cancel'> = (process, { by, reason }, context) => {
  if (process.status === 'Canceled') return { kind: 'unchanged' };
  const refused = finishedRule(process, context);
  if (refused !== undefined) return refuse(refused);
  const { nowMs } = context;
  return accept(
    process,
    { ...ended(process, nowMs), status: 'Canceled', ...defined({ reason }) },
    {
      activity: [{ status: 'Canceled', createdBy: by, ...personalReason(reason) }],
      events: [{ type: 'Canceled', withDocument: false }],
      messages: cancellations(process),
      jobs: [purgeJob(process, nowMs)],
    },
  );
};

/** Suspends the process. */
export const block: Handler<'block'> = (process, { by, reason }, context) => {
  const { status } = process;
  if (status === 'Blocked') return { kind: 'unchanged' };
  const refused = finishedRule(process, context);
  if (refused !== undefined) return refuse(refused);
  if (status === 'Canceled') {
    return refuse(refusal('signing.forbidden.canceled', `process ${process.key} is cancelled`));
  }
  return accept(
    process,
    {
      status: 'Blocked',
      blockedFrom: status as 'InActive' | 'Active',
      ...defined({ reason }),
      ...withoutLease(process),
    },
    {
      activity: [{ status: 'Blocked', createdBy: by, ...personalReason(reason) }],
      events: [{ type: 'Blocked', withDocument: false }],
    },
  );
};

/** Resumes a suspended process, or expires it if its time is over. */
export const unblock: Handler<'unblock'> = (process, { by }, context) => {
  if (process.status !== 'Blocked') {
    const message = `process ${process.key} is ${process.status}, not Blocked`;
    return refuse(refusal('process.state.refused', message));
  }
  const { blockedFrom = 'InActive' } = process;
  const free: SigningProcess = { ...process, status: blockedFrom };
  const draft = newDraft();
  draft.activity.push({ status: 'Unblocked', createdBy: by });
  const change = { blockedFrom: undefined, reason: undefined };
  if (isOverdue(free, context.nowMs)) {
    draft.activity.push({ status: 'Expired', createdBy: systemActor });
    draft.events.push({ type: 'Expired', withDocument: process.document !== undefined });
    draft.jobs.push(purgeJob(process, context.nowMs));
    const over = { ...ended(process, context.nowMs), status: 'Expired' as const };
    return accept(process, { ...over, ...change }, draft);
  }
  const signees = inviteInTurn(free, context, draft);
  draft.jobs.push(...reminderJobs({ ...free, signees }), expireJob(free));
  return accept(process, { status: blockedFrom, signees, ...change }, draft);
};

/** Sets another expiry time. */
export const extend: Handler<'extend'> = (process, { expiresAtMs, by }, context) => {
  const { key, status } = process;
  const isLate = isOverdue(process, context.nowMs);
  if (status === 'Expired' || isLate) {
    return refuse(refusal('signing.forbidden.expired', `process ${key} has expired`));
  }
  if (status === 'Canceled') {
    return refuse(refusal('signing.forbidden.canceled', `process ${key} is cancelled`));
  }
  const refused = finishedRule(process, context);
  if (refused !== undefined) return refuse(refused);
  const lastMs = context.nowMs + OPEN_DAYS_MAX * 86_400_000;
  const isInTime = expiresAtMs > context.nowMs && expiresAtMs <= lastMs;
  if (!isInTime || !Number.isSafeInteger(expiresAtMs)) {
    const found = Number.isFinite(new Date(expiresAtMs).getTime())
      ? new Date(expiresAtMs).toISOString()
      : 'no time';
    const message = `expected an end within the next ${OPEN_DAYS_MAX} days, found ${found}`;
    return refuse(refusal('validation.error', message));
  }
  if (expiresAtMs === process.expiresAtMs) return { kind: 'unchanged' };
  const description = new Date(expiresAtMs).toISOString();
  const row = { status: 'Extended', createdBy: by, description, terms: { expiresAtMs } };
  const longer = { ...process, expiresAtMs };
  const signees = process.signees.map((signee) => withPlanRestored(longer, signee));
  const jobs = [expireJob(longer), ...reminderJobs({ ...longer, signees })];
  return accept(process, { expiresAtMs, signees }, { activity: [row], jobs });
};

// The former expiry time may have cut the reminder plan short.
function withPlanRestored({ reminderRule, expiresAtMs }: SigningProcess, signee: Signee): Signee {
  const { reminder, invitedAtMs, delivery, unsubscribed } = signee;
  const isOver = isDone(signee) || delivery === 'None' || unsubscribed === true;
  if (reminderRule === undefined || invitedAtMs === undefined || isOver) return signee;
  if (reminder?.nextAtMs !== undefined || reminder?.isOff === true) return signee;
  const sentCount = reminder?.sentCount ?? 0;
  const nextAtMs = nextReminderAtMs(reminderRule, invitedAtMs, sentCount, { expiresAtMs });
  return nextAtMs === undefined ? signee : { ...signee, reminder: { nextAtMs, sentCount } };
}

/** Forbids ending or suspending a process that all signees have signed or that has expired. */
function finishedRule(process: SigningProcess, { nowMs }: DecisionContext): Verdict {
  const { key, status, phase } = process;
  if (status === 'Expired' || isOverdue(process, nowMs)) {
    return refusal('signing.forbidden.expired', `process ${key} has expired`);
  }
  if (status === 'Completed' || phase === 'Finalizing' || phase === 'FinalizeFailed') {
    return refusal('error.signee.process.finished', `all signees have signed process ${key}`);
  }
  return undefined;
}

function expireJob({ key, expiresAtMs }: SigningProcess) {
  return { kind: 'expire', ref: key, runAtMs: expiresAtMs } as const;
}

function personalReason(reason: string | undefined) {
  return reason === undefined || reason === '' ? {} : { personal: { reason } };
}
