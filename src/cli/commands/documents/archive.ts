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
  '-o, --output <file>': 'output file, or - for stdout (default: NAME.archived plus the extension)',
  '--in-place': 'replace the input file with the result',
  '-f, --force': 'replace an existing output',
  '--timestamp-only': 'only add a time-stamp over the document, signed or not',
  '--plan': 'list missing data and where to fetch it; nothing is fetched or written',
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
  description: 'Augment a signed document to B-LTA; run it again to renew the archive time-stamp.',
  args: {
    '[inputs...]':
      'PDF, XML, container or CMS file, or - for stdin; folders or patterns for a batch',
  },
  options,
  help: [
    'Adds certificates and revocation data for every signature and time-stamp, and a new ' +
      'archive time-stamp over everything. Existing signatures stay unchanged.',
    'Anchors of --trust or the configuration replace the development root, unless its ' +
      'authority issues the time-stamps.',
    'With --timestamp-only no signature is needed, and existing ones are not augmented: a PDF ' +
      'gets a document time-stamp with the validation data of its authority, a file of any other ' +
      'type an ASiC-S container around it (NAME.asics). This proves only that the document ' +
      'existed. From a folder all files except containers are used; with --in-place its PDFs.',
    'A detached CMS signature (.p7s) needs its content: --detached FILE. A file is rejected, ' +
      'and nothing is written, if a certificate expired before any proved time, if ' +
      'revocation data is unavailable, or if an existing archive time-stamp is not valid. ' +
      'A signature outside the baseline profiles is preserved and has no level.',
    revocationHelp,
    algorithmHelp,
    ...batchHelp,
  ],
  examples: {
    'innsigli archive signed.pdf': 'writes signed.archived.pdf',
    'innsigli archive signed.archived.pdf': 'writes signed.archived-2.pdf',
    'innsigli archive signed.pdf --in-place': 'renew a file of an archive',
    'innsigli archive contract.p7m': 'writes contract.archived.p7m',
    'innsigli archive signed.pdf --plan': 'missing data and where to fetch it',
    'innsigli archive minutes.txt --timestamp-only': 'writes minutes.txt.asics',
    'innsigli archive papers --timestamp-only --out-dir stamped': 'one time-stamp per file',
    'innsigli archive vault --in-place --resume': 'renew all of it, resuming if interrupted',
  },
  exits: {
    0: 'archived, verified and written',
    1: 'a file cannot be read or written',
    2: 'invalid usage, or the output exists',
    3: 'some of several documents failed',
    4: 'a password is missing or incorrect',
    5: 'no such file',
    6: 'the document forbids changes, or another batch is running',
    7: 'no signature, one not intact or expired before any proved time, or --plan failed',
    8: 'a time-stamp authority, revocation data or the network failed',
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
