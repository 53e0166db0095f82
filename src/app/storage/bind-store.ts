import { codeOf, InnsigliError } from '../../base/errors.ts';
import type { BlobStore, JobClaim, Vault } from '../ports/index.ts';
import { factNames, markNames, type StoragePorts } from './claim-folder.ts';
import type { HostName } from './hosts.ts';
import { requireKeyOfStore } from './vault-key.ts';

/** Contents that are looked for before a database and a folder without ids are joined. */
const SAMPLE = 100;
/** Contents without a reference beside a database that refers to none. */
const STRAY_MAX = 10;
/** Contents of an older store that may be missing when it is joined. */
const LOST_SHARE = 0.1;
const ID_BYTES = 16;

/** Sample of the contents that the database refers to, compared with the folder. */
export interface ContentsSample {
  readonly sampled: number;
  /** Contents of the sample that are not in the folder. */
  readonly missing: number;
}

/**
 * The id that the database and the folder of contents share. Both get one when neither has any and
 * they belong together: both are empty, or what the database refers to is in the folder.
 *
 * @throws store.mismatch when they do not belong together
 */
export async function bindStore(ports: StoragePorts): Promise<string> {
  const { store, contentsFolder } = ports;
  let found = await contentsFolder.findMark(markNames.id);
  const { known, proposed } = await store.read(async ({ facts }) => ({
    known: await facts.find(factNames.id),
    proposed: await facts.find(factNames.proposed),
  }));
  // Another program may have joined them between the two looks.
  found ??= known === undefined ? undefined : await contentsFolder.findMark(markNames.id);
  if (known !== undefined && known === found) return known;
  // A folder that has the proposed id was given it by a program that was killed before the end.
  if (known !== undefined || (found !== undefined && found !== proposed)) {
    throw mismatch(ports, known, found);
  }
  if (found === undefined) await requireOwnContents(ports);
  return joinBoth(ports);
}

/**
 * The id that the database and the folder share at this moment.
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
 * Joins the database and the folder under a new id, whatever they had before: every other database
 * and folder is a stranger to them from then on. Marks of orphans, hosts and seal keys are
 * forgotten; the next program that opens the service notes its own.
 *
 * @throws store.busy when another adoption has begun meanwhile: that one decides
 */
export async function adoptStore(ports: StoragePorts): Promise<string> {
  const { store, contentsFolder, now } = ports;
  const id = newId(ports);
  await store.write(async ({ facts, contents }) => {
    // First: in PostgreSQL its row is the lock of those who join.
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

/** Looks for contents of the database in the folder. @param from begin of the digests */
export async function sampleContents(
  { store, blobs }: Pick<StoragePorts, 'store' | 'blobs'>,
  take: number,
  from = '',
): Promise<ContentsSample> {
  const names = await store.read(({ contents }) => contents.sample(take, from));
  const absent: string[] = [];
  for (const name of names) if (!(await blobs.has(name))) absent.push(name);
  if (absent.length === 0) return { sampled: names.length, missing: 0 };
  // One that was purged since is not missing.
  const needed = await store.read(({ processes }) => processes.referenced(absent));
  return { sampled: names.length, missing: needed.length };
}

// The folder first: a program that finds its mark there finds the proposal in the database too.
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
 * Makes the proposed id that of the database, unless another was proposed since. The folder is
 * marked inside the transaction: a program that was overtaken leaves no mark, and the next program
 * finishes one that was killed between the two.
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
  // Contents left by a refused request or a purge: fewer than one run of the collection may take.
  if (sampled === 0 && !(await hasMoreThan(ports, STRAY_MAX))) return;
  // One document that was lost long ago does not stop the others.
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

/**
 * Time for which a check of the store is valid, in milliseconds: files can be exchanged while a
 * program runs.
 */
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
  await requireKeyOfStore(ports, ports.vault);
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

/** A moment of a host, as a program of it has noted it. */
interface NotedMoment {
  /** Epoch milliseconds of a clock that was sound. */
  readonly wallMs: number;
  /** Milliseconds that the system had been up. */
  readonly upMs: number;
  /** Boot identifier of the system; empty where the system has none. */
  readonly run: string;
}

/** The last moment that was noted on the host. */
export async function findMoment(
  { store }: Pick<StoragePorts, 'store'>,
  host: HostName,
): Promise<NotedMoment | undefined> {
  const value = await store.read(({ facts }) => facts.find(`${factNames.clock}${host.id}`));
  const [, wallMs, upMs, run] = /^(\d{1,15}) (\d{1,15}) ([\w-]{0,64})$/.exec(value ?? '') ?? [];
  if (wallMs === undefined || run === undefined) return undefined;
  return { wallMs: Number(wallMs), upMs: Number(upMs), run };
}

/** Notes a moment of the host, in the place of the one before. */
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
