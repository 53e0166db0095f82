import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { readNamed } from '../../wire/documents.ts';
import type { SealXmlOptions } from '../../wire/toolkit.types.ts';
import type { Given } from '../command/index.ts';
import { refuseUsage } from '../context.ts';
import { inputError } from '../input-error.ts';
import { detachedOption } from './settings.ts';

const packagings = ['enveloped', 'enveloping', 'detached'] as const;

const containerKinds = ['asic-s', 'asic-e'] as const;

/** Options for XML signatures and containers only. */
export const xmlOptions = {
  '--packaging <kind>': { text: 'packaging of the signature', choices: packagings },
  ...detachedOption,
  '--id <id>': 'sign only the element with this Id',
  '--into <place>': 'insert it there: #id, Invoice/Note, or ubl (an extension)',
  '--transform <kind>': {
    text: 'transform of an enveloped signature',
    choices: ['filter', 'enveloped'],
  },
  '--container <kind>': {
    text: 'put documents and signature into one file',
    choices: containerKinds,
  },
  '--cades': 'CAdES instead of XAdES in the container',
  '--role <text>': { text: 'role of the signer (repeatable)', many: true },
  '--city <text>': 'place of signing: city',
  '--street <text>': 'place of signing: street',
  '--state <text>': 'place of signing: state or province',
  '--postal-code <text>': 'place of signing: postal code',
  '--country <text>': 'place of signing: country',
  '--commitment <name>': {
    text: 'commitment of the signer: origin, approval, … (repeatable)',
    many: true,
  },
  '--policy <id>': 'signature policy: its OID or URI, with --policy-file',
  '--policy-file <file>': 'document of the policy, for its digest',
  '--policy-uri <url>': 'address of that document',
  '--pss': 'RSA-PSS signature instead of PKCS #1 v1.5',
} as const;

/** Values of {@link xmlOptions}. */
export type GivenXml = Given<object, typeof xmlOptions>;

/** Reads the signature parameters from the options. @throws usage.invalid, io.input.* (policy) */
export async function readXmlOptions(options: GivenXml, folder: string): Promise<SealXmlOptions> {
  const { packaging, id, into, transform, role, commitment } = options;
  requireTogether(options);
  requireBeside(options);
  const policy = await readPolicy(options, folder);
  const place = placeOf(options);
  const scheme = options.pss ? ('rsa-pss' as const) : undefined;
  const signer = { roles: role, commitments: commitment, place };
  return defined({ packaging, id, parent: into, transform, ...signer, policy, scheme });
}

function requireTogether(options: GivenXml): void {
  const { packaging = 'enveloped', container, cades, transform, id, into } = options;
  if (cades && container === undefined) {
    refuseUsage(
      '--cades: expected --container, found none',
      'CAdES signatures are stored in containers',
    );
  }
  if (container !== undefined && (options.packaging ?? transform ?? id ?? into) !== undefined) {
    refuseUsage('--container cannot be combined with --packaging, --transform, --id, --into');
  }
  if (transform !== undefined && packaging !== 'enveloped') {
    refuseUsage(`--transform: expected an enveloped signature, found --packaging ${packaging}`);
  }
  if (packaging === 'enveloping' && (id ?? into) !== undefined) {
    refuseUsage('--packaging enveloping cannot be combined with --id, --into');
  }
  if (packaging === 'detached' && id === undefined && into !== undefined) {
    refuseUsage('--into: expected --id with it, found a signature in a separate file');
  }
}

function requireBeside({ detached, packaging = 'detached', id, container }: GivenXml): void {
  if (detached === undefined) return;
  if (packaging !== 'detached' || (id ?? container) !== undefined) {
    refuseUsage('--detached: expected a detached signature, without --container, --id');
  }
}

/** True if an option applies only to a signature in or around an XML document. */
export function meansXml({ packaging, id, into, transform }: GivenXml): boolean {
  return (packaging ?? id ?? into ?? transform) !== undefined;
}

/**
 * True if a signature covers one or more files as they are, without being placed in one of them: in
 * a container, or detached without the ID of an element.
 */
export function isOverFiles({ packaging, id, container, detached }: GivenXml): boolean {
  if (container !== undefined || detached !== undefined) return true;
  return packaging === 'detached' && id === undefined;
}

function placeOf({ city, street, state, postalCode, country }: GivenXml): SealXmlOptions['place'] {
  const place = defined({ city, street, state, postalCode, country });
  return Object.keys(place).length === 0 ? undefined : place;
}

async function readPolicy(
  { policy, policyFile, policyUri }: GivenXml,
  folder: string,
): Promise<SealXmlOptions['policy']> {
  if (policy === undefined && policyFile === undefined && policyUri === undefined) return undefined;
  if (policy === undefined || policyFile === undefined) {
    refuseUsage('expected --policy and --policy-file together, found one of them');
  }
  const bytes = await readNamed(resolve(folder, policyFile)).catch((cause: unknown) => {
    throw inputError(policyFile, cause, { option: '--policy-file' });
  });
  const digest = createHash('sha256').update(bytes).digest();
  const uri = policyUri === undefined ? {} : { uri: policyUri };
  return { id: policy, digestAlgorithm: 'sha256', digest, ...uri };
}
