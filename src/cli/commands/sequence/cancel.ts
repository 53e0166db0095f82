import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { readUser, requireYes } from '../option-values.ts';
import { printSequence } from './show.ts';

interface ParsedOptions {
  readonly user: string;
  readonly yes?: boolean;
}

/** Adds `sequence cancel` to the command tree. */
export function defineSequenceCancel(group: Command, start: Start): void {
  const command = group
    .command('cancel')
    .summary('call a sequence off')
    .description('Call all open documents of a sequence off. Only who started it may.')
    .argument('<sequence>', 'key of the sequence')
    .requiredOption('--user <e-mail>', 'who asks')
    .option('-y, --yes', 'do it without being asked');
  documentCommand(command, {
    examples: [['innsigli sequence cancel pg12… --user me@example.is --yes', 'all documents']],
    exits: [
      [0, 'cancelled, or it was so already'],
      [5, 'no such sequence'],
      [6, 'somebody else started it, or all is signed'],
    ],
  });
  command.action((key: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runSequenceCancel(key, options, context)),
  );
}

/** Cancels a sequence and prints it. */
export async function runSequenceCancel(
  key: string,
  { user, yes }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (yes !== true) {
    await requireYes(
      'Call all open documents off for good? Nobody can sign them any more.',
      context,
    );
  }
  return printSequence('sequence cancel', context, (processes) =>
    processes.cancelSequence({ key, by: readUser(user) ?? '' }),
  );
}
