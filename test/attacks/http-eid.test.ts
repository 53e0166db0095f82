import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { einar, type IdentityApi, openIdentityApi, type Reply } from '../api/support/identity.ts';
import { type BankidPlace, serveBankid } from '../support/eid/bankid-place.ts';
import { newTemporaryFolder } from '../support/folders.ts';

const folder = newTemporaryFolder('eid-attacks');
const person = { number: '199003102390', name: 'Testa Exempelsson' };
let nowMs = () => Date.now();
let bankid: BankidPlace;
let api: IdentityApi;
let lines: string[] = [];

beforeEach(async () => {
  nowMs = () => Date.now();
  lines = [];
  bankid = await serveBankid(person, () => nowMs());
  for (const [name, content] of Object.entries(bankid.files)) {
    writeFileSync(join(folder, name), content);
  }
  const transport = { caFile: 'tls-ca.pem', certificateFile: 'rp.pem', keyFile: 'rp.key' };
  const provider = { driver: 'bankid-se', url: bankid.url, anchors: ['root.pem'], transport };
  const methods = { 'eid-se': 'bankid', 'device-link': 'bankid' };
  const content = { providers: { bankid: provider }, methods };
  writeFileSync(join(folder, 'eid.json'), JSON.stringify(content));
  const log = (line: string) => void lines.push(line);
  const settings = { INNSIGLI_EID: join(folder, 'eid.json') };
  const opened = await openIdentityApi(
    { log, logLevel: 'debug', requestsPerAddress: 10 },
    settings,
  );
  onTestFinished(() => opened.close());
  let offsetMs = 0;
  api = {
    ...opened,
    pass: (ms) => {
      offsetMs += ms;
      opened.pass(ms);
    },
    answer: () => api.pass(2500),
  };
  nowMs = () => Date.now() + offsetMs;
}, 60_000);

const owner = () => ({ authorization: api.basic });
const codeOf = ({ status, body }: Reply) => [status, body.errorCode];
const unknown = [401, 'authentication.token.invalid'];
const otherPlace = [403, 'authentication.token.scope.invalid'];

async function begun(reply: Promise<Reply>): Promise<Record<string, string>> {
  const { status, body } = await reply;
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}
const startEid = async (more = {}) =>
  (await begun(api.post('/auth/eid-se/start', { flowKey: api.flowKey, ...more })))['token'] ?? '';
const pollEid = (token: string, flowKey = api.flowKey, more = '') =>
  api.get(`/auth/eid-se/status/token/${encodeURIComponent(token)}?FlowKey=${flowKey}${more}`);
const startApp = async (ssn = einar.ssn) => {
  const body = { flowKey: api.flowKey, authenticationContextType: 'App', ssn };
  return (await begun(api.post('/api/auth/start', body)))['authRequestId'] ?? '';
};
const pollApp = (authRequestId: string, flowKey = api.flowKey) =>
  api.post('/api/auth/poll', { authRequestId, flowKey });
const collects = () => bankid.server.log.filter(({ method }) => method === 'collect').length;
const newFlow = async () => {
  const request = { name: 'Another', type: 'Auth', settings: {} };
  return (await api.toolkit.flows.create(request as never)).key;
};

