import { beforeEach, expect, test } from 'vitest';
import { type WatchedClock, watchClock } from '../../../src/base/watched-clock.ts';
import { formatLine, parseLine, systemClock, watchDays } from '../../../src/wire/clock-watch.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;

let at: { wallMs: number; upMs: number };
let clock: WatchedClock;
let told: string[];
let asked: number;
const pass = (ms: number, wallMs = ms) => {
  at = { wallMs: at.wallMs + wallMs, upMs: at.upMs + ms };
};
const watch = (answer?: () => number | undefined) =>
  watchDays({
    clock,
    warn: (message, code) => void told.push(`${code} ${message}`),
    ticksMs: () => at.upMs,
    ...(answer === undefined
      ? {}
      : {
          trustedTime: async () => {
            asked += 1;
            return answer();
          },
        }),
  });
beforeEach(() => {
  at = { wallMs: startMs, upMs: 1000 };
  told = [];
  asked = 0;
  const sources = { wallMs: () => at.wallMs, upMs: () => at.upMs, ticksMs: () => at.upMs };
  clock = watchClock(sources);
});

test('a jump is told once and stops the work of days, and its end is told', async () => {
  const days = watch();
  expect(await days.mayWork()).toBe(true);
  pass(1000, 5 * DAY);
  expect(await days.mayWork()).toBe(false);
  pass(60_000);
  expect(await days.mayWork()).toBe(false);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^clock\.jumped .* ahead by 5 days: .* started again$/);
  pass(1000, 2000 - 5 * DAY);
  expect(await days.mayWork()).toBe(true);
  expect(told.slice(1)).toEqual(['clock.jumped the clock of this machine is believed again']);
});

test('a trusted time that agrees with the wall clock ends the doubt', async () => {
  const days = watch(() => at.wallMs);
  pass(1000, 5 * DAY);
  expect(await days.mayWork()).toBe(true);
  expect(clock.now()).toBe(at.wallMs);
  expect(told).toHaveLength(2);
});

test('a trusted time that agrees with the time from before lets days go on with that', async () => {
  const days = watch(() => startMs);
  pass(1000, 5 * DAY);
  expect(await days.mayWork()).toBe(true);
  expect(clock.now()).toBe(startMs + 1000);
  expect(await days.mayWork()).toBe(true);
  expect(asked).toBe(1);
});

test('an authority that does not answer is asked once a minute', async () => {
  const days = watch(() => undefined);
  pass(1000, -5 * DAY);
  for (let second = 0; second < 120; second += 1) {
    expect(await days.mayWork()).toBe(false);
    pass(1000);
  }
  expect(asked).toBe(2);
});

test('no day is closed with a clock that was wrong from the beginning', async () => {
  const days = watch(() => startMs - 30 * DAY);
  await expect(days.requireTrusted()).rejects.toMatchObject({ code: 'clock.untrusted' });
  await expect(days.requireTrusted()).rejects.toMatchObject({ code: 'clock.untrusted' });
});

test('the clock is believed where the authority agrees, or there is none', async () => {
  const agreed = watch(() => at.wallMs - 1000);
  await agreed.requireTrusted();
  await agreed.requireTrusted();
  expect(asked).toBe(1);
  await watch().requireTrusted();
  await watch(() => undefined).requireTrusted();
});

test('a line is handed over as text', () => {
  const line = { wallMs: startMs, upMs: 1000 };
  expect(parseLine(formatLine(line))).toEqual(line);
  expect(parseLine('1e3,5')).toBeUndefined();
  expect(parseLine(undefined)).toBeUndefined();
  expect(Math.abs(systemClock().now() - Date.now())).toBeLessThan(1000);
});
