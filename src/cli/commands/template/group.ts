import { command, idNumber, key } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { flowOf } from '../webhook/options.ts';
import { templatePut } from './put.ts';

const templateList = command('template list', {
  summary: 'print the mail texts of a flow',
  description: 'Print the mail texts of a flow that replace the built-in ones.',
  args: { '[flow]': 'key of the flow; optional if there is only one' },
  options: { '--flow <key>': { text: 'same as --flow of other commands', ...key('flow') } },
  examples: { 'innsigli template list f1… --json': 'with the texts' },
  exits: {
    0: 'printed (the list may be empty)',
    2: 'there are several flows and none was named',
    5: 'no such flow',
  },
  call: async (service, { flow }) => ({
    templates: await service.templates.list(await flowOf(service, flow)),
  }),
  text: async ({ templates }, { console }) => {
    const { bold } = await console.style('stdout');
    for (const { id, templateType, language, to, subject } of templates) {
      const words = [
        templateType.padEnd(12),
        language.padEnd(6),
        printable(to),
        printable(subject),
      ];
      console.result(`${bold(String(id).padStart(4))}  ${words.join('  ')}`);
    }
    if (templates.length === 0) console.note('the flow uses the built-in texts');
  },
});

const templateDelete = command('template delete', {
  summary: 'restore the built-in text',
  description: 'Delete a mail text: the built-in one is sent again.',
  args: { '<id>': { text: 'number of the text', ...idNumber('a text') } },
  examples: { 'innsigli template delete 3': 'template list prints the numbers' },
  exits: { 0: 'deleted', 5: 'no such text' },
  call: async ({ templates }, { id }) => {
    await templates.delete(id);
    return { id };
  },
  text: (_, { console }) => console.note('deleted'),
});

/** `template` with its commands. */
export const template = command('template', {
  description: 'Manage mail texts that replace the built-in ones.',
  commands: [templatePut, templateList, templateDelete],
});
