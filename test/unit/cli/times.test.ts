import { describe, expect, test } from 'vitest';
import { endTime, pastTime } from '../../../src/cli/command/index.ts';
import type { CommandContext } from '../../../src/cli/context.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const context = { io: { now: () => now } } as CommandContext;
const past = (text: string) => pastTime.read(text, '--at', context);
const end = (text: string) => endTime.read(text, '--until', context);
const iso = (atMs: number) => new Date(atMs).toISOString();

/**
 * Texts that `Date.parse` accepts, or may accept in the zone of the host, although they are never
 * meant as a time.
 */
const none = [
  ...['2026-02-30', '2026-02-29T10:00:00Z', '2026-13-01', '2026-1-31', '1', '2026', '2026-01'],
  ...['31 Jan 2026', 'Jan 31, 2026 10:00', '01/31/2026', '20260131', '2026-01-31T10', 'x1', ''],
  ...['2026-01-31T25:00:00Z', '2026-01-31T10:00:00+25:00', '2026-01-31T10:00 CET', '7y'],
];

describe('a time option', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.000Z'],
    // A day with surrounding blanks still ends at midnight.
    [' 2026-01-31 ', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.000Z'],
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.5+02:00', '2026-01-31T08:00:00.500Z'],
    // Without a zone it is UTC, whatever the zone of the host.
    ['2026-01-31T10:00:00', '2026-01-31T10:00:00.000Z'],
  ])('is read the same way by every option: %s', (text, begin, last = begin) => {
    expect([iso(past(text)), iso(end(text))]).toEqual([begin, last]);
  });

  test('with a number of days or hours counts into the past or the future', () => {
    expect([iso(past('7d')), iso(end('7d'))]).toEqual([
      '2026-06-08T12:00:00.000Z',
      '2026-06-22T12:00:00.000Z',
    ]);
    expect(iso(past('12h'))).toBe('2026-06-15T00:00:00.000Z');
  });

  test.each(none)('"%s" is rejected', (text) => {
    const expected = 'expected a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z';
    expect(() => past(text)).toThrow(`--at: ${expected}, or 7d or 12h ago, found "${text}"`);
    expect(() => end(text)).toThrow(`--until: ${expected}, or 7d from now, found "${text}"`);
  });
});
