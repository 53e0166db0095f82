import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authenticateCompany } from '../../src/app/company/index.ts';
import type { Store } from '../../src/app/ports/index.ts';
import { basicOf, openTestApi, type TestApi } from '../api/support/open-api.ts';
import { costlyTest } from '../support/sample.ts';

const MINUTE = 60_000;
/** Failed attempts per minute: per address and company, and per address. */
const OF_COMPANY = 100;
const OF_ADDRESS = 300;

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi({ trustProxy: ['127.0.0.1'] });
}, 60_000);
afterEach(() => api.close());

const statusOf = async (authorization: string, client: string) => {
  const headers = { authorization, 'x-forwarded-for': client };
  const answer = await api.app.inject({ url: '/api/management/flow', headers });
  return { status: answer.statusCode, answer };
};
const userOf = (authorization: string) =>
  Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':')[0] ?? '';

describe('credential stuffing', () => {
  test('against one company is throttled by address, while other clients are served', async () => {
    const company = userOf(api.basic);
    const statuses: number[] = [];
    for (let at = 0; at < OF_COMPANY + 5; at += 1) {
      statuses.push((await statusOf(basicOf(company, `api-guess-${at}`), '192.0.2.1')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(OF_COMPANY);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    // Even the correct key has to wait there, or guessing could continue.
    const right = await statusOf(api.basic, '192.0.2.1');
    expect(right.status).toBe(429);
    expect(Number(right.answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(right.answer.json()).toMatchObject({ errorCode: 'request.throttled' });
    expect((await statusOf(api.basic, '192.0.2.2')).status).toBe(200);
    expect((await statusOf(api.foreign, '192.0.2.1')).status).toBe(200);
    api.pass(MINUTE + 1);
    expect((await statusOf(api.basic, '192.0.2.1')).status).toBe(200);
  });

  costlyTest('against many companies from one address is throttled, too', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < OF_ADDRESS + 10; at += 1) {
      statuses.push((await statusOf(basicOf(`company-${at}`, 'api-x'), '2001:db8::1')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(OF_ADDRESS);
    expect((await statusOf(api.basic, '2001:db8::1')).status).toBe(429);
    // A client controls a whole network of addresses.
    expect((await statusOf(api.basic, '2001:db8::ffff')).status).toBe(429);
    expect((await statusOf(api.basic, '2001:db8:0:1::1')).status).toBe(200);
  });

  test('cannot choose its client address without a configured proxy', async () => {
    await api.close();
    api = await openTestApi();
    const statuses: number[] = [];
    for (let at = 0; at < OF_COMPANY + 5; at += 1) {
      statuses.push((await statusOf(basicOf('company', 'api-x'), `192.0.2.${at % 250}`)).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  test('against a document that requires a login is throttled, too', async () => {
    const made = await api.toolkit.processes.create({
      flowKey: api.flowKey,
      pdf: readFileSync(new URL('../../fixtures/pdf/agreement.pdf', import.meta.url)),
      signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      requiresAuth: true,
    });
    const url = `/api/pdf/${made.key}/${made.signees[0]?.key}.pdf`;
    const statuses: number[] = [];
    for (let at = 0; at < OF_COMPANY + 5; at += 1) {
      const authorization = basicOf(userOf(api.basic), `api-${at}`);
      const headers = { authorization, 'x-forwarded-for': '192.0.2.9' };
      statuses.push((await api.app.inject({ url, headers })).statusCode);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });
});

test.each([
  ['no scheme', 'abc'],
  ['a different scheme', 'Digest username="a"'],
  ['no colon', `Basic ${Buffer.from('company').toString('base64')}`],
  ['no company', basicOf('', 'api-x')],
  ['no key', basicOf('company', '')],
  ['a company of control characters', basicOf('\0\r\n', 'x')],
  ['a long company', basicOf('x'.repeat(4000), 'x')],
  ['half of a surrogate pair', basicOf('\ud800', '\ud800')],
])('%s: is answered like any wrong key', async (_what, authorization) => {
  const { status, answer } = await statusOf(authorization, '192.0.2.1');
  expect(status).toBe(401);
  expect(answer.json()).toMatchObject({ errorCode: 'authentication.credentials.invalid' });
  expect(answer.headers['www-authenticate']).toContain('Basic');
});

test('an unknown company and a wrong key get the same response', async () => {
  const said = async (user: string, password: string) =>
    (await statusOf(basicOf(user, password), '192.0.2.1')).answer.body;
  const company = userOf(api.basic);
  const wrongKey = await said(company, 'api-wrong');
  expect(await said('nobody', 'api-wrong')).toBe(wrongKey);
  const [, foreignKey = ''] = Buffer.from(api.foreign.slice(6), 'base64').toString().split(':');
  expect(await said(company, foreignKey)).toBe(wrongKey);
});

test('a key is looked up by its digest and compared in constant time', async () => {
  const asked: string[] = [];
  const record = { sha256: '', companyKey: 'right', id: 'k', label: '', createdAtMs: 0 };
  const companies = {
    findApiKey: async (sha256: string) => {
      asked.push(sha256);
      return record;
    },
    find: async () => ({ key: 'right' }),
  };
  const store = {
    read: (work: (unit: object) => Promise<unknown>) => work({ companies }),
  } as unknown as Store;
  expect(await authenticateCompany({ store, now: () => 0 }, 'right', 'api-1')).toBeUndefined();
  expect(await authenticateCompany({ store, now: () => 0 }, 'wrong', 'api-1')).toBeUndefined();
  // The key itself is never searched for: a nearly correct guess finds nothing.
  expect(asked.every((each) => /^[0-9a-f]{64}$/.test(each))).toBe(true);
  const source = (name: string) =>
    readFileSync(new URL(`../../src/${name}`, import.meta.url), 'utf8');
  expect(source('app/company/authenticate-company.ts')).toContain('timingSafeEqual(digest(a)');
  expect(source('api/plugins/access/authentication.ts')).toContain('timingSafeEqual(digest(');
});
