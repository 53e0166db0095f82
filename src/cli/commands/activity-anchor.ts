import type { Command } from 'commander';
import { documentCommand } from '../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../context.ts';
import { counted } from '../output/index.ts';
import { useActivity } from './activity-options.ts';

/** Adds `activity anchor` to the command tree. */
export function defineActivityAnchor(group: Command, start: Start): void {
  const command = group
    .command('anchor')
    .summary('time-stamp the log of days that are over')
    .description('Put a root over the log of each day that is over, and time-stamp it.');
  documentCommand(command, {
    text: ['Run it once a day. Running it again adds nothing; what is missing is made up for.'],
    examples: [['innsigli activity anchor', 'every day that is not anchored yet']],
    exits: [
      [0, 'every day that is over has a root with a time-stamp'],
      [9, 'a root waits for its time-stamp: there is no authority, or it did not answer'],
    ],
  });
  command.action((_options: object, self: Command) =>
    start(self, (context) => runActivityAnchor(context)),
  );
}

/** Anchors what can be anchored and says what waits. */
export async function runActivityAnchor(context: CommandContext): Promise<ExitCode> {
  const { talk } = context;
  const report = await talk.busy('Anchoring', () =>
    useActivity(context, (toolkit) => toolkit.anchor()),
  );
  const { anchored, stamped, waiting, errorCode } = report;
  const exitCode: ExitCode = waiting.length === 0 ? 0 : 9;
  if (talk.manner.json) {
    talk.document({ v: 1, command: 'activity anchor', ...report });
    return exitCode;
  }
  if (waiting.length > 0) {
    const days = counted(waiting.length, 'day');
    await talk.warn(`${days} without a time-stamp: ${errorCode ?? 'no answer'}`);
  }
  const made = `${counted(anchored.length, 'day')} anchored, ${stamped.length} time-stamped`;
  talk.note(anchored.length + stamped.length === 0 ? 'nothing to anchor' : made);
  return exitCode;
}
