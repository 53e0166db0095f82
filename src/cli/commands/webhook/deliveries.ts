import { defined } from '../../../base/defined.ts';
import { atMost, command, idNumber, key, oneOf, pastTime } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { counted, printable, wholeSecond } from '../../output/index.ts';
import { deliveryLine } from './options.ts';

/** Prints deliveries, or one with its attempts or its body. */
export const webhookDeliveries = command('webhook deliveries', {
  summary: 'print deliveries and their results',
  description: 'Print deliveries, newest first, or one delivery with its attempts.',
  args: { '[delivery]': 'only this one, with its attempts' },
  options: {
    '--webhook <number>': { text: 'only to this webhook', ...idNumber('a webhook') },
    '--process <key>': { text: 'only about this process', ...key('process') },
    '--state <state>': {
      text: 'waiting, done, dead or canceled',
      ...oneOf(['waiting', 'done', 'dead', 'canceled']),
    },
    '--since <time>': { text: 'created at or after: 2026-01-31, 7d, 12h', ...pastTime },
    '--take <count>': atMost('deliveries', [1, 1000], 50),
    '--body': 'print the body of the delivery as sent',
  },
  help: ['A body contains personal data of the signees.'],
  examples: {
    'innsigli webhook deliveries --state dead': 'failed ones',
    'innsigli webhook deliveries wd0123456789abcdef01234567': 'each attempt',
  },
  exits: {
    0: 'printed (the list may be empty)',
    2: 'an option is invalid',
    5: 'no such webhook or delivery',
  },
  check({ delivery, body }) {
    if (body && delivery === undefined) refuseUsage('--body: expected a delivery, found none');
  },
  call: async ({ webhooks }, { delivery: id, body, ...query }, { io }) => {
    if (id !== undefined && body) {
      const bytes = await webhooks.deliveryBody(id);
      io.stdout.write(io.stdout.isTerminal ? Buffer.from(bytes).toString() : bytes);
      return undefined;
    }
    if (id !== undefined) return webhooks.delivery(id);
    const { webhook: webhookId, process: processKey, state, since: sinceMs, take } = query;
    const request = defined({ webhookId, processKey, state, sinceMs, take });
    return { deliveries: await webhooks.deliveries(request) };
  },
  text: async (found, { console }) => {
    const style = await console.style('stdout');
    if ('deliveries' in found) {
      const { deliveries } = found;
      for (const delivery of deliveries) console.result(deliveryLine(delivery, style));
      const count = deliveries.length;
      console.note(
        count === 1 ? '1 delivery' : count === 0 ? 'no delivery matches' : `${count} deliveries`,
      );
      return;
    }
    console.result(deliveryLine(found.delivery, style));
    for (const { number, atMs, durationMs, status, errorCode = '', ...attempt } of found.attempts) {
      const { answerHead, cause = errorCode } = attempt;
      console.result(
        `  ${number}  ${wholeSecond(atMs)}  ${durationMs} ms  ${status ?? printable(cause)}`,
      );
      if (answerHead !== undefined) console.result(`     ${printable(answerHead.slice(0, 200))}`);
    }
    console.note(counted(found.attempts.length, 'attempt'));
  },
});
