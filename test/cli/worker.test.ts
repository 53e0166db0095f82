import { describe, expect, test } from 'vitest';
import type { CompanyService } from '../../src/app/company-service.ts';
import { type ErrorCode, InnsigliError } from '../../src/base/errors.ts';
import type { StopSignal } from '../../src/cli/io.ts';
import type { Service } from '../../src/wire/service/service.types.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

/** Never stopped. */
const untilForever = { waitForStop: () => new Promise<never>(() => undefined) };

/** A worker whose calls of `work` fail with these codes, one after another. */
function failing(codes: readonly ErrorCode[]) {
  let calls = 0;
  const work = () => {
    const code = codes[Math.min(calls, codes.length - 1)] as ErrorCode;
    calls += 1;
    return Promise.reject(new InnsigliError(code, `the store says ${code}`));
  };
  const run = (line: string) =>
    openFakeCli().run(line.split(' '), {
      toolkit: withService({ runDueJobs: work }),
      io: untilForever,
    });
  return { run, calls: () => calls };
}

test('reports a failed delivery with the command that replays it', async () => {
  const common = { kind: 'webhook', ref: 'wd01', code: 'network.failed' } as const;
  const failed = [
    { ...common, why: 'webhook 28: status 502', isFinal: false },
    { ...common, ref: 'wd02', why: 'webhook 28: status 410', isFinal: true },
  ];
  const work: Service['work'] = async (_kinds, _signal, told) => {
    for (const each of failed) told?.(each);
    return { done: 1, failed };
  };
  const line = ['worker', '--once'];
  const { exitCode, stderr } = await openFakeCli().run(line, {
    toolkit: withService({ runDueJobs: work }),
  });
  expect(exitCode).toBe(3);
  expect(stderr).toContain(
    'webhook wd01: network.failed, webhook 28: status 502; it will be retried',
  );
  expect(stderr).toContain('it was given up; restart it with innsigli webhook replay wd02');
  expect(stderr).toContain('1 done, 2 failed');
});

test('reports a pending message with the command that makes it due', async () => {
  const failed = [
    { kind: 'message', ref: 'ms01', code: 'mail.unavailable', why: 'refused', isFinal: false },
  ] as const;
  const work: Service['work'] = async (_kinds, _signal, told) => {
    for (const each of failed) told?.(each);
    return { done: 0, failed };
  };
  const line = ['worker', '--once'];
  const { stderr } = await openFakeCli().run(line, { toolkit: withService({ runDueJobs: work }) });
  expect(stderr).toContain('it will be retried; run it now with innsigli message retry ms01');
});

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('%s ends it after the current job with exit code %i', async (signal, exitCode) => {
  let stop = (_signal: StopSignal): void => undefined;
  const stopped = new Promise<StopSignal>((resolve) => {
    stop = resolve;
  });
  let [calls, ended] = [0, 0];
  const work = async (_kinds: unknown, over?: AbortSignal) => {
    calls += 1;
    stop(signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (over?.aborted === true) ended += 1;
    return { done: 1, failed: [] };
  };
  const run = await openFakeCli().run(['worker'], {
    toolkit: withService({ runDueJobs: work } as Partial<CompanyService>),
    io: { waitForStop: () => stopped },
  });
  expect([run.exitCode, calls, ended]).toEqual([exitCode, 1, 1]);
});

describe('a worker whose database fails', () => {
  test('waits during transient errors, reports them, and exits on a permanent one', async () => {
    const { run, calls } = failing(['store.busy', 'store.full', 'store.corrupt']);
    const { exitCode, stderr } = await run('worker --every 0.1');
    expect(calls()).toBe(3);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the store says store.busy (store.busy); retrying');
    expect(stderr).toContain('error[store.corrupt]');
  });

  test('does not wait with --once', async () => {
    const { run, calls } = failing(['store.busy']);
    expect((await run('worker --once')).exitCode).toBe(6);
    expect(calls()).toBe(1);
  });
});
