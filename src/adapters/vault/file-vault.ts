import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Vault, VaultKeyFile } from '../../app/ports/index.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import { writeAtomically } from '../files/index.ts';
import { readFileAtOnce } from '../read-file.ts';
import { openVault, VAULT_KEY_BYTES } from './vault.ts';

/**
 * The vault key in the file at `path` (mode 0600, 64 hexadecimal digits). If several processes
 * create it concurrently, one of them wins, and all use its key. Its methods throw `vault.invalid`
 * if the file contains no key or is readable by others, and `config.datadir.unusable` if it cannot
 * be read or created.
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
      hint: 'restore the key from a backup; stored secrets cannot be read without it',
    });
  }
  return openVault(Buffer.from(text.trim(), 'hex'));
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    const { text, mode } = await readFileAtOnce(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const found = `expected mode 600, found ${(mode & 0o777).toString(8)}`;
      throw new InnsigliError(
        'vault.invalid',
        `other users can read the key of the vault: ${found}`,
        {
          hint: `chmod 600 ${path}`,
        },
      );
    }
    return text;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw isInnsigliError(error) ? error : unusable(path, error);
  }
}

async function makeKey(path: string): Promise<string> {
  const key = Buffer.from(`${randomBytes(VAULT_KEY_BYTES).toString('hex')}\n`);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${randomUUID()}`;
    await writeAtomically(path, key, { temporary, existing: 'kept' });
  } catch (error) {
    throw unusable(path, error);
  }
  const text = await readKey(path);
  if (text === undefined) throw unusable(path);
  return text;
}

function unusable(path: string, cause?: unknown): InnsigliError {
  const message = `cannot read or create the key file ${path}`;
  return new InnsigliError('config.datadir.unusable', message, {
    hint: 'check the permissions of the data directory, or choose a different one with --data-dir',
    cause,
  });
}
