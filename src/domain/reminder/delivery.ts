import type { ErrorCode } from '../../base/errors.ts';

/** What of a signee decides how a reminder may go. */
interface Remindable {
  readonly signatureType: 'Qualified' | 'Simple' | 'ClickToSign';
  readonly phoneNumber?: string;
  readonly email?: string;
}

/** Which rule of delivery is broken. */
export interface ReminderRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Why `signee` cannot be reminded by `delivery`; undefined when it can. Qualified allows mail and
 * text messages, the others mail only; `None` is always possible: only the log tells of it.
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
 * How the plan reminds `signee`: in the way of the invitation when it allows that, else by mail;
 * `None` when the owner tells the signee, or there is no address, or the signee asked for no mail.
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
