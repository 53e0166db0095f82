import type { Command } from 'commander';
import type { MessageView } from '../../../app/message/index.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { counted, printable, type Style, wholeSecond } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { numberOf, oneOf } from '../option-values.ts';

interface ParsedOptions {
  readonly state?: readonly string[];
  readonly take: string;
}

const messageStates = ['waiting', 'sent', 'failed', 'canceled'] as const;

/** Adds `message list` to the command tree. */
export function defineMessageList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('print messages that wait or failed')
    .description('Print messages: of a process, or those of the company that wait or failed.')
    .argument('[process]', 'every message of this process')
    .option('--state <state>', `${messageStates.join(', ')}; several times`, collect)
    .option('--take <count>', 'at most so many', '100');
  documentCommand(command, {
    text: [
      'A message that could not leave is tried nine times within two days, a one-time code five ' +
        'times within two minutes; then it has failed. While no message can leave, because of a ' +
        'setting, a login or a server that is away (mail.configuration, mail.unavailable, ' +
        'sms.configuration, sms.unavailable), it waits and is tried every half hour.',
    ],
    examples: [
      ['innsigli message list', 'what waits or failed, newest first'],
      ['innsigli message list sp12… --json', 'all of one process'],
    ],
    exits: [
      [0, 'printed, be it nothing'],
      [2, 'an option is wrong'],
      [5, 'no such process'],
    ],
  });
  command.action((processKey: string | undefined, options: ParsedOptions, self: Command) =>
    start(self, (context) => runMessageList(processKey, options, context)),
  );
}

/** Prints one line for each message. */
export async function runMessageList(
  processKey: string | undefined,
  { state, take }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const states = state?.flatMap((text) => oneOf(messageStates, text, '--state') ?? []);
  const query = {
    take: numberOf(take, '--take', 1, 1000),
    ...(processKey === undefined ? {} : { processKey }),
    ...(states === undefined ? {} : { states }),
  };
  const messages = await useService(context, (service) => service.messages.list(query));
  if (console.mode.json) {
    console.document({ v: 1, command: 'message list', messages });
    return 0;
  }
  const style = await console.style('stdout');
  for (const message of messages) console.result(messageLine(message, style));
  console.note(messages.length === 0 ? 'no message fits' : counted(messages.length, 'message'));
  return 0;
}

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
