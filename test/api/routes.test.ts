import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteFacts } from '../../src/api/index.ts';
import { closedRows, weakKey, weakRows } from './support/closed-rows.ts';
import { elsewhere } from './support/elsewhere.ts';
import { openBeside, type TestApi } from './support/open-api.ts';
import { processRows, type Row } from './support/rows.ts';
import { settingRows } from './support/setting-rows.ts';
import { openWorld, type World } from './support/world.ts';

const DAY = 86_400_000;
const rows = [...processRows, ...settingRows];

/** Requests that need the clock to advance; they come last. */
const lateRows: readonly Row[] = [
  expired('DELETE /management/signing', (w) => `management/signing?ProcessKey=${w.open.key}`),
  expired(
    'POST /management/signing/block',
    (w) => `management/signing/block?ProcessKey=${w.open.key}`,
  ),
  expired(
    'DELETE /management/signing/sequential',
    (w) => `management/signing/sequential?SequenceKey=${w.sequenceKey}&User=owner@example.test`,
  ),
  expired(
    'PUT /signing/{ProcessKey}/signee/{SigneeKey}',
    (w) => `signing/${w.open.key}/signee/${w.open.signee}`,
    { city: 'Selfoss' },
  ),
  expired(
    'POST /management/signing/{ProcessKey}/signee/{SigneeKey}/remind',
    (w) => `management/signing/${w.open.key}/signee/${w.open.signee}/remind`,
    { communicationDeliveryType: 'Email' },
  ),
];

function expired(route: string, path: (world: World) => string, payload?: object): Row {
  const send: Row['send'] = (w) => ({
    url: `/api/${path(w)}`,
    headers: { authorization: w.basic },
    ...(payload === undefined ? {} : { payload }),
  });
  return { route, what: 'expired', status: 403, code: 'signing.forbidden.expired', send };
}

let world: World;
let silent: TestApi;
let weak: TestApi;
beforeAll(async () => {
  world = await openWorld();
  silent = await openBeside(world, {
    INNSIGLI_MAIL_SERVER: 'none',
    INNSIGLI_SMS_GATEWAY: 'none',
  });
  weak = await openBeside(world, weakKey());
}, 120_000);
afterAll(async () => {
  await weak.close();
  await silent.close();
  await world.close();
});

async function call(row: Row, { app }: TestApi = world) {
  const method = row.route.split(' ')[0] as 'GET';
  const response = await app.inject({ method, ...row.send(world) });
  expect(`${response.statusCode} ${response.statusCode < 400 ? '' : response.body}`).toMatch(
    new RegExp(`^${row.status}`),
  );
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  if (row.status >= 400) requireFailure(row, response.json());
}

function requireFailure(row: Row, body: Record<string, unknown>): void {
  expect(body['errorCode']).toBe(row.code);
  expect(body['responseStatus']).toMatchObject({ errorCode: row.code, message: body['message'] });
  expect(JSON.stringify(body)).not.toMatch(/stack|node_modules|\.ts:/i);
  if (row.field === undefined) return;
  const { errors } = body['responseStatus'] as { errors: { fieldName: string }[] };
  expect(errors.map(({ fieldName }) => fieldName)).toContain(row.field);
}

const listed = (all: readonly Row[]) =>
  all.map((row) => [row.route, row.what, row.status, row] as const);

describe('each request of the route table', () => {
  test.each(listed(rows))('%s, %s: answers %i', (_a, _b, _c, row) => call(row));
  test.each(listed(closedRows))('%s, %s: answers %i', (_a, _b, _c, row) => call(row, silent));
  test.each(listed(weakRows))('%s, %s: answers %i', (_a, _b, _c, row) => call(row, weak));
  test.each(listed(lateRows))('%s, %s, 31 days later: answers %i', async (_a, _b, _c, row) => {
    if (world.app.server.listening) throw new Error('nothing listens here');
    if (row === lateRows[0]) world.pass(31 * DAY);
    await call(row);
  });
});

describe('the route table', () => {
  const nameOf = ({ method, path }: RouteFacts) => `${method} ${path}`;
  const inTable = new Set([...rows, ...lateRows].map(({ route }) => route));

  test('names only routes that exist', () => {
    const known = world.app.routeFacts.map(nameOf);
    expect([...inTable].filter((route) => !known.includes(route))).toEqual([]);
    expect(known.length).toBeGreaterThan(35);
  });

  test('has every route, or another file tests it', () => {
    const known = world.app.routeFacts.map(nameOf);
    const others = Object.values(elsewhere)
      .flat()
      .map((route) => route.toLowerCase());
    const missing = known.filter(
      (route) => !inTable.has(route) && !others.includes(route.toLowerCase()),
    );
    expect(missing).toEqual([]);
    const names = known.map((route) => route.toLowerCase());
    expect(others.filter((route) => !names.includes(route))).toEqual([]);
  });

  test.each(Object.entries(elsewhere))('%s mentions its routes', (file, routes) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8').toLowerCase();
    const words = routes.flatMap((route) => /([a-z-]+)(\/\{\w+\})?$/i.exec(route)?.[1] ?? []);
    expect(words.filter((word) => !text.includes(word.toLowerCase()))).toEqual([]);
  });

  test('meets every code that its routes declare', () => {
    const met = new Set(
      [...rows, ...closedRows, ...weakRows, ...lateRows].map(
        ({ route, code }) => `${route} ${code}`,
      ),
    );
    const declared = world.app.routeFacts
      .filter((facts) => inTable.has(nameOf(facts)))
      .flatMap((facts) => facts.errors.map((code) => `${nameOf(facts)} ${code}`));
    expect(declared.filter((each) => !met.has(each))).toEqual([]);
  });

  test('every company route answers 401 without credentials', async () => {
    for (const { method, path, access } of world.app.routeFacts) {
      if (access !== 'company') continue;
      const url = `/api${path.replaceAll(/\{\w+\}/g, '1')}`;
      const response = await world.app.inject({ method: method as 'GET', url });
      expect(`${method} ${url} ${response.statusCode}`).toBe(`${method} ${url} 401`);
      expect(response.headers['www-authenticate']).toContain('Basic');
    }
  });
});
