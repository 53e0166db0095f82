import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
const keys: Record<string, string> = {};
const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
const period = () => `StartDate=${day(-86_400_000)}&EndDate=${day(2 * 86_400_000)}`;
const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
  const given = payload === undefined ? {} : { payload };
  const headers = { authorization: api.basic };
  const reply = await api.app.inject({ method, url: `/api${url}`, headers, ...given });
  return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() };
};

// One process in each state.
beforeAll(async () => {
  api = await openTestApi();
  const make = async (name: string) => {
    const { body } = await ask('POST', '/management/signing', {
      flowKey: api.flowKey,
      pdfDocument: agreement.toString('base64'),
      pdfFileName: `${name}.pdf`,
      user: 'owner@example.test',
      createSignees: [{ name, email: 'a@example.test', signatureType: 'ClickToSign' }],
    });
    keys[name] = body.key;
    return body;
  };
  await make('Expired');
  api.pass(29.9 * 86_400_000);
  const signed = await make('Completed');
  await ask('POST', `/signing/sign/${signed.key}/signee/${signed.signees[0].key}/click`);
  await make('Open');
  await make('Canceled');
  await ask('DELETE', `/management/signing?ProcessKey=${keys['Canceled']}`);
  await make('Blocked');
  await ask('POST', `/management/signing/block?ProcessKey=${keys['Blocked']}`);
  await api.service.work();
  api.pass(0.2 * 86_400_000);
  await api.service.work();
}, 120_000);
afterAll(() => api.close());

const whole = () => `StartDate=${day(-86_400_000)}&EndDate=${day(60 * 86_400_000)}`;
const namesOf = (body: readonly { readonly signees: readonly { readonly name: string }[] }[]) =>
  body.map(({ signees }) => signees[0]?.name).sort();

describe('StatusFilter', () => {
  test.each([
    ['', ['Blocked', 'Canceled', 'Completed', 'Expired', 'Open']],
    ['all', ['Blocked', 'Canceled', 'Completed', 'Expired', 'Open']],
    ['Active', ['Open']],
    ['InActive', ['Blocked', 'Canceled', 'Expired']],
    ['inactive', ['Blocked', 'Canceled', 'Expired']],
    ['Completed', ['Completed']],
    ['Expired', ['Expired']],
    ['Canceled', ['Canceled']],
    ['Blocked', ['Blocked']],
  ])('filter %j finds %j', async (filter, names) => {
    const query = `${whole()}&StatusFilter=${filter}`;
    const list = await ask('GET', `/signing/activity?${query}`);
    expect([list.status, namesOf(list.body)]).toEqual([200, names]);
    const total = await ask('GET', `/signing/activity/total?${query}`);
    expect(total.body).toEqual({ total: names.length });
  });
});

describe('StartDate of the activity log', () => {
  test.each([
    ['2020-01-31', 200],
    ['2020-01-31T10:00', 200],
    ['2020-01-31T10:00:00', 200],
    ['2020-01-31T10:00:00Z', 200],
    ['2020-01-31T10:00:00.1234567Z', 200],
    ['2020-01-31T10:00:00%2B01:00', 200],
    // An unescaped plus sign arrives as a space.
    ['2020-01-31T10:00:00+01:00', 200],
    ['2020-01-31T10:00:00-01:00', 200],
    ['2020-01-31%2010:00:00', 200],
    ['2020-02-30', 400],
    ['31.01.2020', 400],
    ['soon', 400],
  ])('%s is answered with %d', async (start, status) => {
    const reply = await ask('GET', `/signing/activity/total?StartDate=${start}&EndDate=2020-03-01`);
    expect(reply.status).toBe(status);
  });
});

describe('entries of the activity log', () => {
  test('have the published members', async () => {
    const [{ activityLog, signees }] = (await ask('GET', `/signing/activity/${keys['Completed']}`))
      .body;
    const rows = activityLog.map((each: Record<string, unknown>) => [
      each['status'],
      each['createdBy'],
      each['signeeKey'] === undefined ? '' : 'signee',
      each['fileName'] ?? '',
    ]);
    const file = 'Completed.pdf';
    for (const expected of [
      ['Created', 'owner@example.test', '', file],
      ['SigneeAdded', 'System', 'signee', ''],
      ['Started', 'owner@example.test', '', file],
      ['SigneeSigned', 'System', 'signee', ''],
      ['Completed', 'System', 'signee', ''],
    ]) {
      expect(rows).toContainEqual(expected);
    }
    expect(activityLog[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
    expect(Object.keys(signees[0])).toContain('signatureType');
  });

  test('are not returned without a StartDate', async () => {
    expect((await ask('GET', `/signing/activity?${period()}`)).status).toBe(200);
    expect((await ask('GET', '/signing/activity?EndDate=2020-01-01')).status).toBe(400);
  });
});
