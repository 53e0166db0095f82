import { flowTypes } from '../../../domain/flow/index.ts';
import { command, oneOf } from '../../command/index.ts';
import { printable } from '../../output/index.ts';

/** Prints one line for each flow. */
export const flowList = command('flow list', {
  summary: 'print the flows',
  description: 'Print the flows of the company.',
  options: { '--type <type>': { text: 'only of this type', ...oneOf(flowTypes) } },
  examples: { 'innsigli flow list': 'keys, types and names' },
  exits: { 0: 'printed', 2: 'no such type' },
  call: async ({ flows }, { type }) => ({ flows: await flows.list(type) }),
  text: async ({ flows }, { console }) => {
    const { bold, dim } = await console.style('stdout');
    const width = Math.max(0, ...flows.map(({ flowType }) => flowType.length));
    for (const { flowKey, flowType, name, active } of flows) {
      const note = active ? '' : `  ${dim('inactive')}`;
      console.result(`${bold(flowKey)}  ${flowType.padEnd(width)}  ${printable(name)}${note}`);
    }
    if (flows.length === 0)
      console.note('the company has no flow: create one with innsigli flow create');
  },
});
