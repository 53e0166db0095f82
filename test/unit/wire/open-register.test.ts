import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { registerTable } from '../../../src/adapters/register/index.ts';
import { importRegister } from '../../../src/app/register/index.ts';
import { registerTableFile } from '../../../src/wire/config/paths.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { openRegister } from '../../../src/wire/service/parties.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { testVault } from '../../support/store.ts';
import { goodCsv, known, pieces, unknown } from '../register/support.ts';

function settings(env: Readonly<Record<string, string>> = {}) {
  const folder = newTemporaryFolder('register');
  const INNSIGLI_HOME = join(folder, 'data');
  mkdirSync(INNSIGLI_HOME, { mode: 0o700 });
  return resolveConfig({ flags: {}, env: { HOME: folder, INNSIGLI_HOME, ...env }, cwd: folder });
}

const production = { INNSIGLI_PRODUCTION: 'true' };
const url = { INNSIGLI_REGISTER_URL: 'https://register.example/persons' };

describe('the register of persons of an installation', () => {
  test('contains synthetic persons before the first import, and no one in production', async () => {
    const made = await openRegister(settings(), testVault);
    expect(await made.address(unknown)).toMatchObject({ city: expect.any(String) });
    expect(await made.hasMeter(unknown)).toBe(true);
    const none = await openRegister(settings(production), testVault);
    expect([await none.address(known), await none.family(known)]).toEqual([undefined, undefined]);
    expect(await none.hasMeter(known)).toBe(false);
  });

  test.each([{}, production])('uses the imported table after the import, with %j', async (env) => {
    const opened = settings(env);
    const register = await openRegister(opened, testVault);
    const path = registerTableFile(opened.config.dataDir);
    const table = registerTable({ path, vault: testVault });
    await importRegister({ table, now: () => 0 }, pieces(goodCsv));
    expect(await register.address(known)).toMatchObject({ city: 'Reykjavík' });
    expect(await register.address(unknown)).toBeUndefined();
    expect(await register.hasMeter(unknown)).toBe(false);
  });

  test('does not use HTTP when offline, and rejects an invalid URL immediately', async () => {
    const offline = settings({ ...url, INNSIGLI_OFFLINE: 'true' });
    const register = await openRegister(offline, testVault);
    await expect(register.family(known)).rejects.toMatchObject({ code: 'network.offline' });
    const open = settings({ INNSIGLI_REGISTER_URL: 'http://register.example/' });
    await expect(openRegister(open, testVault)).rejects.toMatchObject({ code: 'config.invalid' });
  });
});
