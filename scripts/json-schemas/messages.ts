import { Type } from '@sinclair/typebox';
import {
  about,
  eventType,
  flag,
  list,
  members,
  oneOf,
  opt,
  type Shapes,
  signatureVerdict,
  text,
  whole,
} from './words.ts';

const messageView = members(
  {
    nextAtMs: opt(about('When a waiting one is tried next.', whole)),
    flowKey: opt(text),
    state: oneOf('failed', 'waiting', 'sent', 'canceled'),
    companyKey: text,
    createdAtMs: whole,
    processKey: opt(text),
    id: about(
      'Unpredictable; the Message-ID of the mail is made from it, so that a repeat is the same.',
      text,
    ),
    signeeKey: opt(text),
    template: oneOf(
      'Canceled',
      'Signup',
      'Reminder',
      'OneTimeCode',
      'Notification',
      'Confirmation',
      'SalesPerson',
    ),
    channel: oneOf('Email', 'Sms'),
    to: about('Mail address or phone number.', text),
    includeUnsubscribe: flag,
    isByLink: opt(
      about(
        'Somebody with a link has caused it, and nobody of the company: for quotas of messages.',
        Type.Literal(true),
      ),
    ),
    attempts: whole,
    lastErrorCode: opt(text),
    lastError: opt(about('Why the last attempt failed, when that names no person.', text)),
    heldAttempts: opt(
      about('Those of `attempts` that failed because no message could leave.', whole),
    ),
    heldBy: opt(
      about(
        'The code that holds a waiting message up until settings or servers are put right.',
        text,
      ),
    ),
    sentAtMs: opt(whole),
  },
  'MessageView',
);

const webhookView = members(
  {
    secretCount: about('More than 1 while a new secret and an old one overlap.', whole),
    flowKey: text,
    type: eventType,
    url: text,
    companyKey: text,
    createdAtMs: whole,
    id: about('Counts from 1 on.', whole),
    schedule: about(
      '`published`: three tries; `extended`: ten tries over three days.',
      oneOf('published', 'extended'),
    ),
    isActive: flag,
    isOrdered: about('Send the next event of a process only when the one before is done.', flag),
    updatedAtMs: whole,
    disabledReason: opt(
      about('Why it was switched off without being asked to, such as `410`.', text),
    ),
    failureCount: about(
      'Failures in a row of all deliveries: the circuit breaker opens on them.',
      whole,
    ),
    failingSinceMs: opt(whole),
    openUntilMs: opt(about('Until then only one delivery probes.', whole)),
  },
  'WebhookView',
);

const webhookWithSecrets = members(
  { ...webhookView.properties, secrets: opt(list(text)) },
  'WebhookWithSecrets',
);

const deliveryView = members(
  {
    eventType: opt(eventType),
    seq: opt(whole),
    id: text,
    eventId: text,
    webhookId: whole,
    processKey: opt(text),
    state: oneOf('done', 'waiting', 'canceled', 'dead'),
    attempts: whole,
    attemptsBefore: opt(
      about('Attempts before the last replay: the schedule starts over behind them.', whole),
    ),
    nextAtMs: opt(about('When the next attempt is due; absent when there is none.', whole)),
    lastStatus: opt(whole),
    lastErrorCode: opt(text),
    createdAtMs: whole,
    updatedAtMs: whole,
  },
  'DeliveryView',
);

const deliveryAttempt = members(
  {
    deliveryId: text,
    number: about('From 1 on.', whole),
    atMs: whole,
    durationMs: whole,
    status: opt(whole),
    errorCode: opt(text),
    cause: opt(
      about('What kept it from an answer: host and code, such as `x.is: ECONNREFUSED`.', text),
    ),
    answerHead: opt(about('The first bytes of the answer, as text.', text)),
  },
  'DeliveryAttempt',
);

const webhookVerification = members(
  {
    isValid: about('At least one signature could be judged, and all of those are valid.', flag),
    standard: opt(about('Headers over the whole body.', signatureVerdict)),
    published: opt(
      about('`EventSignature`, which says nothing of the rest of the body.', signatureVerdict),
    ),
    eventId: opt(
      about(
        '`Id` and `EventType` of the payload, as far as it is one; not proven unless valid.',
        text,
      ),
    ),
    eventType: opt(whole),
  },
  'WebhookVerification',
);

const emailTemplate = members(
  {
    id: whole,
    flowKey: text,
    templateType: oneOf('Signup', 'Notification', 'Confirmation', 'SalesPerson'),
    language: text,
    to: about('An address or a placeholder such as `{{customer.email}}`.', text),
    bcc: text,
    subject: text,
    message: about('HTML with placeholders.', text),
    includeFiles: flag,
    createdAtMs: whole,
    updatedAtMs: whole,
  },
  'EmailTemplate',
);

/** One webhook that was heard. */
export const heardEvent = members(
  {
    v: Type.Literal(1),
    atMs: whole,
    verification: webhookVerification,
    type: opt(eventType),
    attempt: opt(about('`webhook-attempt`.', text)),
    lengthBytes: whole,
    answered: about('The status it was answered with.', whole),
    payload: opt(
      about('The payload with a document left out, and all else as it came.', Type.Unknown()),
    ),
  },
  'HeardEvent',
);

/** The bodies of these commands under --json. */
export const messagesBodies = {
  'message list': [members({ messages: list(messageView) })],
  'message retry': [members({ messages: list(messageView), leftCount: whole })],
  'template delete': [members({ id: whole })],
  'template list': [members({ templates: list(emailTemplate) })],
  'template put': [members({ template: emailTemplate })],
  'webhook create': [members({ webhook: webhookView, secret: opt(text) })],
  'webhook delete': [members({ webhookId: whole })],
  'webhook deliveries': [
    members({ deliveries: list(deliveryView) }),
    members({ delivery: deliveryView, attempts: list(deliveryAttempt) }),
  ],
  'webhook list': [members({ webhooks: list(webhookWithSecrets) })],
  'webhook ping': [
    members({
      status: opt(whole),
      durationMs: whole,
      errorCode: opt(text),
      cause: opt(
        about('What kept it from an answer: host and code, such as `x.is: ECONNREFUSED`.', text),
      ),
      answerHead: opt(about('The first bytes of the answer, as text.', text)),
      isAccepted: flag,
      webhookId: whole,
    }),
  ],
  'webhook replay': [members({ deliveries: list(text) })],
  'webhook trigger': [members({ deliveries: list(deliveryView) })],
  'webhook update': [members({ webhook: webhookView, secret: opt(text) })],
  'webhook verify': [webhookVerification],
} satisfies Shapes;
