import { defined } from '../../../base/defined.ts';
import { nextReminderAtMs, plannedDelivery, reminderRefusal } from '../../reminder.ts';
import { accept, invitation, reminderJobs, systemActor, withSignee } from '../accept.ts';
import type { CommandOf } from '../command.ts';
import type { ActivityDraft, EventDraft, MessageDraft } from '../consequences.ts';
import {
  closedRule,
  findSignee,
  type Handler,
  ofSignee,
  ownTurnRule,
  refusal,
  refuse,
  type Verdict,
} from '../guards.ts';
import type { Signee, SigningProcess } from '../process.ts';
import { isDone, isTurnOf } from '../turn.ts';

/** Sends a requested reminder. */
export const remind = ofSignee<'remind'>(
  (process, signee, { signeeKey, delivery, includeUnsubscribe, by }, context) => {
    const refused = ownTurnRule(process, signee, context) ?? reminderRefusal(signee, delivery);
    if (refused !== undefined) return refuse(refused);
    const row: ActivityDraft = {
      status: 'ReminderRequested',
      signeeKey,
      createdBy: by,
      description: delivery,
    };
    const messages: readonly MessageDraft[] =
      delivery === 'None'
        ? []
        : [{ template: 'Reminder', channel: delivery, signeeKey, includeUnsubscribe }];
    return accept(process, {}, { activity: [row], messages });
  },
);

/** Repeats the invitation of a signee. In a sequence it lists all documents. */
export const invite = ofSignee<'invite'>((process, signee, { signeeKey, by }, context) => {
  const refused = ownTurnRule(process, signee, context) ?? deliveryRule(signee);
  if (refused !== undefined) return refuse(refused);
  const row = { status: 'SignupRequested', signeeKey, createdBy: by };
  return accept(process, {}, { activity: [row], messages: invitation(signee) });
});

function deliveryRule({ key, delivery }: Signee): Verdict {
  if (delivery !== 'None') return undefined;
  const message = `expected a signee with delivery Email or Sms, ${key} has None`;
  return refusal('validation.error', message, 'send the link yourself');
}

/** Sends the reminders that are due, one for each signee. */
export const remindDue: Handler<'remindDue'> = (process, _command, context) => {
  if (closedRule(process, context) !== undefined) return { kind: 'unchanged' };
  const messages: MessageDraft[] = [];
  const signees = process.signees.map((signee) => {
    const { reminder } = signee;
    if (reminder?.nextAtMs === undefined || reminder.nextAtMs > context.nowMs) return signee;
    if (isDone(signee) || !isTurnOf(process, signee, context)) return signee;
    const channel = plannedDelivery(signee);
    if (channel === 'None') return withoutPlan(signee);
    const includeUnsubscribe = channel === 'Email';
    messages.push({ template: 'Reminder', channel, signeeKey: signee.key, includeUnsubscribe });
    return reminded(process, signee, context.nowMs);
  });
  if (signees.every((each, at) => each === process.signees[at])) return { kind: 'unchanged' };
  const jobs = reminderJobs({ ...process, signees });
  return accept(process, { signees }, { messages, jobs });
};

/** Cancels the planned reminders of a signee. Reminders can still be requested. */
export const cancelReminders = ofSignee<'cancelReminders'>((process, signee, { signeeKey, by }) => {
  const { reminder, invitedAtMs } = signee;
  // A plan that was cut short by the expiry time would resume if the process is extended.
  const mayComeBack = process.reminderRule && invitedAtMs !== undefined && !isDone(signee);
  const isPlanned = reminder?.nextAtMs !== undefined || mayComeBack;
  if (!isPlanned || reminder?.isOff === true) return { kind: 'unchanged' };
  const row = { status: 'RemindersCanceled', signeeKey, createdBy: by };
  const signees = withSignee(process, withoutPlan(signee));
  return accept(process, { signees }, { activity: [row] });
});

