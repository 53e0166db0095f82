import { expect, test } from 'vitest';
import { knownOrigins } from '../../../src/wire/service/known/known-companies.ts';

const page = 'https://app.example.com';

function open(find: (origin: string, key?: string) => Promise<boolean> = async () => true) {
  const asked: string[] = [];
  let nowMs = 1_000_000;
  const has = (origin: string, key?: string) => {
    asked.push(`${origin} ${key ?? ''}`.trim());
    return find(origin, key);
  };
  const store = { read: (work: (unit: object) => unknown) => work({ origins: { has } }) };
  const allows = knownOrigins({ store: store as never, now: () => nowMs });
  return { allows, asked, pass: (ms: number) => (nowMs += ms) };
}

test('an answer about an origin is cached for two seconds, per company', async () => {
  let isThere = true;
  const { allows, asked, pass } = open(async () => isThere);
  expect(await Promise.all([1, 2, 3].map(() => allows(page)))).toEqual([true, true, true]);
  expect(await allows(page, 'c1')).toBe(true);
  expect(asked).toEqual([page, `${page} c1`]);
  isThere = false;
  pass(1999);
  expect([await allows(page), await allows(page, 'c1')]).toEqual([true, true]);
  pass(1);
  expect([await allows(page), await allows(page, 'c1')]).toEqual([false, false]);
  isThere = true;
  pass(1999);
  expect(await allows(page)).toBe(false);
  pass(1);
  expect(await allows(page)).toBe(true);
});

test('a clock set back does not extend the cache', async () => {
  let isThere = true;
  const { allows, pass } = open(async () => isThere);
  await allows(page);
  isThere = false;
  pass(-3_600_000);
  expect(await allows(page)).toBe(false);
});

test.each([
  'null',
  '*',
  '',
  'https://App.example.com',
  'https://app.example.com/',
  'https://app.example.com:443',
  'http://app.example.com',
  'https://app.example.com, https://app.example.com',
  `https://${'a'.repeat(16_000)}.example`,
])('%j is rejected without a query', async (origin) => {
  const { allows, asked } = open();
  expect(await allows(origin)).toBe(false);
  expect(asked).toEqual([]);
});

test('the cache is limited and keeps the newest entries', async () => {
  const { allows, asked } = open();
  for (let at = 0; at < 1500; at += 1) await allows(`https://a${at}.example`);
  expect(asked).toHaveLength(1500);
  await allows('https://a1499.example');
  await allows('https://a500.example');
  expect(asked).toHaveLength(1500);
  await allows('https://a499.example');
  expect(asked).toHaveLength(1501);
});

test('while the database is unavailable cached answers are used and nothing new is allowed', async () => {
  let isAway = false;
  const { allows, pass } = open(async () => {
    if (isAway) throw new Error('away');
    return true;
  });
  await allows(page);
  isAway = true;
  for (let at = 0; at < 5; at += 1) {
    pass(2000);
    expect(await allows(page)).toBe(true);
  }
  expect(await allows('https://new.example')).toBe(false);
});
