import { InnsigliError } from '../../base/errors.ts';
import type { StoreFact } from '../ports/index.ts';
import { factNames, markNames, type StoragePorts } from './claim-folder.ts';

/** Identity of a host, as visible to other hosts. */
export interface HostName {
  /** Identical for all programs that use this data directory on this machine. */
  readonly id: string;
  /** Human-readable name. */
  readonly name: string;
}

/** Tolerated delay of a mark compared with the database, caused by caches of network disks. */
const SLACK_MS = 5 * 60_000;
/** Age from which a mark is renewed. */
const RENEW_MS = 60_000;
/** Time without a sign of life after which a host is considered gone, in milliseconds. */
const GONE_MS = 90 * 86_400_000;

type HostPorts = Pick<StoragePorts, 'store' | 'contentsFolder' | 'now'>;

/**
 * Verifies that all hosts share this folder of blobs: compares the mark that each host wrote to it
 * with the time that the host recorded in the database. They differ if the folder is a different
 * one or an older copy.
 *
 * @throws contents.unshared
 */
export async function requireSharedContents(ports: HostPorts): Promise<void> {
  for (const fact of await hostsOf(ports)) {
    const { atMs, name } = hostOf(fact);
    const mark = await ports.contentsFolder.findMark(markOf(idOf(fact)));
    if (mark !== undefined && Number(mark) >= atMs - SLACK_MS) continue;
    const found = mark === undefined ? 'found none' : `found ${timeOf(Number(mark))}`;
    throw unshared(ports, name, `expected the mark of host ${name} of ${timeOf(atMs)}, ${found}`);
  }
}

/**
 * Like {@link requireSharedContents}. In addition, writes the mark of this host to the folder,
 * reads it back and records it in the database, unless that was done recently. A host that was
 * accepted before renews its mark even if it is refused now, so that the other hosts notice the
 * difference.
 *
 * @throws contents.unshared, store.full, store.readonly, store.unavailable
 */
export async function announceHost(ports: HostPorts, host: HostName): Promise<void> {
  const name = `${factNames.host}${host.id}`;
  const known = await ports.store.read(({ facts }) => facts.find(name));
  if (known === undefined) {
    await requireSharedContents(ports);
    await renewMark(ports, host);
    return;
  }
  try {
    await requireSharedContents(ports);
  } finally {
    if (Math.abs(ports.now() - Number(known.split(' ', 1)[0])) >= RENEW_MS) {
      await renewMark(ports, host);
    }
  }
}

// Writes the folder first, so that its time is never earlier than that of the database.
async function renewMark({ store, contentsFolder, now }: HostPorts, host: HostName) {
  const nowMs = now();
  await contentsFolder.putMark(markOf(host.id), `${nowMs}`);
  const read = await contentsFolder.findMark(markOf(host.id));
  if (read === undefined || Number(read) < nowMs - SLACK_MS) {
    throw new InnsigliError('store.unavailable', `${contentsFolder.place} does not retain files`, {
      hint: 'check the disk and the data directory',
    });
  }
  const name = `${factNames.host}${host.id}`;
  await store.write(({ facts }) => facts.put(name, `${nowMs} ${host.name}`, nowMs));
}

/** Names of the hosts that recently used the store. */
export async function listHosts(ports: Pick<HostPorts, 'store'>): Promise<readonly string[]> {
  return (await hostsOf(ports)).map((fact) => hostOf(fact).name);
}

/** Removes hosts that have been silent for a long time. */
export async function forgetHosts(ports: HostPorts): Promise<void> {
  const before = ports.now() - GONE_MS;
  const gone = (await hostsOf(ports)).filter((fact) => hostOf(fact).atMs < before);
  if (gone.length === 0) return;
  await ports.store.write(async ({ facts }) => {
    for (const fact of gone) {
      await facts.remove(fact.name);
      await facts.remove(`${factNames.clock}${idOf(fact)}`);
    }
  });
  for (const fact of gone) await ports.contentsFolder.removeMark(markOf(idOf(fact)));
}

function unshared({ contentsFolder: { place } }: HostPorts, host: string, found: string) {
  return new InnsigliError('contents.unshared', `${place} is not shared: ${found}`, {
    details: { host },
    hint:
      'mount the folder the other hosts use; after restoring an older copy, or if the ' +
      'mark was removed, join database and folder again with innsigli store adopt',
  });
}

function hostsOf({ store }: Pick<HostPorts, 'store'>): Promise<readonly StoreFact[]> {
  return store.read(({ facts }) => facts.list(factNames.host));
}

function hostOf({ value }: StoreFact): { readonly atMs: number; readonly name: string } {
  const at = value.indexOf(' ');
  return { atMs: Number(value.slice(0, at)), name: value.slice(at + 1) };
}

function idOf({ name }: StoreFact): string {
  return name.slice(factNames.host.length);
}

function markOf(id: string): string {
  return `${markNames.host}${id}`;
}

function timeOf(atMs: number): string {
  return Number.isFinite(atMs) ? new Date(atMs).toISOString() : 'no time';
}
