import type { ActivityLogEntry, ActivityLogWrapper } from '../../../app/activity/index.ts';
import { command } from '../../command/index.ts';
import { printable, type Style } from '../../output/index.ts';
import { activityQuery, countedProcesses, filterNames, filterOptions } from './options.ts';

/** Prints the log of the selected processes. */
export const activityList = command('activity list', {
  summary: 'print the log of processes',
  description: 'Print the log of processes, newest process first.',
  options: {
    ...filterOptions,
    '--take <count>': 'maximum number of processes (default: 10000)',
    '--skip <count>': 'number of processes to skip (default: 0)',
  },
  help: [
    'Entries of a process are printed oldest first. Processes are selected by creation time.',
    'An entry has a time, an event, an author and the signee concerned. System is the service, ' +
      'which also records the actions of signees; Completed names the last signee.',
  ],
  examples: {
    'innsigli activity list --from 7d': 'processes of the last seven days',
    'innsigli activity list --search jon@example.is': 'processes with this signee',
    'innsigli activity list --status Completed --json': 'for programs',
  },
  exits: { 0: 'printed (the list may be empty)', 2: 'an option is invalid' },
  names: filterNames,
  call: async ({ activity }, given, { io }) => ({
    activity: await activity.list(activityQuery(given, io.now())),
  }),
  text: async ({ activity }, { console }) => {
    const style = await console.style('stdout');
    for (const wrapper of activity) console.result(wrapperLines(wrapper, style));
    console.note(activity.length === 0 ? 'no process matches' : countedProcesses(activity.length));
  },
});

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
    ...about.map((text) => printable(text ?? '')),
  ];
  return `  ${time}  ${words.join('  ')}`.trimEnd();
}
