import { codeOf } from '../../base/errors.ts';
import type { BlobStore, JobClaim, Vault } from '../ports/index.ts';
import { requireSameStore } from './bind-store.ts';
import { factNames, type StoragePorts } from './ports.ts';
import { requireKeyOfStore } from './vault-key.ts';

/** What belongs together when a program begins may be changed under it; so long a look holds. */
const HOLDS_MS = 5000;

type OwnFact = NonNullable<JobClaim['ownFact']>;
type OwnPorts = Pick<StoragePorts, 'store' | 'contentsFolder'> & { readonly vault: Vault };

/**
 * Looks whether the database at this moment is that of the folder of contents and of the key:
 * another one may have come behind its address. Gives the fact that tells it from others.
 *
 * @throws store.mismatch, vault.key.mismatch
 */
export async function requireOwnStore(ports: OwnPorts): Promise<OwnFact> {
  const value = await requireSameStore(ports);
  await requireKeyOfStore(ports);
  return { name: factNames.id, value };
}

/** As {@link requireOwnStore}, for who asks before each piece of work: a look holds for seconds. */
export function ownStoreCheck(ports: OwnPorts & Pick<StoragePorts, 'now'>): () => Promise<OwnFact> {
  let look: { readonly atMs: number; readonly made: Promise<OwnFact> } | undefined;
  return () => {
    const atMs = ports.now();
    if (look !== undefined && Math.abs(atMs - look.atMs) < HOLDS_MS) return look.made;
    const made = requireOwnStore(ports);
    look = { atMs, made };
    made.catch(() => {
      look = undefined;
    });
    return made;
  };
}

/**
 * Contents of which none is missing as long as the folder is a strange one: that says nothing of
 * the document that was asked for.
 *
 * @throws its methods: store.mismatch
 */
export function ownContents(
  ports: Pick<StoragePorts, 'store' | 'blobs' | 'contentsFolder'>,
): BlobStore {
  const { blobs } = ports;
  const found = async <T>(look: () => Promise<T>): Promise<T> => {
    try {
      return await look();
    } catch (error) {
      if (codeOf(error) === 'blob.missing') await requireSameStore(ports);
      throw error;
    }
  };
  return {
    ...blobs,
    get: (sha256) => found(() => blobs.get(sha256)),
    open: (sha256) => found(() => blobs.open(sha256)),
    sizeOf: (sha256) => found(() => blobs.sizeOf(sha256)),
  };
}
