import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredProfile, TrustStore } from '../../app/ports/index.ts';
import { sha256Of } from '../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { systemCode } from '../../base/os-errors.ts';
import { makeFolders, writeAtomically } from '../files/index.ts';

/** Number of earlier versions of a profile that are retained. */
const KEPT_VERSIONS = 3;
const PROFILE = 'profile.json';
/** Lists have separate limits; a profile refers to some hundreds of them. */
const PROFILE_BYTES_MAX = 64 * 1024 * 1024;
const versionForm = /^(\d{1,10})\.json$/;
const listForm = /^([0-9a-f]{64})\.xml$/;

/**
 * The trust store in a folder of the data directory. Each profile has `profile.json`, which is
 * replaced atomically; `lists`, named by their digests; and `versions` with earlier versions of the
 * profile.
 */
export function folderTrustStore(dataDir: string): TrustStore {
  const root = join(dataDir, 'trust-lists');
  return {
    async names() {
      const entries = await readdir(root, { withFileTypes: true }).catch(orNothing);
      const names = entries.filter((each) => each.isDirectory()).map(({ name }) => name);
      return names.filter((name) => existsSync(join(root, name, PROFILE))).sort();
    },
    async find(name) {
      const bytes = await readBounded(join(root, name, PROFILE), PROFILE_BYTES_MAX);
      return bytes?.toString('utf8');
    },
    async readList(name, sha256) {
      const path = join(root, name, 'lists', `${sha256}.xml`);
      const bytes = await readBounded(path, limits.trustListBytes);
      if (bytes === undefined) throw damaged(`${path} no longer exists`);
      if (sha256Of(bytes) === sha256) return bytes;
      throw damaged(`${path} was changed`);
    },
    async put(profile) {
      try {
        await write(join(root, profile.name), profile);
      } catch (cause) {
        if (isInnsigliError(cause)) throw cause;
        const reason = systemCode(cause) ?? 'unknown';
        const message = `${join(root, profile.name)}: cannot be written (${reason})`;
        throw new InnsigliError('config.datadir.unusable', message, { cause });
      }
    },
  };
}

async function write(
  folder: string,
  { version, text, contents, named }: StoredProfile,
): Promise<void> {
  const [lists, versions] = [join(folder, 'lists'), join(folder, 'versions')];
  for (const each of [lists, versions]) makeFolders(each, 0o700);
  const options = () => ({
    temporary: join(folder, `.new-${randomUUID()}`),
    folderSync: 'where-possible' as const,
  });
  // The lists of a profile are written before the profile itself.
  for (const [sha256, bytes] of contents) {
    const temporary = join(lists, `.new-${randomUUID()}`);
    const path = join(lists, `${sha256}.xml`);
    await writeAtomically(path, bytes, { temporary, folderSync: 'where-possible' });
  }
  const content = Buffer.from(text);
  await writeAtomically(join(versions, `${version}.json`), content, options());
  await writeAtomically(join(folder, PROFILE), content, options());
  await sweep(lists, versions, named);
}

/** Removes old versions, and lists that no remaining version refers to. */
async function sweep(lists: string, versions: string, named: readonly string[]): Promise<void> {
  const numbers = (await readdir(versions))
    .flatMap((name) => versionForm.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(b) - Number(a));
  const wanted = new Set(named);
  for (const [index, number] of numbers.entries()) {
    const path = join(versions, `${number}.json`);
    if (index > KEPT_VERSIONS) await rm(path, { force: true });
    else
      for (const [digest] of (await readFile(path, 'utf8')).matchAll(/[0-9a-f]{64}/g))
        wanted.add(digest);
  }
  for (const name of await readdir(lists)) {
    const digest = listForm.exec(name)?.[1];
    if (digest !== undefined && !wanted.has(digest)) await rm(join(lists, name), { force: true });
  }
}

async function readBounded(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw damaged(`${path} is longer than ${maxBytes} bytes`);
    return await readFile(path);
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw damaged(`${path}: cannot be read (${code ?? 'unknown'})`);
  }
}

function damaged(message: string): InnsigliError {
  return new InnsigliError('trust.profile.invalid', message, {
    hint: 'recreate it with innsigli trust sync or trust import',
  });
}

function orNothing(error: unknown): [] {
  const code = systemCode(error) ?? 'unknown';
  if (code === 'ENOENT') return [];
  throw damaged(`the folder of trust profiles cannot be read (${code})`);
}
