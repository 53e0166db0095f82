import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientId, clientSecret, keyNamed, person } from '../support/eid/oidc/oidc-bench.ts';
import { OidcServer } from '../support/eid/oidc-server.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

const folder = newTemporaryFolder('return');
const redirectUri = 'https://sign.example.is/s/eid/callback';
let broker: OidcServer;
let offsetMs = 0;
const pass = (ms: number) => {
  offsetMs += ms;
  api.pass(ms);
};
const http = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += String(part);
  const { method = 'GET', url = '', headers } = request;
  const given = { method, url: `${issuer}${url}`, headers, body };
  const answer = broker.handle(given as Parameters<OidcServer['handle']>[0]);
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
let issuer = '';
let api: IdentityApi;

beforeAll(async () => {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  offsetMs = 0;
  broker = new OidcServer({
    ...{ issuer, clientId, redirectUri, pushed: 'offered', keys: [keyNamed('one')], person },
    secret: { value: clientSecret, way: 'basic' },
    inIdToken: ['name', 'loa'],
    now: () => Date.now() + offsetMs,
  });
  writeFileSync(join(folder, 'secret'), `${clientSecret}\n`);
  const clientAuthentication = { method: 'client_secret_basic', secretFile: 'secret' };
  const broken = { driver: 'oidc', issuer, clientId, clientAuthentication, redirectUri };
  const content = { providers: { broker: broken }, methods: { 'eid-se': 'broker' } };
  writeFileSync(join(folder, 'eid.json'), JSON.stringify(content));
  api = await openIdentityApi(
    {},
    { INNSIGLI_EID: join(folder, 'eid.json'), INNSIGLI_FRONT_END: 'https://sign.example.is' },
  );
}, 60_000);
afterEach(() => api.close());

const start = async () => {
  const reply = await api.post('/auth/eid-se/start', { flowKey: api.flowKey });
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body as { readonly token: string; readonly redirectUrl: string };
};
const status = (token: string) =>
  api.get(`/auth/eid-se/status/token/${token}?FlowKey=${api.flowKey}`);
const comeBack = (url: URL) => api.get(url.pathname + url.search);

describe('a login on the page of a provider', () => {
  test('completes for the holder of the token when the person has returned', async () => {
    const { token, redirectUrl } = await start();
    expect((await status(token)).body).toMatchObject({ waitingForUserInput: true });
    broker.visit(redirectUrl);
    const back = broker.approve();
    expect(back.href.startsWith(redirectUri)).toBe(true);
    const page = await comeBack(back);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toContain('You can close this window.');
    expect(page.body).not.toContain(person.name);
    pass(3_000);
    const done = await status(token);
    expect(done.body).toMatchObject({
      waitingForUserInput: false,
      customer: { ssn: '1201603389', name: person.name },
    });
    pass(3_000);
    expect((await status(token)).body.customer).toEqual(done.body.customer);
  });

  test('accepts a callback only once', async () => {
    const { token, redirectUrl } = await start();
    broker.visit(redirectUrl);
    const back = broker.approve();
    expect((await comeBack(back)).status).toBe(200);
    pass(3_000);
    expect((await status(token)).status).toBe(200);
    expect((await comeBack(back)).status).toBe(401);
  });

  test('gives the returning browser no cookie, no token and no personal data', async () => {
    const { token, redirectUrl } = await start();
    broker.visit(redirectUrl);
    const { headers, body } = await comeBack(broker.approve());
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-access-token']).toBeUndefined();
    expect(headers['location']).toBeUndefined();
    expect(body).not.toContain(token);
    expect(body).not.toContain(person.name);
    expect(headers['cache-control']).toContain('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test('rejects callbacks after it was cancelled, refused or completed', async () => {
    const done = await start();
    broker.visit(done.redirectUrl);
    const first = broker.approve();
    await comeBack(first);
    pass(3_000);
    expect((await status(done.token)).body.customer.name).toBe(person.name);
    const canceled = await start();
    await api.service.identity.cancelLogin(canceled.token);
    broker.visit(canceled.redirectUrl);
    const late = broker.approve();
    expect(await comeBack(first)).toMatchObject({ status: 401 });
    expect(await comeBack(late)).toMatchObject({ status: 401 });
    const poll = { scheme: 'eid-se', token: canceled.token, flowKey: api.flowKey } as const;
    const ended = { state: 'failed', hint: 'cancelled' };
    expect(await api.service.identity.pollLogin(poll)).toEqual(ended);
  });

  test('rejects a state with any character changed', async () => {
    const { token, redirectUrl } = await start();
    broker.visit(redirectUrl);
    const back = broker.approve();
    const state = back.searchParams.get('state') ?? '';
    for (let at = 0; at < state.length; at += 3) {
      const changed = new URL(back);
      const other = state[at] === 'A' ? 'B' : 'A';
      changed.searchParams.set('state', state.slice(0, at) + other + state.slice(at + 1));
      expect([at, (await comeBack(changed)).status]).toEqual([at, 401]);
    }
    expect((await comeBack(back)).status).toBe(200);
    pass(3_000);
    expect((await status(token)).body.customer.name).toBe(person.name);
  });

  test('fails with userCancel if the person denied it on the page', async () => {
    const { token, redirectUrl } = await start();
    broker.visit(redirectUrl);
    const page = await comeBack(broker.deny('access_denied'));
    expect([200, 401]).toContain(page.status);
    pass(3_000);
    const { status: code, body } = await status(token);
    expect([code, body.errorCode]).toEqual([403, 'userCancel']);
    expect(body.responseStatus.meta).toEqual({ providerCode: 'access_denied' });
    // The result is stored: a later poll returns the same.
    pass(3_000);
    expect((await status(token)).body).toEqual(body);
  });

  test('does not accept the code of another login', async () => {
    const [first, second] = [await start(), await start()];
    broker.visit(second.redirectUrl);
    const mine = broker.approve();
    broker.visit(first.redirectUrl);
    const theirs = broker.approve();
    // The state of one login with the code of the other, as if swapped in transit.
    const mixed = new URL(mine);
    mixed.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    await comeBack(mixed);
    pass(3_000);
    const answer = await status(second.token);
    expect(answer.status === 200 && answer.body.customer !== null).toBe(false);
  });

  test.each([
    ['no state', ''],
    ['an unknown state', '?state=v1.abcdef.ghij&code=x'],
    ['two states', '?state=a&state=b&code=x'],
    ['a state that is too long', `?state=${'v1.'.padEnd(4000, 'a')}&code=x`],
    ['control characters', '?state=%00%0d%0a&code=x'],
  ])('rejects a callback with %s', async (_, query) => {
    const page = await api.get(`/s/eid/callback${query}`);
    expect([400, 401]).toContain(page.status);
    expect(JSON.stringify(page.body)).not.toMatch(/\.ts:|node:internal/);
  });
});
