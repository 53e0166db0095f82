import { InnsigliError } from '../../base/errors.ts';
import { requireSameStore } from './bind-store.ts';
import {
  claimFolder,
  factNames,
  isFolderShared,
  markNames,
  type StoragePorts,
} from './claim-folder.ts';
import { forgetHosts } from './hosts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Minimum age of a deleted blob: a younger unreferenced one may be part of a pending change. */
export const GRACE_MS = HOUR_MS;
/** Number of days between marking an orphan and deleting it. */
const ORPHAN_DAYS = 30;
/** Blobs that one run may delete from a small store: those of two or three rejected requests. */
const FLOOR = 10;
const SHARE = 0.01;
const AT_ONCE = 500;
const NAME_BYTES = 16;

/** Options of a garbage collection. */
export interface CollectionOptions {
  /** Whether to delete the orphans regardless of their number, and even if the folder is shared. */
  readonly confirmed?: boolean;
  /** Whether to change nothing. */
  readonly dryRun?: boolean;
}

/** Result of a garbage collection. */
export interface CollectionReport {
  /** Number of blobs in the folder. */
  readonly contents: number;
  /** Number of blobs without references that are older than an hour. */
  readonly orphans: number;
  /** Number of orphans marked in this run. */
  readonly marked: number;
  /** Number of orphans marked thirty days ago or earlier. */
  readonly due: number;
  readonly removed: number;
  /**
   * Whether the last collection of this folder was run by a different database, because this one
   * was restored or is a copy. All earlier marks were dropped.
   */
  readonly restarted: boolean;
}

interface Orphans {
  contents: number;
  orphans: number;
  marked: number;
  readonly due: { readonly sha256: string; readonly markedAtMs: number }[];
}

/**
 * Garbage-collects blobs. Marks blobs that the database does not refer to, and deletes those that
 * were marked thirty days ago and still have no references. Blobs that are referred to or stored
 * again lose their mark. Unless confirmed, nothing is deleted if a run would delete more than one
 * hundredth of all blobs (in a small store, more than ten), or if a different database stores blobs
 * in the same folder.
 *
 * @throws store.mismatch if the database and the folder do not belong together
 * @throws store.collect.refused if too many blobs would be deleted, or the folder is shared
 */
export async function collectContents(
  ports: StoragePorts,
  { confirmed = false, dryRun = false }: CollectionOptions = {},
): Promise<CollectionReport> {
  const storeId = await requireSameStore(ports);
  const run = await beginRun(ports, dryRun);
  const found = await findOrphans(ports, storeId, { dryRun, dropMarks: run.restarted });
  const { due, ...counts } = found;
  const report = { ...counts, due: due.length, removed: 0, restarted: run.restarted };
  if (dryRun) return report;
  const isShared = await isFolderShared(ports);
  const isMuch = due.length > limitOf(found.contents);
  if (due.length > 0 && !confirmed && (isShared || isMuch)) {
    await noteRefusal(ports, report, isShared);
    throw refused(report, isShared);
  }
  if (isShared && confirmed) await claimAlone(ports);
  const removed = await removeOrphans(ports, storeId, run.name, due);
  await ports.store.write(async ({ facts, contents }) => {
    await facts.remove(factNames.refused);
    // Remaining marks of this age are on blobs that no longer exist.
    await contents.unmarkAll(ports.now() - ORPHAN_DAYS * DAY_MS);
  });
  await forgetHosts(ports);
  return { ...report, removed };
}

/** Maximum number of orphans that one run deletes without confirmation. */
function limitOf(contents: number): number {
  return Math.max(FLOOR, Math.floor(contents * SHARE));
}

/** Figures of a refused deletion. */
interface Refusal {
  readonly due: number;
  readonly contents: number;
  /** Whether a different database may need the blobs. Otherwise there are too many. */
  readonly isShared?: boolean;
}

