import type { HostName } from './hosts.ts';
import { factNames, type StoragePorts } from './ports.ts';

/** A moment of a host, as a program of it has noted it. */
export interface NotedMoment {
  /** Epoch milliseconds of a clock that was sound. */
  readonly wallMs: number;
  /** Milliseconds that the system had been up. */
  readonly upMs: number;
  /** Which run of the system this was; empty where the system does not tell. */
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
