import type { Command } from 'commander';
import type { ProcessService, SequenceView } from '../../../app/process/index.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { sequenceDocument, sequenceLines } from '../../report/index.ts';
import { useService } from '../../use-service.ts';

/** Adds `sequence show` to the command tree. */
export function defineSequenceShow(group: Command, start: Start): void {
  const command = group
    .command('show')
    .summary('show a sequence')
    .description('Show a sequence with its documents and persons.')
    .argument('<sequence>', 'key of the sequence');
  documentCommand(command, {
    examples: [['innsigli sequence show pg12…', 'documents, persons and their links']],
    exits: [
      [0, 'shown'],
      [5, 'no such sequence'],
    ],
  });
  command.action((key: string, _: object, self: Command) =>
    start(self, (context) => runSequenceShow(key, context)),
  );
}

/** Prints one sequence. */
export function runSequenceShow(key: string, context: CommandContext): Promise<ExitCode> {
  return printSequence('sequence show', context, (processes) => processes.showSequence({ key }));
}

/** Prints the sequence that `work` gives. */
export async function printSequence(
  name: string,
  context: CommandContext,
  work: (processes: ProcessService) => Promise<SequenceView>,
): Promise<ExitCode> {
  const { console } = context;
  const { view, frontEnd } = await useService(context, async (service) => ({
    view: await work(service.processes),
    frontEnd: service.frontEnd,
  }));
  if (console.mode.json) {
    console.document({ v: 1, command: name, sequence: sequenceDocument(view, frontEnd) });
    return 0;
  }
  console.result(sequenceLines(view, frontEnd, await console.style('stdout')));
  return 0;
}
