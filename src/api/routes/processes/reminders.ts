import { Type } from '@sinclair/typebox';
import { reminderOperations } from '../../../app/reminder/index.ts';
import { defined } from '../../../base/defined.ts';
import type { ApiApp } from '../../route.ts';
import { deliveryType, flag, text } from '../../schemas/index.ts';
import { placeIn, requireEqual, signeeParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Reminders', access: 'company' });
const message = Type.String({ description: 'The result.' });

const remindBody = Type.Object(
  {
    CommunicationDeliveryType: deliveryType,
    User: text('E-mail of the author of the reminder, for the log.'),
    IncludeUnsubscribe: flag('Adds an unsubscribe link; Email only.'),
    ProcessKey: text('Same as in the path.'),
    SigneeKey: text('Same as in the path.'),
  },
  { description: 'Channel of the reminder.' },
);
const cancelQuery = Type.Object({
  User: text('E-mail of the author of the cancellation, for the log.'),
});
const personParams = Type.Object({
  SequenceKey: Type.String({ description: 'The sequence.' }),
  SequenceSigneeKey: Type.String({ description: 'The person.' }),
});

/** Adds the routes of reminders, published without `/api` and served with it, too. */
export function registerReminders(app: ApiApp): void {
  add(app, 'POST', '/management/signing/{ProcessKey}/signee/{SigneeKey}/remind', {
    alsoAt: '/management/signing/{ProcessKey}/signee/{SigneeKey}/remind',
    summary: 'Remind a signee now',
    description:
      'By e-mail or SMS; in a sequence, for all its documents. `None` only records it in the log.',
    params: signeeParams,
    body: remindBody,
    answers: { 200: { description: 'A message.', schema: message } },
    errors: reminderOperations.remind.errors,
    handle: async ({ params, body, company, reply }) => {
      const signee = placeIn(params);
      requireEqual('processKey', body.ProcessKey, signee.processKey);
      requireEqual('signeeKey', body.SigneeKey, signee.signeeKey);
      const { CommunicationDeliveryType: delivery, IncludeUnsubscribe, User } = body;
      const user = User?.trim() ?? '';
      await company.reminders.remind(signee, {
        ...{ delivery, ...defined({ includeUnsubscribe: IncludeUnsubscribe }) },
        ...(user === '' ? {} : { user }),
      });
      const said = delivery === 'None' ? 'The reminder is in the log.' : 'The reminder was queued.';
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(said));
    },
  });
  registerEnds(app);
}

function registerEnds(app: ApiApp): void {
  add(app, 'DELETE', '/signing/process/{ProcessKey}/signee/{SigneeKey}/remind', {
    alsoAt: '/signing/process/{ProcessKey}/signee/{SigneeKey}/remind',
    summary: 'Cancel the planned reminders of a signee',
    description: 'Cancels the reminders of `reminderRule`; manual reminders remain possible.',
    params: signeeParams,
    query: cancelQuery,
    answers: { 200: { description: 'A message.', schema: message } },
    errors: reminderOperations.cancelReminders.errors,
    handle: async ({ params, query, company, reply }) => {
      await company.reminders.cancelReminders(placeIn(params), query.User);
      return reply.type('application/json; charset=utf-8').send(ended);
    },
  });
  add(app, 'DELETE', '/signing/sequence/{SequenceKey}/signee/{SequenceSigneeKey}/remind', {
    alsoAt: '/signing/sequence/{SequenceKey}/signee/{SequenceSigneeKey}/remind',
    summary: 'Cancel the planned reminders of a person of a sequence',
    description: 'For all documents; manual reminders remain possible.',
    params: personParams,
    query: cancelQuery,
    answers: { 200: { description: 'A message.', schema: message } },
    errors: reminderOperations.cancelReminders.errors,
    handle: async ({ params, query, company, reply }) => {
      const { SequenceKey: sequenceKey, SequenceSigneeKey: personKey } = params;
      await company.reminders.cancelReminders({ sequenceKey, personKey }, query.User);
      return reply.type('application/json; charset=utf-8').send(ended);
    },
  });
}

const ended = JSON.stringify('The planned reminders are cancelled.');
