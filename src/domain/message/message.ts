import type { CompanyKey, FlowKey, ProcessKey, SigneeKey } from '../keys.ts';
import type { MessageTemplate } from '../process/index.ts';

/** States of a message. */
export type MessageState = 'waiting' | 'sent' | 'failed' | 'canceled';

/** A mail or text message on its way to one recipient. */
export interface Message {
  /** Unpredictable; the Message-ID of the mail is made from it, so that a repeat is the same. */
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
  /**
   * True when the holder of a link caused it, and nobody of the company: for quotas of messages.
   */
  readonly isByLink?: true;
  /** Values that the text needs and that are not in the process, such as a one-time code. */
  readonly values: Readonly<Record<string, string>>;
  readonly state: MessageState;
  readonly attempts: number;
  readonly lastErrorCode?: string;
  /** Reason of the last failure, if it names no person. */
  readonly lastError?: string;
  /** Failed {@link attempts} during which no message could leave. */
  readonly heldAttempts?: number;
  /** The code that holds a waiting message up until settings or servers are put right. */
  readonly heldBy?: string;
  readonly createdAtMs: number;
  readonly sentAtMs?: number;
}

/** Messages that wait until settings or servers are put right. */
export interface HeldMessages {
  readonly code: string;
  readonly count: number;
  /** Creation time of the oldest one, in epoch milliseconds. */
  readonly sinceMs: number;
}

/** A text of a company in place of the built-in one. */
export interface EmailTemplate {
  readonly id: number;
  readonly flowKey: FlowKey;
  readonly templateType: 'Signup' | 'Notification' | 'Confirmation' | 'SalesPerson';
  readonly language: string;
  /** An address or a placeholder such as `{{customer.email}}`. */
  readonly to: string;
  readonly bcc: string;
  readonly subject: string;
  /** HTML with placeholders. */
  readonly message: string;
  readonly includeFiles: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Parts of a mail from the company's own template. */
export type OwnText = Pick<EmailTemplate, 'to' | 'bcc' | 'subject' | 'message'>;
