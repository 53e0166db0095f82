import type { MessageTemplate } from '../process/index.ts';

/** Statuses of the published log, in their published order for one signee. */
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

/** What the published log does not name, and ours does. */
export const ownStatuses = {
  SigneeUpdated: 'contact data of a signee were changed',
  SigneeDeclined: 'a signee refused to sign',
  DocumentReady: 'the document of the flow was made',
  DocumentViewed: 'a signee looked at the document for the first time',
  AuthStarted: 'a login was started',
  Authenticated: 'a login was completed',
  CodeSent: 'a one-time code was handed to a transport',
  CodeRefused: 'a signee gave a wrong one-time code',
  SigningStarted: 'a signee began a signature that needs time',
  SigningFailed: 'a signature was begun and given up',
  SignupRequested: 'a person asked for the invitation again',
  ReminderRequested: 'a person asked for a reminder',
  ReminderSent: 'a reminder was accepted by a transport',
  RemindersCanceled: 'reminders of a signee were switched off',
  Unsubscribed: 'a signee asked not to be reminded by mail',
  Finalizing: 'the last signature is there; the document is being sealed',
  FinalizeFailed: 'sealing failed',
  FinalizeRetried: 'sealing is tried again',
  Canceled: 'the process was cancelled',
  Expired: 'the time of the process ran out',
  Blocked: 'the process was blocked',
  Unblocked: 'the process goes on',
  Extended: 'the process got more time',
  AttachmentDeleted: 'an attachment was removed',
  WebhookSent: 'a receiver took an event',
  WebhookFailed: 'a receiver did not take an event',
  ActivityExported: 'the log of the process was exported',
  PersonalErased: 'the personal values of the log were removed',
  Purged: 'contents and personal data were removed',
} as const;

/** Who acts when no person does; the published names are those of products. */
export const systemActors = ['System', 'MailProvider'] as const;

/** What stands in the row in place of the address of a person, which is erasable. */
export const personActor = 'User';

/**
 * `<template>:<mail event>`, such as `Confirmation:delivered`.
 *
 * @param event word of the mail system, such as `delivered` or `bounced`
 */
export function mailStatus(template: MessageTemplate, event: string): string {
  return `${template}:${event.toLowerCase()}`;
}

/** `SMS:<state>`, such as `SMS:DELIVERED`. */
export function smsStatus(state: string): string {
  return `SMS:${state.toUpperCase()}`;
}

/** True for a status of the published table, one of ours, or one of the two patterns. */
export function isKnownStatus(status: string): boolean {
  return (
    (publishedStatuses as readonly string[]).includes(status) ||
    Object.hasOwn(ownStatuses, status) ||
    /^SMS:[A-Z_]+$/.test(status) ||
    /^(Signup|Reminder|OneTimeCode|Notification|Confirmation|SalesPerson|Canceled):[a-z_.]+$/.test(
      status,
    )
  );
}