describe('tokens of e-ID logins', () => {
  test('have 256 random bits each', async () => {
    const all = [await startEid(), await startEid(), await startApp(), await startApp()];
    for (const token of all) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(new Set(all.map((token) => token.slice(0, 8))).size).toBe(all.length);
  });

  test('cannot be guessed: a client is throttled across all routes', async () => {
    await startEid();
    const from = '198.51.100.7';
    const found = new Set<string>();
    const ask = (count: number) => {
      const token = Buffer.alloc(32, count).toString('base64url');
      const url = `/auth/eid-se/status/token/${token}?FlowKey=${api.flowKey}`;
      const payload = { authRequestId: token, flowKey: api.flowKey };
      if (count % 2 === 0) return { method: 'GET', url } as const;
      return { method: 'POST', url: '/api/auth/poll', payload } as const;
    };
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, count) =>
        api.app.inject({ ...ask(count), remoteAddress: from }),
      ),
    );
    for (const { statusCode, headers, json } of answers) {
      found.add(`${statusCode} ${json().errorCode}`);
      if (statusCode === 429) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect([...found].sort()).toEqual([
      '401 authentication.token.invalid',
      expect.stringMatching(/^429 /),
    ]);
    expect(collects()).toBe(0);
  });

  test.each([
    ['one wrong character', (token: string) => `${token.slice(0, -1)}!`],
    ['a different letter case', (token: string) => swapped(token)],
    ['an appended character', (token: string) => `${token}A`],
    ['padding', (token: string) => `${token}=`],
    ['spaces', (token: string) => ` ${token}`],
    ['a truncated token', (token: string) => token.slice(0, 42)],
  ])('must match exactly: %s', async (_, change) => {
    const [eid, app] = [await startEid(), await startApp()];
    expect(codeOf(await pollEid(change(eid)))).toEqual(unknown);
    expect(codeOf(await pollApp(change(app)))).toEqual(unknown);
    expect(collects()).toBe(0);
  });

  test('are chosen by the service alone (session fixation)', async () => {
    const chosen = 'A'.repeat(43);
    const names = ['token', 'authRequestId', 'sessionId', 'state', 'nonce', 'orderRef'];
    const request = Object.fromEntries(names.map((name) => [name, chosen]));
    const query = new URLSearchParams(request);
    const headers = { 'x-access-token': chosen, cookie: `token=${chosen}; session=${chosen}` };
    const path = `/auth/eid-se/start?${query}`;
    const answers = [
      await api.post(path, { flowKey: api.flowKey, ...request }, headers),
      await api.post(
        `/api/auth/start?${query}`,
        { flowKey: api.flowKey, authenticationContextType: 'App', ssn: einar.ssn, ...request },
        headers,
      ),
    ];
    for (const { body, headers: given } of answers) {
      expect(JSON.stringify([body, given])).not.toContain(chosen);
      expect(given['set-cookie']).toBeUndefined();
    }
    bankid.server.control.approve();
    api.answer();
    expect(codeOf(await pollEid(chosen))).toEqual(unknown);
    expect(codeOf(await pollApp(chosen))).toEqual(unknown);
  });
});

