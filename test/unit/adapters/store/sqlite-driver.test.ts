import { expect, test } from 'vitest';
import { loadSqlite } from '../../../../src/adapters/store/sqlite/sqlite-connection.ts';

type Driver = Awaited<ReturnType<typeof loadSqlite>>['Database'];

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });
/** A package that is installed without its compiled part. */
const failsToOpen = (error: Error) => async (): Promise<Driver> =>
  function Database() {
    throw error;
  } as unknown as Driver;

// If npm could not compile it, npm has removed it: a rebuild then does nothing and exits with 0.
const again = 'npm ci';
const rebuild = 'npm rebuild better-sqlite3';
const absent = withCode('ERR_MODULE_NOT_FOUND', 'Cannot find package');
const foreign = withCode('ERR_DLOPEN_FAILED', 'NODE_MODULE_VERSION');
const unbuilt = new Error('Could not locate the bindings file. Tried: …');
const loaders: readonly (readonly [name: string, load: () => Promise<Driver>, remedy: string])[] = [
  ['not installed', () => Promise.reject(absent), again],
  ['not compiled', failsToOpen(unbuilt), rebuild],
  ['compiled for a different Node', failsToOpen(foreign), rebuild],
];

test.each(loaders)(
  'a driver that is %s causes an error with the remedy',
  async (_, load, remedy) => {
    await expect(loadSqlite(load, [12])).rejects.toMatchObject({
      code: 'store.driver.missing',
      kind: { exitCode: 10 },
      message: expect.stringContaining(`Node ${process.version} on ${process.platform}`),
      // `npm install better-sqlite3` would rewrite the package.json of the clone and install a
      // version that Node 20 does not support.
      hint: expect.stringMatching(`^repeat the installation \\(${remedy}\\) .*INNSIGLI_DATABASE`),
    });
  },
);

test.each(loaders)(
  'with only version 13 and the driver %s, the hint requires no compilation',
  async (_, load) => {
    const refused = loadSqlite(load, [13]);
    await expect(refused).rejects.toMatchObject({
      code: 'store.driver.missing',
      hint: expect.stringMatching(
        /^repeat the installation \(npm ci\) .*binaries.*INNSIGLI_DATABASE/,
      ),
    });
    const { hint } = (await refused.catch((error: unknown) => error)) as { hint: string };
    expect(hint).not.toMatch(/rebuild|compiler|headers/);
  },
);

test('if only version 12 can be loaded, the hint names the Node version that needs no compiler', async () => {
  const load = () => Promise.reject(absent);
  await expect(loadSqlite(load, [12])).rejects.toMatchObject({
    hint: expect.stringContaining('Node 22.14 or later needs neither'),
  });
  await expect(loadSqlite(load, [13, 12])).rejects.toMatchObject({
    hint: expect.not.stringContaining('22.14'),
  });
});
