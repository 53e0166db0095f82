import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/main.cjs');
if (!isBuilt) console.warn('SKIPPED test/cli/process.test.ts: dist/ is missing, run npm run build');

describe.skipIf(!isBuilt)('the built program (skipped when dist/ is missing)', () => {
  let folder = '';
  const environment = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'data'),
  });
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
    });

  beforeAll(() => {
    folder = newTemporaryFolder('process');
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'a.pdf'));
  });

  test('seals, verifies and archives with the development trust', () => {
    const sealed = run('seal', 'a.pdf');
    expect(sealed).toMatchObject({ status: 0, stdout: 'a.sealed.pdf\n' });
    expect(sealed.stderr).toContain('warning: development trust in use');
    const bytes = readFileSync(join(folder, 'a.sealed.pdf'));
    const input = readFileSync(join(folder, 'a.pdf'));
    expect(bytes.subarray(0, input.length).equals(input)).toBe(true);

    const verified = run('verify', 'a.sealed.pdf', '--json');
    expect(verified.status).toBe(0);
    expect(JSON.parse(verified.stdout).documents[0].report.signatures[0].level).toBe('B-LTA');

    expect(run('archive', 'a.sealed.pdf', '--in-place')).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'a.sealed.pdf')).length).toBeGreaterThan(bytes.length);
    expect(run('verify', 'a.pdf').status).toBe(7);
  });

  test('uses its compiled code and also runs without it', () => {
    const found = readdirSync('dist/cli');
    const bundles = found.filter((name) => name.endsWith('.cjs'));
    expect(bundles).toContain('main.cjs');
    expect(found.filter((name) => name.endsWith('.code'))).toHaveLength(bundles.length);
    const help = run('--help');
    const other = spawnSync(process.execPath, ['--no-flush-bytecode', program, '--help'], {
      encoding: 'utf8',
    });
    expect(help.status).toBe(0);
    expect(other.stdout).toBe(help.stdout);
  });

  test('seals a document from stdin to stdout', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [program, 'seal', '-', '--level', 'b-b', '-q'],
      { cwd: folder, env: environment(), input: readFileSync(join(folder, 'a.pdf')) },
    );
    expect(status).toBe(0);
    expect(stdout.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  });

  test('exits with 0 and prints no error when stdout is closed early', () => {
    const line = `"$0" "$1" help exit-codes | true; exit "\${PIPESTATUS[0]}"`;
    const { status, stderr } = spawnSync('bash', ['-c', line, process.execPath, program], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('tsa serve prints its address, issues time-stamps and exits with 130 on SIGINT', async () => {
    const server = spawn(process.execPath, [program, 'tsa', 'serve', '--port', '0'], {
      cwd: folder,
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<number | null>((done) => server.once('exit', done));
    const url = await new Promise<string>((done) =>
      server.stdout.once('data', (chunk: Buffer) => done(chunk.toString().trim())),
    );
    const sealed = run('seal', 'a.pdf', '-o', 'b-t.pdf', '--level', 'B-T', '--tsa', url);
    const refused = run('seal', 'a.pdf', '-o', 'x.pdf', '--tsa', url, '--offline');
    server.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(sealed).toMatchObject({ status: 0, stdout: 'b-t.pdf\n' });
    expect(refused.status).toBe(8);
    expect(refused.stderr).toContain('error[network.offline]');
    expect(existsSync(join(folder, 'x.pdf'))).toBe(false);
  });

  test('SIGINT while waiting for an authority exits with 130 and leaves no file', async () => {
    let asked: () => void = () => undefined;
    const request = new Promise<void>((done) => {
      asked = done;
    });
    const silent = createServer(() => asked());
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as AddressInfo;
    const before = readdirSync(folder);
    const args = ['seal', 'a.pdf', '-o', 'c.pdf', '--tsa', `http://127.0.0.1:${port}/`];
    const sealing = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: environment(),
      stdio: 'ignore',
    });
    const ended = new Promise((done) => sealing.once('exit', (...how) => done(how)));
    await request;
    sealing.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual(before);
    silent.closeAllConnections();
    silent.close();
  });
});
