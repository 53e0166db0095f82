import { locales } from '../../../base/words/index.ts';
import { command, type Given, integer, pastTime } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import {
  algorithmPolicyOption,
  batchHelp,
  batchOptions,
  detachedOption,
  documentOptions,
  meansBatch,
  readBatchOptions,
  refuseDetached,
  requireInput,
  revocationOption,
  trustOptions,
} from '../../options/index.ts';

const batchReportHint = 'of many documents --report FILE writes a line of JSON for each';

const options = {
  '--whole': 'fail a document that is not covered as a whole',
  '--at <time>': {
    text: 'time of verification: 2026-01-31T12:00:00Z, or 30d for 30 days ago (default: now)',
    ...pastTime,
  },
  ...detachedOption,
  '--second-opinion': 'ask another implementation about XML signatures, too',
  '--extract <folder>': 'write the covered files of a container that passed',
  '--write-report <file>': {
    text: 'a report as .html, .pdf, .xml (ETSI TS 119 102-2) or .json (repeatable)',
    many: true,
  },
  '--language <code>': {
    text: `words of --write-report: ${locales.join(' ')} (default: en)`,
    offered: locales,
  },
  '--signed-version <number>': {
    text: 'write the document as this signature of the report signed it; needs -o',
    ...integer(1, 4_096),
  },
  '-o, --output <file>': 'where --signed-version goes',
  '-f, --force': 'replace files; extract from a container that did not pass too',
  ...documentOptions,
  ...trustOptions,
  ...revocationOption,
  ...algorithmPolicyOption,
  ...batchOptions,
} as const;

/** Options of `verify` as they were read. */
export type GivenVerify = Given<object, typeof options>;

/** Verifies documents, one by one or in a batch. */
export const verify = command('verify', {
  description: 'Check every signature and time-stamp of PDF, XML, ASiC containers and CMS files.',
  args: { '[inputs...]': 'signed documents, or - for stdin; folders and patterns for a batch' },
  options,
  help: [
    'Reports integrity, coverage, trust and level of each signature, with the indications of ' +
      'ETSI EN 319 102-1.',
    'A signature can be valid and cover a part only. A line reports it; with --whole the ' +
      'answer is no then. A file of --detached that no signature covers makes it no as well.',
    'With --second-opinion xmldsigjs checks XML signatures, too, as far as it supports them. ' +
      'It can only lower the verdict: a signature that fails there is INDETERMINATE.',
    'Anchors of --trust, or of the configuration, replace the development root. To trust it ' +
      'as well, name its file, which innsigli init prints.',
    '--write-report writes the report on one document to a file, with any verdict: for ' +
      'people (.html without scripts; .pdf as PDF/A-2a, for a file of a court), for other ' +
      'validators (.xml) and as JSON. --verbose shows the checks of EN 319 102-1, too.',
    'Revocation: every certificate of a path needs an OCSP response or CRL, in the document or ' +
      'of --validation-data, that says good (EN 319 102-1 §5.2.6). Without, the signature is ' +
      'INDETERMINATE / TRY_LATER; with --revocation online the addresses in the certificates ' +
      'are asked first, and the report lists the requests; --revocation ignore only reports ' +
      'it. A revocation counts in every case.',
    'Digests and key sizes are accepted until the dates of ETSI TS 119 312, at the proved time ' +
      'of a signature, else at verification. --policy names another table: ' +
      '{"name", "published", "digests": {"sha256": null}, "keys": {"rsa": [[3000, null]]}}.',
    'For a PDF that was updated after signing the report lists the changes, by page and ' +
      'field, and --signed-version 1 -o FILE writes the version of signature 1.',
    'With a folder, a pattern or an option of a batch: one line for each document.',
    batchHelp[0],
  ],
  examples: {
    'innsigli verify agreement.sealed.pdf': 'against the development trust',
    'innsigli verify a.pdf --trust roots/': 'against your own anchors',
    'innsigli verify --json *.pdf': 'for programs',
    'innsigli verify a.pdf --at 2024-06-01T12:00:00Z': 'as of this time',
    'innsigli verify a.sig.xml --detached a.bin': 'a signature beside its document',
    'innsigli verify a.pdf --write-report a.report.pdf --language de': 'a report in German',
    'innsigli verify a.pdf --revocation online': 'and fetch missing data',
    'innsigli verify a.p7m b.p7s --detached b.bin': 'CMS and CAdES, with and without content',
    'innsigli verify b.asice --whole --extract out': 'take the signed files out of it',
    'innsigli verify a.pdf --signed-version 1 -o signed.pdf': 'the signed version, without updates',
    'innsigli verify vault --jobs 4 --report checked.jsonl': 'everything in a folder',
  },
  exits: {
    0: 'every signature is TOTAL-PASSED',
    1: 'a file cannot be read',
    2: 'wrong usage',
    3: 'several documents, and one could not be checked, being damaged for instance',
    4: 'a password is missing or wrong',
    5: 'there is no such file',
    7:
      'a signature is TOTAL-FAILED, or there is none, it is no document, or not covered ' +
      'as a whole (--whole, --detached); outweighs 3',
    9: 'a signature is INDETERMINATE; 3 outweighs it',
    10: 'a trust anchor or the configuration cannot be read',
  },
  run: async ({ inputs, ...options }, context) => {
    const isBatch = meansBatch(inputs, options, context.io.cwd);
    if (isBatch && options.detached !== undefined) refuseDetached();
    requireOneDocument(options, isBatch || inputs.length > 1);
    if (!isBatch) {
      requireInput(inputs);
      const { verifyInputs } = await import('./verify-run.ts');
      return verifyInputs(inputs, settled(options), context);
    }
    const { runBatch } = await import('../../batch/index.ts');
    return runBatch(readBatchOptions('verify', inputs, settled(options)), context);
  },
});

function settled(options: GivenVerify) {
  return { ...options, algorithmPolicy: options.policy };
}

/** Refuses options that mean one document, or another option. @throws usage.invalid */
function requireOneDocument(
  { extract, writeReport = [], language, signedVersion, output }: GivenVerify,
  isMany: boolean,
): void {
  if (extract !== undefined && isMany) {
    refuseUsage('--extract: expected one container, found several documents');
  }
  if (writeReport.length > 0 && isMany) {
    refuseUsage('--write-report: expected one document, found several', batchReportHint);
  }
  if (language !== undefined && writeReport.length === 0) {
    refuseUsage('--language: expected --write-report with it, found none');
  }
  if (signedVersion === undefined) {
    if (output !== undefined && !isMany) refuseUsage('-o: expected --signed-version with it');
    return;
  }
  if (isMany) refuseUsage('--signed-version: expected one PDF, found several documents');
  if (output === undefined || output === '-') {
    refuseUsage('--signed-version: name the file that it is written to with -o');
  }
}
