import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from '../api/support/identity.ts';
import { engines, sharedPostgres, whyNot } from '../support/engines.ts';

const clicker = { name: 'Anna', email: 'a@example.test', signatureType: 'ClickToSign' };

describe.each(engines)('control characters in keys, on %s', (engine) => {
  let api: IdentityApi;
  const isMissing = whyNot(engine) !== '';
  beforeAll(async () => {
    if (isMissing) return;
    const dsn = engine === 'sqlite' ? undefined : await sharedPostgres().newDatabase();
    api = await openIdentityApi({}, dsn === undefined ? {} : { INNSIGLI_DATABASE: dsn });
  }, 120_000);
  afterAll(async () => {
    await api?.close();
  });
  const ask = async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
    headers = {},
  ) => {
    const body = payload === undefined ? {} : { payload };
    const {
      statusCode,
      json,
      headers: sent,
    } = await api.app.inject({
      ...{ method, url, headers, ...body },
    });
    const isJson = String(sent['content-type'] ?? '').includes('json');
    return [statusCode, isJson ? json().errorCode : ''];
  };

  test.skipIf(isMissing).each(['%00', 'sp%00', '%0a', '%7f'])(
    'in a URL find nothing: %s',
    async (bad) => {
      const { processKey, signeeKey } = await api.process(clicker);
      const missing = [404, 'process.not_found'];
      const paths = [
        `/api/signing/${bad}/signee/${signeeKey}`,
        `/api/pdf/${bad}/${signeeKey}.pdf`,
        `/api/signing/status/processkey/${bad}/signeekey/${signeeKey}/token/x`,
      ];
      for (const path of paths)
        expect([path, ...(await ask('GET', path))]).toEqual([path, ...missing]);
      const sequence = `/api/signing/sequential/${bad}`;
      expect(await ask('POST', sequence, {})).toEqual(missing);
      expect(await ask('POST', `${sequence}/signee/x/passcode`, { passcode: 'secret' })).toEqual(
        missing,
      );
      expect((await ask('GET', `/api/signing/${processKey}/signee/${bad}`))[0]).toBe(404);
      expect((await ask('GET', `/s/${bad}/${signeeKey}`))[0]).toBe(404);
      expect(
        (
          await ask('GET', `/api/signing/activity/${bad}`, undefined, { authorization: api.basic })
        )[0],
      ).toBe(404);
    },
  );

  test.skipIf(isMissing).each(['\u0000', 'x\u0000', 'x\n', '\u007f'])(
    'in a body are rejected: %j',
    async (bad) => {
      const { processKey, signeeKey } = await api.process(clicker);
      const start = { authenticationContextType: 'Sim', loginHint: '6666666' };
      const bodies: readonly (readonly [string, object])[] = [
        ['/api/signing/auth/start', { ...start, processKey: bad, signeeKey }],
        ['/api/signing/auth/start', { ...start, processKey, signeeKey: bad }],
        ['/api/signing/auth/poll', { processKey, signeeKey, authRequestId: bad }],
        ['/api/auth/start', { ...start, flowKey: bad }],
        ['/api/auth/poll', { authRequestId: bad, flowKey: api.flowKey }],
        ['/api/auth/eid-se/start', { flowKey: bad }],
      ];
      for (const [path, body] of bodies) {
        expect([path, ...(await ask('POST', path, body))]).toEqual([path, 400, 'validation.error']);
      }
      const query = `/api/auth/eid-se/status/token/x?FlowKey=${encodeURIComponent(bad)}`;
      expect((await ask('GET', query))[0]).toBe(400);
    },
  );

  test.skipIf(isMissing)('in texts are handled by the rules for texts', async () => {
    const body = { name: 'Anna\nBirna', email: 'b@example.test', signatureType: 'ClickToSign' };
    const { processKey } = await api.process(clicker, { meta: { ownKey: 'a\nb' } });
    const path = `/api/signing/${processKey}/signee`;
    const [status] = await ask('POST', path, body, { authorization: api.basic });
    expect(status).not.toBe(500);
  });
});
