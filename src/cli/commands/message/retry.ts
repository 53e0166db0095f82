import { defined } from '../../../base/defined.ts';
import { nextLine } from '../../advice.ts';
import { command } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { counted } from '../../output/index.ts';
import { messageLine } from './list.ts';

/** Makes messages due again and prints them. */
export const messageRetry = command('message retry', {
  summary: 'send pending or failed messages now',
  description: 'Make messages due now that are pending or have failed.',
  args: { '[message...]': 'IDs of messages' },
  options: {
    '--waiting': 'every pending message of the company',
    '--failed': 'every failed message of the company',
    '--process <key>': 'with --waiting or --failed: only messages of this process',
  },
  help: [
    'The next innsigli worker sends them, with the same Message-ID as before. --failed ' +
      'skips one-time codes, which have expired.',
  ],
  examples: {
    'innsigli message retry ms12…': 'one message',
    'innsigli message retry --waiting': 'when the mail server is back',
    'innsigli message retry --failed --waiting': 'everything not sent yet',
  },
  exits: {
    0: 'due (the list may be empty)',
    2: 'neither or both of messages and --waiting or --failed',
    5: 'no such message or process',
    6: 'the message was sent or cancelled, or is an expired one-time code',
  },
  check({ message: ids, waiting = false, failed = false, process }) {
    const isAll = waiting || failed;
    if (isAll === ids.length > 0) {
      const found = isAll ? 'both' : 'neither';
      refuseUsage(`expected messages, or --waiting or --failed, found ${found}`);
    }
    if (process !== undefined && !isAll) {
      refuseUsage('--process: expected --waiting or --failed with it, found messages');
    }
  },
  call: async ({ messages }, { message: ids, waiting, failed, process: processKey }) => {
    if (ids.length === 0) {
      const states = [
        ...(waiting ? (['waiting'] as const) : []),
        ...(failed ? (['failed'] as const) : []),
      ];
      const { due, leftCount } = await messages.retryAll({ states, ...defined({ processKey }) });
      return { messages: due, leftCount };
    }
    const due = [];
    for (const id of ids) due.push(await messages.retry(id));
    return { messages: due, leftCount: 0 };
  },
  text: async ({ messages: due, leftCount }, { console, globals }) => {
    const style = await console.style('stdout');
    for (const message of due) console.result(messageLine(message, style));
    const left =
      leftCount === 0 ? '' : `, ${leftCount} skipped: expired one-time codes, or already sent`;
    console.note([
      `${counted(due.length, 'message')} due${left}`,
      ...(due.length === 0 ? [] : [nextLine('send them', 'worker --once', globals)]),
    ]);
  },
});
