import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startWorkClock, threadPlace } from '../../../src/wire/threads/work-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('counts CPU time, not the time a thread waits for a core', () => {
  let workedMs = 500;
  const over = vi.fn();
  startWorkClock('place', 100, over, () => workedMs);
  vi.advanceTimersByTime(5000);
  expect(over).not.toHaveBeenCalled();
  workedMs = 590;
  vi.advanceTimersByTime(200);
  expect(over).not.toHaveBeenCalled();
  workedMs = 600;
  vi.advanceTimersByTime(200);
  expect(over).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5000);
  expect(over).toHaveBeenCalledTimes(1);
});

test.each([
  ['no path', undefined],
  ['a path that does not exist', '/nowhere'],
])('counts elapsed time with %s, until stopped', (_what, place) => {
  const over = vi.fn();
  const stopped = vi.fn();
  startWorkClock(place, 100, over);
  const stop = startWorkClock(place, 100, stopped);
  vi.advanceTimersByTime(90);
  expect(over).not.toHaveBeenCalled();
  stop();
  vi.advanceTimersByTime(40);
  expect(over).toHaveBeenCalledTimes(1);
  expect(stopped).not.toHaveBeenCalled();
});

test.skipIf(process.platform !== 'linux')('a thread on Linux can read its CPU time', () => {
  vi.useRealTimers();
  const over = vi.fn();
  const begunAt = performance.now();
  startWorkClock(threadPlace(), 30, over);
  while (performance.now() - begunAt < 60);
  return vi.waitFor(() => expect(over).toHaveBeenCalled(), { timeout: 5000 });
});
