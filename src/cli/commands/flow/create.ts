import { flowTypes } from '../../../domain/flow/index.ts';
import { languages } from '../../../domain/message/index.ts';
import { bytesOfFile, command, setting, textOfFile } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { flowMembers, flowNames, jsonObjectFile, withFormUrl } from './options.ts';

/** Creates a flow and prints its key. */
export const flowCreate = command('flow create', {
  summary: 'create a flow',
  description: 'Create a flow: a type of process with its own settings.',
  options: {
    '--name <name>': 'display name',
    '--type <type>': { text: 'DropAndSign, FillAndSign, RenderFlow, …', offered: flowTypes },
    '--language <code>': {
      text: 'language of pages and mails (default: Is, Icelandic)',
      offered: languages,
    },
    '--settings <file>': {
      text: 'JSON with name, type, settings, meta; options take precedence',
      ...jsonObjectFile,
    },
    '--set <name=value>': {
      text: 'one setting, such as expiresAfterDays=14; repeatable',
      ...setting,
      many: true,
    },
    '--css <file>': { text: 'style sheet of its pages', ...textOfFile },
    '--template <file>': {
      text: 'form (PDF) of FillAndSign, template (JSON) of RenderFlow',
      ...bytesOfFile,
    },
  },
  help: [
    'DropAndSign accepts documents. FillAndSign fills a PDF form with values, RenderFlow renders ' +
      'a template with them; values come with each process.',
  ],
  examples: {
    'innsigli flow create --name Contracts --type DropAndSign': 'each process brings its documents',
    'innsigli flow create --name Order --type FillAndSign --template form.pdf': 'a form',
    'innsigli flow create --settings flow.json --set mayDecline=true': 'from a file',
  },
  exits: {
    0: 'created; its key is printed',
    2: 'a value is missing or invalid',
    5: 'no such file',
    7: 'the form cannot be read',
  },
  names: flowNames,
  call: async ({ flows, frontEnd }, given) => {
    const { key } = await flows.create(flowMembers(given), given.template);
    return { flow: withFormUrl(await flows.show(key), frontEnd) };
  },
  text: ({ flow }, { console }) => {
    console.note(`created flow ${printable(flow.name)} (${flow.flowType})`);
    if (flow.formUrl !== undefined) console.note(`its page: ${printable(flow.formUrl)}`);
    console.result(flow.flowKey);
  },
});
