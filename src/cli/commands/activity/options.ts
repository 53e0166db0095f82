import { type FilterWord, parseActivityQuery, statusFilters } from '../../../app/activity/index.ts';
import { defined } from '../../../base/defined.ts';
import { type Given, timeText } from '../../command/index.ts';

const defaultSpan = '30d';

/** Options that select processes by creation time and properties. */
export const filterOptions = {
  '--from <time>': `created at or after: 2026-01-31, 7d, 12h (default: ${defaultSpan})`,
  '--to <time>': 'created before: a time as above (default: now)',
  '--user <e-mail>': 'only of this owner',
  '--process <key>': 'this process',
  '--flow <key>': 'only of this flow',
  '--flow-type <type>': 'only of flows of this type, such as DropAndSign',
  '--search <text>': 'key, file name, or name, e-mail, phone or SSN of a signee',
  '--status <status>': statusFilters.join(', '),
} as const;

/** Names of the options by the members of the published query. */
export const filterNames = () => ({
  StartDate: '--from',
  EndDate: '--to',
  FlowType: '--flow-type',
  StatusFilter: '--status',
  Search: '--search',
  Take: '--take',
  Skip: '--skip',
});

type Filter = Given<object, typeof filterOptions> & {
  readonly take?: string | undefined;
  readonly skip?: string | undefined;
};

/** Returns the query for the selected processes. @throws validation.error */
export function activityQuery(options: Filter, nowMs: number) {
  const { user, process: processKey, flow: flowKey, flowType, search, take, skip } = options;
  const filter = {
    ...{ user, processKey, flowKey, flowType, search, statusFilter: options.status },
  } satisfies Record<FilterWord, unknown>;
  return parseActivityQuery({
    startDate: timeText(options.from ?? defaultSpan, nowMs),
    // The end is exclusive, and a process may have been created just now.
    endDate: timeText(options.to ?? new Date(nowMs + 1).toISOString(), nowMs),
    ...defined({ ...filter, take, skip }),
  });
}

/** `1 process`, `2 processes`. */
export function countedProcesses(count: number): string {
  return `${count} process${count === 1 ? '' : 'es'}`;
}
