import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from '../api/support/identity.ts';

// For any screening request: matches or an error code, never an internal error.

let api: IdentityApi;
let flowKey = '';
const path = '/api/watchlist/person';
beforeAll(async () => {
  api = await openIdentityApi();
  const flow = await api.toolkit.flows.create({ name: 'Names', type: 'PEP' } as never);
  flowKey = flow.key;
}, 60_000);
beforeEach(() => api.pass(61_000));
afterAll(() => api.close());

const ask = (body: unknown, url = path) =>
  api.app.inject({
    ...{ method: 'POST', url },
    headers: { authorization: api.basic, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
const person = (more: object) => ({
  countryCode: 'IS',
  firstName: 'A',
  lastName: 'B',
  flowKey,
  ...more,
});

describe('hostile persons', () => {
  test.each<[string, object]>([
    ['a name of 10 KB', { firstName: 'a'.repeat(10_000) }],
    ['a name of many words', { firstName: 'a '.repeat(5_000) }],
    ['combining marks alone', { firstName: '\u0301'.repeat(300), lastName: '\u0301' }],
    ['a letter with 300 marks', { lastName: `e${'\u0301'.repeat(300)}` }],
    ['half of a surrogate pair', { firstName: '\ud800', lastName: '\udc00' }],
    ['a zero-width character', { firstName: '\u200b', lastName: '\u200b' }],
    ['NUL', { firstName: 'a\u0000b' }],
    ['an emoji', { firstName: '🦊', lastName: '🦊' }],
    ['the year 0', { dateOfBirth: '0000-01-01' }],
    ['the year 9999', { dateOfBirth: '9999-12-31' }],
    ['the 30th of February', { dateOfBirth: '2000-02-30' }],
    ['a date with a time', { dateOfBirth: '2000-02-01T99:99:99' }],
    ['a list for a name', { firstName: ['A'] }],
    ['an object for a name', { lastName: { toString: 'x' } }],
    ['a number for a name', { lastName: 5 }],
    ['a rate above 100', { matchRate: 1e308 }],
    ['a rate below 1', { matchRate: -1 }],
    ['a rate that is text', { matchRate: 'NaN' }],
    ['a gender named like an Object.prototype member', { gender: 'constructor' }],
    ['a country named like an Object.prototype member', { countryCode: '__proto__' }],
    ['an unknown flow', { flowKey: '00000000-0000-0000-0000-000000000000' }],
    ['a flow key that is a list', { flowKey: [flowKey] }],
    ['unknown members', { constructor: 1, prototype: { a: 1 } }],
  ])('%s is answered without an internal error', async (_, more) => {
    const { statusCode, body } = await ask(person(more));
    expect([200, 400, 404, 409, 422]).toContain(statusCode);
    expect(body).not.toContain('node_modules');
  });

  // An empty result would imply that the person was searched for.
  test.each([
    ['a full name of punctuation', { originalName: '—' }, 'originalName'],
    ['a full name of semicolons', { originalName: ';;;' }, 'originalName'],
    ['zero-width names', { firstName: '\u200b', lastName: '\u200b' }, 'lastName'],
    ['names of emoji', { firstName: '🦊', lastName: '🦊' }, 'lastName'],
  ])('%s are rejected: they contain no letters to search for', async (_, more, member) => {
    const { statusCode, body } = await ask(person(more));
    expect(statusCode).toBe(400);
    expect(body).toContain(`${member}: expected letters of a name, found none`);
    expect((await ask(person({ firstName: '—', lastName: 'B' }))).statusCode).toBe(200);
  });

  test.each([
    ['a list', '[{"firstName":"a"}]'],
    ['null', 'null'],
    ['a text', '"a"'],
    ['__proto__', `{"__proto__":{"firstName":"A"},"countryCode":"IS","lastName":"B"}`],
    ['truncated JSON', '{"firstName":'],
    ['deeply nested lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ])('rejects a body that is %s', async (_, text) => {
    const { statusCode } = await ask(text);
    expect([400, 413]).toContain(statusCode);
  });

  test('credentials in the query are ignored', async () => {
    const { statusCode } = await api.app.inject({
      ...{ method: 'POST', url: `${path}?authorization=${encodeURIComponent(api.basic)}&apiKey=x` },
      payload: person({}),
    });
    expect(statusCode).toBe(401);
  });
});

test('100 concurrent requests at a limit of 60: 60 are screened and recorded', async () => {
  const before = (await api.toolkit.screening.list()).length;
  const all = await Promise.all(Array.from({ length: 100 }, () => ask(person({}))));
  const of = (code: number) => all.filter(({ statusCode }) => statusCode === code).length;
  expect([of(200), of(429)]).toEqual([60, 40]);
  expect((await api.toolkit.screening.list()).length - before).toBe(60);
  expect(await api.toolkit.screening.verify()).toMatchObject({ intact: true });
});
