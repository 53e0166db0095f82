import { describe, expect, test } from 'vitest';
import { parseDateTimeMs } from '../../../../src/formats/xades/date-time.ts';

// XML Schema Part 2 §3.2.7: midnight is also hour 24 of the previous day; zones end at 14 hours.
describe('an xsd:dateTime', () => {
  test.each([
    ['2026-11-28T10:00:00Z', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28T24:00:00Z', '2026-11-29T00:00:00.000Z'],
    ['2026-12-31T24:00:00.000+01:00', '2026-12-31T23:00:00.000Z'],
    ['2026-11-28T10:00:00+14:00', '2026-11-27T20:00:00.000Z'],
    ['2026-11-28T10:00:00.1234567891Z', '2026-11-28T10:00:00.123Z'],
  ])('can be %s', (text, expected) => {
    expect(new Date(parseDateTimeMs(text) ?? Number.NaN).toISOString()).toBe(expected);
  });

  test.each([
    '2026-11-28',
    '2026-11-28T24:00:01Z',
    '2026-11-28T24:01:00Z',
    '2026-11-28T24:00:00.5Z',
    '2026-11-28T25:00:00Z',
    '2026-02-29T10:00:00Z',
    '2026-11-28T10:00:00+14:01',
    '2026-11-28T10:00:00-99:00',
    '2026-11-28T10:00:00+01:60',
    `2026-11-28T10:00:00.${'1'.repeat(100)}Z`,
  ])('cannot be %s', (text) => {
    expect(parseDateTimeMs(text)).toBeUndefined();
  });
});
