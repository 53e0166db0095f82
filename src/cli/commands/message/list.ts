import type { MessageView } from '../../../app/message/index.ts';
import { defined } from '../../../base/defined.ts';
import { atMost, command, oneOf } from '../../command/index.ts';
import { counted, printable, type Style, wholeSecond } from '../../output/index.ts';

const messageStates = ['waiting', 'sent', 'failed', 'canceled'] as const;

/** Prints one line for each message. */
export const messageList = command('message list', {
  summary: 'print pending or failed messages',
  description:
    'Print the messages of a process, or the pending and failed messages of the company.',
  args: { '[process]': 'every message of this process' },
  options: {
    '--state <state>': {
      text: `${messageStates.join(', ')}; repeatable`,
      ...oneOf(messageStates),
      many: true,
    },
    '--take <count>': atMost('messages', [1, 1000], 100),
  },
  help: [
    'A message that cannot be sent is tried nine times within two days, a one-time code five ' +
      'times within two minutes; after that it has failed. While no message can be sent, because ' +
      'of a setting, a login or a server that is unavailable (mail.configuration, ' +
      'mail.unavailable, sms.configuration, sms.unavailable), it stays pending and is retried ' +
      'every half hour.',
  ],
  examples: {
    'innsigli message list': 'pending or failed messages, newest first',
    'innsigli message list sp12… --json': 'all messages of one process',
  },
  exits: {
    0: 'printed (the list may be empty)',
    2: 'an option is invalid',
    5: 'no such process',
  },
  call: async (service, { process: processKey, state: states, take }) => ({
    messages: await service.messages.list(defined({ take, processKey, states })),
  }),
  text: async ({ messages }, { console }) => {
    const style = await console.style('stdout');
    for (const message of messages) console.result(messageLine(message, style));
    console.note(
      messages.length === 0 ? 'no message matches' : counted(messages.length, 'message'),
    );
  },
});

/** One line about a message. */
export function messageLine(message: MessageView, style: Style): string {
  const { id, state, template, channel, to, attempts, nextAtMs, sentAtMs } = message;
  const colours = {
    waiting: style.yellow,
    sent: style.green,
    failed: style.red,
    canceled: style.dim,
  };
  const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`;
  const words = [
    style.bold(printable(id)),
    colours[state](state.padEnd(8)),
    template.padEnd(12),
    channel.padEnd(5),
    printable(to) || '-',
    ...(sentAtMs === undefined ? [tries] : [`sent: ${wholeSecond(sentAtMs)}`]),
    ...(message.lastErrorCode === undefined ? [] : [`last: ${message.lastErrorCode}`]),
    ...(nextAtMs === undefined ? [] : [`next: ${wholeSecond(nextAtMs)}`]),
    style.dim(printable(message.processKey ?? '')),
    ...(message.lastError === undefined ? [] : [printable(message.lastError)]),
  ];
  return words.join('  ').trimEnd();
}
