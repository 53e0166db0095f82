import { command } from '../../command/index.ts';
import { counted, printable } from '../../output/index.ts';
import { statusLines } from './list-lines.ts';
import { openProfiles } from './options.ts';

/** Prints the profiles with their lists. */
export const trustList = command('trust list', {
  summary: 'print the profiles and their lists',
  description:
    'Print the trust profiles with their lists: territory, number, issue date, next update, ' +
    'services and whether the signature, verified again now, is valid.',
  examples: { 'innsigli trust list': 'all of them' },
  exits: {
    0: 'printed',
    7: 'the signature of a stored list is invalid',
    10: 'a profile is damaged',
  },
  busy: 'Verifying trusted lists',
  run: async (_, context) => ({ profiles: await (await openProfiles(context)).list() }),
  text: async ({ profiles }, { console }) => {
    const style = await console.style('stdout');
    for (const { name, version, changed, source, certificates, lists } of profiles) {
      const from = source === undefined ? '' : `  ${style.dim(printable(source))}`;
      const more = certificates === 0 ? '' : `, ${counted(certificates, 'certificate')}`;
      const held = `${counted(lists.length, 'list')}${more}`;
      const about = `version ${version} of ${changed.slice(0, 10)}, ${held}`;
      console.result(`${style.bold(name)}  ${about}${from}`);
      console.result(statusLines(lists, style).map((line) => `  ${line}`));
    }
    if (profiles.length === 0)
      console.note('there is no trust profile: create one with innsigli trust sync');
  },
  exit: ({ profiles }) =>
    profiles.some(({ lists }) => lists.some(({ signature }) => signature === 'broken')) ? 7 : 0,
});
