import { beforeEach, expect, test } from 'vitest';
import { type WatchedClock, watchClock } from '../../../src/base/time/watched-clock.ts';
import {
  formatLine,
  parseLine,
  systemClock,
  watchDays,
} from '../../../src/wire/service/clock-watch.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;

let at: { wallMs: number; upMs: number };
let clock: WatchedClock;
let told: string[];
let asked: number;
/** What the store records for this machine; `run` is the boot at that time. */
let noted: { wallMs: number; upMs: number; run: number } | undefined;
let run: number;
let notes: number;
const pass = (ms: number, wallMs = ms) => {
  at = { wallMs: at.wallMs + wallMs, upMs: at.upMs + ms };
};
let sharedMs: number | undefined;
/** Time until the database responds. */
let answerMs: number;
const watch = (answer?: () => number | undefined) =>
  watchDays({
    clock,
    sharedTime: async () => {
      pass(answerMs);
      return sharedMs === undefined ? undefined : sharedMs + answerMs;
    },
    warn: (message, code) => void told.push(`${code} ${message}`),
    ticksMs: () => at.upMs,
    moments: {
      find: async () => noted && { ...noted, isSameRun: noted.run === run },
      note: async (moment) => {
        notes += 1;
        noted = { ...moment, run };
      },
    },
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
  noted = undefined;
  run = 1;
  notes = 0;
  sharedMs = undefined;
  answerMs = 0;
  clock = watchClock(sources);
});
const sources = { wallMs: () => at.wallMs, upMs: () => at.upMs, ticksMs: () => at.upMs };
/** A different program on this machine, or one started later. */
const startAnother = async () => {
  clock = watchClock(sources);
  const days = watch();
  await days.resume();
  return days;
};

test.each([
  [300_000, 'behind'],
  [-31_000, 'ahead of'],
])(
  'a clock that differs by %d ms from that of the database is reported once',
  async (byMs, word) => {
    const days = watch();
    for (const apartMs of [undefined, 0, 30_000, -30_000]) {
      pass(60_000);
      sharedMs = apartMs === undefined ? undefined : at.wallMs + apartMs;
      expect(await days.mayWork()).toBe(true);
    }
    expect(told).toEqual([]);
    for (const apartMs of [byMs, byMs, 0, byMs]) {
      pass(60_000);
      sharedMs = at.wallMs + apartMs;
      // Work continues.
      expect(await days.mayWork()).toBe(true);
    }
    const seconds = Math.abs(byMs) / 1000;
    const text = `clock.differs the clock of this host is ${seconds} s ${word} that of the database: `;
    expect(told).toHaveLength(2);
    for (const each of told) expect(each).toContain(text);
  },
);

test('a slow response of the database is not taken for a clock difference', async () => {
  const days = watch();
  pass(60_000);
  [sharedMs, answerMs] = [at.wallMs, 45_000];
  expect(await days.mayWork()).toBe(true);
  expect(told).toEqual([]);
});

test('a clock jump is reported once and stops daily work, and its end is reported', async () => {
  const days = watch();
  expect(await days.mayWork()).toBe(true);
  pass(1000, 5 * DAY);
  expect(await days.mayWork()).toBe(false);
  pass(60_000);
  expect(await days.mayWork()).toBe(false);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(
    /^clock\.jumped .* ahead by 5 days: .* accepted with innsigli store clock --accept$/,
  );
  pass(1000, 2000 - 5 * DAY);
  expect(await days.mayWork()).toBe(true);
  expect(told.slice(1)).toEqual(['clock.jumped the clock of this machine is trusted again']);
});

test('a trusted time that agrees with the wall clock resumes daily work with the wall clock', async () => {
  const days = watch(() => at.wallMs);
  pass(1000, 5 * DAY);
  expect(await days.mayWork()).toBe(true);
  expect(clock.now()).toBe(at.wallMs);
  expect(told).toHaveLength(2);
});

test('a trusted time that agrees with the continued time resumes daily work with that time', async () => {
  const days = watch(() => startMs);
  pass(1000, 5 * DAY);
  expect(await days.mayWork()).toBe(true);
  expect(clock.now()).toBe(startMs + 1000);
  expect(await days.mayWork()).toBe(true);
  expect(asked).toBe(1);
});

