import { describe, expect, test } from 'vitest';
import {
  formatReminderRule,
  nextReminderAtMs,
  parseReminderRule,
  plannedRemindersMax,
} from '../../../src/domain/reminder.ts';
import { fc } from '../../support/property.ts';

const dayMs = 86_400_000;
const invitedAtMs = Date.UTC(2025, 0, 1, 9);

describe('parseReminderRule', () => {
  test.each([
    ['1:3', { firstDays: 1, intervalDays: 3 }],
    ['10:3', { firstDays: 10, intervalDays: 3 }],
    ['5:0', { firstDays: 5, intervalDays: 0 }],
    ['0:10', { firstDays: 0, intervalDays: 10 }],
    ['12:0', { firstDays: 12, intervalDays: 0 }],
    ['30:15', { firstDays: 30, intervalDays: 15 }],
    ['0:0', undefined],
    ['00:00', undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('parses %j as %j', (text, rule) => {
    expect(parseReminderRule(text)).toEqual(rule);
  });

  test.each([
    '31:0',
    '0:16',
    '1',
    '1:',
    ':1',
    '1:2:3',
    ' 1:2',
    '1:2 ',
    '1:2\n',
    '-1:2',
    '+1:2',
    '1.5:2',
    '1,3',
    'a:b',
    '١:٣',
    '100:1',
    '1e1:0',
    'NaN:NaN',
    ' ',
  ])('rejects %j', (text) => {
    expect(() => parseReminderRule(text)).toThrowError(
      expect.objectContaining({ code: 'reminder.rule.invalid' }),
    );
  });

  test('is the inverse of formatReminderRule', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 15 }), (a, b) => {
        const rule = parseReminderRule(`${a}:${b}`);
        expect(rule === undefined ? '0:0' : formatReminderRule(rule)).toBe(`${a}:${b}`);
      }),
    );
  });
});

/** Days after the invitation on which a worker without delay sends reminders. */
function daysOf(text: string, expiresInDays: number): number[] {
  const rule = parseReminderRule(text);
  const days: number[] = [];
  const expiresAtMs = invitedAtMs + expiresInDays * dayMs;
  let afterMs: number | undefined;
  while (rule !== undefined && days.length < 100) {
    const next = nextReminderAtMs(rule, invitedAtMs, days.length, {
      expiresAtMs,
      ...(afterMs === undefined ? {} : { afterMs }),
    });
    if (next === undefined) break;
    days.push((next - invitedAtMs) / dayMs);
    afterMs = next + 7_000;
  }
  return days;
}

describe('nextReminderAtMs', () => {
  test.each([
    ['1:3', 14, [1, 4, 7, 10, 13]],
    ['10:3', 20, [10, 13, 16, 19]],
    ['5:0', 30, [5]],
    ['0:10', 30, [10, 20]],
    ['0:10', 31, [10, 20, 30]],
    ['12:0', 30, [12]],
    ['12:0', 12, []],
    ['30:0', 30, []],
    ['30:0', 31, [30]],
    ['15:15', 30, [15]],
    ['0:0', 30, []],
    ['', 30, []],
    ['1:1', 60, Array.from({ length: plannedRemindersMax }, (_, index) => index + 1)],
  ])('for %s within %i days reminds on days %j', (text, expiresInDays, days) => {
    expect(daysOf(text, expiresInDays)).toEqual(days);
  });

  test('sends one reminder after nine missed days, and the next not immediately', () => {
    const rule = { firstDays: 1, intervalDays: 3 };
    const afterMs = invitedAtMs + 9.9 * dayMs;
    expect(nextReminderAtMs(rule, invitedAtMs, 1, { afterMs })).toBe(invitedAtMs + 13 * dayMs);
  });

  test('keeps the only reminder of a rule due however late it is', () => {
    const rule = { firstDays: 5, intervalDays: 0 };
    const due = nextReminderAtMs(rule, invitedAtMs, 0, { afterMs: invitedAtMs + 20 * dayMs });
    expect(due).toBe(invitedAtMs + 5 * dayMs);
  });

  test('lies after the invitation and the last reminder and before the end, a limited number of times', () => {
    const days = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 15 }),
        fc.integer({ min: 0, max: 25 }),
        days,
        days,
        (firstDays, intervalDays, sentCount, after, end) => {
          const afterMs = invitedAtMs + after * dayMs;
          const expiresAtMs = invitedAtMs + end * dayMs;
          const rule = { firstDays, intervalDays };
          const next = nextReminderAtMs(rule, invitedAtMs, sentCount, { afterMs, expiresAtMs });
          if (next === undefined) return;
          expect(sentCount).toBeLessThan(plannedRemindersMax);
          expect(next).toBeGreaterThanOrEqual(invitedAtMs + dayMs);
          expect(next).toBeLessThan(expiresAtMs);
          if (intervalDays > 0) expect(next).toBeGreaterThan(afterMs);
        },
      ),
    );
  });
});
