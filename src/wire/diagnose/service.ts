import { existsSync } from 'node:fs';
import { defined } from '../../base/defined.ts';
import { onCode } from '../../base/errors.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isUnreachableHost } from '../../base/network/loopback.ts';
import { registerTableFile } from '../config/paths.ts';
import { defaultFrontEnd } from '../config/settings.table.ts';
import { findRemains, hasDatabase } from '../service/parties.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { outcomeOf, reasons, skipped, unopened } from './skipped.ts';

/** Opens, identifies and examines the database. PostgreSQL is not contacted when offline. */
export async function checkDatabase(examination: Examination): Promise<Outcome> {
  const { config } = examination;
  const { database } = config.service;
  if (!usesService(examination)) {
    examination.storage = unopened(reasons.noService);
  } else if (database !== undefined && config.offline) {
    const message = `${hostOf(database)}, not checked: offline`;
    examination.storage = unopened(reasons.offline, { database: { status: 'ok', message } });
  } else {
    const { examineStorage } = await import('./storage.ts');
    examination.storage = await examineStorage(examination);
  }
  return examination.storage.database;
}

/** Checks the target of the links in messages. */
export async function checkFrontEnd(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { config } = examination;
  const { frontEnd } = config.service;
  const hint = 'set frontEnd or INNSIGLI_FRONT_END to the public address of your pages';
  const isHere = isUnreachableHost(new URL(frontEnd).hostname);
  if (frontEnd === defaultFrontEnd || (isHere && config.production)) {
    const message = `${frontEnd}: links in mails would open on the recipient's machine`;
    return { status: config.production ? 'failed' : 'warning', message, hint };
  }
  const isOpen = new URL(frontEnd).protocol !== 'https:';
  if (isOpen && config.production) {
    return { status: 'warning', message: `${frontEnd}: expected https:`, hint };
  }
  return { status: 'ok', message: frontEnd };
}

/** Lists the providers that confirm identities. Only `auth doctor` contacts them. */
export async function checkIdentity(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { production, service } = examination.config;
  const served = service.eid === undefined ? [] : await servedMethods(service.eid);
  if (served.length > 0) {
    const message = `${served.join(', ')}; not checked: run innsigli auth doctor`;
    return { status: 'ok', message };
  }
  if (!production) return { status: 'ok', message: 'simulator: test persons only, TEST ONLY' };
  const message = 'no identity provider: Qualified signatures are not possible';
  return { status: 'warning', message, hint: 'production does not allow the simulator' };
}

/** Methods available to all companies, each with its provider. @throws config.invalid */
async function servedMethods(file: string): Promise<readonly string[]> {
  const { readEidFile } = await import('../eid/index.ts');
  return Object.entries(readEidFile(file).methods).map(([method, name]) => `${method} by ${name}`);
}

/** An unassigned number: looking it up reveals no person to the register. */
const UNASSIGNED_NUMBER = '0103901099';

/** Tests the register used for lookups of addresses and families. */
export async function checkRegister(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { config, triesMail } = examination;
  const { url, tokenFile } = config.service.register;
  if (url === undefined) {
    const isThere = existsSync(registerTableFile(config.dataDir));
    const none = config.production ? 'look-ups find no one' : 'fictitious persons, TEST ONLY';
    return { status: 'ok', message: isThere ? 'the imported register' : `none imported: ${none}` };
  }
  const { httpRegister } = await import('../../adapters/register/index.ts');
  const register = httpRegister({ url, ...defined({ tokenFile, proxy: config.proxy }) });
  const { host } = new URL(url);
  if (config.offline) return { status: 'ok', message: `${host}; not tried: offline` };
  if (!triesMail) return { status: 'ok', message: host };
  const failure = onCode(/./, (error) => {
    const status = error.code === 'register.unavailable' ? 'warning' : 'failed';
    return outcomeOf(error, status, `${host}: `);
  });
  const answers: Outcome = { status: 'ok', message: `${host} answers` };
  return register.address(UNASSIGNED_NUMBER).then(() => answers, failure);
}

/**
 * False for users who only seal and verify: they need no settings of the service. A data directory
 * that has lost its database counts as a service.
 */
export function usesService({ config, isService }: Examination): boolean {
  return isService || hasDatabase(config) || findRemains(config.dataDir) !== undefined;
}

function hostOf(database: string): string {
  return isUrl(database) ? new URL(database).host : 'database';
}
