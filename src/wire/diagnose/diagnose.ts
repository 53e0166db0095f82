import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { makeFolders } from '../../adapters/files/index.ts';
import { defined } from '../../base/defined.ts';
import { isInnsigliError, onCode } from '../../base/errors.ts';
import { reachesLevel } from '../../base/level.ts';
import { osReason } from '../../base/os-errors.ts';
import { buildTimestampRequest } from '../../formats/tsp/index.ts';
import { requireAnswer } from '../../trust/timestamp-answer.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { loadAlgorithmTable } from '../files/algorithm-policy.ts';
import { closeDataDir, findOpenData } from '../files/private-data.ts';
import { openAuthority } from '../parties/outside-parties.ts';
import { anchorsOf, configuredTrust, worksWithTestKeys } from '../parties/trust.ts';
import type { Diagnosis, DiagnosisOptions, ToolkitIo } from '../toolkit.types.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { checkChain, checkKey, checkPrivateFiles, checkProof, checkRevocationData } from './key.ts';
import { checkMail, checkTextMessages } from './messages.ts';
import { checkDatabase, checkFrontEnd, checkIdentity, checkRegister } from './service.ts';
import { outcomeOf, reasons, skipped, unopened } from './skipped.ts';

const checks: readonly (readonly [string, (examination: Examination) => Promise<Outcome>])[] = [
  ['runtime', checkRuntime],
  ['data directory', checkDataDirectory],
  ['seal key', checkKey],
  ['private files', checkPrivateFiles],
  ['trust anchors', checkTrust],
  ['certificate chain', checkChain],
  ['time-stamp authority', checkAuthority],
  ['revocation data', checkRevocationData],
  ['proof', checkProof],
  ['database', checkDatabase],
  ['vault key', async ({ storage }) => storage.vaultKey],
  ['contents', async ({ storage }) => storage.contents],
  ['seal trust', async ({ storage }) => storage.sealTrust],
  ['screening lists', async ({ storage }) => storage.lists],
  ['mail', checkMail],
  ['text messages', checkTextMessages],
  ['messages', async ({ storage }) => storage.messages],
  ['signing pages', checkFrontEnd],
  ['electronic identity', checkIdentity],
  ['register of persons', checkRegister],
];

/**
 * Tests everything that sealing at the configured level needs, including a real time-stamp, and the
 * components of the service. Every check is reported, a skipped one with its reason.
 *
 * @param options those of `Toolkit.diagnose`
 */
export async function diagnose(
  config: ResolvedConfig,
  io: ToolkitIo,
  development: DevelopmentAccess,
  options: DiagnosisOptions = {},
): Promise<readonly Diagnosis[]> {
  const { triesMail = true, asksAuthorities = true, isService = false, begun } = options;
  const examination: Examination = {
    ...{ config, io, development, triesMail, asksAuthorities, isService },
    closesData: options.closesData === true,
    storage: unopened(reasons.noDatabase),
  };
  const results: Diagnosis[] = [];
  for (const [name, check] of checks) {
    begun?.(name);
    results.push({ name, ...(await check(examination).catch(onCode(/./, outcomeOf))) });
  }
  return results;
}

async function checkRuntime(): Promise<Outcome> {
  const { version, versions } = process;
  return { status: 'ok', message: `Node ${version}, OpenSSL ${versions.openssl}` };
}

async function checkDataDirectory({ config, io, closesData }: Examination): Promise<Outcome> {
  const { dataDir, production } = config;
  try {
    const isThere = existsSync(dataDir);
    makeFolders(dataDir, 0o700);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (closesData) closeDataDir({ config, io });
    const open = findOpenData(dataDir);
    if (open !== undefined) return { status: production ? 'failed' : 'warning', ...open };
    if (isThere) return { status: 'ok', message: dataDir };
    const hint = 'to use a different folder pass --data-dir or set INNSIGLI_HOME';
    return { status: 'warning', message: `${dataDir} did not exist and was created`, hint };
  } catch (error) {
    if (isInnsigliError(error)) throw error;
    const hint = 'choose a different folder with --data-dir or INNSIGLI_HOME';
    return { status: 'failed', message: `${dataDir} cannot be written: ${osReason(error)}`, hint };
  }
}

async function checkTrust(examination: Examination): Promise<Outcome> {
  const unreadable: string[] = [];
  const { config, io } = examination;
  const warn = (message: string) => void unreadable.push(message);
  const { anchors } = await configuredTrust(config, { ...io, warn })();
  examination.anchors = anchors;
  const count = `${anchors.length} certificate${anchors.length === 1 ? '' : 's'}`;
  if (unreadable.length > 0) {
    const hint = 'download it again, or remove it from the files';
    const reason = 'a trust anchor cannot be read';
    return { status: 'warning', message: [count, ...unreadable].join('; '), reason, hint };
  }
  if (anchors.length > 0) return { status: 'ok', message: count };
  const message = 'none configured: only the development root is trusted';
  return { status: 'warning', message, reason: message, hint: 'pass roots with --trust FILE' };
}

async function checkAuthority(examination: Examination): Promise<Outcome> {
  const { config, io, development, signer, anchors: configured } = examination;
  const isNeeded = reachesLevel(config.level, 'B-T') || config.tsa.length > 0;
  if (!isNeeded) return skipped(`level ${config.level} needs none`);
  if (!examination.asksAuthorities) return skipped(reasons.notAsked);
  if (configured === undefined) return skipped(reasons.noAnchors);
  if (config.tsa.length === 0) await development.use();
  const isAtWork = worksWithTestKeys(config, config.level);
  const chain = signer?.signer.chain ?? [];
  const anchors = await anchorsOf(configured, development, chain, isAtWork);
  const algorithms = await loadAlgorithmTable(config.algorithmPolicy);
  const trusted = { anchors, ...defined({ algorithms }) };
  const { authority, close } = await openAuthority(config, development, io, trusted);
  try {
    const request = buildTimestampRequest({ digest: 'sha256', imprint: io.random(32) });
    const response = await authority.timestamp(request);
    const answer = { request, response, authority: authority.name, ...trusted, nowMs: io.now() };
    const verdict = requireAnswer(answer);
    const { info, certificate, certificates } = verdict;
    if (certificate !== undefined) examination.authority = [certificate.der, ...certificates];
    examination.stamp = verdict;
    const time = new Date(info?.genTimeMs ?? 0).toISOString();
    return { status: 'ok', message: `${authority.name} answered ${time}` };
  } finally {
    close();
  }
}
