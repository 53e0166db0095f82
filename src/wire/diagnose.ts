import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { makeFolders } from '../adapters/files/index.ts';
import { requireUsableSigner } from '../app/check-signer.ts';
import { isCoreError } from '../base/errors.ts';
import { buildTimestampRequest } from '../formats/tsp/index.ts';
import { describeName, parseCertificate } from '../formats/x509/index.ts';
import { requireAnswer } from '../trust/timestamp-answer.ts';
import type { ResolvedConfig } from './config.ts';
import type { DevelopmentAccess } from './development.ts';
import { loadCertificates } from './files.ts';
import { openAuthority } from './outside-parties.ts';
import { openSigner } from './signer.ts';
import type { Diagnosis, ToolkitIo } from './toolkit.types.ts';

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

/** Tries what sealing will need: data directory, key, trust, a real time-stamp. */
export async function diagnose(
  config: ResolvedConfig,
  io: ToolkitIo,
  development: DevelopmentAccess,
): Promise<readonly Diagnosis[]> {
  const checks: readonly (readonly [string, () => Promise<Omit<Diagnosis, 'name'>>])[] = [
    ['runtime', checkRuntime],
    ['data directory', () => checkDataDirectory(config)],
    ['seal key', () => checkKey(config, io, development)],
    ['trust anchors', () => checkTrust(config)],
    ['time-stamp authority', () => checkAuthority(config, io, development)],
  ];
  const results: Diagnosis[] = [];
  for (const [name, check] of checks) {
    try {
      results.push({ name, ...(await check()) });
    } catch (error) {
      if (!isCoreError(error)) throw error;
      const { code, message, hint } = error;
      const line = `${message} [${code}]`;
      results.push({ name, status: 'failed', message: line, ...(hint ? { hint } : {}) });
    }
  }
  return results;
}

type Outcome = Omit<Diagnosis, 'name'>;

async function checkRuntime(): Promise<Outcome> {
  const { version, versions } = process;
  return { status: 'ok', message: `Node ${version}, OpenSSL ${versions.openssl}` };
}

async function checkDataDirectory({ dataDir }: ResolvedConfig): Promise<Outcome> {
  try {
    makeFolders(dataDir, 0o700);
    await access(dataDir, constants.R_OK | constants.W_OK);
    return { status: 'ok', message: dataDir };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unusable';
    const hint = 'name another with --data-dir or INNSIGLI_HOME';
    return { status: 'failed', message: `${dataDir}: ${reason}`, hint };
  }
}

async function checkKey(
  config: ResolvedConfig,
  io: ToolkitIo,
  development: DevelopmentAccess,
): Promise<Outcome> {
  const signer = await openSigner(config, { digest: config.digest }, development, io);
  const { notAfterMs, subjectDer } = requireUsableSigner(signer, io.now());
  const days = Math.floor((notAfterMs - io.now()) / DAY_MS);
  const message = `${describeName(subjectDer)}, ${signer.algorithm.scheme}, ${days} days left`;
  if (config.key.kind === 'development') {
    const hint = 'configure your own with --key and --cert, or --p12';
    return { status: 'warning', message: `${message}; TEST ONLY`, hint };
  }
  return { status: days < EXPIRY_WARNING_DAYS ? 'warning' : 'ok', message };
}

async function checkTrust(config: ResolvedConfig): Promise<Outcome> {
  const anchors = await loadCertificates(config.trust);
  if (anchors.length > 0) return { status: 'ok', message: `${anchors.length} certificates` };
  const message = 'none configured: only the development root is trusted';
  return { status: 'warning', message, hint: 'name roots with --trust FILE' };
}

async function checkAuthority(
  config: ResolvedConfig,
  io: ToolkitIo,
  development: DevelopmentAccess,
): Promise<Outcome> {
  if (config.tsa.length === 0) await development.use();
  const trust = await development.existing();
  const anchors = [...(await loadCertificates(config.trust))];
  if (trust !== undefined) anchors.push(parseCertificate(trust.rootCertificate));
  const { authority, close } = await openAuthority(config, development, io, anchors);
  try {
    const request = buildTimestampRequest({ digest: 'sha256', imprint: io.random(32) });
    const response = await authority.timestamp(request);
    const answer = { request, response, authority: authority.name, anchors, nowMs: io.now() };
    const verdict = requireAnswer(answer);
    const time = new Date(verdict.info?.genTimeMs ?? 0).toISOString();
    return { status: 'ok', message: `${authority.name} answered ${time}` };
  } finally {
    close();
  }
}
