import { expect, test } from 'vitest';
import type { ListVersion } from '../../../src/domain/screening/index.ts';
import { examineLists } from '../../../src/wire/diagnose/storage.ts';

const day = 86_400_000;
const nowMs = Date.UTC(2026, 5, 30);

/** The result for lists imported this many days ago, one per company. */
function look(
  ages: Readonly<Record<string, number>>,
  { production = false, publishedDate = '2026-06-24' } = {},
) {
  const versions = Object.entries(ages).map(([list, age]) => ({
    version: {
      ...{ list, importedAtMs: nowMs - age * day },
      ...(list === 'un' ? { publishedDate } : {}),
    } as ListVersion,
  }));
  const unit = {
    companies: { list: async () => versions.map((_, key) => ({ key })) },
    watchlists: { current: async (key: number) => versions.slice(key, key + 1) },
  };
  const store = { read: async (act: (given: unknown) => unknown) => act(unit) };
  const config = { production, service: { screening: { maxAgeDays: 7 } } };
  const examination = { config } as unknown as Parameters<typeof examineLists>[0];
  const opened = { ports: { store, now: () => nowMs } };
  return examineLists(examination, opened as unknown as Parameters<typeof examineLists>[1]);
}

test('lists are reported with their dates', async () => {
  expect(await look({ un: 3, own: 7 })).toEqual({
    status: 'ok',
    message: 'un (of 2026-06-24, imported 2026-06-27), own (imported 2026-06-23)',
  });
});

test('outdated lists cause a warning', async () => {
  expect(await look({ un: 3, own: 8 })).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/imported 2026-06-22\); older than 7 days: own$/),
    // The readiness check of the service repeats it without the names of lists.
    reason: 'a list is older than 7 days',
    hint: expect.stringMatching(/screen lists update/),
  });
});

test('a list published long ago is outdated, however recently it was imported', async () => {
  expect(await look({ un: 0 }, { publishedDate: '2026-06-21' })).toMatchObject({
    status: 'warning',
    message: 'un (of 2026-06-21, imported 2026-06-30); older than 7 days: un',
  });
});

test.each([
  [false, 'ok', 'fictitious persons is searched, TEST ONLY', undefined],
  [true, 'warning', 'production does not screen without one', 'none is imported'],
])(
  'without a list synthetic persons are searched, or nothing in production: production %j',
  async (production, status, text, reason) => {
    const outcome = await look({}, { production });
    expect([outcome.status, outcome.message.endsWith(text)]).toEqual([status, true]);
    expect(outcome.reason).toBe(reason);
  },
);

test('many lists are counted', async () => {
  const ages = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`l${String(at)}`, 1]));
  expect((await look(ages)).message).toMatch(/l19 \(imported 2026-06-29\), and 5 more$/);
});
