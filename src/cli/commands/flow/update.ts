import { languages } from '../../../domain/message/index.ts';
import { bytesOfFile, command, setting, textOfFile } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { flowMembers, flowNames, jsonObjectFile, withFormUrl } from './options.ts';

/** Changes a flow. */
export const flowUpdate = command('flow update', {
  summary: 'change a flow',
  description: 'Change a flow. Existing processes keep their settings.',
  args: { '<flow>': 'key of the flow' },
  options: {
    '--name <name>': 'display name',
    '--language <code>': { text: 'language of pages and mails', offered: languages },
    '--activate': 'accept new processes',
    '--deactivate': 'accept no new processes',
    '--settings <file>': {
      text: 'JSON with name, settings, meta; options take precedence',
      ...jsonObjectFile,
    },
    '--set <name=value>': {
      text: 'one setting; null restores its default',
      ...setting,
      many: true,
    },
    '--css <file>': { text: 'style sheet of its pages', ...textOfFile },
    '--template <file>': { text: 'new form (PDF) or template (JSON)', ...bytesOfFile },
  },
  examples: {
    'innsigli flow update f10e… --set expiresAfterDays=14': 'two weeks to sign',
    'innsigli flow update f10e… --deactivate': 'no new processes',
  },
  exits: {
    0: 'changed',
    2: 'a value is invalid, or no change was given',
    5: 'no such flow or file',
    7: 'the form cannot be read',
  },
  names: flowNames,
  check({ activate, deactivate, template, ...given }) {
    if (activate && deactivate) refuseUsage('expected --activate or --deactivate, found both');
    const isNothing = Object.keys(flowMembers(given)).length === 0 && template === undefined;
    if (isNothing && !activate && !deactivate) {
      refuseUsage('expected something to change, found nothing', 'innsigli flow update --help');
    }
  },
  call: async ({ flows, frontEnd }, { flow: key, activate, deactivate, template, ...given }) => {
    const isActive = activate ?? (deactivate ? false : undefined);
    const state = isActive === undefined ? {} : { isActive };
    await flows.update(key, { ...flowMembers(given), ...state }, template);
    return { flow: withFormUrl(await flows.show(key), frontEnd) };
  },
  text: ({ flow }, { console }) => {
    console.note(`changed flow ${printable(flow.name)}`);
    if (flow.formUrl !== undefined) console.note(`its page: ${printable(flow.formUrl)}`);
  },
});
