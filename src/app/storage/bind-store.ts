import { codeOf, InnsigliError } from '../../base/errors.ts';
import type { BlobStore, JobClaim, Vault } from '../ports/index.ts';
import { factNames, markNames, type StoragePorts } from './claim-folder.ts';
import type { HostName } from './hosts.ts';
import { requireKeyOfStore } from './vault-key.ts';

/** Number of blobs looked up before a database and a folder without IDs are bound. */
const SAMPLE = 100;
/** Maximum number of blobs in the folder if the database refers to none. */
const STRAY_MAX = 10;
/** Maximum share of missing blobs when an older store is bound. */
const LOST_SHARE = 0.1;
const ID_BYTES = 16;

/** A sample of the blobs that the database refers to, compared with the folder. */
export interface ContentsSample {
  readonly sampled: number;
  /** Number of sampled blobs that are not in the folder. */
  readonly missing: number;
}

/**
 * Returns the ID shared by the database and the folder of blobs. Assigns one to both if neither has
 * an ID and they belong together: both are empty, or the folder has the blobs that the database
 * refers to.
 *
 * @throws store.mismatch if they do not belong together
 */
export async function bindStore(ports: StoragePorts): Promise<string> {
  const { store, contentsFolder } = ports;
  let found = await contentsFolder.findMark(markNames.id);
  const { known, proposed } = await store.read(async ({ facts }) => ({
    known: await facts.find(factNames.id),
    proposed: await facts.find(factNames.proposed),
  }));
  // A concurrent program may have bound them between the two reads.
  found ??= known === undefined ? undefined : await contentsFolder.findMark(markNames.id);
  if (known !== undefined && known === found) return known;
  // The proposed ID in the folder was written by a program that was killed before it could finish.
  if (known !== undefined || (found !== undefined && found !== proposed)) {
    throw mismatch(ports, known, found);
  }
  if (found === undefined) await requireOwnContents(ports);
  return joinBoth(ports);
}

/**
 * Returns the ID currently shared by the database and the folder.
 *
 * @throws store.mismatch
 */
export async function requireSameStore(ports: Pick<StoragePorts, 'store' | 'contentsFolder'>) {
  const known = await ports.store.read(({ facts }) => facts.find(factNames.id));
  const found = await ports.contentsFolder.findMark(markNames.id);
  if (known !== undefined && known === found) return known;
  throw mismatch(ports, known, found);
}

/**
 * Binds the database and the folder under a new ID, whatever they had before. All other databases
 * and folders no longer match them. Marks of orphans, hosts and seal keys are removed; the next
 * program that opens the service records its own.
 *
 * @throws store.busy if a concurrent adoption has started meanwhile, which takes precedence
 */
export async function adoptStore(ports: StoragePorts): Promise<string> {
  const { store, contentsFolder, now } = ports;
  const id = newId(ports);
  await store.write(async ({ facts, contents }) => {
    // Written first: in PostgreSQL, this row is the lock for concurrent bindings.
    await facts.put(factNames.proposed, id, now());
    await facts.remove(factNames.id);
    for (const { name } of await facts.list(factNames.host)) await facts.remove(name);
    const { developmentTrust, sealCertificate, collection, refused, claim, foreign } = factNames;
    for (const name of [developmentTrust, sealCertificate, collection, refused, claim, foreign]) {
      await facts.remove(name);
    }
    await contents.unmarkAll();
  });
  await confirm(ports, id, async () => {
    await contentsFolder.removeMark(markNames.collection);
    await contentsFolder.removeMark(markNames.claim);
    await contentsFolder.putMark(markNames.id, id);
  });
  return id;
}

/** Looks up a sample of the database's blobs in the folder. @param from prefix of the digests */
export async function sampleContents(
  { store, blobs }: Pick<StoragePorts, 'store' | 'blobs'>,
  take: number,
  from = '',
): Promise<ContentsSample> {
  const names = await store.read(({ contents }) => contents.sample(take, from));
  const absent: string[] = [];
  for (const name of names) if (!(await blobs.has(name))) absent.push(name);
  if (absent.length === 0) return { sampled: names.length, missing: 0 };
  // A blob purged since then is not missing.
  const needed = await store.read(({ processes }) => processes.referenced(absent));
  return { sampled: names.length, missing: needed.length };
}

// The folder first: a program that finds the mark there also finds the proposal in the database.
async function joinBoth(ports: StoragePorts): Promise<string> {
  const { store, contentsFolder, now } = ports;
  const made = newId(ports);
  const id = await store.write(({ facts }) => facts.putOnce(factNames.proposed, made, now()));
  const marked = await contentsFolder.putMarkOnce(markNames.id, id);
  if (marked !== id) throw mismatch(ports, id, marked);
  await confirm(ports, id);
  return id;
}

/**
 * Confirms the proposed ID as that of the database, unless a different one was proposed since. The
 * folder is marked within the transaction: a superseded program leaves no mark, and the next
 * program completes the work of one that was killed between the two.
 */
