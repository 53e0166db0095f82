import type { ProcessKey } from '../../domain/keys.ts';
import type { MessagePorts } from '../message/index.ts';
import type { ServicePorts } from '../service/index.ts';
import { GRACE_MS } from '../storage/index.ts';

/** What the removal of a purged process stands on. */
export type RemovalPorts = Pick<ServicePorts, 'store' | 'blobs' | 'now'> &
  Pick<MessagePorts, 'mailer' | 'sms'>;

/**
 * Removes what a purged process alone needed, at once: the document at each step, attachments, and
 * messages that are kept as files.
 *
 * @param contents what it needed
 */
export async function removeContents(
  ports: RemovalPorts,
  key: ProcessKey,
  contents: readonly string[],
): Promise<void> {
  const messages = await ports.store.read((unit) => unit.messages.ofProcess(key));
  const ids = messages.map(({ id }) => id);
  await ports.mailer.forget?.(ids);
  await ports.sms.forget?.(ids);
  await removeUnneeded(ports, contents);
}

/**
 * Removes those of `names` that nothing refers to, and ends their jobs. Contents that are younger
 * than {@link GRACE_MS} keep a job that comes then.
 */
export async function removeUnneeded(
  { store, blobs, now }: Pick<RemovalPorts, 'store' | 'blobs' | 'now'>,
  names: readonly string[],
): Promise<void> {
  const kept = new Set(await store.read(({ processes }) => processes.referenced(names)));
  const nowMs = now();
  const young = new Set<string>();
  for (const name of names) {
    if (!kept.has(name) && !(await blobs.remove(name, { ageMs: GRACE_MS }))) young.add(name);
  }
  await store.write(async ({ jobs }) => {
    for (const ref of names) {
      if (young.has(ref)) await jobs.put({ kind: 'purge', ref, runAtMs: nowMs + GRACE_MS });
      else await jobs.finish('purge', ref);
    }
  });
}

/** True for the reference of a job that is about one content, and not about a process. */
export function isContent(ref: string): boolean {
  return /^[0-9a-f]{64}$/.test(ref);
}
