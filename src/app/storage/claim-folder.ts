import type { RandomBytes } from '../../domain/keys.ts';
import type { BlobStore, ContentsFolder, StorePorts } from '../ports/index.ts';

const NAME_BYTES = 16;
/** Several hosts may write their names in another order than the database has them. */
const NAMES_KEPT = 8;
/** Interval of claims by a program that stores contents, in milliseconds. */
const CLAIM_EVERY_MS = 3_600_000;

/**
 * Gives the folder and the database a new name that both have. A copy of the database gives the
 * folder another one as soon as it stores something: from then on each of them knows that it is not
 * alone, or that it was restored, and removes nothing until the user confirms it.
 *
 * The database holds former names too, because a program may die between the two.
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
  // Another program of this database was faster: its name is as good.
  if (isOurs) await contentsFolder.putMark(markNames.claim, name);
}

function isOwnClaim(known: string | undefined, mark: string | undefined): boolean {
  if (known === undefined || mark === undefined) return known === undefined && mark === undefined;
  return known.split(' ').includes(mark);
}

/**
 * True if another database has stored contents in the folder since, or this one was restored: the
 * folder may then need contents that this database does not know.
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

/** Contents of which the folder learns whose they are: see {@link claimFolder}. */
export function claimedContents(ports: StoragePorts): BlobStore {
  const { blobs, now } = ports;
  let claimedAtMs: number | undefined;
  return {
    ...blobs,
    async put(content) {
      const nowMs = now();
      if (claimedAtMs === undefined || Math.abs(nowMs - claimedAtMs) > CLAIM_EVERY_MS) {
        // Before the content is there: nobody removes it without knowing of us.
        await claimFolder(ports);
        claimedAtMs = nowMs;
      }
      return blobs.put(content);
    },
  };
}

/** Dependencies of the maintenance of a store as a whole: database and folder of contents. */
export interface StoragePorts extends StorePorts {
  readonly blobs: BlobStore;
  readonly contentsFolder: ContentsFolder;
  readonly random: RandomBytes;
}

/** Names of facts about the store. */
export const factNames = {
  /** The id that database and folder share. */
  id: 'store.id',
  /** The id that both are about to get. */
  proposed: 'store.proposed',
  vaultCheck: 'vault.check',
  developmentTrust: 'trust.development',
  sealCertificate: 'seal.certificate',
  /** Begin of the names of hosts. */
  host: 'host.',
  /** Begin of the names of the moments that hosts have noted. */
  clock: 'clock.',
  /** Random name of the last collection; the folder has it too. */
  collection: 'collect.run',
  /** Day of the last collection that a worker began. */
  collectionDay: 'collect.day',
  /** Names under which this database stores contents: the newest, and the one before. */
  claim: 'claim.name',
  /** Another database stores contents in the folder, or this one was put back; when it was seen. */
  foreign: 'claim.foreign',
  /** Figures of a collection that was refused. */
  refused: 'collect.refused',
} as const;

/** Names of marks in the folder. */
export const markNames = {
  id: 'store',
  collection: 'collected',
  claim: 'claimed',
  host: 'host-',
} as const;
