import { command } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { webhookNumber } from './options.ts';

/** Sends a test event and prints the response. */
export const webhookPing = command('webhook ping', {
  summary: 'send one test event to a webhook',
  description: 'Send one test event to a webhook, even if it is switched off.',
  args: { '<webhook>': webhookNumber },
  help: ['The Meta of the event has test=true. The event is neither stored nor retried.'],
  examples: { 'innsigli webhook ping 3': 'status and time' },
  exits: {
    0: 'the receiver accepted it',
    5: 'no such webhook',
    7: 'the receiver did not accept it',
  },
  busy: 'Waiting for the receiver',
  call: async ({ webhooks }, { webhook: webhookId }) => ({
    webhookId,
    ...(await webhooks.ping(webhookId)),
  }),
  text: async ({ isAccepted, status, cause, errorCode, durationMs, answerHead }, { console }) => {
    const { green, red } = await console.style('stdout');
    const met = status ?? printable(cause ?? errorCode ?? '');
    console.result(`${isAccepted ? green('✓') : red('✗')} ${met} in ${durationMs} ms`);
    if (answerHead !== undefined) console.note(printable(answerHead.slice(0, 200)));
  },
  exit: ({ isAccepted }) => (isAccepted ? 0 : 7),
});
