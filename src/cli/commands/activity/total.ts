import { command } from '../../command/index.ts';
import { activityQuery, filterNames, filterOptions } from './options.ts';

/** Prints the number of selected processes. */
export const activityTotal = command('activity total', {
  summary: 'count processes',
  description: 'Print the number of processes the options select.',
  options: filterOptions,
  examples: { 'innsigli activity total --from 2026-01-01 --status Completed': 'this year' },
  exits: { 0: 'printed', 2: 'an option is invalid' },
  names: filterNames,
  call: async ({ activity }, given, { io }) => {
    const { total } = await activity.total(activityQuery(given, io.now()));
    return { total };
  },
  text: ({ total }, { console }) => console.result(String(total)),
});
