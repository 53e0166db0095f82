import { chmodSync, rmSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { ResolvedConfig } from '../../../src/wire/config/config.ts';
import { closeDataDir } from '../../../src/wire/files/private-data.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

// As for a folder of a different user: `fails` applies only to chmod in the program.
const system = vi.hoisted(() => ({ fails: false, silent: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const chmodSync: typeof fs.chmodSync = (path, mode) => {
    if (system.fails) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    if (!system.silent) fs.chmodSync(path, mode);
  };
  return { ...fs, chmodSync };
});

describe.skipIf(process.platform === 'win32')(
  'a data directory whose mode cannot be changed',
  () => {
    test.each([
      ['owned by a different user', { fails: true, silent: false }],
      ['on a file system without permissions', { fails: false, silent: true }],
    ])('%s is rejected in production and reported otherwise', (_, how) => {
      const dataDir = newTemporaryFolder('open');
      chmodSync(dataDir, 0o755);
      const said: string[] = [];
      const close = (production: boolean) => {
        const config = { dataDir, production } as ResolvedConfig;
        const io = { now: () => 0, random: () => new Uint8Array(1) };
        closeDataDir({ config, io: { ...io, warn: (message) => void said.push(message) } });
      };
      Object.assign(system, how);
      try {
        expect(() => close(true)).toThrowError(
          expect.objectContaining({
            code: 'config.datadir.unusable',
            message: `other users can read ${dataDir} (0755), and that cannot be changed`,
            hint: expect.stringContaining('--data-dir'),
          }),
        );
        expect(said).toEqual([]);
        close(false);
        expect(said).toEqual([
          `other users can read ${dataDir} (0755), and that cannot be changed`,
        ]);
      } finally {
        Object.assign(system, { fails: false, silent: false });
        rmSync(dataDir, { recursive: true });
      }
    });
  },
);
