import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { sequenceDocument, sequenceTable } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { numberOf } from '../option-values.ts';

interface ParsedOptions {
  readonly take?: string;
  readonly skip?: string;
}

/** Adds `sequence list` to the command tree. */
export function defineSequenceList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('list sequences')
    .description('List sequences, newest first.')
    .option('--take <count>', 'at most so many (default: 50)')
    .option('--skip <count>', 'leave out the first ones (default: 0)');
  documentCommand(command, {
    examples: [['innsigli sequence list', 'the newest 50']],
    exits: [
      [0, 'listed, be it nothing'],
      [2, 'an option is wrong'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runSequenceList(options, context)),
  );
}

/** Prints sequences with a line for each. */
export async function runSequenceList(
  { take = '50', skip = '0' }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const page = {
    take: numberOf(take, '--take', 0, 999_999),
    skip: numberOf(skip, '--skip', 0, 999_999),
  };
  const { views, frontEnd } = await useService(context, async (service) => ({
    views: await service.processes.listSequences(page),
    frontEnd: service.frontEnd,
  }));
  if (console.mode.json) {
    const sequences = views.map((view) => sequenceDocument(view, frontEnd));
    console.document({ v: 1, command: 'sequence list', sequences });
    return 0;
  }
  if (views.length > 0) console.result(sequenceTable(views, await console.style('stdout')));
  else console.note('there is no sequence');
  return 0;
}