async function confirm(
  { store, now }: StoragePorts,
  id: string,
  mark?: () => Promise<void>,
): Promise<void> {
  await store.write(async ({ facts }) => {
    if (!(await facts.swap(factNames.proposed, id, id, now()))) {
      throw new InnsigliError('store.busy', 'another program is joining database and contents', {
        hint: 'wait until it finishes, then compare them with innsigli store show',
      });
    }
    await mark?.();
    await facts.put(factNames.id, id, now());
  });
}

async function hasMoreThan({ blobs }: Pick<StoragePorts, 'blobs'>, most: number): Promise<boolean> {
  let count = 0;
  for await (const _content of blobs.list()) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

async function requireOwnContents(ports: StoragePorts): Promise<void> {
  const { sampled, missing } = await sampleContents(ports, SAMPLE);
  // Leftovers of a rejected request or a purge: as few as one garbage collection may delete.
  if (sampled === 0 && !(await hasMoreThan(ports, STRAY_MAX))) return;
  // A few blobs lost long ago must not prevent the binding.
  if (sampled > 0 && missing <= sampled * LOST_SHARE) return;
  const found =
    sampled === 0
      ? 'expected contents referenced by the database, found only other contents'
      : `expected the contents of the database, found ${sampled - missing} of ${sampled} sampled`;
  throw refusal(ports, found, { sampled, missing });
}

function mismatch(
  ports: Pick<StoragePorts, 'contentsFolder'>,
  known: string | undefined,
  found: string | undefined,
): InnsigliError {
  const said = (id: string | undefined) => (id === undefined ? 'none' : id.slice(0, 8));
  const ids = `expected store id ${said(known)} of the database, found ${said(found)}`;
  return refusal(ports, ids, { expected: said(known), found: said(found) });
}

function refusal(
  { contentsFolder }: Pick<StoragePorts, 'contentsFolder'>,
  found: string,
  details: Readonly<Record<string, string | number>>,
): InnsigliError {
  const message = `the database and the contents in ${contentsFolder.place} do not belong together`;
  return new InnsigliError('store.mismatch', `${message}: ${found}`, {
    details,
    hint:
      'choose the correct data directory or database, or restore both from the same backup. If ' +
      'both are correct, such as for a separate copy, join them with innsigli store adopt',
  });
}

function newId({ random }: StoragePorts): string {
  return Buffer.from(random(ID_BYTES)).toString('hex');
}

/** Validity of a check of the store, in milliseconds: files can change while a program runs. */
const CHECK_VALID_MS = 5000;

type OwnFact = NonNullable<JobClaim['ownFact']>;
type OwnPorts = Pick<StoragePorts, 'store' | 'contentsFolder'> & { readonly vault: Vault };

/**
 * Verifies that the current database belongs to the folder of blobs and to the key: a different one
 * may have appeared at its address. Returns the fact that identifies it.
 *
 * @throws store.mismatch, vault.key.mismatch
 */
export async function requireOwnStore(ports: OwnPorts): Promise<OwnFact> {
  const value = await requireSameStore(ports);
  await requireKeyOfStore(ports, ports.vault);
  return { name: factNames.id, value };
}

/** Like {@link requireOwnStore}, for checks before each unit of work: results last for seconds. */
export function ownStoreCheck(ports: OwnPorts & Pick<StoragePorts, 'now'>): () => Promise<OwnFact> {
  let look: { readonly atMs: number; readonly made: Promise<OwnFact> } | undefined;
  return () => {
    const atMs = ports.now();
    if (look !== undefined && Math.abs(atMs - look.atMs) < CHECK_VALID_MS) return look.made;
    const made = requireOwnStore(ports);
    look = { atMs, made };
    made.catch(() => {
      look = undefined;
    });
    return made;
  };
}

/**
 * Wraps the blob store so that a missing blob in a foreign folder is reported as a store mismatch:
 * it says nothing about the requested document.
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

/** A point in time on a host, as recorded by one of its programs. */
interface NotedMoment {
  /** Wall-clock time in milliseconds since the epoch, when the clock was correct. */
  readonly wallMs: number;
  /** Uptime of the system in milliseconds. */
  readonly upMs: number;
  /** Boot ID of the system. Empty if it has none. */
  readonly run: string;
}

/** Returns the last moment recorded on the host. */
export async function findMoment(
  { store }: Pick<StoragePorts, 'store'>,
  host: HostName,
): Promise<NotedMoment | undefined> {
  const value = await store.read(({ facts }) => facts.find(`${factNames.clock}${host.id}`));
  const [, wallMs, upMs, run] = /^(\d{1,15}) (\d{1,15}) ([\w-]{0,64})$/.exec(value ?? '') ?? [];
  if (wallMs === undefined || run === undefined) return undefined;
  return { wallMs: Number(wallMs), upMs: Number(upMs), run };
}

/** Records a moment of the host, replacing the previous one. */
export async function noteMoment(
  { store }: Pick<StoragePorts, 'store'>,
  host: HostName,
  { wallMs, upMs, run }: NotedMoment,
): Promise<void> {
  const [wall, up] = [Math.round(wallMs), Math.round(upMs)];
  await store.write(({ facts }) =>
    facts.put(`${factNames.clock}${host.id}`, `${wall} ${up} ${run}`, wall),
  );
}
