import type { SigningProcess } from '../../domain/process/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** A content that nobody refers to may belong to a change that is being written just now. */
const GRACE_MS = 24 * 3_600_000;
const AT_ONCE = 500;

/**
 * Removes contents that nothing refers to any more: earlier revisions of purged documents, and
 * what was stored for changes that never came. Gives how many.
 *
 * @param graceMs younger ones stay: a running change may be about to name them
 */
export async function collectContents(
  { store, blobs, now }: Pick<ServicePorts, 'store' | 'blobs' | 'now'>,
  graceMs = GRACE_MS,
): Promise<number> {
  const youngestMs = now() - graceMs;
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    const names = batch;
    batch = [];
    const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
    for (const name of names) {
      if (kept.has(name)) continue;
      await blobs.remove(name);
      removed += 1;
    }
  };
  for await (const { sha256, modifiedAtMs } of blobs.list()) {
    if (modifiedAtMs > youngestMs) continue;
    batch.push(sha256);
    if (batch.length >= AT_ONCE) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}

/** Removes the contents of a purged process that nothing else refers to, at once. */
export async function removeContents(
  { store, blobs }: Pick<ServicePorts, 'store' | 'blobs'>,
  { original, document, attachments }: SigningProcess,
): Promise<void> {
  const all = [original, document, ...attachments.map((each) => each.document)];
  const names = [...new Set(all.flatMap((each) => each?.sha256 ?? []))];
  const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
  for (const name of names) {
    if (!kept.has(name)) await blobs.remove(name);
  }
}
