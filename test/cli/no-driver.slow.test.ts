import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const missing = existsSync('dist/cli/service.cjs') ? '' : 'dist/ is missing, run npm run build';
if (missing !== '') console.warn(`SKIPPED test/cli/no-driver.test.ts: ${missing}`);

/** As if the package were installed without its compiled part. */
const hook = `
const Module = require('node:module');
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  if (/^bindings$|\\.node$/.test(request)) throw Object.assign(new Error('absent'), { code: 'MODULE_NOT_FOUND' });
  return resolveFilename.call(this, request, ...rest);
};`;

describe.skipIf(missing !== '')('a machine on which better-sqlite3 does not load', () => {
  let folder: string;
  beforeAll(() => {
    folder = newTemporaryFolder('no-driver');
    writeFileSync(join(folder, 'hook.cjs'), hook);
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'a.pdf'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (line: string) => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      INNSIGLI_HOME: join(folder, 'd'),
      NODE_OPTIONS: `--require ${join(folder, 'hook.cjs')}`,
    };
    const words = [program, ...line.split(' ')];
    return spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
  };

  test('can seal, verify and archive one document and a batch', () => {
    for (const line of [
      'seal a.pdf -o b.pdf --level B-LT',
      'verify b.pdf',
      'archive b.pdf -o c.pdf',
      'verify c.pdf --json',
      'seal a.pdf b.pdf --out-dir out --level B-B',
    ]) {
      const { status, stderr } = run(line);
      expect({ line, status }, stderr).toEqual({ line, status: 0 });
    }
  });

  test.each(['init', 'serve --port 0', 'worker --once'])(
    '%s reports what is missing and exits with 10',
    (line) => {
      const { status, stderr } = run(line);
      expect(stderr).toMatch(/error\[(store\.driver\.missing|config\.datadir\.missing)\]/);
      expect(stderr).toMatch(
        /hint: (repeat the installation \(npm (ci|rebuild)|create it with innsigli init)/,
      );
      expect(status).toBe(10);
      expect(existsSync(join(folder, 'd/innsigli.db'))).toBe(false);
    },
  );

  test('doctor runs without an internal error', () => {
    const { stdout, stderr } = run('doctor');
    expect(stdout + stderr).not.toContain('internal.unexpected');
  });

  test('doctor --production reports that the service cannot run', () => {
    const { stdout, status } = run('doctor --production --json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    expect(checks.find(({ name }) => name === 'database')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('[store.driver.missing]'),
    });
    expect(status).toBe(10);
  });
});
