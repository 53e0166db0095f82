import { type Static, Type } from '@sinclair/typebox';
import { eventTypes, webhookTypes } from '../../domain/process/index.ts';
import { flag, named, oneOf, requiredText, text } from './shared.ts';

const integers = eventTypes.map((type) => webhookTypes[type]);

/** One webhook. */
export const webhook = named('Webhook', {
  id: Type.Integer(),
  flowKey: Type.String(),
  type: Type.String(),
  url: Type.String(),
  active: Type.Boolean({ description: 'False: no event is sent.' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  secret: text('Secret of the Standard Webhooks signature; only in the response to the creation.'),
});

/** Request body: a new webhook. */
export const createWebhook = named('CreateWebhook', {
  flowKey: requiredText('The flow of the events.'),
  type: oneOf(eventTypes, 'The event.', integers),
  url: requiredText('URL of the receiver.'),
  active: flag('False: no event is sent. Default true.'),
});

/** Request body: a change of a webhook. */
export const updateWebhook = named('UpdateWebhook', {
  flowKey: text('Cannot be changed: pass the current flow or omit it.'),
  type: Type.Optional(oneOf(eventTypes, 'The event.', integers)),
  url: text('URL of the receiver.'),
  active: flag('False: no event is sent. Unchanged when omitted.'),
});

const templateMembers = {
  flowKey: requiredText('The flow of the mails with this text.'),
  to: Type.String({ description: 'An address, or a placeholder such as {{customer.email}}.' }),
  Bcc: text('A further address.'),
  subject: Type.String({ description: 'May contain placeholders.' }),
  message: Type.String({ description: 'HTML, may contain placeholders.' }),
  includeFiles: flag('Attach the documents.'),
  templateType: oneOf(['Signup', 'Notification', 'Confirmation', 'SalesPerson']),
  language: Type.String({ description: 'Short code, such as Is; NotSet for all.' }),
};

/** Request body: a new mail template. */
export const createEmailTemplate = named('CreateEmailTemplate', templateMembers);
/** Request body: a change of a mail template. */
export const updateEmailTemplate = named(
  'UpdateEmailTemplate',
  Type.Partial(Type.Object(templateMembers)).properties,
);
/** A mail template. */
export const emailTemplate = named('EmailTemplate', {
  id: Type.Integer(),
  ...templateMembers,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

/** Path parameter: the ID, an int32. */
export const idParams = Type.Object({ Id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
/** Webhooks of a flow. */
export const webhookList = Type.Array(webhook);
/** Query of the list; all types if none is given. */
export const webhookQuery = Type.Object({
  Type: Type.Optional(oneOf(eventTypes, 'An event; empty: all.', integers)),
});
/** Mail templates of a flow. */
export const emailTemplateList = Type.Array(emailTemplate);
/** Body of EmailTemplate. */
export type EmailTemplateBody = Static<typeof createEmailTemplate>;
