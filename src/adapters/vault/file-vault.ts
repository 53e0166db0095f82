import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Vault, VaultKeyFile } from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { readFileAtOnce } from '../read-file.ts';
import { openVault, VAULT_KEY_OCTETS } from './vault.ts';

/**
 * A key of the vault in the file at `path` (0600, 64 hexadecimal digits). Of processes that make it
 * at the same time one wins, and all use its key. Its methods throw `vault.invalid` when the file
 * holds no key or others may read it, and `config.datadir.unusable` when it cannot be read or made.
 */
export function openVaultKeyFile(path: string): VaultKeyFile {
  return {
    place: path,
    async open() {
      const text = await readKey(path);
      return text === undefined ? undefined : vaultOf(text, path);
    },
    make: async () => vaultOf((await readKey(path)) ?? (await makeKey(path)), path),
  };
}

function vaultOf(text: string, path: string): Vault {
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    throw new InnsigliError('vault.invalid', `the key file of the vault is damaged: ${path}`, {
      hint: 'put back the key from a backup; without it stored secrets stay unreadable',
    });
  }
  return openVault(Buffer.from(text.trim(), 'hex'));
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    const { text, mode } = await readFileAtOnce(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const found = `expected mode 600, found ${(mode & 0o777).toString(8)}`;
      throw new InnsigliError('vault.invalid', `others may read the key of the vault: ${found}`, {
        hint: `chmod 600 ${path}`,
      });
    }
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw isInnsigliError(error) ? error : unusable(path, error);
  }
}

// A hard link fails when the name is taken: the file appears whole, and only once.
async function makeKey(path: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(VAULT_KEY_OCTETS).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncFolder(dirname(path));
  } catch (error) {
    throw unusable(path, error);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  const text = await readKey(path);
  if (text === undefined) throw unusable(path);
  return text;
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its rename and link are durable enough without.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unusable(path: string, cause?: unknown): InnsigliError {
  return new InnsigliError('config.datadir.unusable', `cannot read or make the key file ${path}`, {
    hint: 'check the rights of the data directory, or name another with --data-dir',
    ...defined({ cause }),
  });
}
