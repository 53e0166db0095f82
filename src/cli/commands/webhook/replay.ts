import { defined } from '../../../base/defined.ts';
import { nextLine } from '../../advice.ts';
import { command, idNumber, pastTime } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';

/** Makes deliveries due again and prints their IDs. */
export const webhookReplay = command('webhook replay', {
  summary: 'deliver again',
  description: 'Repeat finished or failed deliveries.',
  args: { '[delivery]': 'only this one; without it, all failed ones of --webhook' },
  options: {
    '--webhook <number>': {
      text: 'every dead delivery of this webhook',
      ...idNumber('a webhook'),
    },
    '--since <time>': { text: 'only those created at or after: 2026-01-31, 7d, 12h', ...pastTime },
  },
  help: [
    'The body and its ID stay the same, byte for byte, so that a receiver that has seen the ' +
      'delivery recognises it. The retry schedule starts again.',
  ],
  examples: {
    'innsigli webhook replay wd0123456789abcdef01234567': 'one delivery',
    'innsigli webhook replay --webhook 3 --since 7d': 'failed ones of the last seven days',
  },
  exits: {
    0: 'queued for a worker (there may be none)',
    2: 'neither or both of delivery and webhook',
    5: 'no such delivery or webhook',
    6: 'the webhook is switched off',
  },
  check({ delivery, webhook, since }) {
    if ((delivery === undefined) === (webhook === undefined)) {
      const found = delivery === undefined ? 'neither' : 'both';
      refuseUsage(`expected a delivery or --webhook, found ${found}`);
    }
    if (since !== undefined && webhook === undefined) {
      refuseUsage('--since: expected --webhook with it, found none');
    }
  },
  call: async (
    { webhooks },
    { delivery: deliveryId = '', webhook: webhookId, since: sinceMs },
  ) => ({
    deliveries: await webhooks.replay(
      webhookId === undefined ? { deliveryId } : { webhookId, ...defined({ sinceMs }) },
    ),
  }),
  text: ({ deliveries }, { console, globals }) => {
    if (deliveries.length > 0) console.result(deliveries);
    console.note(
      deliveries.length === 0
        ? 'nothing to replay'
        : nextLine('deliver them', 'worker --once --only webhook', globals),
    );
  },
});
