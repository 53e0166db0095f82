import { stat } from 'node:fs/promises';
import { requireUsableSigner } from '../../app/documents/check-signer.ts';
import {
  endingSoon,
  findUnacceptedAlgorithm,
  listSignerEnds,
  listStampEnds,
} from '../../app/documents/proof-end.ts';
import { defined } from '../../base/defined.ts';
import { reachesLevel } from '../../base/level.ts';
import { type Certificate, describeName } from '../../formats/x509/index.ts';
import { collectValidationData } from '../../seal/validation-data.ts';
import { findPath } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import { verifySignature } from '../../trust/signature.ts';
import type { ResolvedConfig } from '../config/config.ts';
import { STDIN } from '../config/layer.ts';
import { loadAlgorithmTable } from '../files/algorithm-policy.ts';
import { openSigner } from '../parties/opened-parties.ts';
import { openRevocation } from '../parties/outside-parties.ts';
import { anchorsOf, worksWithTestKeys } from '../parties/trust.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { reasons, skipped } from './skipped.ts';

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

/** Opens the key, signs, and checks that its certificate is currently valid and permits signing. */
export async function checkKey(examination: Examination): Promise<Outcome> {
  const { config, io, development } = examination;
  const algorithms = await loadAlgorithmTable(config.algorithmPolicy);
  const signer = await openSigner(config, { digest: config.digest }, development, io);
  const { certificate } = requireUsableSigner({ signer, algorithms, anchors: [] }, io.now());
  examination.signer = { signer, certificate };
  const { notAfterMs, subjectDer } = certificate;
  const until = `valid until ${new Date(notAfterMs).toISOString().slice(0, 10)}`;
  const message = `${describeName(subjectDer)}, ${signer.algorithm.scheme}, ${until}`;
  if (config.key.kind === 'development') {
    const hint = 'configure your own with --key and --cert, or --p12';
    return { status: 'warning', message: `${message}; TEST ONLY`, reason: 'TEST ONLY key', hint };
  }
  const sample = io.random(32);
  if (!verifySignature(signer.algorithm, certificate, sample, await signer.sign(sample))) {
    return {
      status: 'failed',
      message: `${message}: expected a signature by this key, found one by a different key`,
    };
  }
  if (notAfterMs - io.now() >= EXPIRY_WARNING_DAYS * DAY_MS) return { status: 'ok', message };
  const hint = 'have the certificate renewed';
  return { status: 'warning', message: `${message}: soon`, reason: 'expires soon', hint };
}

/** Checks which users can read keys and passwords. */
export async function checkPrivateFiles({ config }: Examination): Promise<Outcome> {
  if (process.platform === 'win32') return skipped('this system has no permissions for others');
  const files = privateFilesOf(config);
  const open: string[] = [];
  let count = 0;
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    count += 1;
    const mode = stats.mode & 0o777;
    if ((mode & 0o077) !== 0) open.push(`${file} (0${mode.toString(8)})`);
  }
  if (count === 0) return skipped('no file with a key or a password is named');
  const found = `${count} file${count === 1 ? '' : 's'}`;
  if (open.length === 0) return { status: 'ok', message: `${found}, accessible only to the owner` };
  const message = `expected mode 0600, found ${open.join(', ')}`;
  const hint = 'restrict them to their owner: chmod 600 FILE';
  return { status: 'warning', message, reason: 'other users can read keys or passwords', hint };
}

function privateFilesOf(config: ResolvedConfig): readonly string[] {
  const { key, tsa, pdfPasswordFile, service } = config;
  const login = [service.mail.passwordFile, service.sms.tokenFile];
  const own =
    key.kind === 'development'
      ? []
      : [key.kind === 'pem' ? key.keyFile : key.file, key.passwordFile];
  const files = [...own, pdfPasswordFile, ...login, ...tsa.map(({ passwordFile }) => passwordFile)];
  return [...new Set(files.filter((file) => file !== undefined).filter((file) => file !== STDIN))];
}