test('an authority that does not respond is asked once a minute', async () => {
  const days = watch(() => undefined);
  pass(1000, -5 * DAY);
  for (let second = 0; second < 120; second += 1) {
    expect(await days.mayWork()).toBe(false);
    pass(1000);
  }
  expect(asked).toBe(2);
});

test('no day is closed if the clock was wrong from the start', async () => {
  const days = watch(() => startMs - 30 * DAY);
  await expect(days.requireTrusted()).rejects.toMatchObject({ code: 'clock.untrusted' });
  await expect(days.requireTrusted()).rejects.toMatchObject({ code: 'clock.untrusted' });
});

test('the clock is trusted if the authority agrees or there is none', async () => {
  const agreed = watch(() => at.wallMs - 1000);
  await agreed.requireTrusted();
  await agreed.requireTrusted();
  expect(asked).toBe(1);
  await watch().requireTrusted();
  await watch(() => undefined).requireTrusted();
});

test('a clock line can be written as text and parsed again', () => {
  const line = { wallMs: startMs, upMs: 1000 };
  expect(parseLine(formatLine(line))).toEqual(line);
  expect(parseLine('1e3,5')).toBeUndefined();
  expect(parseLine(undefined)).toBeUndefined();
  expect(Math.abs(systemClock().now() - Date.now())).toBeLessThan(1000);
});

test('a sound clock is recorded every ten minutes, a doubtful one never', async () => {
  const days = watch();
  for (let minute = 0; minute < 60; minute++) {
    await days.mayWork();
    pass(60_000);
  }
  expect(notes).toBe(6);
  pass(600_000, DAY);
  expect(await days.mayWork()).toBe(false);
  expect(notes).toBe(6);
});

test('a program started under a jumped clock closes no day', async () => {
  await watch().mayWork();
  pass(3_600_000, 400 * DAY);
  const days = await startAnother();
  expect(await days.mayWork()).toBe(false);
  expect(clock.now()).toBe(startMs + 3_600_000);
  expect(told[0]).toContain('ahead by 400 days');
});

test('an operator who accepts the clock resumes every program', async () => {
  await watch().mayWork();
  pass(1000, 5 * DAY);
  const programs = [];
  for (let count = 0; count < 3; count++) {
    const days = await startAnother();
    programs.push({ days, clock });
    expect(await days.mayWork()).toBe(false);
  }
  noted = { ...at, run };
  pass(5000);
  for (const each of programs) {
    await each.days.follow();
    expect(await each.days.mayWork()).toBe(true);
    expect(each.clock.now()).toBe(at.wallMs);
  }
});

test('a record made before a jump of three minutes does not resume daily work', async () => {
  const days = watch();
  await days.mayWork();
  pass(1000, 181_000);
  await days.follow();
  expect(await days.mayWork()).toBe(false);
});

test('other threads learn that an authority agrees with the wall clock', async () => {
  const main = { days: watch(), clock };
  await main.days.mayWork();
  clock = watchClock(sources);
  const jobs = watch(() => at.wallMs);
  pass(1000, 5 * DAY);
  expect(await jobs.mayWork()).toBe(true);
  await main.days.follow();
  expect(main.clock.now()).toBe(at.wallMs);
});

test.each([
  ['it is behind', -30 * DAY, false],
  ['it is ahead', 30 * DAY, true],
])(
  'after a reboot daily work runs only if the clock is ahead of the record: %s',
  async (_what, jumpMs, works) => {
    await watch().mayWork();
    run = 2;
    at = { wallMs: at.wallMs + jumpMs, upMs: 10 };
    const days = await startAnother();
    expect(await days.mayWork()).toBe(works);
  },
);

test('a clock that was behind is trusted once it passes the recorded time', async () => {
  await watch().mayWork();
  run = 2;
  at = { wallMs: 0, upMs: 10 };
  const days = await startAnother();
  expect(await days.mayWork()).toBe(false);
  expect(clock.now()).toBe(startMs);
  pass(1000, startMs + DAY);
  expect(await days.mayWork()).toBe(true);
  expect(noted).toMatchObject({ run: 2, wallMs: at.wallMs });
});

test('a lower uptime means a reboot', async () => {
  pass(7_200_000);
  await watch().mayWork();
  at = { wallMs: at.wallMs + DAY, upMs: 10 };
  const days = await startAnother();
  expect(await days.mayWork()).toBe(true);
});