/** Figures of the last collection if it was refused. Undefined once a collection succeeds. */
export async function findRefusal(
  ports: Pick<StoragePorts, 'store'>,
): Promise<Refusal | undefined> {
  const text = await ports.store.read(({ facts }) => facts.find(factNames.refused));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Claims today's collection. True for one caller only. */
export async function claimDay({ store, now }: Pick<StoragePorts, 'store' | 'now'>) {
  const nowMs = now();
  const today = `${Math.floor(nowMs / DAY_MS)}`;
  return store.write(async ({ facts }) => {
    const known = await facts.find(factNames.collectionDay);
    return known !== today && (await facts.swap(factNames.collectionDay, known, today, nowMs));
  });
}

/** Releases today's collection, so that a different caller can start it. */
export function releaseDay({ store }: Pick<StoragePorts, 'store'>): Promise<void> {
  return store.write(({ facts }) => facts.remove(factNames.collectionDay));
}

// Database and folder both store the name of the last run. If the names differ, the marks may come
// from an older backup, or a different database collects here as well: the time in between is
// unknown, so that all marks are dropped.
async function beginRun(
  { store, contentsFolder, now, random }: StoragePorts,
  dryRun: boolean,
): Promise<{ readonly name: string; readonly restarted: boolean }> {
  const known = await store.read(({ facts }) => facts.find(factNames.collection));
  const restarted = (await contentsFolder.findMark(markNames.collection)) !== known;
  const name = Buffer.from(random(NAME_BYTES)).toString('hex');
  if (dryRun) return { name, restarted };
  const isOurs = await store.write(async ({ facts, contents }) => {
    const swapped = await facts.swap(factNames.collection, known, name, now());
    if (swapped && restarted) await contents.unmarkAll();
    return swapped;
  });
  if (!isOurs) throw interrupted();
  await contentsFolder.putMark(markNames.collection, name);
  return { name, restarted };
}

async function findOrphans(
  ports: StoragePorts,
  storeId: string,
  options: { readonly dryRun: boolean; readonly dropMarks: boolean },
): Promise<Orphans> {
  const found: Orphans = { contents: 0, orphans: 0, marked: 0, due: [] };
  const storedUntilMs = ports.now() - GRACE_MS;
  let batch: Stored[] = [];
  for await (const content of ports.blobs.list()) {
    found.contents += 1;
    if (content.modifiedAtMs > storedUntilMs) continue;
    batch.push(content);
    if (batch.length < AT_ONCE) continue;
    await check(ports, storeId, batch, found, options);
    batch = [];
  }
  if (batch.length > 0) await check(ports, storeId, batch, found, options);
  return found;
}

interface Stored {
  readonly sha256: string;
  readonly modifiedAtMs: number;
}

async function check(
  { store, now }: StoragePorts,
  storeId: string,
  batch: readonly Stored[],
  found: Orphans,
  { dryRun, dropMarks }: { readonly dryRun: boolean; readonly dropMarks: boolean },
): Promise<void> {
  const names = batch.map(({ sha256 }) => sha256);
  const { kept, marks } = await store.read(async ({ processes, contents }) => ({
    kept: new Set(await processes.referenced(names)),
    marks: dropMarks ? [] : await contents.marksOf(storeId, names),
  }));
  const markedAt = new Map(marks.map(({ sha256, markedAtMs }) => [sha256, markedAtMs]));
  const orphans = batch.filter(({ sha256 }) => !kept.has(sha256));
  // A blob stored again after it was marked was about to be used.
  const isStale = ({ sha256, modifiedAtMs }: Stored) => modifiedAtMs > (markedAt.get(sha256) ?? 0);
  const fresh = orphans.filter(isStale).map(({ sha256 }) => sha256);
  const nowMs = now();
  for (const { sha256 } of orphans) {
    const markedAtMs = markedAt.get(sha256);
    if (markedAtMs === undefined || fresh.includes(sha256)) continue;
    if (markedAtMs <= nowMs - ORPHAN_DAYS * DAY_MS) found.due.push({ sha256, markedAtMs });
  }
  found.orphans += orphans.length;
  found.marked += fresh.length;
  const wrong = names.filter(
    (name) => markedAt.has(name) && (kept.has(name) || fresh.includes(name)),
  );
  if (dryRun || (fresh.length === 0 && wrong.length === 0)) return;
  await store.write(async ({ contents }) => {
    await contents.unmarkOrphans(wrong);
    await contents.markOrphans(storeId, fresh, nowMs);
  });
}

async function removeOrphans(
  ports: StoragePorts,
  storeId: string,
  run: string,
  due: Orphans['due'],
): Promise<number> {
  const { store, blobs, contentsFolder } = ports;
  let removed = 0;
  for (let at = 0; at < due.length; at += AT_ONCE) {
    const some = due.slice(at, at + AT_ONCE);
    const names = some.map(({ sha256 }) => sha256);
    const { kept, known } = await store.read(async ({ processes, facts }) => ({
      kept: new Set(await processes.referenced(names)),
      known: await facts.find(factNames.collection),
    }));
    const isOurs = known === run && (await contentsFolder.findMark(markNames.collection)) === run;
    if (!isOurs || (await requireSameStore(ports)) !== storeId) throw interrupted();
    for (const { sha256, markedAtMs } of some) {
      if (kept.has(sha256)) continue;
      // A blob stored again meanwhile has a new modification time and is not deleted.
      const terms = { storedUntilMs: markedAtMs, ageMs: GRACE_MS };
      if (await blobs.remove(sha256, terms)) removed += 1;
    }
    await store.write(({ contents }) => contents.unmarkOrphans(names));
  }
  return removed;
}

/** Records the user's confirmation that no other database needs the blobs in this folder. */
async function claimAlone(ports: StoragePorts): Promise<void> {
  await claimFolder(ports);
  await ports.store.write(({ facts }) => facts.remove(factNames.foreign));
}

async function noteRefusal(
  { store, now }: StoragePorts,
  { due, contents }: CollectionReport,
  isShared: boolean,
): Promise<void> {
  const text = JSON.stringify({ due, contents, isShared });
  await store.write(({ facts }) => facts.put(factNames.refused, text, now()));
}

function refused({ due, contents }: CollectionReport, isShared: boolean): InnsigliError {
  if (isShared) {
    const who = 'a different database stores contents in this folder, or this one was restored';
    return new InnsigliError('store.collect.refused', `${who}: ${due} of ${contents} are kept`, {
      details: { due, contents },
      hint:
        'use a separate folder for each database; if there is no other, ' +
        'remove them with innsigli store collect --yes',
    });
  }
  const most = limitOf(contents);
  const message = `${due} of ${contents} contents would be removed, expected at most ${most}`;
  return new InnsigliError('store.collect.refused', `${message}; nothing was removed`, {
    details: { due, contents, expected: most },
    hint:
      'check that the database is current and the right one; innsigli store collect --dry-run ' +
      'shows statistics, innsigli store collect --yes removes the contents',
  });
}

function interrupted(): InnsigliError {
  return new InnsigliError('store.busy', 'another collection of contents is running', {
    hint: 'wait for it to finish',
  });
}
