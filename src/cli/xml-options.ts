import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { InnsigliError } from '../base/errors.ts';
import { foundInstead, readNamed } from '../wire/documents.ts';
import type { SealXmlOptions } from '../wire/toolkit.types.ts';
import { refuseUsage } from './context.ts';
import { noFileError } from './no-file.ts';
import { collect, detachedHelp } from './options.ts';

/** What the options of {@link addXmlOptions} give. */
export interface ParsedXmlOptions {
  readonly packaging?: NonNullable<SealXmlOptions['packaging']>;
  readonly id?: string;
  readonly into?: string;
  readonly transform?: 'filter' | 'enveloped';
  readonly container?: 'asic-s' | 'asic-e';
  readonly cades?: boolean;
  readonly detached?: readonly string[];
  readonly role?: readonly string[];
  readonly city?: string;
  readonly street?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly commitment?: readonly string[];
  readonly policy?: string;
  readonly policyFile?: string;
  readonly policyUri?: string;
  readonly pss?: boolean;
}

/** Where a signature can stand. */
export const packagings = ['enveloped', 'enveloping', 'detached'] as const;

/** Kinds of containers. */
export const containerKinds = ['asic-s', 'asic-e'] as const;

/** Adds what is asked of XML signatures only. */
export function addXmlOptions(command: Command): Command {
  const packaging = new Option('--packaging <kind>', 'where the signature stands');
  const transform = new Option(
    '--transform <kind>',
    'how an enveloped signature leaves itself out',
  );
  const container = new Option('--container <kind>', 'put documents and signature into one file');
  return command
    .addOption(packaging.choices(packagings))
    .option('--detached <file>', detachedHelp, collect)
    .option('--id <id>', 'sign only the element with this Id')
    .option('--into <place>', 'put it there: #id, Invoice/Note, or ubl (an extension)')
    .addOption(transform.choices(['filter', 'enveloped']))
    .addOption(container.choices(containerKinds))
    .option('--cades', 'CAdES instead of XAdES in the container')
    .option('--role <text>', 'role of the signer (repeatable)', collect)
    .option('--city <text>', 'where it is signed; also:')
    .option('--street <text>', 'street')
    .option('--state <text>', 'state or province')
    .option('--postal-code <text>', 'postal code')
    .option('--country <text>', 'country')
    .option('--commitment <name>', 'what signing means: origin, approval, … (repeatable)', collect)
    .option('--policy <id>', 'signature policy: its OID or URI, with --policy-file')
    .option('--policy-file <file>', 'document of the policy, for its digest')
    .option('--policy-uri <url>', 'where that document can be had')
    .option('--pss', 'RSA-PSS signature instead of PKCS #1 v1.5');
}

/** The wishes that the options mean. @throws usage.invalid, io.input.* for the policy */
export async function readXmlOptions(
  options: ParsedXmlOptions,
  folder: string,
): Promise<SealXmlOptions> {
  const { packaging, id, into, transform, role, commitment } = options;
  requireTogether(options);
  requireBeside(options);
  const policy = await readPolicy(options, folder);
  const place = placeOf(options);
  return {
    ...(packaging === undefined ? {} : { packaging }),
    ...(id === undefined ? {} : { id }),
    ...(into === undefined ? {} : { parent: into }),
    ...(transform === undefined ? {} : { transform }),
    ...(role === undefined ? {} : { roles: role }),
    ...(commitment === undefined ? {} : { commitments: commitment }),
    ...(place === undefined ? {} : { place }),
    ...(policy === undefined ? {} : { policy }),
    ...(options.pss === true ? { scheme: 'rsa-pss' as const } : {}),
  };
}

function requireTogether(options: ParsedXmlOptions): void {
  const { packaging = 'enveloped', container, cades, transform, id, into } = options;
  if (cades && container === undefined) {
    refuseUsage('--cades: expected --container, found none', 'CAdES signatures live in containers');
  }
  if (container !== undefined && (options.packaging ?? transform ?? id ?? into) !== undefined) {
    refuseUsage('--container: not together with --packaging, --transform, --id, --into');
  }
  if (transform !== undefined && packaging !== 'enveloped') {
    refuseUsage(`--transform: only of an enveloped signature, found --packaging ${packaging}`);
  }
  if (packaging === 'enveloping' && (id ?? into) !== undefined) {
    refuseUsage('--packaging enveloping: not together with --id, --into');
  }
  if (packaging === 'detached' && id === undefined && into !== undefined) {
    refuseUsage('--into: expected --id beside it, found a signature in a file of its own');
  }
}

function requireBeside({
  detached,
  packaging = 'detached',
  id,
  container,
}: ParsedXmlOptions): void {
  if (detached === undefined) return;
  if (packaging !== 'detached' || (id ?? container) !== undefined) {
    refuseUsage('--detached: only of a signature beside files, without --container, --id');
  }
}

/** True when an option asks for what only a signature in or around an XML document has. */
export function meansXml({ packaging, id, into, transform }: ParsedXmlOptions): boolean {
  return (packaging ?? id ?? into ?? transform) !== undefined;
}

/**
 * True when a signature is over files as they are, several perhaps, and not in one of them: in a
 * container, or detached without an element that it would stand behind.
 */
export function isOverFiles({ packaging, id, container, detached }: ParsedXmlOptions): boolean {
  if (container !== undefined || detached !== undefined) return true;
  return packaging === 'detached' && id === undefined;
}

function placeOf({ city, street, state, postalCode, country }: ParsedXmlOptions) {
  const given = Object.entries({ city, street, state, postalCode, country }).filter(
    ([, value]) => value !== undefined,
  );
  return given.length === 0 ? undefined : (Object.fromEntries(given) as SealXmlOptions['place']);
}

async function readPolicy(
  { policy, policyFile, policyUri }: ParsedXmlOptions,
  folder: string,
): Promise<SealXmlOptions['policy']> {
  if (policy === undefined && policyFile === undefined && policyUri === undefined) return undefined;
  if (policy === undefined || policyFile === undefined) {
    refuseUsage('expected --policy and --policy-file together, found one of them');
  }
  const bytes = await readNamed(resolve(folder, policyFile)).catch((cause: unknown) => {
    const found = foundInstead(cause);
    if (found !== undefined)
      throw noFileError(`--policy-file ${basename(policyFile)}`, found, cause);
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    const code = reason === 'ENOENT' ? 'io.input.notfound' : 'io.input.unreadable';
    const message = `--policy-file ${basename(policyFile)} cannot be read: ${reason}`;
    throw new InnsigliError(code, message, { cause, details: { file: policyFile } });
  });
  const digest = createHash('sha256').update(bytes).digest();
  const uri = policyUri === undefined ? {} : { uri: policyUri };
  return { id: policy, digestAlgorithm: 'sha256', digest, ...uri };
}