describe('polls of a login', () => {
  test('sent in a flood are answered with 429, and the provider is polled once', async () => {
    const token = await startEid();
    const answers = await Promise.all(Array.from({ length: 40 }, () => pollEid(token)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(39);
    for (const each of refused) {
      expect(codeOf(each)).toEqual([429, 'authentication.poll.too_frequent']);
      expect(Number(each.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect([collects(), bankid.server.tooFast()]).toEqual([1, 0]);
  });

  test('that has completed are answered from the store alone', async () => {
    const token = await startEid();
    bankid.server.control.approve();
    api.answer();
    const first = await pollEid(token);
    expect(first.body.customer.ssn).toBe(person.number);
    const before = bankid.server.log.length;
    for (let count = 0; count < 3; count++) {
      api.answer();
      expect((await pollEid(token)).body).toEqual(first.body);
    }
    expect(bankid.server.log).toHaveLength(before);
  });

  test('that was refused stay refused, whatever the provider says later', async () => {
    const token = await startEid();
    bankid.server.control.fail('userCancel');
    api.answer();
    expect(codeOf(await pollEid(token))).toEqual([403, 'userCancel']);
    const before = bankid.server.log.length;
    await startEid();
    bankid.server.control.approve();
    api.answer();
    expect(codeOf(await pollEid(token))).toEqual([403, 'userCancel']);
    expect(collects()).toBe(1);
    expect(bankid.server.log).toHaveLength(before + 1);
  });

  test('that has expired do not reach the provider', async () => {
    const token = await startEid();
    bankid.server.control.pend('userSign');
    api.pass(181_000);
    expect((await pollEid(token)).status).toBe(403);
    const before = bankid.server.log.length;
    api.answer();
    expect((await pollEid(token)).status).toBe(403);
    expect(bankid.server.log).toHaveLength(before);
  });
});

function swapped(token: string): string {
  return [...token]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join('');
}

describe('a token used in a different place', () => {
  test('a login of a flow is rejected at another flow or company', async () => {
    const [eid, app, other] = [await startEid(), await startApp(), await newFlow()];
    bankid.server.control.approve();
    api.answer();
    expect(codeOf(await pollEid(eid, other))).toEqual(otherPlace);
    expect(codeOf(await pollApp(app, other))).toEqual(otherPlace);
    expect(collects()).toBe(0);
    // Rejected polls use up nothing.
    expect((await pollEid(eid)).body.customer.ssn).toBe(person.number);
    expect((await pollApp(app)).body.customer.ssn).toBe(einar.ssn);
  });

  test('a login is rejected at the route of another method', async () => {
    const [eid, app] = [await startEid(), await startApp()];
    bankid.server.control.approve();
    api.answer();
    expect(codeOf(await pollEid(app))).toEqual(unknown);
    expect(codeOf(await pollApp(eid))).toEqual(unknown);
    const link = { SessionId: eid, flowKey: api.flowKey };
    expect(codeOf(await api.post('/Auth/DeviceLink/Poll', link, owner()))).toEqual(unknown);
    expect(collects()).toBe(0);
  });

  test('a device link is rejected with the credentials of another company', async () => {
    const started = await api.post('/Auth/DeviceLink/Start', { flowKey: api.flowKey }, owner());
    const poll = { SessionId: started.body.sessionId, flowKey: api.flowKey };
    bankid.server.control.approve();
    api.answer();
    const foreign = await api.post('/Auth/DeviceLink/Poll', poll, { authorization: api.foreign });
    expect(codeOf(foreign)).toEqual([404, 'flow.not_found']);
    const own = await api.post('/Auth/DeviceLink/Poll', poll, owner());
    expect(own.body.customer.ssn).toBe(person.number);
  });

  test('a login of a sequence is rejected at a flow or another sequence, and vice versa', async () => {
    const swede = { name: person.name, ssn: person.number, signatureType: 'Qualified' };
    const request = { requiresAuth: true };
    const [first, second] = [
      await api.sequence([swede], request),
      await api.sequence([swede], request),
    ];
    const path = `${first.path}/signee/${first.personKeys[0]}/auth/eid-se/start`;
    const token = (await begun(api.post(path, {})))['token'] ?? '';
    bankid.server.control.approve();
    api.answer();
    expect(codeOf(await pollEid(token))).toEqual(otherPlace);
    const poll = { token };
    const pollAt = (at: string, body: object) => api.post(`${at}/auth/eid-se/poll`, body);
    expect(codeOf(await pollAt(second.path, poll))).toEqual(otherPlace);
    expect(collects()).toBe(0);
    const own = await pollAt(first.path, { ...poll, signeeKey: first.personKeys[0] });
    expect([own.status, own.headers['x-access-token']]).toEqual([200, expect.any(String)]);
    const ofFlow = await startEid();
    bankid.server.control.approve();
    api.answer();
    expect(codeOf(await pollAt(first.path, { token: ofFlow }))).toEqual(otherPlace);
  });

  test('a login is rejected for a signature, and a signature for a login', async () => {
    const swede = { name: person.name, ssn: person.number, signatureType: 'Qualified' };
    const place = await api.process(swede);
    const login = await startEid();
    bankid.server.control.approve();
    api.answer();
    expect((await api.get(`${place.status}/eid-se/token/${login}`)).status).toBe(404);
    expect((await api.get(`${place.status}/token/${login}`)).status).toBe(404);
    const signing = await begun(api.post(`${place.sign}/eid-se`, {}));
    bankid.server.control.approve();
    api.answer();
    const token = signing['token'] ?? '';
    expect(codeOf(await pollEid(token))).toEqual(unknown);
    expect(codeOf(await pollApp(token))).toEqual(unknown);
    const asLogin = { processKey: place.processKey, authRequestId: token };
    expect((await api.post('/api/signing/auth/poll', asLogin)).status).toBe(401);
    const signed = await api.get(`${place.status}/eid-se/token/${token}`);
    expect(signed.status).toBe(200);
  });

  test('a signature is rejected at another document or signee', async () => {
    const swede = { name: person.name, ssn: person.number, signatureType: 'Qualified' };
    const other = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' };
    const first = await api.process([swede, other]);
    const second = await api.process(swede);
    const { token = '' } = await begun(api.post(`${first.sign}/eid-se`, {}));
    bankid.server.control.approve();
    api.answer();
    const neighbour = first.status.replace(first.signeeKey, first.signeeKeys[1] ?? '');
    for (const at of [second.status, neighbour]) {
      expect((await api.get(`${at}/eid-se/token/${token}`)).status).toBe(404);
      expect((await api.get(`${at}/token/${token}`)).status).toBe(404);
    }
    expect(collects()).toBe(0);
  });
});

describe('claimed identities', () => {
  test.each([
    ['phone', '6666666'],
    ['phoneNumber', '6666666'],
    ['ssn', einar.ssn],
    ['email', 'owner@example.test'],
  ])('%s in a query authenticates no one', async (name, value) => {
    const said = { ...einar, email: 'owner@example.test', signatureType: 'ClickToSign' };
    const place = await api.process(said, { requiresAuth: true });
    const sequence = await api.sequence([said], { requiresAuth: true });
    const query = new URLSearchParams({ [name]: value });
    const plain = async (url: string) => (await api.get(url)).status;
    const told = async (url: string) => (await api.get(`${url}?${query}`)).status;
    const urls = [
      `/api/signing/${place.processKey}`,
      `/api/signing/${place.processKey}/signee/${place.signeeKey}`,
      `/api/pdf/${place.processKey}/${place.signeeKey}.pdf`,
      sequence.path,
      `/api/management/signing/${place.processKey}`,
      '/api/management/flow',
    ];
    for (const url of urls) {
      const without = await plain(url);
      expect([url, await told(url)]).toEqual([url, without]);
      expect([url, without === 200]).toEqual([url, false]);
    }
    const click = await api.post(`${place.sign}/click?${query}`, {});
    expect([click.status >= 400, click.headers['x-access-token']]).toEqual([true, undefined]);
    const opened = await api.post(`${sequence.path}?${query}`, {});
    expect(opened.headers['x-access-token']).toBeUndefined();
    const token = await startApp('0103901419');
    const polled = await api.post(`/api/auth/poll?${query}`, {
      authRequestId: token,
      flowKey: api.flowKey,
    });
    expect(polled.body.customer).toBeNull();
  });
});

test('the log contains no secrets', async () => {
  const hint = `&ssn=${person.number}`;
  const swede = { name: person.name, ssn: person.number, signatureType: 'Qualified' };
  const place = await api.process(swede);
  const tokens = [await startEid(), await startApp()];
  const { token = '' } = await begun(api.post(`${place.sign}/eid-se`, {}));
  tokens.push(token);
  bankid.server.control.approve();
  api.answer();
  await api.get(`${place.status}/eid-se/token/${token}`);
  await pollEid(tokens[0] ?? '', api.flowKey, hint);
  await pollEid(tokens[0] ?? '', 'other');
  await pollApp(tokens[1] ?? '');
  await pollApp(`${tokens[1]}x`);
  const last = await startEid({ loginHint: person.number });
  tokens.push(last);
  bankid.server.control.answer('collect', { status: 500, body: `{"errorCode":"${last}"}` });
  api.answer();
  await pollEid(last);
  const { sessionId = '' } = await begun(
    api.post('/Auth/DeviceLink/Start', { flowKey: api.flowKey }, owner()),
  );
  tokens.push(sessionId);
  bankid.server.control.spoil({ nonce: (right) => right.subarray(1) });
  bankid.server.control.approve();
  api.answer();
  const link = { SessionId: sessionId, flowKey: api.flowKey };
  const refused = await api.post('/Auth/DeviceLink/Poll', link, owner());
  expect(codeOf(refused)).toEqual([403, 'authentication.error.forbidden']);
  await api.get(`/s/eid/callback?state=${last}&code=${last}`);
  const log = lines.join('');
  expect(lines.length).toBeGreaterThan(10);
  const orders = bankid.server.log.map(({ body }) => String(body['orderRef'] ?? ''));
  const secrets = [...bankid.server.control.secrets(), ...orders, ...tokens, person.number];
  secrets.push(einar.ssn, person.name, bankid.files['rp.key'].slice(40, 100), api.basic);
  const told = secrets.filter((each) => each.length > 5 && log.includes(each));
  expect(told).toEqual([]);
});
