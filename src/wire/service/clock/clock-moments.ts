import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import {
  findMoment,
  type HostName,
  noteMoment,
  type StoragePorts,
} from '../../../app/storage/index.ts';
import type { ClockLine, EarlierMoment } from '../../../base/time/watched-clock.ts';

/** Moments that programs of this host have noted in the store, for those that come after them. */
export interface ClockMoments {
  /** The last one. */
  find(): Promise<EarlierMoment | undefined>;
  note(moment: ClockLine): Promise<void>;
}

/** Moments of `host`. */
export function clockMoments(ports: Pick<StoragePorts, 'store'>, host: HostName): ClockMoments {
  const run = systemRun();
  return {
    async find() {
      const noted = await findMoment(ports, host);
      return noted && { ...noted, isSameRun: run !== '' && noted.run === run };
    },
    note: (moment) => noteMoment(ports, host, { ...moment, run }),
  };
}

/** This moment by the clock of the system, right or wrong. */
export function systemMoment(): ClockLine {
  return { wallMs: Date.now(), upMs: uptime() * 1000 };
}

/** A name that the kernel makes anew whenever it starts; empty where it has none. */
function systemRun(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
