import { defined } from '../../../base/defined.ts';
import { webhookTypes } from '../../../domain/process/index.ts';
import { command, idNumber, key } from '../../command/index.ts';
import { deliveryLine, flowOf, typesHelp } from './options.ts';

/** Delivers a synthetic event and prints each delivery after its first attempt. */
export const webhookTrigger = command('webhook trigger', {
  summary: 'deliver a made-up event',
  description: 'Deliver a made-up event of a type to the webhooks that wait for it.',
  args: {
    '<type>': { text: 'type of event, such as AllSigned', offered: Object.keys(webhookTypes) },
  },
  options: {
    '--flow <key>': { text: 'flow; optional if the company has only one', ...key('flow') },
    '--webhook <number>': {
      text: 'only to this webhook, of any type',
      ...idNumber('a webhook'),
    },
  },
  help: [
    typesHelp,
    'The event is about made-up people and a blank page, and its Meta has test=true. It is ' +
      'delivered as any other: signed, repeated, listed.',
  ],
  examples: {
    'innsigli webhook trigger AllSigned': 'to every webhook of that type',
    'innsigli webhook trigger Canceled --webhook 3': 'to one',
  },
  exits: {
    0: 'every receiver took it',
    2: 'no such type',
    5: 'no such webhook, or none of that type',
    6: 'the webhook is switched off',
    9: 'a receiver did not take it at the first try',
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
