import type { RandomBytes } from '../../domain/keys.ts';
import type { BlobStore, ContentsFolder, StorePorts } from '../ports/index.ts';

const NAME_BYTES = 16;
/** Number of former names retained: hosts may write to folder and database in different orders. */
const NAMES_KEPT = 8;
/** Interval between claims by a program that stores blobs, in milliseconds. */
const CLAIM_EVERY_MS = 3_600_000;

/**
 * Assigns a new common name to the folder and the database. A copy of the database assigns a
 * different name to the folder as soon as it stores a blob. From then on each of them detects that
 * the folder is shared, or that the database was restored, and deletes nothing until the user
 * confirms it.
 *
 * The database also keeps former names, because a program may crash between the two writes.
 */
export async function claimFolder(ports: StoragePorts): Promise<void> {
  const { store, contentsFolder, now, random } = ports;
  const name = Buffer.from(random(NAME_BYTES)).toString('hex');
  const mark = await contentsFolder.findMark(markNames.claim);
  const isOurs = await store.write(async ({ facts }) => {
    const known = await facts.find(factNames.claim);
    if (!isOwnClaim(known, mark)) await facts.put(factNames.foreign, String(now()), now());
    const names = [name, ...(known?.split(' ') ?? [])];
    const next = [...new Set(names)].slice(0, NAMES_KEPT).join(' ');
    return facts.swap(factNames.claim, known, next, now());
  });
  // If not, a concurrent program of this database was faster; its name serves as well.
  if (isOurs) await contentsFolder.putMark(markNames.claim, name);
}

function isOwnClaim(known: string | undefined, mark: string | undefined): boolean {
  if (known === undefined || mark === undefined) return known === undefined && mark === undefined;
  return known.split(' ').includes(mark);
}

/**
 * Whether a different database has stored blobs in the folder since, or this one was restored: the
 * folder may then contain blobs that only the other database needs.
 */
export async function isFolderShared(ports: StoragePorts): Promise<boolean> {
  const { store, contentsFolder } = ports;
  const { known, foreign } = await store.read(async ({ facts }) => ({
    known: await facts.find(factNames.claim),
    foreign: await facts.find(factNames.foreign),
  }));
  return (
    foreign !== undefined || !isOwnClaim(known, await contentsFolder.findMark(markNames.claim))
  );
}

/** Wraps the blob store: the folder is claimed before blobs are stored; see {@link claimFolder}. */
export function claimedContents(ports: StoragePorts): BlobStore {
  const { blobs, now } = ports;
  let claimedAtMs: number | undefined;
  return {
    ...blobs,
    async put(content) {
      const nowMs = now();
      if (claimedAtMs === undefined || Math.abs(nowMs - claimedAtMs) > CLAIM_EVERY_MS) {
        // Claimed before the blob exists, so that no other database deletes it unaware of this one.
        await claimFolder(ports);
        claimedAtMs = nowMs;
      }
      return blobs.put(content);
    },
  };
}

/** Dependencies of the maintenance of a whole store: database and folder of blobs. */
export interface StoragePorts extends StorePorts {
  readonly blobs: BlobStore;
  readonly contentsFolder: ContentsFolder;
  readonly random: RandomBytes;
}

/** Names of facts about the store. */
export const factNames = {
  /** The ID shared by database and folder. */
  id: 'store.id',
  /** The ID proposed for both. */
  proposed: 'store.proposed',
  vaultCheck: 'vault.check',
  developmentTrust: 'trust.development',
  sealCertificate: 'seal.certificate',
  /** Prefix of the names of hosts. */
  host: 'host.',
  /** Prefix of the names of moments recorded by hosts. */
  clock: 'clock.',
  /** Random name of the last garbage collection, also stored in the folder. */
  collection: 'collect.run',
  /** Day of the last garbage collection started by a worker. */
  collectionDay: 'collect.day',
  /** Names under which this database stores blobs, newest first. */
  claim: 'claim.name',
  /** Time of detecting that another database uses the folder, or that this one was restored. */
  foreign: 'claim.foreign',
  /** Figures of a refused garbage collection. */
  refused: 'collect.refused',
} as const;

/** Names of marks in the folder. */
export const markNames = {
  id: 'store',
  collection: 'collected',
  claim: 'claimed',
  host: 'host-',
} as const;
