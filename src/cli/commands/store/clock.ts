import type { Command } from 'commander';
import type { ClockFigures } from '../../../wire/service/storage-service.types.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../../context.ts';

interface ParsedOptions {
  readonly accept?: boolean;
}

/** Adds `store clock` to the command tree. */
export function defineStoreClock(group: Command, start: Start): void {
  const command = group
    .command('clock')
    .summary('compare the clock with what was noted')
    .description('Compare the clock of this machine with the time that the service expects.')
    .option('--accept', 'the clock of this machine is right: go on with it');
  documentCommand(command, {
    text: [
      'serve and worker note the time and the uptime of the system. When the clock was set by ' +
        'more than two minutes since, or is behind, they go on with the time that they expect, ' +
        'and close no day, expire nothing and purge nothing until a time-stamp authority of ' +
        'others agrees, the clock is set back, or it is accepted.',
      'Look at the clock before: what is expired or closed too early stays so. Programs that run ' +
        'follow within seconds.',
    ],
    examples: [
      ['innsigli store clock', 'see whether the clock is believed'],
      ['innsigli store clock --accept', 'after the clock was set right'],
    ],
    exits: [
      [0, 'the clock is as expected, or was accepted'],
      [9, 'the clock is not as expected'],
      [10, 'the key is missing or another one, or there is no service'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runStoreClock(options, context)),
  );
}

/** Shows the clock and, with `accept`, notes that it is right. */
export async function runStoreClock(
  { accept = false }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { config } = await loadConfig(context, {});
  const storage = await (await openToolkit(context, config)).storage();
  const figures = await storage.clock(accept);
  const isExpected = figures.expectedMs === undefined;
  if (console.mode.json) {
    console.document({
      v: 1,
      command: 'store clock',
      ok: isExpected,
      accepted: accept,
      ...figures,
    });
  } else {
    console.result(clockLines(figures));
    if (accept) console.note('accepted');
    else if (!isExpected) console.note('Set the clock right, or accept it: --accept');
  }
  return isExpected || accept ? 0 : 9;
}

function clockLines({ nowMs, expectedMs }: ClockFigures): readonly string[] {
  const time = (ms: number) => new Date(ms).toISOString();
  const expected = expectedMs === undefined ? 'the same' : time(expectedMs);
  return [`clock:    ${time(nowMs)}`, `expected: ${expected}`];
}
