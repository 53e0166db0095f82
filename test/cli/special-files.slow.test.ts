import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const isSkipped = !existsSync('dist/cli/batch.cjs') || process.platform === 'win32';
if (isSkipped) console.warn('SKIPPED test/cli/special-files.test.ts: needs dist/ and mkfifo');

// One program per case, because a read from a pipe blocks its thread.
describe.skipIf(isSkipped)('pipes and devices (skipped without dist/)', () => {
  let folder = '';
  const environment = () => ({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, INNSIGLI_HOME: join(folder, 'data') },
    encoding: 'utf8' as const,
    timeout: 10_000,
    killSignal: 'SIGKILL' as const,
  });
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], environment());
  const shell = (line: string) =>
    spawnSync('bash', ['-c', line.replaceAll('innsigli', `'${process.execPath}' '${program}'`)], {
      ...environment(),
    });

  beforeAll(() => {
    folder = newTemporaryFolder('special');
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'a.pdf'));
    execFileSync('mkfifo', [join(folder, 'pipe.pdf')]);
    expect(run(['init']).status).toBe(0);
    expect(run(['seal', 'a.pdf', '-o', 'sealed.pdf', '--level', 'B-B']).status).toBe(0);
  });

  test.each([
    ['seal pipe.pdf', 'io.input.unreadable'],
    ['seal pipe.pdf a.pdf --out-dir out', 'io.input.unreadable'],
    ['verify pipe.pdf', 'io.input.unreadable'],
    ['verify pipe.pdf sealed.pdf', 'io.input.unreadable'],
    ['archive pipe.pdf', 'io.input.unreadable'],
    ['seal-xml pipe.pdf', 'io.input.unreadable'],
    ['seal a.pdf -o b.pdf --visible --image pipe.pdf', 'io.input.unreadable'],
    ['seal a.pdf -o b.pdf --visible --image /dev/zero', 'io.input.unreadable'],
    ['seal --files-from pipe.pdf --out-dir out', 'io.input.unreadable'],
    ['seal a.pdf -o b.pdf --key pipe.pdf --cert pipe.pdf', 'key.unreadable'],
    ['seal a.pdf -o b.pdf --p12 a.pdf --password-file pipe.pdf', 'key.unreadable'],
    ['archive sealed.pdf -o b.pdf --validation-data pipe.pdf', 'config.invalid'],
    ['verify sealed.pdf --trust pipe.pdf', 'config.invalid'],
    ['seal /dev/zero -o b.pdf', 'io.input.unreadable'],
    ['company logo pipe.pdf', 'io.input.unreadable'],
  ])('a named pipe or device is rejected immediately: %s', (line, code) => {
    const { status, stderr, stdout } = run(line.split(' '));
    expect(`${stdout}${stderr}`).toContain(code);
    expect(`${stdout}${stderr}`).toMatch(/expected a regular file, found a (?:pipe|device)/);
    expect(status).toBeGreaterThan(0);
    expect(existsSync(join(folder, 'b.pdf'))).toBe(false);
  });

  test.each([
    ['innsigli seal <(cat a.pdf) -o s1.pdf --level B-B', 's1.pdf'],
    ['cat a.pdf | innsigli seal /dev/stdin -o s2.pdf --level B-B', 's2.pdf'],
    ['(sleep 1; cat a.pdf) | innsigli seal /proc/self/fd/0 -o s3.pdf --level B-B', 's3.pdf'],
    ['innsigli seal /dev/stdin -o s4.pdf --level B-B < a.pdf', 's4.pdf'],
    ['innsigli seal --files-from <(echo a.pdf) --out-dir s5 --level B-B', 's5/a.pdf'],
  ])('a descriptor opened by the shell is read: %s', (line, result) => {
    const { status, stderr } = shell(line);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    expect(existsSync(join(folder, result))).toBe(true);
    if (result === 's5/a.pdf') return;
    const verified = shell(`innsigli verify <(cat ${result})`);
    expect(verified.stdout).toContain(`1 signature`);
  });

  test('--image reads a descriptor opened by the shell', () => {
    const { stderr } = shell(
      'innsigli seal a.pdf -o b.pdf --visible --image <(cat a.pdf) --level B-B',
    );
    expect(stderr).toContain('seal.image.invalid');
  });

  test('a signal ends the program while it waits for a descriptor of the shell', async () => {
    const { encoding: _e, timeout: _t, killSignal: _k, ...place } = environment();
    const child = spawn('bash', ['-c', `exec node '${program}' seal <(sleep 60) -o b.pdf`], {
      ...place,
      stdio: 'ignore',
      detached: true,
    });
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
    await new Promise((done) => setTimeout(done, 1500));
    const ended = new Promise<unknown>((done) => {
      child.on('exit', (code, signal) => done(code ?? signal));
    });
    child.kill('SIGTERM');
    const late = new Promise((done) => setTimeout(done, 5000, 'still pending'));
    expect([143, 'SIGTERM']).toContain(await Promise.race([ended, late]));
  });
});
