import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { einar, type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const email = 'einar@example.test';
/** Everything known about the signee, under every name that a client might try. */
const numbers = new URLSearchParams({
  ...{ phone: '6666666', phoneNumber: '6666666', ssn: '6000101994', email },
  ...{ loginHint: '6000101994', Phone: '6666666', SSN: '6000101994', Email: email },
});

interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

const codeOf = ({ statusCode, body }: Answer) => {
  const isJson = body.startsWith('{');
  return [statusCode, isJson ? JSON.parse(body).errorCode : ''] as const;
};

describe('identifying numbers in a query are no login', () => {
  test('every route that rejects a stranger rejects one who knows the numbers', async () => {
    const place = await api.process({ ...einar, email }, { requiresAuth: true });
    const sequence = await api.sequence([{ ...einar, email }], { requiresAuth: true });
    const values: Readonly<Record<string, string | undefined>> = {
      ...{ processkey: place.processKey, signeekey: place.signeeKey, key: place.processKey },
      ...{ sequencekey: sequence.sequenceKey, sequentialsigneekey: sequence.personKeys[0] },
      flowkey: api.flowKey,
    };
    const refused: string[] = [];
    for (const { method, url } of api.app.routeFacts) {
      if (method !== 'GET' && method !== 'POST') continue;
      const path = url.replace(
        /\{(\w+)\}/g,
        (_, name: string) => values[name.toLowerCase()] ?? 'x',
      );
      const ask = (query: string) =>
        api.app.inject({
          ...{ method, url: `${path}${query}` },
          ...(method === 'POST' ? { payload: {} } : {}),
        });
      const bare = codeOf(await ask(''));
      if (bare[0] !== 401 && bare[0] !== 403) continue;
      refused.push(`${method} ${url}`);
      expect(codeOf(await ask(`?${numbers}`)), `${method} ${url}`).toEqual(bare);
    }
    expect(refused.length).toBeGreaterThan(35);
    expect(refused.some((each) => each.includes('/sign/'))).toBe(true);
  });

  test('a stranger who knows the numbers can neither view nor sign', async () => {
    const place = await api.process({ ...einar, email }, { requiresAuth: true });
    const sequence = await api.sequence([{ ...einar, email }], { requiresAuth: true });
    for (const path of [`${place.sign}/click`, sequence.path]) {
      const { status, body } = await api.post(`${path}?${numbers}`, {});
      expect([401, 403], path).toContain(status);
      expect(JSON.stringify(body)).not.toContain('Samningur');
    }
    const owner = { authorization: api.basic };
    const { body } = await api.post(sequence.path, {}, owner);
    expect(JSON.stringify(body)).not.toMatch(/"(Authenticated|Signed)"/);
  });
});