/** The signee opts out of planned reminders. */
export const unsubscribe = ofSignee<'unsubscribe'>((process, signee, { signeeKey }) => {
  if (signee.unsubscribed === true) return { kind: 'unchanged' };
  const row = { status: 'Unsubscribed', signeeKey, createdBy: systemActor };
  const quiet: Signee = { ...withoutPlan(signee), unsubscribed: true };
  return accept(process, { signees: withSignee(process, quiet) }, { activity: [row] });
});

/** Records the result of sending a message. "Sent" means that a transport accepted it. */
export const messageSent: Handler<'messageSent'> = (process, command) => {
  const { template, channel, signeeKey, isAccepted, messageId, errorCode } = command;
  const who = signeeKey === undefined ? {} : { signeeKey };
  const how = channel === 'Email' ? 'by e-mail' : 'by text message';
  const status = messageStatus(template, channel, isAccepted);
  const what = isAccepted ? messageId : errorCode;
  const row: ActivityDraft = {
    status,
    ...who,
    createdBy: systemActor,
    description: what === undefined ? how : `${how}: ${what}`,
  };
  const events: EventDraft[] = [];
  if (isAccepted && (template === 'Signup' || template === 'Reminder')) {
    events.push({ type: template, ...who, withDocument: false });
  }
  return accept(process, withDelivery(process, command), { activity: [row], events });
};

// Readers of the process see failed deliveries; a message sent later clears the failure.
function withDelivery(
  process: SigningProcess,
  { template, channel, signeeKey, isAccepted, errorCode }: CommandOf<'messageSent'>,
): { readonly signees?: readonly Signee[] } {
  const signee = signeeKey === undefined ? undefined : findSignee(process, signeeKey);
  if (signee === undefined || (template !== 'Signup' && template !== 'Reminder')) return {};
  const { undelivered: before, ...rest } = signee;
  if (isAccepted) return before === undefined ? {} : { signees: withSignee(process, rest) };
  const code = errorCode === undefined ? {} : { errorCode };
  const undelivered = { template, channel, ...code };
  return { signees: withSignee(process, { ...rest, undelivered }) };
}

/** Records a delivery receipt as a later row, whatever the state of the process. */
export const messageReceipt: Handler<'messageReceipt'> = (
  process,
  { template, channel, signeeKey, event },
) => {
  const isSms = channel === 'Sms';
  const row: ActivityDraft = {
    status: isSms ? `SMS:${event.toUpperCase()}` : `${template}:${event.toLowerCase()}`,
    ...defined({ signeeKey }),
    createdBy: isSms ? systemActor : 'MailProvider',
  };
  return accept(process, {}, { activity: [row] });
};

function messageStatus(
  template: CommandOf<'messageSent'>['template'],
  channel: 'Email' | 'Sms',
  isAccepted: boolean,
): string {
  if (template === 'Signup') return isAccepted ? 'SignupSent' : 'SignupFailed';
  if (template === 'Reminder') return isAccepted ? 'ReminderSent' : 'ReminderFailed';
  if (channel === 'Sms') return isAccepted ? 'SMS:SENT' : 'SMS:FAILED';
  return `${template}:${isAccepted ? 'sent' : 'failed'}`;
}

function reminded(process: SigningProcess, signee: Signee, nowMs: number): Signee {
  const { reminderRule, expiresAtMs } = process;
  const sentCount = (signee.reminder?.sentCount ?? 0) + 1;
  const bounds = { afterMs: nowMs, expiresAtMs };
  const nextAtMs =
    reminderRule && nextReminderAtMs(reminderRule, signee.invitedAtMs ?? nowMs, sentCount, bounds);
  return { ...signee, reminder: { sentCount, ...defined({ nextAtMs }) } };
}

function withoutPlan(signee: Signee): Signee {
  return { ...signee, reminder: { sentCount: signee.reminder?.sentCount ?? 0, isOff: true } };
}
