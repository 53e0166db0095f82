import type { Command } from 'commander';
import type { ProcessService } from '../../../app/process/index.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import { type CommandDoc, documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { processDocument, processLines } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { addUserOption, namingOptions, readEnd, readUser, requireYes } from '../option-values.ts';

interface ParsedOptions {
  readonly user?: string;
  readonly reason?: string;
  readonly until?: string;
  readonly yes?: boolean;
}

/** A command that asks a process to change its state, and prints it afterwards. */
interface Change {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly done: string;
  readonly hasReason?: true;
  readonly hasUntil?: true;
  /** Cannot be undone: it is asked for first. */
  readonly question?: string;
  readonly example: string;
  run(
    processes: ProcessService,
    key: string,
    by: string,
    options: ParsedOptions,
    nowMs: number,
  ): Promise<SigningProcess>;
}

/** The commands that differ in nothing but what they ask for. */
const changes: readonly Change[] = [
  {
    name: 'cancel',
    summary: 'call a process off',
    description: 'Call a process off. A signature that is being made comes too late.',
    done: 'cancelled',
    hasReason: true,
    question: 'Call the process off for good? Nobody can sign any more.',
    example: 'innsigli process cancel sp12… --reason "wrong annex" --yes',
    run: (processes, key, by, { reason }) => processes.cancel({ key, by, reason }),
  },
  {
    name: 'block',
    summary: 'suspend a process',
    description: 'Suspend a process: nobody can sign until it is unblocked.',
    done: 'blocked',
    hasReason: true,
    example: 'innsigli process block sp12… --reason "in dispute"',
    run: (processes, key, by, { reason }) => processes.block({ key, by, reason }),
  },
  {
    name: 'unblock',
    summary: 'let a suspended process go on',
    description: 'Let a suspended process go on; one whose time is over expires.',
    done: 'unblocked',
    example: 'innsigli process unblock sp12…',
    run: (processes, key, by) => processes.unblock({ key, by }),
  },
  {
    name: 'extend',
    summary: 'give signees more time',
    description: 'Set another end: a day, which is meant to its end in UTC, or days from now.',
    done: 'extended',
    hasUntil: true,
    example: 'innsigli process extend sp12… --until 2027-01-31',
    run: (processes, key, by, { until = '' }, nowMs) =>
      processes.extend({ key, expiresAtMs: readEnd(until, nowMs), by }),
  },
  {
    name: 'finalize',
    summary: 'try the final seal again',
    description: 'Try again to seal what everybody has signed; innsigli worker does the work.',
    done: 'waiting for the worker',
    example: 'innsigli process finalize sp12… && innsigli worker --once',
    run: (processes, key, by) => processes.retryFinalize({ key, by }),
  },
  {
    name: 'purge',
    summary: 'remove contents and personal data',
    description: 'Remove contents and personal data of an ended process; its log keeps its chain.',
    done: 'purged; the worker removes what was stored within the last hour when that is over',
    question: 'Remove the document and all personal data for good?',
    example: 'innsigli process purge sp12… --yes',
    run: (processes, key, by) => processes.purge({ key, by }),
  },
];

const exits: CommandDoc['exits'] = [
  [0, 'done, or it was so already'],
  [2, 'an option is wrong'],
  [5, 'no such process'],
  [6, 'the state of the process forbids it'],
];

/** Adds `process cancel`, `block`, `unblock`, `extend`, `finalize` and `purge`. */
export function defineProcessChanges(group: Command, start: Start): void {
  for (const change of changes) {
    const command = group
      .command(change.name)
      .summary(change.summary)
      .description(change.description)
      .argument('<process>', 'key of the process');
    addUserOption(command);
    if (change.hasReason) command.option('--reason <text>', 'why, for the log');
    if (change.hasUntil)
      command.requiredOption('--until <time>', '2027-01-31, 2027-01-31T12:00Z or 7d');
    if (change.question !== undefined) command.option('-y, --yes', 'do it without being asked');
    documentCommand(command, { examples: [[change.example, change.summary]], exits });
    command.action((key: string, options: ParsedOptions, self: Command) =>
      start(self, (context) => runProcessChange(change.name, key, options, context)),
    );
  }
}

/** Asks a process to change and prints it. */
export async function runProcessChange(
  name: string,
  key: string,
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const change = changes.find((each) => each.name === name);
  if (change === undefined) return refuseUsage(`there is no process ${name}`);
  const by = readUser(options.user) ?? 'System';
  if (change.question !== undefined && options.yes !== true) {
    await requireYes(change.question, context);
  }
  const process = await useService(context, ({ processes }) =>
    namingOptions({ by: '--user', reason: '--reason' }, () =>
      change.run(processes, key, by, options, context.io.now()),
    ),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: `process ${name}`, process: processDocument(process) });
    return 0;
  }
  const { green } = await console.style('stderr');
  console.note(`${green('✓')} ${change.done}`);
  console.result(processLines(process, await console.style('stdout')));
  return 0;
}
