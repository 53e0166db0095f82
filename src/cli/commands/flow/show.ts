import type { FlowDetails } from '../../../app/flow/index.ts';
import { command } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { withFormUrl } from './options.ts';

/** Prints a flow, or its style sheet. */
export const flowShow = command('flow show', {
  summary: 'print a flow with its settings',
  description:
    'Print a flow with its settings, the fields of its form, and the URL where customers ' +
    'fill it in.',
  args: { '<flow>': 'key of the flow' },
  options: { '--css': 'print its style sheet instead' },
  examples: { 'innsigli flow show f10e… --json': 'for programs' },
  exits: { 0: 'printed', 5: 'no such flow' },
  call: async ({ flows, frontEnd }, { flow: key, css }) => {
    if (css) return { css: await flows.css(key) };
    return { flow: withFormUrl(await flows.show(key), frontEnd) };
  },
  text: async (found, { console }) => {
    if ('css' in found) {
      if (found.css !== '') console.result(found.css);
      return;
    }
    const style = await console.style('stdout');
    for (const [name, value] of rowsOf(found.flow)) {
      console.result(`${style.bold(name.padEnd(20))}  ${printable(value)}`);
    }
  },
});

function rowsOf({ fields = [], ...flow }: FlowDetails): readonly (readonly [string, string])[] {
  const members = Object.entries(flow).map(([name, value]): readonly [string, string] => {
    const isPlain = typeof value !== 'object';
    return [name, isPlain ? String(value) : JSON.stringify(value)];
  });
  const forms = fields.map(({ name, kind, isRequired, options }): readonly [string, string] => {
    const choices = options === undefined ? '' : `: ${options.join(', ')}`;
    return [`field ${name}`, `${kind}${choices}${isRequired ? ' (required)' : ''}`];
  });
  return [...members, ...forms];
}
