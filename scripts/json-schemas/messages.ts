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
    nextAtMs: opt(about('Time of the next attempt of a waiting message.', whole)),
    flowKey: opt(text),
    state: oneOf('failed', 'waiting', 'sent', 'canceled'),
    companyKey: text,
    createdAtMs: whole,
    processKey: opt(text),
    id: about(
      'Unpredictable. The Message-ID of the mail is derived from it, so that a repeat has the ' +
        'same one.',
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
    to: about('E-mail address or phone number.', text),
    includeUnsubscribe: flag,
    isByLink: opt(
      about(
        'True if the holder of a link caused it rather than the company. Used for message quotas.',
        Type.Literal(true),
      ),
    ),
    attempts: whole,
    lastErrorCode: opt(text),
    lastError: opt(about('Reason for the last failure, unless it names a person.', text)),
    heldAttempts: opt(about('Failed `attempts` during which no message could be sent.', whole)),
    heldBy: opt(
      about(
        'Code of the error that holds back a waiting message until settings or servers are fixed.',
        text,
      ),
    ),
    sentAtMs: opt(whole),
  },
  'MessageView',
);

const webhookView = members(
  {
    secretCount: about('More than 1 while a new and an old secret overlap.', whole),
    flowKey: text,
    type: eventType,
    url: text,
    companyKey: text,
    createdAtMs: whole,
    id: about('Sequential number, starting at 1.', whole),
    schedule: about(
      '`published`: three attempts; `extended`: ten attempts over three days.',
      oneOf('published', 'extended'),
    ),
    isActive: flag,
    isOrdered: about(
      'Whether the next event of a process is sent only after the previous one is done.',
      flag,
    ),
    updatedAtMs: whole,
    disabledReason: opt(about('Reason for automatic disabling, such as `410`.', text)),
    failureCount: about(
      'Consecutive failures across all deliveries. Opens the circuit breaker.',
      whole,
    ),
    failingSinceMs: opt(whole),
    openUntilMs: opt(
      about('End of the pause. Until then only one delivery probes the receiver.', whole),
    ),
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
      about('Attempts before the last replay, which restarts the schedule.', whole),
    ),
    nextAtMs: opt(about('Due time of the next attempt. Absent: none.', whole)),
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
    number: about('Number of the attempt, starting at 1.', whole),
    atMs: whole,
    durationMs: whole,
    status: opt(whole),
    errorCode: opt(text),
    cause: opt(
      about('Reason for the missing response: host and code, such as `x.is: ECONNREFUSED`.', text),
    ),
    answerHead: opt(about('The first bytes of the response, as text.', text)),
  },
  'DeliveryAttempt',
);

const webhookVerification = members(
  {
    isValid: about(
      'True if at least one signature could be verified, and every verified one is valid.',
      flag,
    ),
    standard: opt(about('Result for the headers, which cover the whole body.', signatureVerdict)),
    published: opt(
      about(
        'Result for `EventSignature`, which says nothing about the rest of the body.',
        signatureVerdict,
      ),
    ),
    eventId: opt(about('`Id` of the payload, if present; authentic only if valid.', text)),
    eventType: opt(
      about('`EventType` of the payload, if present; authentic only if valid.', whole),
    ),
  },
  'WebhookVerification',
);

const emailTemplate = members(
  {
    id: whole,
    flowKey: text,
    templateType: oneOf('Signup', 'Notification', 'Confirmation', 'SalesPerson'),
    language: text,
    to: about('An address or one placeholder, such as `{{customer.email}}`.', text),
    bcc: text,
    subject: text,
    message: about('HTML with placeholders.', text),
    includeFiles: flag,
    createdAtMs: whole,
    updatedAtMs: whole,
  },
  'EmailTemplate',
);

/** One received webhook. */
export const heardEvent = members(
  {
    v: Type.Literal(1),
    atMs: whole,
    verification: webhookVerification,
    type: opt(eventType),
    attempt: opt(about('Value of the `webhook-attempt` header.', text)),
    lengthBytes: whole,
    answered: about('Status of the response.', whole),
    payload: opt(
      about('The parsed payload, with the document replaced by its length.', Type.Unknown()),
    ),
  },
  'HeardEvent',
);

/** Documents of these commands with --json. */
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
        about(
          'Reason for the missing response: host and code, such as `x.is: ECONNREFUSED`.',
          text,
        ),
      ),
      answerHead: opt(about('The first bytes of the response, as text.', text)),
      isAccepted: flag,
      webhookId: whole,
    }),
  ],
  'webhook replay': [members({ deliveries: list(text) })],
  'webhook trigger': [members({ deliveries: list(deliveryView) })],
  'webhook update': [members({ webhook: webhookView, secret: opt(text) })],
  'webhook verify': [webhookVerification],
} satisfies Shapes;
