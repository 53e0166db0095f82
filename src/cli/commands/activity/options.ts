import type { Command } from 'commander';
import {
  type ActivityQueryInput,
  type ActivityService,
  parseActivityQuery,
} from '../../../app/activity/index.ts';
import type { CommandContext } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { inOptionNames, timeText } from '../option-values.ts';

/** Runs `work` with the activity log of the company that the user works for. */
export function useActivity<T>(
  context: CommandContext,
  work: (toolkit: ActivityService) => Promise<T>,
): Promise<T> {
  return useService(context, ({ activity }) => work(activity));
}

/** Parsed options of {@link addFilterOptions}. */
export interface FilterOptions {
  readonly from?: string;
  readonly to?: string;
  readonly user?: string;
  readonly process?: string;
  readonly flow?: string;
  readonly flowType?: string;
  readonly search?: string;
  readonly status?: string;
}

const defaultSpan = '30d';

/** Adds the options that choose processes by when they were made and by what they are. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--from <time>', `made at or after: 2026-01-31, 7d, 12h (default: ${defaultSpan})`)
    .option('--to <time>', 'made before: a time as above (default: now)')
    .option('--user <e-mail>', 'of this owner')
    .option('--process <key>', 'this process')
    .option('--flow <key>', 'of this flow')
    .option('--flow-type <type>', 'of flows of this type, such as DropAndSign')
    .option('--search <text>', 'key, file name, or name, e-mail, phone or SSN of a signee')
    .option('--status <status>', 'All, Active, Completed, Expired, Canceled, Blocked or InActive');
}

/** The options in the words of the published query. */
export function filterInput(options: FilterOptions, nowMs: number): ActivityQueryInput {
  const { user, flow, flowType, search, status } = options;
  return {
    startDate: timeText(options.from ?? defaultSpan, nowMs),
    // The end is not part of the range, and a process may have been made just now.
    endDate: timeText(options.to ?? new Date(nowMs + 1).toISOString(), nowMs),
    ...(user === undefined ? {} : { user }),
    ...(options.process === undefined ? {} : { processKey: options.process }),
    ...(flow === undefined ? {} : { flowKey: flow }),
    ...(flowType === undefined ? {} : { flowType }),
    ...(search === undefined ? {} : { search }),
    ...(status === undefined ? {} : { statusFilter: status }),
  };
}

/** Members of the published query by the names of their options. */
const optionNames = {
  StartDate: '--from',
  EndDate: '--to',
  FlowType: '--flow-type',
  StatusFilter: '--status',
  Search: '--search',
  Take: '--take',
  Skip: '--skip',
} as const;

/** The processes that `input` is about. @throws validation.error in the names of the options */
export function readQuery(input: ActivityQueryInput): ReturnType<typeof parseActivityQuery> {
  try {
    return parseActivityQuery(input);
  } catch (error) {
    throw inOptionNames(error, optionNames);
  }
}

/** `1 process`, `2 processes`. */
export function countedProcesses(count: number): string {
  return `${count} process${count === 1 ? '' : 'es'}`;
}
