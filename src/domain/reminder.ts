import { type ErrorCode, InnsigliError } from '../base/errors.ts';

/** A reminder rule, `{first}:{interval}` in days; 0 means none. */
export interface ReminderRule {
  readonly firstDays: number;
  readonly intervalDays: number;
}

/** Limits of a reminder plan, in epoch milliseconds. */
export interface ReminderBounds {
  /** Last reminder, planned or requested, in epoch milliseconds. Keeps the next at a distance. */
  readonly afterMs?: number;
  /** Expiry of the process in epoch milliseconds. No reminder is sent at or after it. */
  readonly expiresAtMs?: number;
}

/** Maximum number of planned reminders to one signee. */
export const plannedRemindersMax = 20;

const dayMs = 24 * 60 * 60 * 1000;
const firstDaysMax = 30;
const intervalDaysMax = 15;
const ruleForm = /^(\d{1,2}):(\d{1,2})$/;

/**
 * Parses a rule, `{first}:{interval}` in days: first 0 to 30, interval 0 to 15. Undefined for no
 * reminders: absent, empty or `0:0`.
 *
 * @throws reminder.rule.invalid
 */
export function parseReminderRule(text: string | null | undefined): ReminderRule | undefined {
  if (text === undefined || text === null || text === '') return undefined;
  const [, first, interval] = ruleForm.exec(text) ?? [];
  const rule = { firstDays: Number(first), intervalDays: Number(interval) };
  const fits = rule.firstDays <= firstDaysMax && rule.intervalDays <= intervalDaysMax;
  if (!fits) {
    throw new InnsigliError(
      'reminder.rule.invalid',
      `reminder rule: expected FIRST:INTERVAL with 0 to ${firstDaysMax} and 0 to ` +
        `${intervalDaysMax} days, found ${JSON.stringify(text.slice(0, 40))}`,
      {
        hint: '1:3 reminds after one day and then every three days; 0:0 disables reminders',
        details: { field: 'reminderRule' },
      },
    );
  }
  return rule.firstDays === 0 && rule.intervalDays === 0 ? undefined : rule;
}

/** Formats a rule as in the interface. */
export function formatReminderRule(rule: ReminderRule): string {
  return `${rule.firstDays}:${rule.intervalDays}`;
}

/**
 * Due time of the next planned reminder in epoch milliseconds; undefined if there are no more.
 * `5:0` means one after five days, `0:10` one every ten days. Due times that passed while no worker
 * ran are skipped, so that a late worker sends one reminder instead of several: at least half an
 * interval passes after `bounds.afterMs`.
 *
 * @param invitedAtMs when the signee was invited
 * @param sentCount planned reminders already sent
 */
export function nextReminderAtMs(
  rule: ReminderRule,
  invitedAtMs: number,
  sentCount: number,
  bounds: ReminderBounds = {},
): number | undefined {
  if (sentCount >= plannedRemindersMax) return undefined;
  const { firstDays, intervalDays } = rule;
  const isLast = intervalDays === 0 && (sentCount > 0 || firstDays === 0);
  if (isLast) return undefined;
  const intervalMs = intervalDays * dayMs;
  const startMs = invitedAtMs + (firstDays > 0 ? firstDays * dayMs : intervalMs);
  const earliestMs = (bounds.afterMs ?? Number.NEGATIVE_INFINITY) + intervalMs / 2;
  const planned = startMs + sentCount * intervalMs;
  // Without an interval the only reminder remains due, however late.
  const missed =
    intervalMs > 0 && earliestMs > planned ? Math.ceil((earliestMs - planned) / intervalMs) : 0;
  const dueMs = planned + missed * intervalMs;
  return dueMs < (bounds.expiresAtMs ?? Number.POSITIVE_INFINITY) ? dueMs : undefined;
}

/** Properties of a signee that determine the delivery of reminders. */
interface Remindable {
  readonly signatureType: 'Qualified' | 'Simple' | 'ClickToSign';
  readonly phoneNumber?: string;
  readonly email?: string;
}

/** The delivery rule that was violated. */
export interface ReminderRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/**
 * The reason why `signee` cannot be reminded by `delivery`; undefined if it is allowed. Qualified
 * signatures allow mail and text messages, other types only mail. `None` is always allowed: the
 * reminder is only logged.
 */
export function reminderRefusal(
  signee: Remindable,
  delivery: 'None' | 'Email' | 'Sms',
): ReminderRefusal | undefined {
  if (delivery === 'None') return undefined;
  if (delivery === 'Email') {
    return isGiven(signee.email)
      ? undefined
      : {
          code: 'reminder.email.missing',
          message: 'a reminder by mail: expected an e-mail address, the signee has none',
        };
  }
  if (signee.signatureType !== 'Qualified') {
    return {
      code: 'reminder.delivery.not_allowed',
      message:
        'a reminder by text message: expected a signee of type Qualified, ' +
        `found ${signee.signatureType}`,
      hint: 'remind by Email',
    };
  }
  return isGiven(signee.phoneNumber)
    ? undefined
    : {
        code: 'reminder.phone.missing',
        message: 'a reminder by text message: expected a phone number, the signee has none',
      };
}

/**
 * The delivery of planned reminders to `signee`: the channel of the invitation if allowed, else
 * mail. `None` if the owner informs the signee, there is no address, or the signee opted out of
 * mail.
 */
export function plannedDelivery(
  signee: Remindable & {
    readonly delivery: 'None' | 'Email' | 'Sms';
    readonly unsubscribed?: boolean;
  },
): 'None' | 'Email' | 'Sms' {
  if (signee.delivery === 'None') return 'None';
  const fallback = signee.delivery === 'Sms' ? (['Sms', 'Email'] as const) : (['Email'] as const);
  const usable = fallback.filter((each) => reminderRefusal(signee, each) === undefined);
  return usable.find((each) => each === 'Sms' || signee.unsubscribed !== true) ?? 'None';
}

function isGiven(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}
