import { basename } from 'node:path';
import type { FileObjectSource } from '../../../wire/toolkit.types.ts';
import { command, type Given } from '../../command/index.ts';
import { type CommandContext, type ExitCode, refuseUsage } from '../../context.ts';
import { naming } from '../../named-error.ts';
import {
  algorithmHelp,
  algorithmPolicyOption,
  batchHelp,
  batchOptions,
  batchResultOptions,
  detachedOption,
  documentOptions,
  meansBatch,
  readBatchOptions,
  refuseDetached,
  requireInput,
  revocationHelp,
  type SettingOptions,
  settingsFrom,
  timestampOptions,
  trustOptions,
} from '../../options/index.ts';
import { shownName } from '../../output/index.ts';
import { type OneDocument, requireOnePlace, runOneDocument } from './one-document.ts';

const options = {
  '-o, --output <file>': 'result, or - for stdout (default: NAME.archived, its ending kept)',
  '--in-place': 'replace the input by the longer result',
  '-f, --force': 'replace an existing output',
  '--timestamp-only': 'only cover the document, signed or not, with a time-stamp',
  '--plan': 'list missing data and the addresses to ask; nothing is fetched or written',
  ...detachedOption,
  ...documentOptions,
  ...timestampOptions,
  ...trustOptions,
  ...algorithmPolicyOption,
  ...batchOptions,
  ...batchResultOptions,
} as const;

/** Archives documents, one by one or in a batch. */
export const archive = command('archive', {
  description: 'Bring a signed document to B-LTA; run it again to renew the archive time-stamp.',
  args: {
    '[inputs...]': 'PDF, XML, container or CMS, or - for stdin; folders, patterns for a batch',
  },
  options,
  help: [
    'Adds certificates and revocation data for every signature and time-stamp, and a new ' +
      'archive time-stamp over all of it. Earlier signatures stay as they are.',
    'Anchors of --trust, or of the configuration, replace the development root, unless its ' +
      'authority makes the time-stamps.',
    'With --timestamp-only no signature is needed, and those that are there get nothing: a PDF ' +
      'gets a document time-stamp with the validation data of its authority, a file of any other ' +
      'kind an ASiC-S container around it (NAME.asics). It proves that the document existed, ' +
      'and no more. A folder gives all its files but containers; with --in-place its PDFs.',
    'A CMS signature beside its content (.p7s) needs it: --detached FILE. A file is refused, ' +
      'and nothing is written, when a certificate expired before any proved time, when no ' +
      'revocation data can be had, or when an archive time-stamp that is there does not hold. ' +
      'A signature of no baseline profile is preserved and has no level.',
    revocationHelp,
    algorithmHelp,
    ...batchHelp,
  ],
  examples: {
    'innsigli archive signed.pdf': 'writes signed.archived.pdf',
    'innsigli archive signed.archived.pdf': 'writes signed.archived-2.pdf',
    'innsigli archive signed.pdf --in-place': 'renew a file of an archive',
    'innsigli archive contract.p7m': 'writes contract.archived.p7m',
    'innsigli archive signed.pdf --plan': 'missing data, and the addresses to ask',
    'innsigli archive minutes.txt --timestamp-only': 'writes minutes.txt.asics',
    'innsigli archive papers --timestamp-only --out-dir stamped': 'a time-stamp for each file',
    'innsigli archive vault --in-place --resume': 'renew all of it, however often interrupted',
  },
  exits: {
    0: 'archived, verified and written',
    1: 'a file cannot be read or written',
    2: 'wrong usage, or the output exists',
    3: 'several documents, and some failed',
    4: 'a password is missing or wrong',
    5: 'there is no such file',
    6: 'the document forbids changes, or another batch is at work',
    7: 'no signature, one that is not intact, expired before any proved time, or --plan says no',
    8: 'authority, revocation data or network failed',
    10: 'configuration or trust problem',
    130: 'interrupted',
  },
  run: async ({ inputs, ...options }, context) => {
    const given = { ...options, algorithmPolicy: options.policy };
    if (given.plan) {
      refuseBesidePlan(given);
      const { runArchivePlan } = await import('./archive-plan.ts');
      return runArchivePlan(inputs, given, context);
    }
    if (inputs.length > 1 || meansBatch(inputs, given, context.io.cwd)) {
      if (given.detached !== undefined) refuseDetached();
      const { runBatch } = await import('../../batch/index.ts');
      return runBatch(readBatchOptions('archive', inputs, given), context);
    }
    return runArchive(requireInput(inputs), given, context);
  },
});

/** Rejects output options combined with `--plan`, which writes nothing. */
function refuseBesidePlan(given: Given<object, typeof options>): void {
  const { timestampOnly, output, inPlace, outDir } = given;
  const others = {
    '--timestamp-only': timestampOnly,
    '--output': output,
    '--in-place': inPlace,
    '--out-dir': outDir,
  };
  for (const [flag, value] of Object.entries(others)) {
    if (value) refuseUsage(`expected --plan or ${flag}, found both`);
  }
}

async function runArchive(
  name: string,
  given: Given<object, typeof options> & Pick<SettingOptions, 'algorithmPolicy'>,
  context: CommandContext,
): Promise<ExitCode> {
  const { io } = context;
  const { inPlace = false, force = false, timestampOnly = false, detached: beside = [] } = given;
  const settings = settingsFrom(given);
  requireOnePlace(given, [name]);
  if (timestampOnly && beside.length > 0) {
    refuseUsage('expected --timestamp-only or --detached, found both');
  }
  const { archivedName, looksLikePdf, readDetached } = await import('../../files/index.ts');
  let detached: readonly FileObjectSource[] = [];
  const wanted: OneDocument = {
    ...{ command: 'archive', paths: [name], settings, inPlace, force, beside, timestampOnly },
    busy: `Archiving ${shownName(name)}`,
    async prepare() {
      detached = await readDetached(beside, [name], io);
    },
    output([input]) {
      const wraps = timestampOnly && !looksLikePdf(input.source);
      if (wraps && inPlace) refuseUsage('--in-place: expected a PDF, found a file of another kind');
      const archived = wraps ? `${name}.asics` : archivedName(input);
      return given.output ?? (inPlace || name === '-' ? name : archived);
    },
    run: (toolkit, [{ source }]) =>
      naming(name, () =>
        timestampOnly
          ? toolkit.timestamp(source, name === '-' ? 'document' : basename(name))
          : toolkit.augment(source, detached),
      ),
  };
  return runOneDocument(wanted, context);
}
