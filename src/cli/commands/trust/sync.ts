import { resolve } from 'node:path';
import { isUrl } from '../../../base/network/is-url.ts';
import { command, oneOf, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { changedDocument, changedLine, isStale, outcomeLines } from './list-lines.ts';
import { absolutePaths, keptHelp, openProfiles, shrunkenOption, signerOption } from './options.ts';

const address = reading((text, name, { io }) => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return resolve(io.cwd, text);
  if (/^https?:\/\//i.test(text) && isUrl(text)) return new URL(text).href;
  return refuseUsage(`${name}: expected http, https or a file, found "${text.slice(0, 60)}"`);
});

const territory = reading((text, name) => {
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  return refuseUsage(`${name}: expected two letters, found "${text.slice(0, 40)}"`);
});

/** Creates a profile, or updates its lists. */
export const trustSync = command('trust sync', {
  summary: 'create a profile, or update its lists',
  description:
    'Create a trust profile, or update its trusted lists (ETSI TS 119 612): each is ' +
    'fetched, its signature verified against the signers named by the parent list, and stored.',
  args: { '<profile>': 'name of the profile: lower-case letters, digits, dot, hyphen' },
  options: {
    '--list <address>': {
      text: 'list of lists, or single list: address or file',
      ...address,
    },
    ...signerOption,
    '--territory <code>': {
      text: 'only the list of this territory: two letters (repeatable)',
      many: true,
      ...territory,
    },
    '--expired <policy>': {
      text: 'lists with an overdue update: refuse or warn (default: refuse)',
      ...oneOf(['refuse', 'warn']),
    },
    '--certificates <path>': {
      text: 'additional anchors: file or folder (repeatable)',
      many: true,
    },
    '--folder <folder>':
      'read lists from a mirror, as HOST/PATH or the last path segment, and fetch nothing',
    ...shrunkenOption,
    '--proxy <url>': 'HTTP proxy',
  },
  help: [
    'The first sync needs --list with --signer, or --certificates; later the name is enough. ' +
      'The signers of later lists of lists follow from the stored one, or from pivots.',
    keptHelp,
    'Addresses in private networks are refused unless allowPrivateAddresses is set in your ' +
      'configuration, or INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true.',
  ],
  examples: {
    'innsigli trust sync eu --list https://ec.europa.eu/tools/lotl/eu-lotl.xml --signer lotl/':
      'the lists of the EU; lotl/ has the certificates published in the Official Journal',
    'innsigli trust sync eu': 'once a day',
    'innsigli trust sync house --certificates roots/': 'your own anchors',
    'innsigli verify a.pdf --trust-profile eu': 'use the profile',
  },
  exits: {
    0: 'every list is up to date',
    2: 'invalid usage',
    3: 'some lists are not up to date: the stored versions stay',
    5: 'no such file',
    7: 'the first list is refused; nothing was changed',
    8: 'the first list cannot be fetched, or --offline is set; nothing was changed',
    10: 'a certificate or the data directory cannot be used',
  },
  busy: 'Fetching trusted lists',
  run: async ({ profile, proxy, ...options }, context) => {
    const profiles = await openProfiles(context, proxy);
    return profiles.sync(profile, {
      location: options.list,
      signers: absolutePaths(options.signer, context),
      territories: options.territory,
      expired: options.expired,
      certificates: absolutePaths(options.certificates, context),
      folder: options.folder && resolve(context.io.cwd, options.folder),
      acceptsShrunken: options.acceptShrunken,
    });
  },
  document: changedDocument,
  text: async (changed, { console }) => {
    const style = await console.style('stdout');
    console.result(outcomeLines(changed.outcomes, style));
    console.note(changedLine(changed));
  },
  exit: async ({ outcomes }, _, { console }) => {
    for (const outcome of outcomes) {
      const { result, territory = '', problem } = outcome;
      if (problem === undefined || !isStale(outcome)) continue;
      await console.warn(`${territory} ${result}: ${problem.message}`, 'trust.list.refused');
    }
    return outcomes.some(isStale) ? 3 : 0;
  },
});
