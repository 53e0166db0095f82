import { parseValues } from '../../../domain/flow/index.ts';
import { command, readJsonText } from '../../command/index.ts';
import { refuseUsage, requireOneStream } from '../../context.ts';

/** Generates the document of a flow and writes it. */
export const flowRender = command('flow render', {
  summary: 'render the document of a flow',
  description: 'Render the document of a flow from values, without creating a process.',
  args: { '<flow>': 'key of the flow' },
  options: {
    '--values <file>': 'JSON object of values, or - for stdin',
    '-o, --output <file>': 'output file, a PDF (default: the name the flow gives it)',
    '-f, --force': 'replace an existing file',
  },
  examples: { 'innsigli flow render f10e… --values values.json -o out.pdf': 'try a form' },
  exits: {
    0: 'made',
    2: 'the flow has no form or template, the file exists, or the values are not JSON',
    5: 'no such flow or file',
    7: 'the values do not match',
  },
  check: ({ output = '' }, context) => requireOneStream(output, context),
  call: async ({ flows }, { flow, values, output, force }, { io }) => {
    const given = values === undefined ? {} : parseValues(await readJsonText(values, io));
    const made = await flows.preview(flow, given);
    if (made === undefined) {
      const expected = 'expected a flow with a form or template';
      return refuseUsage(`${expected}, found a flow without one`);
    }
    const name = output ?? made.fileName;
    const { writeNewFile } = await import('../../files/index.ts');
    writeNewFile(name, made.pdf, { force: force === true }, io);
    return name === '-' ? undefined : { output: name, lengthBytes: made.pdf.length };
  },
  text: ({ output }, { console }) => console.path(output),
});
