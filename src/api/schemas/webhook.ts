import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { flag, oneOf, ref, requiredText, text } from './shared.ts';

const types = [
  'SignedDocument',
  'AllSigned',
  'Auth',
  'Signup',
  'Canceled',
  'Expired',
  'Reminder',
  'CompanyTermination',
  'EmailVerification',
  'Completed',
  'Created',
  'GroupSigned',
  'Blocked',
] as const;

// 0 is NotSet, which nothing is registered for.
const integers = types.map((_type, at) => at + 1);

const webhookSchema = Type.Object(
  {
    id: Type.Integer(),
    flowKey: Type.String(),
    type: Type.String(),
    url: Type.String(),
    active: Type.Boolean({ description: 'False: nothing is sent.' }),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    secret: text(
      'Secret of the Standard Webhooks signature; only in the response to the creation.',
    ),
  },
  { $id: 'Webhook' },
);

const createSchema = Type.Object(
  {
    flowKey: requiredText('The flow whose events are sent.'),
    type: oneOf(types, 'The event.', integers),
    url: requiredText('URL of the receiver.'),
    active: flag('False: nothing is sent. Default true.'),
  },
  { $id: 'CreateWebhook' },
);

const updateSchema = Type.Object(
  {
    flowKey: text('Cannot be changed: give the current flow or omit it.'),
    type: Type.Optional(oneOf(types, 'The event.', integers)),
    url: text('URL of the receiver.'),
    active: flag('False: nothing is sent. Unchanged when omitted.'),
  },
  { $id: 'UpdateWebhook' },
);

const templateMembers = {
  flowKey: requiredText('The flow whose mails have this text.'),
  to: Type.String({ description: 'An address, or a handle such as {{customer.email}}.' }),
  Bcc: text('A further address.'),
  subject: Type.String({ description: 'With handles.' }),
  message: Type.String({ description: 'HTML with handles.' }),
  includeFiles: flag('Attach the documents.'),
  templateType: oneOf(['Signup', 'Notification', 'Confirmation', 'SalesPerson']),
  language: Type.String({ description: 'Short code, such as Is; NotSet for all.' }),
};

const createTemplateSchema = Type.Object(templateMembers, { $id: 'CreateEmailTemplate' });
const updateTemplateSchema = Type.Partial(Type.Object(templateMembers), {
  $id: 'UpdateEmailTemplate',
});
const templateSchema = Type.Object(
  { id: Type.Integer(), ...templateMembers, createdAt: Type.String(), updatedAt: Type.String() },
  { $id: 'EmailTemplate' },
);

/** The id in the path, an int32. */
export const idParams = Type.Object({ Id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
/** One webhook. */
export const webhook = ref(webhookSchema);
/** Body that registers a webhook. */
export const createWebhook = ref(createSchema);
/** Body that changes a webhook. */
export const updateWebhook = ref(updateSchema);
/** Webhooks of a flow. */
export const webhookList = Type.Array(ref(webhookSchema));
/** Query of the list; without a type all. */
export const webhookQuery = Type.Object({
  Type: Type.Optional(oneOf(types, 'An event; empty: all.', integers)),
});
/** One mail text. */
export const emailTemplate = ref(templateSchema);
/** Mail texts of a flow. */
export const emailTemplateList = Type.Array(ref(templateSchema));
/** Body that makes a mail text. */
export const createEmailTemplate = ref(createTemplateSchema);
/** Body that changes a mail text. */
export const updateEmailTemplate = ref(updateTemplateSchema);
/** Body of EmailTemplate. */
export type EmailTemplateBody = Static<typeof createTemplateSchema>;

/** Schemas with a name. */
export const webhookSchemas: readonly TSchema[] = [
  webhookSchema,
  createSchema,
  updateSchema,
  createTemplateSchema,
  updateTemplateSchema,
  templateSchema,
];
