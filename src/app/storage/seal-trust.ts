import { InnsigliError } from '../../base/errors.ts';
import type { StorePorts } from '../ports/index.ts';
import { factNames } from './claim-folder.ts';

/** The seal certificate of a host. */
export interface SealCertificate {
  /** SHA-256 of its DER, hexadecimal. */
  readonly sha256: string;
  readonly subject: string;
  readonly notBeforeMs: number;
}

/** Seal key and trust anchors of a host. */
export interface HostTrust {
  /** SHA-256 of the root of the development trust, if there is one. */
  readonly developmentRoot?: string;
  /** Whether the development trust is disabled. */
  readonly isProduction: boolean;
  /** Certificate of the configured key. `development`: the test key. Undefined: not checked. */
  readonly certificate?: SealCertificate | 'development';
}

/** Seal key of a host compared with that of the other hosts. */
export type SealStanding = 'same' | 'older';

/**
 * Compares the seal key of this host with the recorded one. All hosts must have the same
 * development trust, and seal certificates with the same subject. A renewed certificate replaces
 * the recorded one; other hosts may use the old certificate until they get the new one.
 *
 * @throws trust.mismatch
 */
export async function requireSealTrust(
  { store, now }: StorePorts,
  { developmentRoot, isProduction, certificate }: HostTrust,
): Promise<SealStanding> {
  const known = await store.read(async ({ facts }) => ({
    root: await facts.find(factNames.developmentTrust),
    seal: parse(await facts.find(factNames.sealCertificate)),
  }));
  if (!isProduction && known.root !== undefined && known.root !== developmentRoot) {
    throw otherRoot(known.root, developmentRoot);
  }
  if (!isProduction && known.root === undefined && developmentRoot !== undefined) {
    const note = [factNames.developmentTrust, developmentRoot] as const;
    const stands = await store.write(({ facts }) => facts.putOnce(...note, now()));
    if (stands !== developmentRoot) throw otherRoot(stands, developmentRoot);
  }
  if (certificate === undefined) return 'same';
  if (certificate === 'development') {
    if (known.seal === undefined) return 'same';
    throw otherKey(known.seal.subject, 'the development key');
  }
  return compareKeys({ store, now }, certificate, known.seal);
}

async function compareKeys(
  { store, now }: StorePorts,
  own: SealCertificate,
  known: SealCertificate | undefined,
): Promise<SealStanding> {
  if (known?.sha256 === own.sha256) return 'same';
  if (known !== undefined && known.subject !== own.subject) {
    throw otherKey(known.subject, own.subject);
  }
  if (known !== undefined && known.notBeforeMs > own.notBeforeMs) return 'older';
  const { sealCertificate: name } = factNames;
  const text = JSON.stringify(own);
  const before = known === undefined ? undefined : JSON.stringify(known);
  const isNoted = await store.write(({ facts }) => facts.swap(name, before, text, now()));
  if (isNoted) return 'same';
  // A concurrent host was faster.
  const stands = parse(await store.read(({ facts }) => facts.find(name)));
  return compareKeys({ store, now }, own, stands);
}

function parse(text: string | undefined): SealCertificate | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as SealCertificate);
}

function otherRoot(expected: string, found: string | undefined): InnsigliError {
  const ids = `expected root ${expected.slice(0, 16)}, found ${found?.slice(0, 16) ?? 'none'}`;
  return new InnsigliError(
    'trust.mismatch',
    `the development trust is not that of the store: ${ids}`,
    {
      hint:
        'copy the folder trust from the host that created the store, or restore it from a ' +
        'backup; to use different test keys on purpose run innsigli store adopt',
    },
  );
}

function otherKey(expected: string, found: string): InnsigliError {
  const message = `the seal key is not that of the store: expected ${expected}, found ${found}`;
  return new InnsigliError('trust.mismatch', message, {
    hint:
      'configure the same key on all hosts (a renewed certificate has the same subject); ' +
      'to use a different key on purpose run innsigli store adopt',
  });
}
