import { closeFolder } from '../adapters/files/index.ts';
import { CoreError } from '../base/errors.ts';
import type { ToolkitContext } from './toolkit-context.ts';

/** What of a data directory others must not read; what lies deeper is behind these. */
const privateNames = ['innsigli.db*', 'objects', 'outbox', 'outbox/mail', 'outbox/sms', 'trust'];

/**
 * Takes the rights of others from a data directory that was made with more than mode 0700, and
 * says so. In production one that cannot be closed is refused.
 *
 * @throws config.datadir.unusable
 */
export function closeDataDir({ config, io }: Pick<ToolkitContext, 'config' | 'io'>): void {
  const { closed, left } = closeFolder(config.dataDir, privateNames);
  const modes = (entries: typeof closed) =>
    entries.map(({ path, mode }) => `${path} (0${mode.toString(8)})`).join(', ');
  if (closed.length > 0) {
    io.warn(`others could read ${modes(closed)}: now for the owner only`, 'datadir.closed');
  }
  if (left.length === 0) return;
  const message = `others may read ${modes(left)}, and that cannot be changed`;
  if (!config.production) {
    io.warn(message, 'datadir.open');
    return;
  }
  throw new CoreError('config.datadir.unusable', message, {
    hint: 'make it yours, or name a folder of your own with --data-dir or INNSIGLI_HOME',
  });
}
