import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { counted } from '../../output/index.ts';
import { hideRemindOptions, targetOf, type UseReminders } from './options.ts';

interface CancelOptions {
  readonly user?: string;
}

/** Adds `remind cancel` to the command tree. */
export function defineRemindCancel(group: Command, start: Start, use: UseReminders): void {
  const command = group
    .command('cancel')
    .summary('end the planned reminders of a signee')
    .description('End the planned reminders of a signee, in a sequence for all documents.')
    .argument('<process>', 'key of the process, or of the sequence')
    .argument('<signee>', 'key of the signee, or of the person of the sequence')
    .option('--user <e-mail>', 'who asks, for the log (default: System)');
  documentCommand(hideRemindOptions(command), {
    text: ['Nothing brings the plan back. Reminders by hand stay possible.'],
    examples: [['innsigli remind cancel sp0123… si4567…', 'no more planned reminders']],
    exits: [
      [0, 'no reminder is planned'],
      [5, 'there is no such process or signee'],
    ],
  });
  command.action((process: string, signee: string, _options: object, self: Command) => {
    // "remind" has an option of the same name and takes it first.
    const { user } = self.optsWithGlobals<CancelOptions>();
    const options = user === undefined ? {} : { user };
    return start(self, (context) => runRemindCancel(process, signee, options, context, use));
  });
}

/** Ends the plan of one signee. */
export async function runRemindCancel(
  process: string,
  signee: string,
  { user }: CancelOptions,
  context: CommandContext,
  use: UseReminders,
): Promise<ExitCode> {
  const { console } = context;
  const target = targetOf(process, signee);
  const documents = await use(context, (toolkit) => toolkit.cancelReminders(target, user));
  if (console.mode.json) {
    console.document({ v: 1, command: 'remind cancel', documents });
    return 0;
  }
  const { green } = await console.style('stderr');
  console.note(
    `${green('✓')} No reminder is planned any more for ${counted(documents, 'document')}.`,
  );
  return 0;
}
