import type { DevelopmentTrust } from '../adapters/devtrust/index.ts';
import { CoreError } from '../base/errors.ts';
import type { ResolvedConfig } from './config.ts';
import type { ToolkitIo } from './toolkit.types.ts';

/** Opens the development trust once, on first use, and says so to the user. */
export interface DevelopmentAccess {
  /**
   * Opened and announced.
   *
   * @throws config.invalid in production
   */
  use(): Promise<DevelopmentTrust>;
  /** Only when it was made before: reading its root makes nothing. */
  existing(): Promise<DevelopmentTrust | undefined>;
}

/** Access to the development trust in the data directory of the configuration. */
export function developmentAccess(config: ResolvedConfig, io: ToolkitIo): DevelopmentAccess {
  let opened: Promise<DevelopmentTrust> | undefined;
  let announced = false;
  const open = async () => {
    const { openDevelopmentTrust } = await import('../adapters/devtrust/index.ts');
    return openDevelopmentTrust({
      directory: config.dataDir,
      now: io.now,
      random: io.random,
    });
  };
  return {
    async use() {
      if (config.production) {
        throw new CoreError('config.invalid', 'production forbids the development trust', {
          hint: 'configure key, tsa and trust; innsigli config explain shows what is set',
        });
      }
      if (!announced) {
        announced = true;
        const message = 'development trust in use: TEST ONLY keys, of no legal value';
        io.warn(message, 'trust.development');
      }
      opened ??= open();
      return opened;
    },
    async existing() {
      if (opened !== undefined) return opened;
      const { hasDevelopmentTrust } = await import('../adapters/devtrust/index.ts');
      if (config.production || !(await hasDevelopmentTrust(config.dataDir))) return undefined;
      opened = open();
      return opened;
    },
  };
}
