import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const missing = existsSync('dist/cli/service.cjs') ? '' : 'dist/ is missing, run npm run build.';
if (missing !== '') console.warn(`SKIPPED test/cli/serve-clock.test.ts: ${missing}`);

/** Loaded before the program in every thread: shifts the clock by the value in a file. */
const shim = (file: string) => `
import { readFileSync } from 'node:fs';
const sound = Date.now;
Date.now = () => sound() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
`;
const DAY_MS = 86_400_000;

describe.skipIf(missing !== '')('innsigli serve when the clock is set', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let errors: string;
  let more: Readonly<Record<string, string>>;
  const env = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'd'),
    ...more,
  });
  const set = (days: number) => writeFileSync(join(folder, 'off'), String(days * DAY_MS));
  const shimmed = () => ['--import', pathToFileURL(join(folder, 'shim.mjs')).href, program];
  const run = (...words: string[]) => {
    const ran = spawnSync(process.execPath, [...shimmed(), ...words, '--json'], { env: env() });
    errors += String(ran.stderr);
    return { code: ran.status, ...JSON.parse(String(ran.stdout) || '{}') };
  };

  beforeEach(() => {
    folder = newTemporaryFolder('clock');
    writeFileSync(join(folder, 'shim.mjs'), shim(join(folder, 'off')));
    set(0);
    errors = '';
    more = {};
    child = undefined;
  });
  afterEach(async () => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('closes no day and expires nothing when the clock jumps days ahead and back', async () => {
    run('init');
    const words = [...shimmed(), 'serve', '--port', '0'];
    child = spawn(process.execPath, words, { env: env(), stdio: 'pipe' });
    child.stderr?.on('data', (chunk) => {
      errors += String(chunk);
    });
    const [address] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    const document = ['process', 'create', 'fixtures/pdf/agreement.pdf'];
    run(...document, '--signee', 'name=A,email=a@example.test,type=ClickToSign');
    for (const days of [5, 400]) {
      set(days);
      await vi.waitFor(() => expect(errors).toContain('set ahead by 5 days'), { timeout: 10_000 });
      const answer = await fetch(`${String(address).trim()}/readyz`);
      const { checks } = (await answer.json()) as { checks: { name: string; message: string }[] };
      const clock = checks.find(({ name }) => name === 'clock');
      expect(clock?.message).toBe(`set by ${days * 86_400} s: days are not closed`);
    }
    set(0);
    await vi.waitFor(() => expect(errors).toContain('is trusted again'), { timeout: 10_000 });
    expect(run('process', 'list').processes.map((each: { status: string }) => each.status)).toEqual(
      ['Active'],
    );
    expect(run('activity', 'verify')).toMatchObject({ code: 0, days: 0 });
  }, 60_000);

  test('a worker started with the clock days ahead accepts the clock outside production', () => {
    run('init');
    const document = ['process', 'create', 'fixtures/pdf/agreement.pdf'];
    run(...document, '--signee', 'name=A,email=a@example.test,type=ClickToSign');
    run('worker', '--once');
    set(400);
    errors = '';
    run('worker', '--once');
    expect(errors).not.toContain('clock.jumped');
    expect(run('process', 'list').processes[0].status).toBe('Expired');
  }, 60_000);

  test('a worker started with the clock days ahead expires nothing until the clock is accepted', () => {
    more = { INNSIGLI_CLOCK_NOTED: 'true' };
    run('init');
    const document = ['process', 'create', 'fixtures/pdf/agreement.pdf'];
    run(...document, '--signee', 'name=A,email=a@example.test,type=ClickToSign');
    expect(run('worker', '--once').code).toBe(0);
    expect(run('store', 'clock')).toMatchObject({ code: 0, ok: true });
    set(400);
    for (let time = 0; time < 2; time++) {
      errors = '';
      run('worker', '--once');
      expect(errors).toContain('clock.jumped');
    }
    const statuses = () =>
      run('process', 'list').processes.map((each: { status: string }) => each.status);
    expect(statuses()).toEqual(['Active']);
    expect(run('store', 'clock')).toMatchObject({ code: 9, ok: false });
    expect(run('store', 'clock', '--accept').code).toBe(0);
    errors = '';
    run('worker', '--once');
    expect(errors).not.toContain('clock.jumped');
    expect(statuses()).toEqual(['Expired']);
  }, 60_000);
});
