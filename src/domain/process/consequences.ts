import type { ErrorCode } from '../../base/errors.ts';
import type { SigneeKey } from '../keys.ts';
import type { SigneeLogin } from '../person/index.ts';
import type { Attachment, DocumentRef, Signee, SigningProcess } from './process.ts';

/** Types of webhook events with their integers on the wire. */
export const webhookTypes = {
  NotSet: 0,
  SignedDocument: 1,
  AllSigned: 2,
  Auth: 3,
  Signup: 4,
  Canceled: 5,
  Expired: 6,
  Reminder: 7,
  CompanyTermination: 8,
  EmailVerification: 9,
  Completed: 10,
  Created: 11,
  GroupSigned: 12,
  Blocked: 13,
} as const;

/** A name of {@link webhookTypes}. */
export type WebhookType = keyof typeof webhookTypes;

/** Types that a webhook event can have, in the order of their integers: all except `NotSet`. */
export const eventTypes = (Object.keys(webhookTypes) as WebhookType[]).slice(1);

/** A row for the activity log, before its position in the chain is known. */
export interface ActivityDraft {
  /** `Created`, `SigneeSigned` and so on: statuses of the published log, and ours. */
  readonly status: string;
  readonly signeeKey?: SigneeKey;
  /** Actor: an e-mail address of the owner, `System` or `MailProvider`. */
  readonly createdBy: string;
  /** Free text without personal data. */
  readonly description?: string;
  readonly fileName?: string;
  /** Personal data by name, such as `ip`, `userAgent`, `email`. Erasable apart from the row. */
  readonly personal?: Readonly<Record<string, string>>;
  /** Data of signees in the process. The row commits to them without storing a copy. */
  readonly facts?: Readonly<Record<string, string>>;
  /** SHA-256 of stored blobs by name: `document`, `before`, `attachment:KEY`, `removed:N`. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Terms of the process from this row on. */
  readonly terms?: LoggedTerms;
}

/** Terms of a process as recorded in rows of the log: integers by name. */
type LoggedTerms = {
  /** Days for which contents are retained after the end. */
  readonly retentionDays?: number;
  /** Time until which signing is possible, in epoch milliseconds. */
  readonly expiresAtMs?: number;
};

/** An event for the webhooks of the flow. */
export interface EventDraft {
  readonly type: WebhookType;
  readonly signeeKey?: SigneeKey;
  /** The payload contains the document as it is after this change. */
  readonly withDocument: boolean;
}

/** Kinds of messages to people. */
export type MessageTemplate =
  | 'Signup'
  | 'Reminder'
  | 'OneTimeCode'
  | 'Notification'
  | 'Confirmation'
  | 'SalesPerson'
  | 'Canceled';

/** A message to a person. Written in the transaction of the change, sent later by a worker. */
export interface MessageDraft {
  readonly template: MessageTemplate;
  readonly channel: 'Email' | 'Sms';
  /** Absent for messages to the company and its user. */
  readonly signeeKey?: SigneeKey;
  /** Recipient, if it is not the signee's address. */
  readonly to?: string;
  /** Add an unsubscribe link. */
  readonly includeUnsubscribe?: boolean;
  /** True if the holder of a link caused it rather than the company. */
  readonly isByLink?: true;
}

/** Kinds of scheduled work. */
export const jobKinds = [
  'finalize',
  'expire',
  'remind',
  'message',
  'webhook',
  'purge',
  'anchor',
  'rescreen',
] as const;

/** One of {@link jobKinds}. */
export type JobKind = (typeof jobKinds)[number];

/** Work to be done at a given time. Drafts with equal kind and reference are the same job. */
export interface JobDraft {
  readonly kind: JobKind;
  /** Key of the authoritative row: process, message, delivery or company. */
  readonly ref: string;
  readonly runAtMs: number;
}

