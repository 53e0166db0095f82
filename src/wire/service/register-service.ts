import type { RegisterTable } from '../../app/ports/index.ts';
import { importRegister } from '../../app/register/index.ts';
import { defined } from '../../base/defined.ts';
import { registerTableFile } from '../config/paths.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';
import { openBoundStorage } from './open-storage.ts';
import { requireServiceFiles } from './parties.ts';
import type { RegisterService } from './register-service.types.ts';

/**
 * The imported register of a data directory. Each method opens the storage to get its key.
 *
 * @throws its methods: store.*, vault.*, config.datadir.missing
 */
export function registerService(context: ToolkitContext): RegisterService {
  const { config, io } = context;
  const opened = async <T>(work: (table: RegisterTable) => Promise<T>): Promise<T> => {
    requireServiceFiles(context);
    const { registerTable } = await import('../../adapters/register/index.ts');
    const { ports, vault } = await openBoundStorage(context, false);
    try {
      return await work(registerTable({ path: registerTableFile(config.dataDir), vault }));
    } finally {
      await ports.store.close();
    }
  };
  return {
    show: () =>
      opened(async (table) => {
        const { url } = config.service.register;
        return defined({ url, imported: await table.figures() });
      }),
    import: (csv, options) =>
      opened((table) => importRegister({ table, now: io.now }, csv, options)),
  };
}
