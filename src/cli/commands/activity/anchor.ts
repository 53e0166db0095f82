import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { counted } from '../../output/index.ts';
import { useActivity } from './options.ts';

/** Adds `activity anchor` to the command tree. */
export function defineActivityAnchor(group: Command, start: Start): void {
  const command = group
    .command('anchor')
    .summary('time-stamp the log of days that are over')
    .description('Put a root over the log of each day that is over, and time-stamp it.');
  documentCommand(command, {
    text: [
      'Run it once a day; a worker does so. Running it again adds nothing. A day that was over ' +
        'for more than 48 hours is anchored too, and stays in doubt: nobody can tell whether it ' +
        'was changed before.',
    ],
    examples: [['innsigli activity anchor', 'every day that is not anchored yet']],
    exits: [
      [0, 'every day that is over has a root with a time-stamp'],
      [9, 'a root waits for its time-stamp, or got it too late to vouch for its day'],
    ],
  });
  command.action((_options: object, self: Command) =>
    start(self, (context) => runActivityAnchor(context)),
  );
}

/** Anchors what can be anchored and says what waits. */
export async function runActivityAnchor(context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const report = await console.busy('Anchoring', () =>
    useActivity(context, (toolkit) => toolkit.anchor()),
  );
  const { anchored, stamped, late, waiting, errorCode } = report;
  const exitCode: ExitCode = waiting.length + late.length === 0 ? 0 : 9;
  if (console.mode.json) {
    console.document({ v: 1, command: 'activity anchor', ...report });
    return exitCode;
  }
  if (waiting.length > 0) {
    const days = counted(waiting.length, 'day');
    await console.warn(`${days} without a time-stamp: ${errorCode ?? 'no answer'}`);
  }
  if (late.length > 0) {
    await console.warn(`time-stamped too late to vouch for them: ${late.join(', ')}`);
  }
  const made = `${counted(anchored.length, 'day')} anchored, ${stamped.length} time-stamped`;
  console.note(anchored.length + stamped.length === 0 ? 'nothing to anchor' : made);
  return exitCode;
}
