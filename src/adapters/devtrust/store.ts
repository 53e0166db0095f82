import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InnsigliError } from '../../base/errors.ts';
import { osErrorText, systemCode } from '../../base/os-errors.ts';
import { makeFolders, writeNewFile } from '../files/index.ts';
import type { IssuedMember } from './issue.ts';
import { type MemberName, memberNames } from './plan.ts';

/** Folder name within the data directory. */
const FOLDER = 'trust';
const TEMPORARY = '.trust-new-';
/** A temporary folder older than this was left behind by a killed process. */
const LEFTOVER_MS = 3_600_000;

/** State of the folder of the development trust. */
export type StoreState = 'complete' | 'absent';

function trustFolder(directory: string): string {
  return join(directory, FOLDER);
}

const expectedFiles = memberNames.flatMap((name) => [`${name}.pem`, `${name}.key`]);

function unusable(
  directory: string,
  message: string,
  hint: string,
  cause?: unknown,
): InnsigliError {
  const code = systemCode(cause);
  const why = code === undefined ? '' : `: ${osErrorText(code)}`;
  const whole = `${message}: ${trustFolder(directory)}${why}`;
  return new InnsigliError('config.datadir.unusable', whole, { hint, cause });
}

/**
 * Returns the state of the folder: complete if all files exist, otherwise absent. An empty folder
 * counts as absent.
 *
 * @throws config.datadir.unusable if it cannot be read, or files are missing
 */
export function inspectStore(directory: string): StoreState {
  let found: string[];
  try {
    found = readdirSync(trustFolder(directory));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'absent';
    throw unusable(directory, 'cannot read', 'check the permissions of the data directory', error);
  }
  if (found.length === 0) return 'absent';
  const missing = expectedFiles.filter((name) => !found.includes(name));
  if (missing.length === 0) return 'complete';
  const list = missing.join(', ');
  throw unusable(
    directory,
    `the development trust lacks ${list}`,
    'restore the files, or remove the folder to create new test keys',
  );
}

/**
 * Writes keys (mode 0600) and certificates, each followed by its issuers, atomically: the folder
 * appears complete or not at all. If another process was faster, its folder is kept.
 *
 * @throws config.datadir.unusable
 */
export async function writeStore(
  directory: string,
  members: readonly IssuedMember[],
  nowMs: number,
): Promise<void> {
  let temporary: string | undefined;
  try {
    makeFolders(directory, 0o700);
    await removeLeftovers(directory, nowMs);
    temporary = await mkdtemp(join(directory, TEMPORARY));
    await chmod(temporary, 0o700);
    for (const member of members) {
      const key = member.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
      const chain = chainPem(member, members);
      await writeNewFile(join(temporary, `${member.name}.key`), Buffer.from(key), 0o600);
      await writeNewFile(join(temporary, `${member.name}.pem`), Buffer.from(chain), 0o644);
    }
    await rename(temporary, trustFolder(directory));
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    const code = systemCode(error);
    const taken = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM';
    if (temporary !== undefined && taken && inspectStore(directory) === 'complete') return;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    const remedy = isFull ? 'free some disk space' : 'check the data directory and its permissions';
    const hint = `${remedy}, or choose a different data directory with --data-dir`;
    throw unusable(directory, 'cannot create the development trust', hint, error);
  }
}

async function removeLeftovers(directory: string, nowMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && nowMs - found.mtimeMs > LEFTOVER_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

function chainPem(member: IssuedMember, members: readonly IssuedMember[]): string {
  const issuer = members.find(
    ({ certificate }) =>
      member.certificate !== certificate &&
      Buffer.compare(certificate.subjectDer, member.certificate.issuerDer) === 0,
  );
  const own = pemOf('CERTIFICATE', member.certificate.der);
  return issuer === undefined ? own : own + chainPem(issuer, members);
}

function pemOf(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/**
 * Reads the certificate of a member and its issuers up to the root, DER.
 *
 * @throws config.datadir.unusable if the file is unreadable or damaged
 */
export function readChain(directory: string, name: MemberName): readonly Uint8Array[] {
  const chain = readPem(directory, `${name}.pem`, 'CERTIFICATE');
  if (chain.length > 0) return chain;
  throw damaged(directory, `${name}.pem`);
}

/**
 * Reads the private key of a member, PKCS#8 DER.
 *
 * @throws config.datadir.unusable if the file is unreadable or damaged
 */
export function readKey(directory: string, name: MemberName): Uint8Array {
  const [key] = readPem(directory, `${name}.key`, 'PRIVATE KEY');
  if (key !== undefined) return key;
  throw damaged(directory, `${name}.key`);
}

/** The error for a file that exists but cannot be used. */
export function damaged(directory: string, file: string, cause?: unknown): InnsigliError {
  const hint = 'remove the folder to create new test keys';
  return unusable(directory, `${file} of the development trust is damaged`, hint, cause);
}

function readPem(directory: string, file: string, label: string): Uint8Array[] {
  let text: string;
  try {
    text = readFileSync(join(trustFolder(directory), file), 'latin1');
  } catch (error) {
    throw unusable(directory, `cannot read ${file}`, 'check the permissions of the folder', error);
  }
  const [begin, end] = [`-----BEGIN ${label}-----`, `-----END ${label}-----`];
  const blocks: Uint8Array[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
    const stop = text.indexOf(end, at);
    if (stop < 0) throw damaged(directory, file);
    blocks.push(Buffer.from(text.slice(at + begin.length, stop), 'base64'));
  }
  return blocks;
}
