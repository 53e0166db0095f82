import type { Command } from 'commander';
import type { ActivityLogEntry, ActivityLogWrapper } from '../../../app/activity/index.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable, type Style } from '../../output/index.ts';
import {
  addFilterOptions,
  countedProcesses,
  type FilterOptions,
  filterInput,
  readQuery,
  useActivity,
} from './options.ts';

interface ListOptions extends FilterOptions {
  readonly take?: string;
  readonly skip?: string;
}

/** Adds `activity list` to the command tree. */
export function defineActivityList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('print the log of processes')
    .description('Print the log of processes, newest process first.');
  addFilterOptions(command)
    .option('--take <count>', 'at most so many processes (default: 10000)')
    .option('--skip <count>', 'leave out the first ones (default: 0)');
  documentCommand(command, {
    text: [
      'Entries of a process stand oldest first. Processes are chosen by when they were made.',
      'An entry has its time, what happened, who asked for it and the signee it is about. ' +
        'System is the service, which also writes down what signees do; Completed is about who ' +
        'signed last.',
    ],
    examples: [
      ['innsigli activity list --from 7d', 'what was made this week'],
      ['innsigli activity list --search jon@example.is', 'where a person is a signee'],
      ['innsigli activity list --status Completed --json', 'for programs'],
    ],
    exits: [
      [0, 'printed, be it nothing'],
      [2, 'an option is wrong'],
    ],
  });
  command.action((options: ListOptions, self: Command) =>
    start(self, (context) => runActivityList(options, context)),
  );
}

/** Prints the log of the processes that the options choose. */
export async function runActivityList(
  options: ListOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const { take, skip } = options;
  const query = readQuery({
    ...filterInput(options, io.now()),
    ...(take === undefined ? {} : { take }),
    ...(skip === undefined ? {} : { skip }),
  });
  const activity = await useActivity(context, (toolkit) => toolkit.list(query));
  if (console.mode.json) {
    console.document({ v: 1, command: 'activity list', activity });
    return 0;
  }
  const style = await console.style('stdout');
  for (const wrapper of activity) console.result(wrapperLines(wrapper, style));
  console.note(activity.length === 0 ? 'no process fits' : countedProcesses(activity.length));
  return 0;
}

function wrapperLines(wrapper: ActivityLogWrapper, style: Style): readonly string[] {
  const { processKey, activityDisplayName = '', activityLog, signees } = wrapper;
  const names = new Map(signees.map(({ signeeKey, name }) => [signeeKey, name]));
  const widths = {
    status: Math.max(0, ...activityLog.map(({ status }) => printable(status).length)),
    by: Math.max(0, ...activityLog.map(({ createdBy }) => printable(createdBy).length)),
  };
  return [
    `${style.bold(printable(processKey))}  ${printable(activityDisplayName)}`.trimEnd(),
    ...activityLog.map((entry) => entryLine(entry, names, widths, style)),
  ];
}

function entryLine(
  entry: ActivityLogEntry,
  names: ReadonlyMap<string, string>,
  widths: { readonly status: number; readonly by: number },
  style: Style,
): string {
  const { createdAt, status, createdBy, signeeKey = '', fileName, description } = entry;
  const about = [names.get(signeeKey) ?? signeeKey, fileName, description].filter(Boolean);
  const time = style.dim(`${createdAt.slice(0, 10)} ${createdAt.slice(11, 19)}Z`);
  const words = [
    printable(status).padEnd(widths.status),
    printable(createdBy).padEnd(widths.by),
    ...about.map(shown),
  ];
  return `  ${time}  ${words.join('  ')}`.trimEnd();
}

function shown(text: string | undefined): string {
  return printable(text ?? '');
}
