import { command, readOptionInput } from '../../command/index.ts';
import { naming } from '../../named-error.ts';
import { changedDocument, changedLine, isStale, outcomeLines } from './list-lines.ts';
import { absolutePaths, keptHelp, openProfiles, shrunkenOption, signerOption } from './options.ts';

/** Imports a bundle. */
export const trustImport = command('trust import', {
  summary: 'take a profile over from a file',
  description:
    'Take a trust profile over from a file of trust export, all of it or nothing: the signature ' +
    'of each list is verified again.',
  args: { '<bundle>': 'file of trust export, or - for stdin' },
  options: {
    '--name <profile>': 'another name than the one in the file',
    ...signerOption,
    ...shrunkenOption,
  },
  help: [
    'Without --signer the first list must have a signer that the profile of that name trusts ' +
      'already; for a new profile, a signer named in the file: import files from people you ' +
      'trust, or give --signer.',
    keptHelp,
  ],
  examples: {
    'innsigli trust import eu.trust --signer lotl/': 'with the signers that you have checked',
    'innsigli trust import eu.trust': 'a newer one, by the signers that are known',
  },
  exits: {
    0: 'taken over',
    3: 'taken over, and some lists of it are out of date',
    5: 'there is no such file',
    7: 'refused: nothing was changed',
    10: 'a certificate or the data directory cannot be used',
  },
  busy: 'Verifying trusted lists',
  run: async ({ bundle, name, signer, acceptShrunken }, context) => {
    const bytes = await readOptionInput(bundle, context.io);
    const profiles = await openProfiles(context);
    const signers = absolutePaths(signer, context);
    return naming(bundle, () =>
      profiles.import(bytes, { name, signers, acceptsShrunken: acceptShrunken }),
    );
  },
  document: changedDocument,
  text: async (changed, { console }) => {
    const style = await console.style('stdout');
    console.result(outcomeLines(changed.outcomes, style));
    console.note(changedLine(changed));
    console.note(`show what it trusts: innsigli trust show ${changed.profile.name}`);
  },
  exit: ({ outcomes }) => (outcomes.some(isStale) ? 3 : 0),
});
