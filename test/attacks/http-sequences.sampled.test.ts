import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement, openTestApi, type TestApi } from '../api/support/open-api.ts';
import { costlyTest } from '../support/sample.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const create = (documents: number, signees: number, flowKey = api.flowKey, at = api) =>
  at.app.inject({
    method: 'POST',
    url: '/api/management/signing/sequential',
    headers: { authorization: at.basic },
    payload: Array.from({ length: documents }, (_, number) => ({
      flowKey,
      pdfDocument: agreement.toString('base64'),
      pdfFileName: `d${number}.pdf`,
      user: 'owner@example.test',
      createSignees: Array.from({ length: signees }, (_each, order) => ({
        name: `P ${order}`,
        email: `p${order}@example.test`,
        signatureType: 'ClickToSign',
        communicationDeliveryType: 'Email',
      })),
    })),
  });

test.each([
  [11, 182],
  [100, 21],
])(
  'rejects a sequence of %i documents with %i signees each as too many',
  async (documents, signees) => {
    const before = await api.toolkit.processes.count({});
    const answer = await create(documents, signees);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([413, 'limit.exceeded']);
    expect(answer.json().message).toBe(
      `expected at most 2000 signees in all documents, found ${documents * signees}`,
    );
    expect(await api.toolkit.processes.count({})).toBe(before);
  },
);

test('counts the default signees of the flow towards the limit', async () => {
  const board = { name: 'Board', email: 'board@example.test', signatureType: 'ClickToSign' };
  const settings = { defaultSignees: [board] };
  const options = { name: 'Board', type: 'DropAndSign', settings };
  const { key } = await api.toolkit.flows.create(options);
  const answer = await create(100, 20, key);
  expect([answer.statusCode, answer.json().message]).toEqual([
    413,
    'expected at most 2000 signees in all documents, found 2100',
  ]);
}, 60_000);

costlyTest(
  'accepts the largest sequence, and changes an address in all of it',
  async () => {
    const made = await create(100, 20);
    expect(made.statusCode).toBe(200);
    const { key, signees } = made.json();
    const [{ processKey, signeeKey }] = signees[7].signingKeys;
    const url = `/api/signing/${processKey}/signee/${signeeKey}`;
    const payload = { processKey, signeeKey, email: 'new@example.test' };
    expect((await api.app.inject({ method: 'PUT', url, payload })).statusCode).toBe(200);
    const seen = await api.app.inject({
      ...{ method: 'POST', url: `/api/signing/sequential/${key}` },
      headers: { authorization: api.basic },
    });
    expect(seen.body.split('new@example.test')).toHaveLength(101);
  },
  60_000,
);

describe('requests for sequences are charged by their size', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await openTestApi({ requestsPerAddress: 5 });
    strict.stopClock();
  }, 60_000);
  afterAll(() => strict.close());

  /** Of 60 requests from one address this many are answered. */
  const passed = async (remoteAddress: string, method: 'GET' | 'POST', url: string) => {
    let count = 0;
    for (let at = 0; at < 60; at += 1) {
      const { statusCode } = await strict.app.inject({ method, url, remoteAddress });
      if (statusCode !== 429) count += 1;
    }
    return count;
  };

  test.each([
    // A burst of 50; for a sequence of 300 signees each counts as four.
    ['a small sequence', 2, 3, 50],
    ['a large sequence', 20, 15, 12],
  ])(
    'the request costs its share of the rate: %s',
    async (_what, documents, signees, answered) => {
      const made = (await create(documents, signees, strict.flowKey, strict)).json();
      const { key, signees: persons } = made;
      const [{ processKey, signeeKey }] = persons[0].signingKeys;
      const ip = (last: number) => `203.0.113.${documents + last}`;
      const counts = [
        await passed(ip(1), 'POST', `/api/signing/sequential/${key}`),
        await passed(ip(2), 'GET', `/s/${key}/${persons[0].key}`),
        await passed(ip(3), 'GET', `/api/signing/${processKey}/signee/${signeeKey}`),
      ];
      expect(counts).toEqual([answered, answered, answered]);
    },
    60_000,
  );
});
