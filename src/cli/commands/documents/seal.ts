import { defined } from '../../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import type { SealOptions } from '../../../wire/toolkit.types.ts';
import { command, type Given, reading } from '../../command/index.ts';
import {
  type CommandContext,
  type ExitCode,
  refuseUsage,
  requireOneStream,
} from '../../context.ts';
import { naming } from '../../named-error.ts';
import {
  algorithmHelp,
  algorithmPolicyOption,
  batchHelp,
  batchOptions,
  batchResultOptions,
  digestOption,
  documentOptions,
  keyOptions,
  levelOption,
  meansBatch,
  readBatchOptions,
  readVisible,
  requireInput,
  revocationHelp,
  type SettingOptions,
  settingsFrom,
  timestampOptions,
  trustOptions,
  visibleOptions,
} from '../../options/index.ts';
import { shownName } from '../../output/index.ts';
import { type OneDocument, requireOnePlace, runOneDocument } from './one-document.ts';

const permission = reading((text, name): 1 | 2 | 3 => {
  const digit = /^p?([123])$/i.exec(text)?.[1];
  if (digit === '1') return 1;
  if (digit === '2') return 2;
  if (digit === '3') return 3;
  return refuseUsage(`${name}: expected p1, p2 or p3, found "${text}"`);
});

const options = {
  'Result:': '',
  '-o, --output <file>': 'output file, or - for stdout (default: NAME.sealed.pdf)',
  '--in-place': 'replace the input file with the result',
  '-f, --force': 'replace an existing output',
  'Signature:': '',
  ...levelOption,
  '--reason <text>': 'reason shown by viewers',
  '--location <text>': 'location shown by viewers',
  '--name <text>': 'name of the signer shown by viewers',
  '--contact <text>': 'contact information of the signer',
  '--field <name>': 'signature field to use or create',
  '--certify <permission>': {
    text: 'certify: p1 no changes, p2 forms, p3 forms and comments',
    ...permission,
    offered: ['p1', 'p2', 'p3'],
  },
  ...digestOption,
  '--pss': 'RSA-PSS signature instead of PKCS #1 v1.5',
  ...documentOptions,
  '--ignore-permissions': 'create a field even if an encrypted PDF only permits filling fields',
  ...visibleOptions,
  ...keyOptions,
  ...timestampOptions,
  ...trustOptions,
  ...algorithmPolicyOption,
  ...batchOptions,
  ...batchResultOptions,
} as const;

type GivenSeal = Given<object, typeof options> & Pick<SettingOptions, 'algorithmPolicy'>;

/** Seals documents, one by one or in a batch. */
export const seal = command('seal', {
  description: 'Seal a PDF. The input is not changed; the result starts with its exact bytes.',
  args: { '[inputs...]': 'PDF to seal, or - for stdin; files, folders or patterns for a batch' },
  options,
  help: [
    'Without a key option the key of the development trust is used, which only you trust. ' +
      'Without --tsa the embedded time-stamp authority is used. A level that cannot be ' +
      'reached is an error. The result is verified before it is written.',
    revocationHelp,
    algorithmHelp,
    ...batchHelp,
  ],
  examples: {
    'innsigli seal agreement.pdf': 'seal to B-LTA with the development key',
    'innsigli seal a.pdf --p12 seal.p12 --password-file pw': 'seal with your own key',
    'innsigli seal a.pdf --level b-t --tsa https://tsa.example':
      'use an external time-stamp authority',
    'innsigli seal a.pdf --visible --image logo.png --qr': 'with a drawn seal',
    'innsigli seal - -o - < a.pdf > b.pdf': 'in a pipe',
    'innsigli seal letters --out-dir sealed --resume': 'a folder, resuming if interrupted',
  },
  exits: {
    0: 'sealed, verified and written',
    1: 'a file cannot be read or written',
    2: 'invalid usage, or the output exists',
    3: 'some of several documents failed',
    4: 'a password is missing or incorrect',
    5: 'no such file',
    6: 'the document forbids another signature, or another batch is running',
    7: 'the document cannot be sealed: not a PDF, truncated, or signed and damaged',
    8: 'the time-stamp authority or the network failed',
    10: 'key, certificate or configuration problem',
    130: 'interrupted',
  },
  run: async ({ inputs, ...options }, context) => {
    const given = { ...options, algorithmPolicy: options.policy };
    if (inputs.length > 1 || meansBatch(inputs, given, context.io.cwd)) {
      const wanted = await sealOptions(given, context);
      const { runBatch } = await import('../../batch/index.ts');
      return runBatch(readBatchOptions('seal', inputs, given, { seal: wanted }), context);
    }
    return runSeal(requireInput(inputs), given, context);
  },
});

async function runSeal(name: string, given: GivenSeal, context: CommandContext): Promise<ExitCode> {
  const { inPlace = false, force = false } = given;
  requireOnePlace(given, [name]);
  const { siblingName } = await import('../../files/index.ts');
  const output = given.output ?? (inPlace || name === '-' ? name : siblingName(name, 'sealed'));
  let options: SealOptions = {};
  const wanted: OneDocument = {
    ...{ command: 'seal', paths: [name], settings: settingsFrom(given), inPlace, force },
    busy: `Sealing ${shownName(name)}`,
    async prepare() {
      requireOneStream(output, context);
      options = await sealOptions(given, context);
    },
    output: () => output,
    run: (toolkit, [{ source }], { level, digest }) =>
      naming(name, () => toolkit.seal(source, { ...options, level, digest })).catch(
        (error: unknown) => {
          throw options.scheme === undefined ? error : asUsage(error);
        },
      ),
  };
  return runOneDocument(wanted, context);
}

/** Restates an error for the user: a scheme the key does not support is an invalid option. */
export function asUsage(error: unknown): unknown {
  if (!isInnsigliError(error) || error.code !== 'algorithm.unsupported') return error;
  const { details, cause } = error;
  if (details['keyType'] === undefined) return error;
  const message = `--pss: expected an RSA key, found a key of type ${details['keyType']}`;
  return new InnsigliError('usage.invalid', message, { details, cause, hint: 'omit --pss' });
}

async function sealOptions(given: GivenSeal, { io }: CommandContext): Promise<SealOptions> {
  const { reason, location, name, contact, field, certify, ignorePermissions } = given;
  const visible = await readVisible(given, io.cwd);
  const scheme = given.pss ? ('rsa-pss' as const) : undefined;
  const texts = { reason, location, name, contact };
  const wanted = { ...texts, field, certify, ignorePermissions, scheme, visible };
  wanted satisfies Record<Exclude<keyof SealOptions, 'digest' | 'level'>, unknown>;
  return defined(wanted);
}