/** Searches for a path from the certificate to a trust anchor. */
export async function checkChain(examination: Examination): Promise<Outcome> {
  const { config, io, development, signer: found, anchors: configured } = examination;
  if (found === undefined) return skipped(reasons.noKey);
  if (configured === undefined) return skipped(reasons.noAnchors);
  const { signer, certificate } = found;
  const algorithms = await loadAlgorithmTable(config.algorithmPolicy);
  const trusted = await anchorsOf(configured, development, []);
  const isAtWork = worksWithTestKeys(config, config.level);
  const anchors = await anchorsOf(configured, development, signer.chain, isAtWork);
  const { pool } = requireUsableSigner({ signer, algorithms, anchors }, io.now());
  const question = { certificate, pool, atMs: io.now() };
  const result = findPath({ ...question, anchors: trusted });
  if (result.valid) {
    examination.hasPath = true;
    return { status: 'ok', message: `leads to ${rootName(result.path)}` };
  }
  const own = findPath({ ...question, anchors });
  if (own.valid) {
    examination.hasPath = true;
    const message = `${rootName(own.path)} comes with the key and is no trust anchor for verify`;
    return { status: 'warning', message, hint: 'pass it with --trust FILE' };
  }
  const status = reachesLevel(config.level, 'B-LT') ? 'failed' : 'warning';
  const hint = 'pass its root with --trust and missing issuers with --chain';
  return { status, message: result.message, hint };
}

/** Requests the revocation data that B-LT and B-LTA embed in the document, and verifies it. */
export async function checkRevocationData(examination: Examination): Promise<Outcome> {
  const { config, io, development, signer: found, anchors: configured } = examination;
  const { authority = [], hasPath } = examination;
  if (!reachesLevel(config.level, 'B-LT')) return skipped(`level ${config.level} needs none`);
  if (!examination.asksAuthorities) return skipped(reasons.notAsked);
  if (found === undefined) return skipped(reasons.noKey);
  if (configured === undefined) return skipped(reasons.noAnchors);
  if (hasPath !== true) return skipped(reasons.noPath);
  const { signer, certificate } = found;
  const isAtWork = worksWithTestKeys(config, config.level);
  const anchors = await anchorsOf(configured, development, signer.chain, isAtWork);
  const own = [certificate.der, ...signer.chain, ...authority];
  const pool = createCertificatePool([...own, ...anchors.map(({ der }) => der)]);
  const revocation = await openRevocation(config, development);
  const algorithms = await loadAlgorithmTable(config.algorithmPolicy);
  const nowMs = io.now();
  const stamper = authority[0] === undefined ? undefined : pool.add(authority[0]);
  const subjects = [certificate, ...(stamper === undefined ? [] : [stamper])];
  const { ocsp, crls } = await collectValidationData(
    subjects.map((subject) => ({ certificate: subject, atMs: nowMs })),
    { anchors, pool, revocation, nowMs, ...defined({ algorithms }) },
  );
  const answers = `${ocsp.length} OCSP response${ocsp.length === 1 ? '' : 's'}`;
  const lists = `${crls.length} CRL${crls.length === 1 ? '' : 's'}`;
  return { status: 'ok', message: `${answers} and ${lists}: nothing is revoked` };
}

/**
 * Reports until when certificates and algorithms of the key are valid, and those of the authority
 * if it was contacted. Warns if one of them ends soon.
 */
export async function checkProof(examination: Examination): Promise<Outcome> {
  const { config, io, development, signer: found, anchors: configured, stamp } = examination;
  if (found === undefined) return skipped(reasons.noKey);
  const { signer } = found;
  const table = await loadAlgorithmTable(config.algorithmPolicy);
  const isAtWork = worksWithTestKeys(config, config.level);
  const anchors = await anchorsOf(configured ?? [], development, signer.chain, isAtWork);
  const nowMs = io.now();
  const { path } = requireUsableSigner({ signer, anchors, algorithms: table }, nowMs);
  const ends = [
    ...listSignerEnds(signer, path, nowMs, table),
    ...(stamp === undefined ? [] : listStampEnds(stamp, nowMs, table)),
  ].sort((one, other) => one.endMs - other.endMs);
  const soon = endingSoon(ends, nowMs);
  const unaccepted = findUnacceptedAlgorithm(signer);
  const [first] = ends;
  const until = first && new Date(first.endMs).toISOString().slice(0, 10);
  const told = [...new Set(soon.map(({ message }) => message))];
  if (unaccepted !== undefined) told.push(unaccepted);
  if (told.length > 0) {
    const hint =
      'use keys and certificates with a later expiry, and archive documents signed with these';
    return { status: 'warning', message: told.join('; '), ...defined({ until }), hint };
  }
  if (until === undefined) return { status: 'ok', message: 'no end is known' };
  return { status: 'ok', message: `until ${until}: ${first?.message}`, until };
}

function rootName(path: readonly Certificate[]): string {
  const root = path.at(-1);
  return root === undefined ? '' : describeName(root.subjectDer);
}
