import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 60_000);
afterAll(() => world.close());

// Values coerced to numbers may be non-finite, which no schema or database column accepts.
const numbers = ['1e400', '-1e400', 'Infinity', '-Infinity'];
const places = [
  ['PUT', (number: string) => `/api/management/webhook/${number}`, { active: false }],
  ['DELETE', (number: string) => `/api/management/webhook/${number}`, undefined],
  ['DELETE', (number: string) => `/api/management/emailtemplate/${number}`, undefined],
  [
    'GET',
    (number: string) =>
      `/api/signing/activity?StartDate=2020-01-01&EndDate=2100-01-01&Take=${number}`,
    undefined,
  ],
] as const;

test.each(
  places.flatMap(([method, url, payload]) =>
    numbers.map((number) => [method, url(number), payload] as const),
  ),
)('%s %s is answered with 400', async (method, url, payload) => {
  const headers = { authorization: world.basic };
  const given = payload === undefined ? {} : { payload };
  const reply = await world.app.inject({ method, url, headers, ...given });
  expect([reply.statusCode, reply.json().errorCode]).toEqual([400, 'validation.error']);
});
