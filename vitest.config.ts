import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { driverAlias } from './test/support/driver-alias.ts';

/** Files of one worker share the modules that they load: a third of the time. */
const inOneProcess = {
  isolate: false,
  execArgv: [
    // Half of the time for collecting garbage: most of it is young.
    '--max-semi-space-size=64',
    // Most functions run too seldom in a test run to be worth what it takes to optimise them.
    // V8 of Node 24 does not have the option.
    ...(Number.parseInt(process.versions.node, 10) < 24 ? ['--interrupt-budget=1000000'] : []),
  ],
  globalSetup: ['test/support/driver.ts', 'test/support/own-folder.ts'],
  setupFiles: ['one-process', 'cheap-scrypt', 'cheap-keys'].map(
    (name) => `test/support/${name}.ts`,
  ),
};

/** Who names no project has the sample of these cases already: they are not run twice. */
const isWhole = process.argv.some((word) => word.includes('whole'));

const whole: TestProjectConfiguration = {
  extends: true,
  test: {
    ...inOneProcess,
    name: 'whole',
    include: ['test/**/*.sampled.test.ts'],
    env: { INNSIGLI_TEST_ENGINE: 'sqlite' },
  },
};

/**
 * Tests in two speeds, told apart by the names of their files:
 *
 *     x.test.ts          fast: one process, no server that is installed, no real sizes
 *     x.slow.test.ts     slow: starts programs or threads, waits, or holds what is really large
 *     x.mocks.test.ts    fast, but replaces modules, which no other file may see
 *     x.engines.test.ts  both: on SQLite in the fast project, on PostgreSQL in the slow one
 *     x.sampled.test.ts  both: a sample of its cases in the fast project, all in the project `whole`
 */
export default defineConfig({
  resolve: { alias: driverAlias },
  test: {
    testTimeout: 30_000,
    maxWorkers: 2,
    // A source that was transformed once is not again until it changes: a third of a small run.
    experimental: { fsModuleCache: true },
    exclude: ['test/interop/**'],
    setupFiles: ['test/support/each-file.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...inOneProcess,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.slow.test.ts', 'test/**/*.mocks.test.ts'],
          env: { INNSIGLI_TEST_ENGINE: 'sqlite', INNSIGLI_TEST_CASES: 'sample' },
        },
      },
      ...(isWhole ? [whole] : []),
      {
        extends: true,
        test: {
          name: 'mocks',
          include: ['test/**/*.mocks.test.ts'],
          globalSetup: ['test/support/driver.ts', 'test/support/own-folder.ts'],
          setupFiles: ['test/support/one-process.ts'],
          env: { INNSIGLI_TEST_ENGINE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['test/**/*.{slow,engines}.test.ts'],
          globalSetup: [
            'test/support/driver.ts',
            'test/support/own-folder.ts',
            'test/support/one-postgres.ts',
          ],
          env: { INNSIGLI_TEST_ENGINE: 'postgresql' },
        },
      },
    ],
  },
});
