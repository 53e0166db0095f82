import { type ProcessStatus, processStatuses, statusKinds } from '../process/index.ts';
import type { Activity } from './activity.ts';

/** Statuses of the published log, in the order in which they are published for one signee. */
export const publishedStatuses = [
  'Created',
  'SigneeAdded',
  'SignupSent',
  'Started',
  'SMS:DELIVERED',
  'SigneeSigned',
  'Completed',
  'Confirmation:delivered',
  'SalesPerson:delivered',
] as const;

/** Statuses of this log that the published log does not have. */
export const ownStatuses = {
  SigneeUpdated: 'contact data of a signee was changed',
  SigneeDeclined: 'a signee declined to sign',
  LinkOpened: 'the link of a signee was opened for the first time',
  DocumentViewed: 'the document in its current state was delivered to a signee',
  Authenticated: 'a login was completed',
  CodeRefused: 'a signee entered an incorrect one-time code',
  SigningStarted: 'a signee started an asynchronous signature',
  SigningFailed: 'a signature was started and abandoned',
  SignupRequested: 'a person requested the invitation again',
  ReminderRequested: 'a person requested a reminder',
  ReminderSent: 'a reminder was accepted by a transport',
  RemindersCanceled: 'reminders of a signee were cancelled',
  Unsubscribed: 'a signee unsubscribed from reminders by mail',
  FinalizeFailed: 'sealing failed',
  FinalizeRetried: 'sealing is retried',
  Canceled: 'the process was cancelled',
  Expired: 'the process expired',
  Blocked: 'the process was blocked',
  Unblocked: 'the process was unblocked',
  Extended: 'the deadline of the process was extended',
  AttachmentDeleted: 'an attachment was removed',
  WebhookSent: 'a receiver accepted an event',
  WebhookFailed: 'a receiver did not accept an event',
  ActivityExported: 'the log of the process was exported',
  PersonalErased: 'the personal values of the log were erased',
  Purged: 'contents and personal data were removed',
} as const;

/** Actors of rows that no person caused. The published names are those of products. */
export const systemActors: readonly string[] = ['System', 'MailProvider'];

/** Placeholder in a row for the address or name of a person, which can be erased. */
export const personActor = 'User';

/** Status of the process after a row with the given status. Other rows do not change it. */
const statusAfter = new Map(
  processStatuses.map((status) => [statusKinds[status].published, status]),
);

/** Statuses of rows after which no one can sign. */
export const endings: readonly string[] = processStatuses
  .map((status) => statusKinds[status])
  .flatMap(({ published, isEnd }) => (isEnd ? [published] : []));

/** Statuses of rows that change what is signed, by whom or until when. None may follow an end. */
export const openStatuses: ReadonlySet<string> = new Set([
  ...statusAfter.keys(),
  ...['Unblocked', 'Extended', 'SigneeAdded', 'SigneeUpdated', 'SigningStarted', 'SigningFailed'],
  ...['SigneeSigned', 'SigneeDeclined', 'FinalizeFailed', 'FinalizeRetried', 'AttachmentDeleted'],
]);

/**
 * Derives the status of a process from its log; undefined for rows that do not start with its
 * creation. The status column itself is not hashed, so it is compared with this result.
 */
export function loggedStatus(rows: readonly Pick<Activity, 'status'>[]): ProcessStatus | undefined {
  if (rows[0]?.status !== 'Created') return undefined;
  let status: ProcessStatus | undefined;
  let blockedFrom: ProcessStatus | undefined;
  for (const row of rows) {
    if (row.status === 'Blocked') blockedFrom = status;
    status = row.status === 'Unblocked' ? blockedFrom : (statusAfter.get(row.status) ?? status);
  }
  return status;
}
