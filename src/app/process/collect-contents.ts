import type { SigningProcess } from '../../domain/process/index.ts';
import type { MessagePorts } from '../message/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** A content that nobody refers to may belong to a change that is being written just now. */
const GRACE_MS = 3_600_000;
const AT_ONCE = 500;

/**
 * Contents that nothing refers to any more: earlier revisions of purged documents, and what was
 * stored for changes that never came. What work that is under way has stored may be among them,
 * when a clock is wrong: they are for {@link removeUnneeded} when that work is over.
 */
export async function findOrphans({
  store,
  blobs,
  now,
}: Pick<RemovalPorts, 'store' | 'blobs' | 'now'>): Promise<readonly string[]> {
  const storedUntilMs = now() - GRACE_MS;
  const orphans: string[] = [];
  let batch: string[] = [];
  const flush = async () => {
    const names = batch;
    batch = [];
    const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
    orphans.push(...names.filter((name) => !kept.has(name)));
  };
  for await (const { sha256, modifiedAtMs } of blobs.list()) {
    if (modifiedAtMs > storedUntilMs) continue;
    batch.push(sha256);
    if (batch.length >= AT_ONCE) await flush();
  }
  if (batch.length > 0) await flush();
  return orphans;
}

/** What the removal of a purged process stands on. */
export type RemovalPorts = Pick<ServicePorts, 'store' | 'blobs' | 'now'> &
  Pick<MessagePorts, 'mailer' | 'sms'>;

/**
 * Removes the contents of a purged process that nothing else refers to, at once: the document at
 * each step, attachments, and messages that are kept as files.
 *
 * @param before the process as it was
 */
export async function removeContents(ports: RemovalPorts, before: SigningProcess): Promise<void> {
  const messages = await ports.store.read((unit) => unit.messages.ofProcess(before.key));
  const ids = messages.map(({ id }) => id);
  await ports.mailer.forget?.(ids);
  await ports.sms.forget?.(ids);
  await removeUnneeded(ports, contentsOf(before));
}

/**
 * Removes those of `names` that nothing refers to. Contents that are younger than
 * {@link GRACE_MS} get a job of their own that comes then.
 */
export async function removeUnneeded(
  { store, blobs, now }: Pick<RemovalPorts, 'store' | 'blobs' | 'now'>,
  names: readonly string[],
): Promise<void> {
  const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
  const nowMs = now();
  const young: string[] = [];
  for (const name of names) {
    if (!kept.has(name) && !(await blobs.remove(name, nowMs - GRACE_MS))) young.push(name);
  }
  if (young.length === 0) return;
  await store.write(async ({ jobs }) => {
    for (const ref of young) await jobs.put({ kind: 'purge', ref, runAtMs: nowMs + GRACE_MS });
  });
}

/** True for the reference of a job that is about one content, and not about a process. */
export function isContent(ref: string): boolean {
  return /^[0-9a-f]{64}$/.test(ref);
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
