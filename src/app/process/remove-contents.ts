import type { ProcessKey } from '../../domain/keys.ts';
import type { MessagePorts } from '../message/index.ts';
import type { ServicePorts } from '../service/index.ts';
import { GRACE_MS } from '../storage/index.ts';

/** What the removal of a purged process stands on. */
export type RemovalPorts = Pick<ServicePorts, 'store' | 'blobs' | 'now'> &
  Pick<MessagePorts, 'mailer' | 'sms'>;

/**
 * Removes what a purged process alone needed, at once: the document at each step, attachments, and
 * messages that are kept as files. Contents that are younger than {@link GRACE_MS} stay.
 *
 * @param contents what it needed
 * @returns when those that stayed may go; undefined when none did
 */
export async function removeContents(
  { store, blobs, now, mailer, sms }: RemovalPorts,
  key: ProcessKey,
  contents: readonly string[],
): Promise<number | undefined> {
  const messages = await store.read((unit) => unit.messages.ofProcess(key));
  const ids = messages.map(({ id }) => id);
  await mailer.forget?.(ids);
  await sms.forget?.(ids);
  const kept = new Set(await store.read((unit) => unit.processes.referenced(contents)));
  const nowMs = now();
  let isLeft = false;
  for (const name of contents) {
    if (!kept.has(name) && !(await blobs.remove(name, { ageMs: GRACE_MS }))) isLeft = true;
  }
  return isLeft ? nowMs + GRACE_MS : undefined;
}
