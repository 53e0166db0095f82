import { beforeEach, describe, expect, test } from 'vitest';
import {
  clockJumpMs,
  type WatchedClock,
  watchClock,
} from '../../../src/base/time/watched-clock.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let at: { wallMs: number; upMs: number; ticksMs: number };
let clock: WatchedClock;
const pass = (ms: number, wallMs = ms, ticksMs = ms) => {
  at = { wallMs: at.wallMs + wallMs, upMs: at.upMs + ms, ticksMs: at.ticksMs + ticksMs };
};
beforeEach(() => {
  at = { wallMs: startMs, upMs: 5_000_000, ticksMs: 700 };
  clock = watchClock({
    wallMs: () => at.wallMs,
    upMs: () => at.upMs,
    ticksMs: () => at.ticksMs,
  });
});

test.each([
  ['time passes', 10_000, 10_000, 10_000],
  ['the wall clock is adjusted by a minute', 10_000, 70_000, 10_000],
  ['the system sleeps for a day and its counter stops', DAY, DAY, 5],
  ['little time has passed', 20, 21, 20],
])('the wall clock is used when %s', (_what, ms, wallMs, ticksMs) => {
  clock.now();
  pass(ms, wallMs, ticksMs);
  expect(clock.now()).toBe(at.wallMs);
  expect(clock.jumpMs()).toBe(0);
});

describe.each([
  ['ahead by 400 days', 400 * DAY],
  ['ahead by three minutes', 180_000],
  ['back by five days', -5 * DAY],
])('a wall clock set %s', (_what, jumpMs) => {
  test('is ignored, and used again when it is back', () => {
    clock.now();
    pass(200, 200 + jumpMs);
    expect(clock.now()).toBe(startMs + 200);
    expect(clock.jumpMs()).toBe(jumpMs);
    pass(30 * HOUR);
    expect(clock.now()).toBe(startMs + 200 + 30 * HOUR);
    pass(500, 500 - jumpMs);
    expect(clock.now()).toBe(at.wallMs);
    expect(clock.jumpMs()).toBe(0);
  });

  test('is ignored although the monotonic counter was set with it', () => {
    clock.now();
    pass(200, 200 + jumpMs, 200 + jumpMs);
    expect(clock.now()).toBe(startMs + 200);
  });

  test('is used when a trusted time agrees with it', () => {
    pass(200, 200 + jumpMs);
    expect(clock.check(at.wallMs + 60_000)).toBe('wall');
    expect(clock.jumpMs()).toBe(0);
    expect(clock.now()).toBe(at.wallMs);
  });
});

test('a trusted time that agrees with the continued time leaves the wall clock in doubt', () => {
  pass(1000, DAY);
  expect(clock.check(startMs + 60_000)).toBe('line');
  expect(clock.check(startMs + 10 * DAY)).toBe('neither');
  expect(clock.now()).toBe(startMs + 1000);
});

test('slow adjustment is followed; a clock that runs fast is a jump', () => {
  for (let hour = 0; hour < 48; hour += 1) {
    pass(HOUR, HOUR + clockJumpMs / 2);
    expect(clock.now()).toBe(at.wallMs);
  }
  for (let minute = 0; minute < 10; minute += 1) pass(60_000, 120_000);
  clock.now();
  expect(clock.jumpMs()).toBe(600_000);
});

test('a different clock of the machine started during a jump continues the same time', () => {
  pass(1000, DAY);
  clock.now();
  const sources = { wallMs: () => at.wallMs, upMs: () => at.upMs, ticksMs: () => at.ticksMs };
  const other = watchClock(sources, clock.line());
  expect(other.now()).toBe(startMs + 1000);
  expect(other.jumpMs()).toBe(DAY - 1000);
});
