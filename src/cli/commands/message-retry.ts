import type { Command } from 'commander';
import { documentCommand } from '../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../context.ts';
import { counted } from '../output/index.ts';
import { useService } from '../use-service.ts';
import { messageLine } from './message-list.ts';

interface ParsedOptions {
  readonly waiting?: boolean;
}

/** Messages that one call makes due. */
const atOnce = 1000;

/** Adds `message retry` to the command tree. */
export function defineMessageRetry(group: Command, start: Start): void {
  const command = group
    .command('retry')
    .summary('send messages now that wait or failed')
    .description('Make messages due now that wait for their next try or were given up.')
    .argument('[message...]', 'their ids')
    .option('--waiting', 'every message of the company that waits');
  documentCommand(command, {
    text: ['They leave with the next innsigli worker, under the same Message-ID as before.'],
    examples: [
      ['innsigli message retry ms12…', 'one message'],
      ['innsigli message retry --waiting', 'when the mail server is back'],
    ],
    exits: [
      [0, 'due, be it none'],
      [2, 'neither message nor --waiting, or both'],
      [5, 'no such message'],
      [6, 'it is sent or cancelled, or an old one-time code'],
    ],
  });
  command.action((ids: readonly string[], options: ParsedOptions, self: Command) =>
    start(self, (context) => runMessageRetry(ids, options, context)),
  );
}

/** Makes the messages due and prints them. */
export async function runMessageRetry(
  ids: readonly string[],
  { waiting = false }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { talk } = context;
  if (waiting === ids.length > 0) {
    refuseUsage(`expected messages or --waiting, found ${waiting ? 'both' : 'neither'}`);
  }
  const messages = await useService(context, async (service) => {
    const states = ['waiting'] as const;
    const all = waiting ? await service.messages.list({ states, take: atOnce }) : [];
    const due = [];
    for (const id of waiting ? all.map((each) => each.id) : ids) {
      due.push(await service.messages.retry(id));
    }
    return due;
  });
  if (talk.manner.json) {
    talk.document({ v: 1, command: 'message retry', messages });
    return 0;
  }
  const style = await talk.style('stdout');
  for (const message of messages) talk.result(messageLine(message, style));
  talk.note(`${counted(messages.length, 'message')} due; innsigli worker --once sends them`);
  return 0;
}
