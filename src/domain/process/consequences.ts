import type { ErrorCode } from '../../base/errors.ts';
import type { SigneeKey } from '../keys.ts';
import type { SigneeLogin } from '../person/index.ts';
import type { Attachment, DocumentRef, Signee, SigningProcess } from './process.ts';

/** Types of webhooks with their integers on the wire. */
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

/** Types that a webhook can have, in the order of their integers: all but `NotSet`. */
export const eventTypes = (Object.keys(webhookTypes) as WebhookType[]).slice(1);

/** A row for the activity log, before it has its place in the chain. */
export interface ActivityDraft {
  /** `Created`, `SigneeSigned` and so on: the statuses of the published log, and ours. */
  readonly status: string;
  readonly signeeKey?: SigneeKey;
  /** Actor: an e-mail of the owner, `System` or `MailProvider`. */
  readonly createdBy: string;
  /** Free text without personal data. */
  readonly description?: string;
  readonly fileName?: string;
  /** Personal data by name, such as `ip`, `userAgent`, `email`; erasable without the row. */
  readonly personal?: Readonly<Record<string, string>>;
  /** Data of signees in the process: the row commits to it and does not store it again. */
  readonly facts?: Readonly<Record<string, string>>;
  /** SHA-256 of stored contents by name: `document`, `before`, `attachment:KEY`, `removed:N`. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Terms of the process from here on. */
  readonly terms?: LoggedTerms;
}

/** Times that a process obeys, as rows of the log tell them: whole numbers by name. */
type LoggedTerms = {
  /** Days that contents are kept after the end. */
  readonly retentionDays?: number;
  /** Last moment of a signature, epoch milliseconds. */
  readonly expiresAtMs?: number;
};

/** An event for the webhooks of the flow. */
export interface EventDraft {
  readonly type: WebhookType;
  readonly signeeKey?: SigneeKey;
  /** The payload carries the document as it is after this change. */
  readonly withDocument: boolean;
}

/** Texts that are sent to people. */
export type MessageTemplate =
  | 'Signup'
  | 'Reminder'
  | 'OneTimeCode'
  | 'Notification'
  | 'Confirmation'
  | 'SalesPerson'
  | 'Canceled';

/** Something to tell a person; written with the change, sent by a worker. */
export interface MessageDraft {
  readonly template: MessageTemplate;
  readonly channel: 'Email' | 'Sms';
  /** Absent for the company and its user. */
  readonly signeeKey?: SigneeKey;
  /** Address when it is not that of the signee. */
  readonly to?: string;
  /** Add an unsubscribe link. */
  readonly includeUnsubscribe?: boolean;
  /** True when the holder of a link caused it, and nobody of the company. */
  readonly isByLink?: true;
}

/** Kinds of work that wait for their time. */
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

/** Work to be done at a time; the same kind and reference is the same job. */
export interface JobDraft {
  readonly kind: JobKind;
  /** Key of the row that holds the truth: process, message, delivery, company. */
  readonly ref: string;
  readonly runAtMs: number;
}

/** Consequences of a change, written in the transaction of the change. */
export interface Consequences {
  readonly activity: readonly ActivityDraft[];
  readonly events: readonly EventDraft[];
  readonly messages: readonly MessageDraft[];
  readonly jobs: readonly JobDraft[];
  /** Personal data around the process goes too: of the log, of messages and of events. */
  readonly erases?: true;
}

/** The answer to a command: the next state with its consequences, or which rule refused it. */
export type Decision =
  | {
      readonly kind: 'accepted';
      readonly next: SigningProcess;
      readonly consequences: Consequences;
    }
  /** The state is already as the command requires: nothing changes, nothing is reported. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Error of a refused command. */
export interface Refusal<Code extends ErrorCode = ErrorCode> {
  /** A code of the error registry. */
  readonly code: Code;
  /** One sentence, expected and found. */
  readonly message: string;
  readonly hint?: string;
  /** Earliest useful time of a retry, in epoch milliseconds. */
  readonly retryAtMs?: number;
}

/** Begins the names of digests of files beside the document. */
export const attachmentDigest = 'attachment:';

/** For a row of the log: the document as it is after a step, and as it was `before`. */
export function documentDigests(
  document: DocumentRef | undefined,
  before?: DocumentRef,
): Readonly<Record<string, string>> {
  return {
    ...(before === undefined ? {} : { before: before.sha256 }),
    ...(document === undefined ? {} : { document: document.sha256 }),
  };
}

/** For a row of the log: files beside the document, by their keys. */
export function attachmentDigests(
  attachments: readonly Attachment[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    attachments.map(({ key, document }) => [`${attachmentDigest}${key}`, document.sha256]),
  );
}

/** For a row of the log: the evidence record, by which the log is checked later. */
export function recordDigest(evidence: readonly Attachment[]): Readonly<Record<string, string>> {
  const record = evidence.find(({ contentType }) => contentType === 'application/json');
  return record === undefined ? {} : { evidence: record.document.sha256 };
}

/** For the row of a purge: the contents that went, by number. */
export function removedDigests(contents: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(contents.map((sha256, at) => [`removed:${at + 1}`, sha256]));
}

const prefix = 'signee';

/** True for the name of a value that rows of the log commit to and the process holds. */
export function isSigneeFact(name: string): boolean {
  return name.startsWith(prefix);
}

/**
 * Properties and signature of a signee by name: rows of the log commit to these values, so that
 * neither person nor signature can be changed afterwards. An unknown value is an empty text.
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
    // Signees of earlier versions have no login, and their rows nothing more.
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

/** All signees of a process as one value: nobody is added or taken away afterwards either. */
export function signeesFact(signees: readonly Signee[]): Readonly<Record<string, string>> {
  const all = signees.map((signee) => [signee.key, ...Object.values(signeeFacts(signee))]);
  return { [`${prefix}s`]: JSON.stringify(all) };
}
