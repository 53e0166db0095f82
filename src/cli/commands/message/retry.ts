import type { Command } from 'commander';
import type { CompanyService } from '../../../app/company-service.ts';
import type { RetriedMessages } from '../../../app/message/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { counted } from '../../output/index.ts';
import { nextLine } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { messageLine } from './list.ts';

interface ParsedOptions {
  readonly waiting?: boolean;
  readonly failed?: boolean;
  readonly process?: string;
}

/** Adds `message retry` to the command tree. */
export function defineMessageRetry(group: Command, start: Start): void {
  const command = group
    .command('retry')
    .summary('send messages now that wait or failed')
    .description('Make messages due now that wait for their next try or were given up.')
    .argument('[message...]', 'their ids')
    .option('--waiting', 'every message of the company that waits')
    .option('--failed', 'every message of the company that was given up')
    .option('--process <key>', 'with --waiting or --failed: only messages of this process');
  documentCommand(command, {
    text: [
      'They leave with the next innsigli worker, under the same Message-ID as before. One-time ' +
        'codes that were given up are left out by --failed: they are forgotten.',
    ],
    examples: [
      ['innsigli message retry ms12…', 'one message'],
      ['innsigli message retry --waiting', 'when the mail server is back'],
      ['innsigli message retry --failed --waiting', 'all that has not left'],
    ],
    exits: [
      [0, 'due, be it none'],
      [2, 'neither messages nor --waiting or --failed, or both'],
      [5, 'no such message or process'],
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
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { waiting = false, failed = false, process } = options;
  const isAll = waiting || failed;
  if (isAll === ids.length > 0) {
    const found = isAll ? 'both' : 'neither';
    refuseUsage(`expected messages, or --waiting or --failed, found ${found}`);
  }
  if (process !== undefined && !isAll) {
    refuseUsage('--process: expected --waiting or --failed beside it, found messages');
  }
  const { due, leftCount } = await useService(context, (service) => retry(ids, options, service));
  if (console.mode.json) {
    console.document({ v: 1, command: 'message retry', messages: due, leftCount });
    return 0;
  }
  const style = await console.style('stdout');
  for (const message of due) console.result(messageLine(message, style));
  const left = leftCount === 0 ? '' : `, ${leftCount} left out: old one-time codes, or sent by now`;
  console.note([
    `${counted(due.length, 'message')} due${left}`,
    nextLine('send them', 'worker --once', context.globals),
  ]);
  return 0;
}

async function retry(
  ids: readonly string[],
  { waiting, failed, process: processKey }: ParsedOptions,
  { messages }: Pick<CompanyService, 'messages'>,
): Promise<RetriedMessages> {
  if (ids.length > 0) {
    const due = [];
    for (const id of ids) due.push(await messages.retry(id));
    return { due, leftCount: 0 };
  }
  const states = [
    ...(waiting === true ? (['waiting'] as const) : []),
    ...(failed === true ? (['failed'] as const) : []),
  ];
  return messages.retryAll({ states, ...(processKey === undefined ? {} : { processKey }) });
}
