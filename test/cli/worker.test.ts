import { describe, expect, test } from 'vitest';
import { CoreError, type ErrorCode } from '../../src/base/errors.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

/** A worker whose calls of `work` fail with these codes, one after the other. */
function failing(codes: readonly ErrorCode[]) {
  let calls = 0;
  const work = () => {
    const code = codes[Math.min(calls, codes.length - 1)] as ErrorCode;
    calls += 1;
    return Promise.reject(new CoreError(code, `the store says ${code}`));
  };
  const run = (line: string) =>
    openFakeCli().run(line.split(' '), { toolkit: withService({ work }) });
  return { run, calls: () => calls };
}

describe('a worker whose store fails', () => {
  test('waits for what passes, says so, and ends at what does not', async () => {
    const { run, calls } = failing(['store.busy', 'store.full', 'store.corrupt']);
    const { exitCode, stderr } = await run('worker --every 0.1');
    expect(calls()).toBe(3);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the store says store.busy (store.busy); waiting');
    expect(stderr).toContain('error[store.corrupt]');
  });

  test('waits for nothing when it shall work once', async () => {
    const { run, calls } = failing(['store.busy']);
    expect((await run('worker --once')).exitCode).toBe(6);
    expect(calls()).toBe(1);
  });
});
