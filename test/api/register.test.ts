import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inNoTime } from '../support/in-no-time.ts';
import {
  documentedAnswers,
  openRegisterServer,
  type RegisterServer,
} from '../support/register-server.ts';
import { einar, type IdentityApi, openIdentityApi } from './support/identity.ts';
import { pageBrowser } from './support/page-browser.ts';

const home = { address: 'Prófgata 1', postalCode: '101', city: 'Reykjavík' };
const everything = { address: home, meter: { hasMeter: true } };
const good = documentedAnswers({ [einar.ssn]: everything, '0101302989': everything });

const faults = [
  ['register.unavailable', 503, (response: ServerResponse) => void response.writeHead(503).end()],
  ['register.configuration', 502, (response: ServerResponse) => void response.writeHead(401).end()],
  ['register.answer.invalid', 502, (response: ServerResponse) => void response.end('{}')],
] as const;

let api: IdentityApi;
let server: RegisterServer & { close(): void };
let fault: ((response: ServerResponse) => void) | undefined;

beforeAll(async () => {
  server = await openRegisterServer((request, response) => {
    if (fault === undefined) good(request, response);
    else fault(response);
  });
  api = await openIdentityApi({}, { INNSIGLI_REGISTER_URL: server.url });
}, 60_000);
afterAll(async () => {
  await api.close();
  server.close();
});

type Asked = { readonly status: number; readonly body: { readonly errorCode?: string } };

/** Ways to a lookup: each returns a function that polls. */
const ways: Readonly<Record<string, () => Promise<() => Promise<Asked>>>> = {
  'POST /Auth/Poll': async () => {
    const { flowKey } = api;
    const options = { flowKey, authenticationContextType: 'App', ssn: einar.ssn };
    const { body } = await api.post('/api/auth/start', options);
    const poll = { authRequestId: body.authRequestId, flowKey };
    return () => api.post('/api/auth/poll', poll);
  },
  'POST /Auth/DeviceLink/Poll': async () => {
    const { flowKey } = api;
    const owner = { authorization: api.basic };
    const { body } = await api.post('/Auth/DeviceLink/Start', { flowKey }, owner);
    const poll = { SessionId: body.sessionId, flowKey };
    return () => api.post('/Auth/DeviceLink/Poll', poll, owner);
  },
  'GET /auth/eid-se/status': async () => {
    const options = { flowKey: api.flowKey };
    const { body } = await api.post('/auth/eid-se/start/', options);
    return () => api.get(`/auth/eid-se/status/token/${body.token}/?FlowKey=${api.flowKey}`);
  },
  'POST /Auth/Result': async () => {
    const settings = { initiationMethod: 'Customer' } as const;
    const { key } = await api.toolkit.flows.create({ name: 'My pages', type: 'Auth', settings });
    await api.toolkit.addOrigins(['https://acme.example']);
    const link = `/s/${key}?returnUrl=https://acme.example/`;
    const browser = pageBrowser(api);
    await browser.open(link);
    await browser.send('login', { channel: 'App', ssn: einar.ssn });
    api.answer();
    const { location = '' } = await browser.open(link);
    const code = new URL(location).searchParams.get('result');
    const asked = { code, flowKey: key, lookupType: 'NameAddress' };
    return () => api.post('/Auth/Result', asked, { authorization: api.basic });
  },
  'POST /signing/auth/poll': async () => {
    const place = await api.process(einar, { meta: { utilityCheck: 'true' } });
    const { processKey, signeeKey } = place;
    const app = { authenticationContextType: 'App', ssn: einar.ssn };
    const { body } = await api.post('/api/signing/auth/start', { processKey, signeeKey, ...app });
    const poll = { authRequestId: body.authRequestId, processKey, signeeKey };
    return () => api.post('/api/signing/auth/poll', poll);
  },
};

describe('a failing register of persons', () => {
  const cases = Object.keys(ways).flatMap((way) => faults.map((each) => [way, ...each] as const));
  test.each(cases)('%s: %s, and the login remains usable', async (way, code, status, answer) => {
    const ask = await (ways[way] as (typeof ways)[string])();
    fault = answer;
    for (const again of [1, 2]) {
      api.answer();
      const { status: found, body } = await ask();
      expect([again, found, body.errorCode]).toEqual([again, status, code]);
      expect(JSON.stringify(body)).not.toContain(einar.ssn);
    }
    fault = undefined;
    api.answer();
    const { status: after, body } = await ask();
    expect(after).toBe(200);
    expect(JSON.stringify(body)).toContain(einar.ssn);
  });

  test.each(faults)('POST /Auth (blocking): %s', async (code, status, answer) => {
    fault = answer;
    const options = { phoneNumber: einar.phoneNumber, flowKey: api.flowKey };
    const { status: found, body } = await inNoTime(() => api.post('/Auth', options), api.pass);
    expect([found, body.errorCode]).toEqual([status, code]);
    fault = undefined;
  });
});
