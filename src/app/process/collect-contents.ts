import type { SigningProcess } from '../../domain/process/index.ts';
import type { MessagePorts } from '../message/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** A content that nobody refers to may belong to a change that is being written just now. */
const GRACE_MS = 3_600_000;
const AT_ONCE = 500;

/**
 * Removes contents that nothing refers to any more: earlier revisions of purged documents, and
 * what was stored for changes that never came. Gives how many.
 */
export async function collectContents({
  store,
  blobs,
  now,
}: Pick<ServicePorts, 'store' | 'blobs' | 'now'>): Promise<number> {
  const storedUntilMs = now() - GRACE_MS;
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    const names = batch;
    batch = [];
    const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
    for (const name of names) {
      if (!kept.has(name) && (await blobs.remove(name, storedUntilMs))) removed += 1;
    }
  };
  for await (const { sha256, modifiedAtMs } of blobs.list()) {
    if (modifiedAtMs > storedUntilMs) continue;
    batch.push(sha256);
    if (batch.length >= AT_ONCE) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}

/** What the removal of a purged process stands on. */
export type RemovalPorts = Pick<ServicePorts, 'store' | 'blobs' | 'now'> &
  Pick<MessagePorts, 'mailer' | 'sms'>;

/**
 * Removes the contents of a purged process that nothing else refers to, at once: the document at
 * each step, attachments, and messages that are kept as files. Contents that are younger than
 * {@link GRACE_MS} go with {@link collectContents} after a job that comes then.
 *
 * @param before the process as it was
 */
export async function removeContents(
  { store, blobs, mailer, sms, now }: RemovalPorts,
  before: SigningProcess,
): Promise<void> {
  const messages = await store.read((unit) => unit.messages.ofProcess(before.key));
  const ids = messages.map(({ id }) => id);
  await mailer.forget?.(ids);
  await sms.forget?.(ids);
  const names = contentsOf(before);
  const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
  const nowMs = now();
  let isAllGone = true;
  for (const name of names) {
    if (kept.has(name) || (await blobs.remove(name, nowMs - GRACE_MS))) continue;
    isAllGone = false;
  }
  if (isAllGone) return;
  const job = { kind: 'purge', ref: before.key, runAtMs: nowMs + GRACE_MS } as const;
  await store.write((unit) => unit.jobs.put(job));
}

/** Also what every signature was put on: no revision of a document outlives it. */
function contentsOf(process: SigningProcess): readonly string[] {
  const { original, document, attachments, signees, finalization } = process;
  const stored = [original, document, ...attachments.map((each) => each.document)];
  const revisions = signees.flatMap(({ viewedSha256, proof }) => [
    viewedSha256,
    proof?.signedSha256,
  ]);
  const all = [...stored.map((each) => each?.sha256), ...revisions, finalization.signedSha256];
  return [...new Set(all.flatMap((each) => each ?? []))];
}
