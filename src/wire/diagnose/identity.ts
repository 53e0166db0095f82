import { existsSync } from 'node:fs';
import { defined } from '../../base/defined.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { registerTableFile } from '../config/paths.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { usesService } from './service.ts';
import { outcomeOf, reasons, skipped } from './skipped.ts';

/** Says who confirms identities. Their providers are asked by `auth doctor` alone. */
export async function checkIdentity(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { production, service } = examination.config;
  const served = service.eid === undefined ? [] : await servedMethods(service.eid);
  if (served.length > 0) {
    const message = `${served.join(', ')}; not asked: innsigli auth doctor does`;
    return { status: 'ok', message };
  }
  if (!production) return { status: 'ok', message: 'simulator: test persons only, TEST ONLY' };
  const message = 'no identity provider: Qualified signatures are not possible';
  return { status: 'warning', message, hint: 'production refuses the simulator' };
}

/** Methods for all, each with its provider. @throws config.invalid */
async function servedMethods(file: string): Promise<readonly string[]> {
  const { readEidFile } = await import('../eid/index.ts');
  return Object.entries(readEidFile(file).methods).map(([method, name]) => `${method} by ${name}`);
}

/** A number that nobody has: a look-up of it tells the register about no person. */
const NOBODY = '0103901099';

/** Tries the register that addresses and families are looked up in. */
export async function checkRegister(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { config, triesMail } = examination;
  const { url, tokenFile } = config.service.register;
  if (url === undefined) {
    const isThere = existsSync(registerTableFile(config.dataDir));
    const none = config.production ? 'look-ups find nobody' : 'made-up persons, TEST ONLY';
    return { status: 'ok', message: isThere ? 'the imported one' : `none imported: ${none}` };
  }
  const { httpRegister } = await import('../../adapters/register/index.ts');
  const register = httpRegister({ url, ...defined({ tokenFile, proxy: config.proxy }) });
  const { host } = new URL(url);
  if (config.offline) return { status: 'ok', message: `${host}; not tried: offline` };
  if (!triesMail) return { status: 'ok', message: host };
  try {
    await register.address(NOBODY);
    return { status: 'ok', message: `${host} answers` };
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    const status = error.code === 'register.unavailable' ? 'warning' : 'failed';
    return outcomeOf(error, status, `${host}: `);
  }
}
