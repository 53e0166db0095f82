import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openVault, openVaultKeyFile } from '../../../../src/adapters/vault/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';
import { fc } from '../../../support/property.ts';

const openFileVault = (path: string) => openVaultKeyFile(path).make();
const vault = openVault(Buffer.alloc(32, 1));
const other = openVault(Buffer.alloc(32, 2));

describe('a vault', () => {
  test('decrypts what it encrypted, in the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(vault.decrypt(vault.encrypt(plain, context), context)).toBe(plain);
      }),
    );
  });

  test('never encrypts the same text to the same value', () => {
    expect(vault.encrypt('a', 'c')).not.toBe(vault.encrypt('a', 'c'));
  });

  const sealed = vault.encrypt('1201743399', 'signee.ssn:si1');
  const flipped = (at: number) => {
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    bytes[at] = (bytes[at] as number) ^ 1;
    return `v1.${bytes.toString('base64url')}`;
  };

  test.each([
    ['a different context', sealed, 'signee.ssn:si2'],
    ['an empty value', '', 'signee.ssn:si1'],
    ['the prefix alone', 'v1.', 'signee.ssn:si1'],
    ['an unknown prefix', `v2.${sealed.slice(3)}`, 'signee.ssn:si1'],
    ['plaintext', '1201743399', 'signee.ssn:si1'],
    ['a truncated value', sealed.slice(0, -4), 'signee.ssn:si1'],
    ['a changed nonce', flipped(0), 'signee.ssn:si1'],
    ['changed ciphertext', flipped(14), 'signee.ssn:si1'],
    ['a changed tag', flipped(37), 'signee.ssn:si1'],
  ])('rejects %s', (_, text, context) => {
    expect(() => vault.decrypt(text, context)).toThrow(
      expect.objectContaining({ code: 'vault.invalid' }),
    );
  });

  test('rejects a value encrypted with a different key', () => {
    expect(() => other.decrypt(sealed, 'signee.ssn:si1')).toThrow(
      expect.objectContaining({ code: 'vault.invalid' }),
    );
  });

  test('reveals no secret in its errors', () => {
    try {
      vault.decrypt(sealed, 'other');
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('1201743399');
      expect(String(error)).not.toContain(sealed);
    }
  });

  test('computes the same index for the same value, dependent on the key', () => {
    expect(vault.index('1201743399')).toBe(vault.index('1201743399'));
    expect(vault.index('1201743399')).not.toBe(vault.index('1201743398'));
    expect(vault.index('1201743399')).not.toBe(other.index('1201743399'));
    expect(vault.index('a')).not.toBe(vault.mac('a', ''));
  });

  test('computes digests over value, context and their boundary', () => {
    const digests = [
      vault.mac('123456', 'a'),
      vault.mac('123457', 'a'),
      vault.mac('123456', 'b'),
      vault.mac('23456', 'a1'),
      vault.mac(':a123456', '0'),
      other.mac('123456', 'a'),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(vault.mac('123456', 'a')).toMatch(/^[0-9a-f]{64}$/);
    expect(vault.mac('123456', 'a')).toBe(digests[0]);
  });

  test('rejects a key of the wrong length', () => {
    expect(() => openVault(Buffer.alloc(16))).toThrow(
      expect.objectContaining({ code: 'vault.invalid' }),
    );
  });
});

describe('a vault with its key in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = newTemporaryFolder('vault');
  });

  test('creates the key once, readable by its owner only', async () => {
    const path = join(folder, 'deep', 'vault.key');
    const first = await openFileVault(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await openFileVault(path)).decrypt(first.encrypt('x', 'c'), 'c')).toBe('x');
    expect(readdirSync(join(folder, 'deep'))).toEqual(['vault.key']);
  });

  test('returns no key if none was created', async () => {
    const file = openVaultKeyFile(join(folder, 'deep', 'vault.key'));
    expect(await file.open()).toBeUndefined();
    expect(existsSync(join(folder, 'deep'))).toBe(false);
  });

  test('ends with one key when opened concurrently', async () => {
    const path = join(folder, 'vault.key');
    const vaults = await Promise.all(Array.from({ length: 20 }, () => openFileVault(path)));
    expect(new Set(vaults.map((each) => each.index('x'))).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['vault.key']);
  });

  test.each([
    ['no content', ''],
    ['too few digits', 'ab'.repeat(16)],
    ['no hexadecimal digits', 'z'.repeat(64)],
  ])('rejects a key file with %s and leaves it unchanged', async (_, text) => {
    const path = join(folder, 'vault.key');
    writeFileSync(path, text, { mode: 0o600 });
    await expect(openFileVault(path)).rejects.toMatchObject({ code: 'vault.invalid' });
    expect(statSync(path).size).toBe(text.length);
  });

  test('rejects a key that others may read', async () => {
    const path = join(folder, 'vault.key');
    await openFileVault(path);
    chmodSync(path, 0o640);
    await expect(openFileVault(path)).rejects.toMatchObject({ code: 'vault.invalid' });
  });

  test('rejects a folder in place of the key file', async () => {
    const path = join(folder, 'vault.key');
    mkdirSync(path, { mode: 0o700 });
    await expect(openFileVault(path)).rejects.toMatchObject({ code: 'config.datadir.unusable' });
    expect(existsSync(path)).toBe(true);
  });
});
