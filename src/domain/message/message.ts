import type { CompanyKey, FlowKey, ProcessKey, SigneeKey } from '../keys.ts';
import type { MessageTemplate } from '../process/index.ts';

/** States of a message. */
export type MessageState = 'waiting' | 'sent' | 'failed' | 'canceled';

/** A mail or text message on its way to one recipient. */
export interface Message {
  /** Unpredictable. The Message-ID of the mail derives from it, so that a repeat has the same. */
  readonly id: string;
  readonly companyKey: CompanyKey;
  readonly flowKey?: FlowKey;
  readonly processKey?: ProcessKey;
  readonly signeeKey?: SigneeKey;
  readonly template: MessageTemplate;
  readonly channel: 'Email' | 'Sms';
  /** Mail address or phone number. */
  readonly to: string;
  readonly includeUnsubscribe: boolean;
  /** True if the holder of a link caused it rather than the company. Used for message quotas. */
  readonly isByLink?: true;
  /** Values that the text needs and the process does not contain, such as a one-time code. */
  readonly values: Readonly<Record<string, string>>;
  readonly state: MessageState;
  readonly attempts: number;
  readonly lastErrorCode?: string;
  /** Reason for the last failure, unless it names a person. */
  readonly lastError?: string;
  /** Failed {@link attempts} during which no message could be sent. */
  readonly heldAttempts?: number;
  /** Code of the error that holds back a pending message until settings or servers are fixed. */
  readonly heldBy?: string;
  readonly createdAtMs: number;
  readonly sentAtMs?: number;
}

/** Messages held back until settings or servers are fixed. */
export interface HeldMessages {
  readonly code: string;
  readonly count: number;
  /** Creation time of the oldest message, in epoch milliseconds. */
  readonly sinceMs: number;
}

/** A company's text that replaces a built-in one. */
export interface EmailTemplate {
  readonly id: number;
  readonly flowKey: FlowKey;
  readonly templateType: 'Signup' | 'Notification' | 'Confirmation' | 'SalesPerson';
  readonly language: string;
  /** An address or a handle such as `{{customer.email}}`. */
  readonly to: string;
  readonly bcc: string;
  readonly subject: string;
  /** HTML with handles. */
  readonly message: string;
  readonly includeFiles: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Parts of a mail from the company's own template. */
export type OwnText = Pick<EmailTemplate, 'to' | 'bcc' | 'subject' | 'message'>;
