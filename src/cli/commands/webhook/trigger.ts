import { defined } from '../../../base/defined.ts';
import { webhookTypes } from '../../../domain/process/index.ts';
import { command, idNumber, key } from '../../command/index.ts';
import { deliveryLine, flowOf, typesHelp } from './options.ts';

/** Delivers a synthetic event and prints each delivery after its first attempt. */
export const webhookTrigger = command('webhook trigger', {
  summary: 'deliver a test event',
  description: 'Deliver a test event of a type to the webhooks registered for it.',
  args: {
    '<type>': { text: 'type of event, such as AllSigned', offered: Object.keys(webhookTypes) },
  },
  options: {
    '--flow <key>': { text: 'flow; optional if the company has only one', ...key('flow') },
    '--webhook <number>': {
      text: 'only to this webhook, whatever its type',
      ...idNumber('a webhook'),
    },
  },
  help: [
    typesHelp,
    'The event is about fictitious people and a blank page, and its Meta has test=true. It is ' +
      'delivered like any other: signed, retried, listed.',
  ],
  examples: {
    'innsigli webhook trigger AllSigned': 'to every webhook of that type',
    'innsigli webhook trigger Canceled --webhook 3': 'to one',
  },
  exits: {
    0: 'every receiver accepted it',
    2: 'no such type',
    5: 'no such webhook, or none of that type',
    6: 'the webhook is switched off',
    9: 'a receiver did not accept it at the first attempt',
  },
  busy: 'Waiting for receivers',
  call: async (service, { type, flow, webhook: webhookId }) => {
    // A webhook determines its flow; for all webhooks, one of several flows must be named.
    const flowKey =
      webhookId !== undefined && flow === undefined
        ? (await service.webhooks.find(webhookId)).flowKey
        : await flowOf(service, flow);
    const request = { type, flowKey, ...defined({ webhookId }) };
    return { deliveries: await service.webhooks.trigger(request) };
  },
  text: async ({ deliveries }, { console }) => {
    const style = await console.style('stdout');
    for (const delivery of deliveries) console.result(deliveryLine(delivery, style));
  },
  exit: ({ deliveries }) => (deliveries.every(({ state }) => state === 'done') ? 0 : 9),
});
