import { isUrl } from '../../base/network/is-url.ts';
import { isNobodysHost } from '../../base/network/loopback.ts';
import { defaultFrontEnd } from '../config/settings.table.ts';
import { findRemains, hasDatabase } from '../service/parties.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { reasons, skipped, unopened } from './skipped.ts';

/**
 * Opens the database and says what it is, and finds out about what belongs to it; PostgreSQL is not
 * asked when offline.
 */
export async function checkDatabase(examination: Examination): Promise<Outcome> {
  const { config } = examination;
  const { database } = config.service;
  if (!usesService(examination)) {
    examination.storage = unopened(reasons.noService);
  } else if (database !== undefined && config.offline) {
    const message = `${hostOf(database)}, not asked: offline`;
    examination.storage = unopened(reasons.offline, { database: { status: 'ok', message } });
  } else {
    const { examineStorage } = await import('./storage.ts');
    examination.storage = await examineStorage(examination);
  }
  return examination.storage.database;
}

/** Looks where the links of messages lead. */
export async function checkFrontEnd(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { config } = examination;
  const { frontEnd } = config.service;
  const hint = 'set frontEnd or INNSIGLI_FRONT_END to the public address of your pages';
  const isHere = isNobodysHost(new URL(frontEnd).hostname);
  if (frontEnd === defaultFrontEnd || (isHere && config.production)) {
    const message = `${frontEnd}: links in mails lead to the machine of the reader`;
    return { status: config.production ? 'failed' : 'warning', message, hint };
  }
  const isOpen = new URL(frontEnd).protocol !== 'https:';
  if (isOpen && config.production) {
    return { status: 'warning', message: `${frontEnd}: expected https:`, hint };
  }
  return { status: 'ok', message: frontEnd };
}

/**
 * False for users who only seal and verify: they need no settings of the service. A data directory
 * that has lost its database is a service.
 */
export function usesService({ config, isService }: Examination): boolean {
  return isService || hasDatabase(config) || findRemains(config.dataDir) !== undefined;
}

function hostOf(database: string): string {
  return isUrl(database) ? new URL(database).host : 'database';
}
