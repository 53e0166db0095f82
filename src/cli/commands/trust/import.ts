import { command, readOptionInput } from '../../command/index.ts';
import { naming } from '../../named-error.ts';
import { changedDocument, changedLine, isStale, outcomeLines } from './list-lines.ts';
import { absolutePaths, keptHelp, openProfiles, shrunkenOption, signerOption } from './options.ts';

/** Imports a bundle. */
export const trustImport = command('trust import', {
  summary: 'import a profile from a file',
  description:
    'Import a trust profile from a file of trust export, completely or not at all: the signature ' +
    'of each list is verified again.',
  args: { '<bundle>': 'file of trust export, or - for stdin' },
  options: {
    '--name <profile>': 'name of the profile (default: the one in the file)',
    ...signerOption,
    ...shrunkenOption,
  },
  help: [
    'Without --signer the first list must be signed by a signer that the profile of that name ' +
      'already trusts; for a new profile, by a signer named in the file: import files from ' +
      'people you trust, or pass --signer.',
    keptHelp,
  ],
  examples: {
    'innsigli trust import eu.trust --signer lotl/': 'with the signers that you have checked',
    'innsigli trust import eu.trust': 'a newer one, verified with the known signers',
  },
  exits: {
    0: 'imported',
    3: 'imported, but some of its lists are out of date',
    5: 'no such file',
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
