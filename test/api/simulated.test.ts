import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { einar, type IdentityApi, openIdentityApi, type Reply } from './support/identity.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const header = 'x-innsigli-simulated';
const marks = (...replies: readonly Reply[]) => replies.map(({ headers }) => headers[header]);
const app = { authenticationContextType: 'App', loginHint: '6000101994' };
const clicker = {
  ...{ name: 'Ödön Kőrösi', email: 'odon@example.test', signatureType: 'ClickToSign' },
};

describe('responses of the simulator are marked as simulated', () => {
  test('logins: start, poll and refusals', async () => {
    const { flowKey } = api;
    const start = { flowKey, authenticationContextType: 'App', ssn: '6000101994' };
    const begun = await api.post('/api/auth/start', start);
    const poll = { authRequestId: begun.body.authRequestId, flowKey };
    const waiting = await api.post('/Auth/Poll', poll);
    api.answer();
    const done = await api.post('/api/auth/poll', poll);
    const madeUp = await api.post('/api/auth/start', { ...start, ssn: '0101302989' });
    expect([begun, waiting, done, madeUp].map(({ status }) => status)).toEqual([
      200, 200, 200, 403,
    ]);
    expect(madeUp.body.errorCode).toBe('authentication.error.idp.start');
    expect(marks(begun, waiting, done, madeUp)).toEqual(['true', 'true', 'true', 'true']);
    const foreign = await api.post('/api/auth/eid-se/start', { flowKey, loginHint: '0101302989' });
    expect(foreign.status).toBe(502);
    expect(marks(foreign)).toEqual(['true']);
  });

  test('a Qualified signature: start, status, and a response by another person', async () => {
    const { sign, status } = await api.process([
      einar,
      { ...einar, name: 'Æsa', ssn: '6000101992' },
    ]);
    const begun = await api.post(sign, app);
    const waiting = await api.get(`${status}/token/${begun.body.token}`);
    api.answer();
    const done = await api.get(`${status}/token/${begun.body.token}`);
    expect(done.body.status).toBe('Signed');
    expect(marks(begun, waiting, done)).toEqual(['true', 'true', 'true']);
    const other = await api.process({ ...einar, ssn: '6000101992' });
    const bySim = { authenticationContextType: 'Sim', loginHint: '6666666' };
    const asOther = await api.post(other.sign, bySim);
    api.answer();
    const refused = await api.get(`${other.status}/token/${asOther.body.token}`);
    expect([refused.status, ...marks(refused)]).toEqual([401, 'true']);
    const foreign = await api.post(`${other.sign}/eid-dk`, {});
    expect(marks(foreign)).toEqual(['true']);
  });

  test('a click: only after a simulated login', async () => {
    const plain = await api.process(clicker);
    const clicked = await api.post(`${plain.sign}/click`, {});
    const status = await api.get(`${plain.status}/token/${clicked.body.token}`);
    expect(status.body.status).toBe('Signed');
    expect(marks(clicked, status)).toEqual([undefined, undefined]);
    const closed = await api.process(clicker, { requiresAuth: true });
    const { processKey, signeeKey } = closed;
    const begun = await api.post('/api/signing/auth/start', { processKey, signeeKey, ...app });
    api.answer();
    const poll = { authRequestId: begun.body.authRequestId, processKey, signeeKey };
    const done = await api.post('/api/signing/auth/poll', poll);
    const token = { 'x-access-token': String(done.headers['x-access-token']) };
    const signed = await api.post(`${closed.sign}/click`, {}, token);
    expect([signed.status, ...marks(begun, done, signed)]).toEqual([200, 'true', 'true', 'true']);
  });

  test.each([
    ['+11111111111', 200, 'true'],
    ['+18888888888', 400, 'true'],
    ['6111234', 400, undefined],
  ])('a one-time code to %s', async (phoneNumber, answered, mark) => {
    const simple = { ...clicker, signatureType: 'Simple', phoneNumber };
    const { sign } = await api.process(simple);
    const sent = await api.post(`${sign}/otp`, {});
    const { token } = sent.body;
    const confirmed = await api.post(`${sign}/otp/confirm`, { token, code: '1' });
    expect([confirmed.status, ...marks(sent, confirmed)]).toEqual([answered, mark, mark]);
  });

  test('the description declares the header where it is sent', async () => {
    const { body } = await api.get('/openapi.json');
    const marked = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        responses['200']?.headers?.[header] === undefined ? [] : [`${method} ${path}`],
      ),
    );
    const wanted = Object.entries(body.paths as Record<string, object>).flatMap(
      ([path, methods]) =>
        /\/auth(\/|$)|\/signing\/sign\/|\/signing\/status\/|sequential\/\{SequenceKey\}$/i.test(
          path,
        )
          ? Object.keys(methods).map((method) => `${method} ${path}`)
          : [],
    );
    expect(marked.length).toBeGreaterThan(20);
    expect(marked.sort()).toEqual(wanted.sort());
    expect(body.info.description).toContain('6000101994 (6666666)');
  });
});