/** Consequences of a change, written in the transaction of the change. */
export interface Consequences {
  readonly activity: readonly ActivityDraft[];
  readonly events: readonly EventDraft[];
  readonly messages: readonly MessageDraft[];
  readonly jobs: readonly JobDraft[];
  /** Also erase personal data outside the process: in the log, messages and events. */
  readonly erases?: true;
}

/** The result of a command: the next state with its consequences, or the rule that refused it. */
export type Decision =
  | {
      readonly kind: 'accepted';
      readonly next: SigningProcess;
      readonly consequences: Consequences;
    }
  /** The state already is what the command requires: nothing changes and nothing is reported. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Error of a refused command. */
export interface Refusal<Code extends ErrorCode = ErrorCode> {
  /** A code of the error registry. */
  readonly code: Code;
  /** One sentence: what was expected and what was found. */
  readonly message: string;
  readonly hint?: string;
  /** Earliest useful time of a retry, in epoch milliseconds. */
  readonly retryAtMs?: number;
}

/** Prefix of the names of attachment digests. */
export const attachmentDigest = 'attachment:';

/** Digests for a row of the log: the document after a step, and `before` it. */
export function documentDigests(
  document: DocumentRef | undefined,
  before?: DocumentRef,
): Readonly<Record<string, string>> {
  return {
    ...(before === undefined ? {} : { before: before.sha256 }),
    ...(document === undefined ? {} : { document: document.sha256 }),
  };
}

/** Digests for a row of the log: attachments, by key. */
export function attachmentDigests(
  attachments: readonly Attachment[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    attachments.map(({ key, document }) => [`${attachmentDigest}${key}`, document.sha256]),
  );
}

/** Digest for a row of the log: the evidence record, against which the log is verified later. */
export function recordDigest(evidence: readonly Attachment[]): Readonly<Record<string, string>> {
  const record = evidence.find(({ contentType }) => contentType === 'application/json');
  return record === undefined ? {} : { evidence: record.document.sha256 };
}

/** Digests for the row of a purge: the deleted blobs, numbered. */
export function removedDigests(contents: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(contents.map((sha256, at) => [`removed:${at + 1}`, sha256]));
}

const prefix = 'signee';

/** True for the name of a value that rows commit to and that the process stores. */
export function isSigneeFact(name: string): boolean {
  return name.startsWith(prefix);
}

/**
 * Properties and signature of a signee by name. Rows commit to these values, so that neither the
 * person nor the signature can be changed later. A missing value is an empty text.
 */
export function signeeFacts(signee: Signee): Readonly<Record<string, string>> {
  const { name, ssn = '', email, phoneNumber, address, postalCode, city } = signee;
  const { signatureType, signedAtMs, viewedAtMs, viewedSha256, proof, login } = signee;
  const signed = [
    ...[
      signatureType,
      signedAtMs,
      viewedAtMs,
      viewedSha256,
      proof?.method,
      proof?.channel,
      proof?.ip,
    ],
    ...[proof?.userAgent, proof?.shownSha256, proof?.signedSha256, proof?.field],
    ...[proof?.sessionId, proof?.certificate],
    // Signees of earlier versions have no login, and their rows do not include it.
    ...(login === undefined ? [] : loginFacts(login)),
  ];
  return {
    [`${prefix}.name`]: name,
    [`${prefix}.number`]: ssn,
    [`${prefix}.address`]: listed([email, phoneNumber, address, postalCode, city]),
    [`${prefix}.proof`]: listed(signed),
  };
}

function loginFacts({ name, ssn, phoneNumber, method, atMs, isSimulated }: SigneeLogin) {
  return [name, ssn, phoneNumber, method, atMs, isSimulated === true ? 'simulated' : ''];
}

function listed(values: readonly (string | number | undefined)[]): string {
  return JSON.stringify(values.map((each) => each ?? ''));
}

/** All signees of a process as one value, so that none can be added or removed later. */
export function signeesFact(signees: readonly Signee[]): Readonly<Record<string, string>> {
  const all = signees.map((signee) => [signee.key, ...Object.values(signeeFacts(signee))]);
  return { [`${prefix}s`]: JSON.stringify(all) };
}
