import { InnsigliError } from '../../base/errors.ts';
import type { StoreFact } from '../ports/index.ts';
import { factNames, markNames, type StoragePorts } from './claim-folder.ts';

/** A host as others see it. */
export interface HostName {
  /** The same for every program that uses this data directory on this machine. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** Database and folder may show one time later than the other: caches of network disks. */
const SLACK_MS = 5 * 60_000;
/** A mark is written anew when it is older. */
const RENEW_MS = 60_000;
/** Silence after which a host counts as gone, in milliseconds. */
const GONE_MS = 90 * 86_400_000;

type HostPorts = Pick<StoragePorts, 'store' | 'contentsFolder' | 'now'>;

/**
 * Compares what every host has written into the folder of contents with what it told the database:
 * one folder is shared by all, or it is an older copy.
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
 * As {@link requireSharedContents}; and the mark of this host is written into the folder, read
 * back, and told to the database, unless that was done just now. A host that was welcome before
 * does so although it is refused: that is how the others notice.
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

// The folder first: its time is never before that of the database.
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

/** Names of the hosts that have used the store lately. */
export async function listHosts(ports: Pick<HostPorts, 'store'>): Promise<readonly string[]> {
  return (await hostsOf(ports)).map((fact) => hostOf(fact).name);
}

/** Forgets hosts that were not heard of for long. */
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
