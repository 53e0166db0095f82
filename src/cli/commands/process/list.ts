import type { Command } from 'commander';
import { asKey } from '../../../domain/keys.ts';
import { processStatuses } from '../../../domain/process/index.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { processDocument, processTable } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { numberOf, oneOf } from '../option-values.ts';

interface ParsedOptions {
  readonly status?: string;
  readonly search?: string;
  readonly user?: string;
  readonly flow?: string;
  readonly take?: string;
  readonly skip?: string;
}

/** Adds `process list` to the command tree. */
export function defineProcessList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('list processes')
    .description('List processes, newest first.')
    .option('--status <status>', processStatuses.join(', '))
    .option('--search <text>', 'key, file name, or name, e-mail, phone or SSN of a signee')
    .option('--user <e-mail>', 'of this owner')
    .option('--flow <key>', 'of this flow')
    .option('--take <count>', 'at most so many (default: 50)')
    .option('--skip <count>', 'leave out the first ones (default: 0)');
  documentCommand(command, {
    examples: [['innsigli process list --status Active', 'what waits for signatures']],
    exits: [
      [0, 'listed, be it nothing'],
      [2, 'an option is wrong'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runProcessList(options, context)),
  );
}

/** Prints the processes that the options choose. */
export async function runProcessList(
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { search, user, flow } = options;
  const status = oneOf(processStatuses, options.status, '--status');
  const filter = {
    take: numberOf(options.take ?? '50', '--take', 0, 999_999),
    skip: numberOf(options.skip ?? '0', '--skip', 0, 999_999),
    ...(status === undefined ? {} : { status }),
    ...(search === undefined ? {} : { search }),
    ...(user === undefined ? {} : { user }),
    ...(flow === undefined ? {} : { flowKey: asKey('flow', flow) }),
  };
  const { processes, frontEnd } = await useService(context, async (service) => ({
    processes: await service.processes.list(filter),
    frontEnd: service.frontEnd,
  }));
  if (console.mode.json) {
    const documents = processes.map((process) => processDocument(process, frontEnd));
    console.document({ v: 1, command: 'process list', processes: documents });
    return 0;
  }
  const style = await console.style('stdout');
  if (processes.length > 0) console.result(processTable(processes, style));
  if (processes.length === 0) console.note('no process fits');
  return 0;
}
