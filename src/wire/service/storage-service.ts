import { adoptStore, collectContents, showStorage } from '../../app/storage/index.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';
import { clockMoments, systemClock, systemMoment } from './clock-watch.ts';
import { hostOf, openBoundStorage, openStorage } from './open-storage.ts';
import { requireServiceFiles } from './parties.ts';
import type { StorageService } from './storage-service.types.ts';

/**
 * Administration of the storage of a data directory. Each method opens and closes it.
 *
 * @throws its methods: store.*, vault.key.*, config.datadir.missing
 */
export function storageService(context: ToolkitContext): StorageService {
  const opened = async <T>(
    open: typeof openStorage | typeof openBoundStorage,
    work: (ports: Awaited<ReturnType<typeof openStorage>>['ports']) => Promise<T>,
  ): Promise<T> => {
    requireServiceFiles(context);
    const { ports } = await open(context);
    try {
      return await work(ports);
    } finally {
      await ports.store.close();
    }
  };
  return {
    show: () => opened(openStorage, showStorage),
    adopt: () => opened(openStorage, adoptStore),
    clock: (accept) =>
      opened(openStorage, async (ports) => {
        const moments = clockMoments(ports, hostOf(context));
        const clock = systemClock();
        const earlier = await moments.find();
        if (earlier !== undefined) clock.resume(earlier);
        const { wallMs: nowMs } = systemMoment();
        const isExpected = clock.jumpMs() === 0;
        if (accept) await moments.note(systemMoment());
        return { nowMs, ...(isExpected ? {} : { expectedMs: clock.now() }) };
      }),
    collect: (options) => opened(openBoundStorage, (ports) => collectContents(ports, options)),
  };
}
