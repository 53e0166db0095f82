import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { processDocument, processLines } from '../../report/index.ts';
import { useService } from '../../use-service.ts';

/** Adds `process show` to the command tree. */
export function defineProcessShow(group: Command, start: Start): void {
  const command = group
    .command('show')
    .summary('show a process')
    .description('Show a process with its signees.')
    .argument('<process>', 'key of the process');
  documentCommand(command, {
    examples: [['innsigli process show sp12… --json', 'for programs']],
    exits: [
      [0, 'shown'],
      [5, 'no such process'],
      [9, 'everybody has signed, and the seal is still to come or failed'],
    ],
  });
  command.action((key: string, _: object, self: Command) =>
    start(self, (context) => runProcessShow(key, context)),
  );
}

/** Prints one process. */
export async function runProcessShow(key: string, context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const { process, frontEnd } = await useService(context, async (service) => ({
    process: await service.processes.show({ key }),
    frontEnd: service.frontEnd,
  }));
  if (console.mode.json) {
    console.document({
      v: 1,
      command: 'process show',
      process: processDocument(process, frontEnd),
    });
  } else {
    console.result(processLines(process, await console.style('stdout')));
  }
  return process.phase === 'Finalizing' || process.phase === 'FinalizeFailed' ? 9 : 0;
}
