import { describe, expect, test, vi } from 'vitest';
import { asKey } from '../../../../src/domain/keys.ts';
import { breakerThreshold } from '../../../../src/domain/webhook/breaker.ts';
import {
  admit,
  afterFailure,
  afterSuccess,
  type Webhook,
} from '../../../../src/domain/webhook/index.ts';
import { type AttemptResult, checkAttempt } from '../../../../src/domain/webhook/outcome.ts';
import { nextWaitMs, parseRetryAfter } from '../../../../src/domain/webhook/schedule.ts';
import { fc } from '../../../support/property.ts';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const day = 24 * 3_600_000;
const webhook: Webhook = {
  id: 1,
  companyKey: asKey('company', 'c'),
  flowKey: asKey('flow', 'f'),
  type: 'AllSigned',
  url: 'https://example.is/',
  isActive: true,
  schedule: 'published',
  secrets: [],
  isOrdered: false,
  createdAtMs: 0,
  updatedAtMs: 0,
  failureCount: 0,
};

describe('retry schedules', () => {
  test('published makes three attempts 10 and 60 seconds apart, without jitter', () => {
    const waits = [1, 2, 3].map((attempts) => nextWaitMs('published', attempts, 0.99));
    expect(waits).toEqual([10_000, 60_000, undefined]);
  });

  test('extended makes ten attempts within 75 h 35 min 5 s', () => {
    const waits = Array.from({ length: 10 }, (_, index) => nextWaitMs('extended', index + 1, 0.5));
    expect(waits.slice(0, 9)).toEqual(
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((each) => each * 1000),
    );
    expect(waits[9]).toBeUndefined();
    const total = waits.reduce<number>((sum, each) => sum + (each ?? 0), 0);
    expect(total).toBe(((75 * 60 + 35) * 60 + 5) * 1000);
  });

  test('extended varies each wait by at most 20 %', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, at) => {
          const [wait, middle] = [
            nextWaitMs('extended', n, at) ?? 0,
            nextWaitMs('extended', n, 0.5) ?? 0,
          ];
          return wait >= 0.8 * middle - 1 && wait <= 1.2 * middle + 1;
        },
      ),
    );
  });

  test.each([
    ['120', 120_000],
    [' 7 ', 7000],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 03:03:05 GMT', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['99999999999', undefined],
    ['2026', 2_026_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('Retry-After %s is %s ms', (text, expected) => {
    expect(parseRetryAfter(text, nowMs)).toBe(expected);
  });
});

describe('outcomes of an attempt', () => {
  test.each([
    [{ status: 200 }, 0],
    [{ status: 410 }, 0],
    [{ status: 500 }, 1],
  ])('%o uses randomness %i times', (result, expected) => {
    const fraction = vi.fn(() => 0.5);
    checkAttempt({ schedule: 'extended', attempts: 1, result, nowMs, fraction });
    expect(fraction).toHaveBeenCalledTimes(expected);
  });
  const check = (
    result: AttemptResult,
    attempts = 1,
    schedule: Webhook['schedule'] = 'published',
  ): string => {
    const outcome = checkAttempt({ schedule, attempts, result, nowMs, fraction: () => 0.5 });
    if (outcome.kind === 'retry') return `retry ${outcome.atMs - nowMs}`;
    return outcome.kind === 'dead' && outcome.disables ? 'dead, off' : outcome.kind;
  };
  test.each([
    [{ status: 200 }, 1, 'published', 'done'],
    [{ status: 201 }, 1, 'published', 'retry 10000'],
    [{ status: 204 }, 1, 'published', 'retry 10000'],
    [{ status: 204 }, 1, 'extended', 'done'],
    [{ status: 301 }, 1, 'published', 'retry 10000'],
    [{ status: 302 }, 1, 'extended', 'retry 5000'],
    [{ status: 308 }, 3, 'published', 'dead'],
    [{ status: 400 }, 2, 'published', 'retry 60000'],
    [{ status: 406 }, 1, 'published', 'dead'],
    [{ status: 406 }, 1, 'extended', 'dead'],
    [{ status: 410 }, 1, 'published', 'dead, off'],
    [{ status: 500 }, 3, 'published', 'dead'],
    [{ status: 500 }, 10, 'extended', 'dead'],
    [{ status: 500 }, 9, 'extended', 'retry 86400000'],
    [{ status: 100 }, 1, 'extended', 'retry 5000'],
    [{ errorCode: 'network.failed' }, 1, 'published', 'retry 10000'],
    [{ errorCode: 'network.blocked' }, 3, 'published', 'dead'],
    // Retry-After shorter than planned, within reach, and more than twice the plan.
    [{ status: 429, retryAfter: '1' }, 1, 'published', 'retry 10000'],
    [{ status: 503, retryAfter: '15' }, 1, 'published', 'retry 15000'],
    [{ status: 429, retryAfter: '86400' }, 1, 'published', 'retry 20000'],
    [{ status: 503, retryAfter: 'tomorrow' }, 1, 'published', 'retry 10000'],
    [{ status: 500, retryAfter: '15' }, 1, 'published', 'retry 10000'],
    [{ status: 503, retryAfter: '15' }, 3, 'published', 'dead'],
  ] as const)(
    '%j at attempt %i of the %s schedule leads to %s',
    (result, attempts, schedule, expected) => {
      expect(check(result, attempts, schedule)).toBe(expected);
    },
  );
});

describe('the circuit breaker', () => {
  const failed = (times: number, from: Webhook = webhook, atMs = nowMs): Webhook => {
    let each = from;
    for (let count = 0; count < times; count++) each = afterFailure(each, atMs, true);
    return each;
  };

  test('opens at the threshold for a minute, then twice as long, up to an hour', () => {
    expect(failed(breakerThreshold - 1).openUntilMs).toBeUndefined();
    const waits = [0, 1, 2, 3, 10, 40].map((more) => {
      const { openUntilMs = 0 } = failed(breakerThreshold + more);
      return (openUntilMs - nowMs) / 60_000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 60, 60]);
  });

  test('holds deliveries while open, then allows one probe', () => {
    const open = failed(breakerThreshold);
    expect(admit(open, nowMs, 30_000)).toEqual({ kind: 'hold', untilMs: nowMs + 60_000 });
    const probe = admit(open, nowMs + 60_000, 30_000);
    expect(probe).toMatchObject({ kind: 'probe', next: { openUntilMs: nowMs + 90_000 } });
    if (probe.kind !== 'probe') throw new Error('a probe was expected');
    expect(admit(probe.next, nowMs + 60_001, 30_000)).toEqual({
      kind: 'hold',
      untilMs: nowMs + 90_000,
    });
  });

  test('closes on a success; a late failure while open changes nothing', () => {
    const open = failed(breakerThreshold);
    expect(afterFailure(open, nowMs + 1, false)).toBe(open);
    const shut = afterSuccess(open);
    expect(shut).toEqual(webhook);
    expect(afterSuccess(shut)).toBe(shut);
    expect(admit(shut, nowMs, 1)).toEqual({ kind: 'go' });
  });

  test.each([
    ['five days of failures disable the webhook', breakerThreshold, 5 * day, false],
    ['slightly less does not', breakerThreshold, 5 * day - 1, true],
    ['two failures five days apart do not', 1, 5 * day, true],
  ])('counts failures: %s', (_, times, laterMs, isActive) => {
    const later = afterFailure(failed(times), nowMs + laterMs, true);
    expect(later.isActive).toBe(isActive);
    expect(later.disabledReason).toBe(isActive ? undefined : 'failing for 5 days');
  });
});
