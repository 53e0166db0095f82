import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 120_000);
afterAll(() => api.close());

const owner = () => ({ authorization: api.basic });

describe('login hints at the start of a login', () => {
  test.each([
    [{ authenticationContextType: 'Sim', phoneNumber: '', loginHint: '6666666' }, 200],
    [{ authenticationContextType: 'App', ssn: ' ', loginHint: '600010-1994' }, 200],
    [{ authenticationContextType: 'App', ssn: null, loginHint: 6000101994 }, 200],
    [{ authenticationContextType: 'Sim', phoneNumber: '', loginHint: '' }, 400],
  ])('%j is answered with %d', async (body, status) => {
    const reply = await api.post('/api/auth/start', { flowKey: api.flowKey, ...body });
    expect(reply.status).toBe(status);
  });

  test('an empty LookupType means the default one', async () => {
    const start = { authenticationContextType: 'Sim', phoneNumber: '6666666' };
    const { body } = await api.post('/api/auth/start', { flowKey: api.flowKey, ...start });
    api.answer();
    const poll = { authRequestId: body.authRequestId, flowKey: api.flowKey, lookupType: '' };
    expect((await api.post('/api/auth/poll', poll)).body.customer).toMatchObject({
      ssn: '6000101994',
      city: 'Akureyri',
    });
  });
});

describe('device links', () => {
  test('each poll returns a different device link', async () => {
    const start = { flowKey: api.flowKey, loginHint: '0103901419' };
    const { body } = await api.post('/auth/devicelink/start', start, owner());
    const poll = { sessionId: body.sessionId, flowKey: api.flowKey };
    const links = [body.deviceLinkUrl];
    for (const waitMs of [1900, 1900, 1900, 1900]) {
      api.pass(waitMs);
      links.push((await api.post('/auth/devicelink/poll', poll, owner())).body.deviceLinkUrl);
    }
    expect(new Set(links).size).toBe(5);
  });
});

describe('the login of a signee', () => {
  test('can be polled only by that signee; other polls do not use it up', async () => {
    const both = [
      { name: 'Ödön', ssn: '6000101994', phoneNumber: '6666666' },
      { name: 'Æsa', ssn: '6000101991', phoneNumber: '3333333' },
    ];
    const { processKey, signeeKeys } = await api.process(both);
    const other = await api.process(both[0] as object);
    const [signeeKey, otherKey] = signeeKeys;
    const request = { authenticationContextType: 'Sim', processKey, signeeKey };
    const { authRequestId } = (await api.post('/signing/Auth/Start', request)).body;
    const poll = (place: object) => api.post('/signing/Auth/Poll', { authRequestId, ...place });
    api.answer();
    for (const place of [{ processKey, signeeKey: otherKey }, { processKey: other.processKey }]) {
      const { status, body } = await poll(place);
      expect([status, body.errorCode]).toEqual([403, 'authentication.token.scope.invalid']);
    }
    const nobody = await api.post(`/signing/${processKey}/auth`, {
      authenticationContextType: 'Sim',
    });
    expect([nobody.status, nobody.body.errorCode]).toEqual([400, 'validation.error']);
    const done = await poll({ processKey, signeeKey });
    expect([done.status, done.body.customer.ssn]).toEqual([200, '6000101994']);
  });
});

describe('queries of the compliance status', () => {
  beforeAll(async () => {
    const { compliance } = api.toolkit;
    await compliance.record({
      kind: 'person',
      name: 'Anna',
      email: 'Anna@example.test',
      phoneNumber: '6666666',
      pepFound: true,
      requirements: [{ type: 'PEP', answeredDate: '2020-01-31', nextDate: '2021-01-31' }],
    });
  });

  test.each([
    ['email=anna@example.test&phone=6666666'],
    ['EMAIL=ANNA@example.test&PHONE=%2B3546666666'],
    ['Phone=(%2B354)6666666'],
    ['Phone=(00354)%20666-6666'],
    ['Email=anna@example.test&Phone=+3546666666'],
    ['Email=anna%40example.test&Phone=666-6666'],
  ])('%s finds the person', async (query) => {
    const url = `/api/management/compliances/individuals/status?${query}`;
    const { status, body } = await api.get(url, owner());
    expect([status, body.status]).toEqual([200, 'not_compliant']);
    expect(body.requirements).toEqual([
      {
        compliance_type: 'PEP',
        answered_date: '2020-01-31',
        next_date: '2021-01-31',
        flow_key: null,
      },
    ]);
  });

  test.each(['individuals', 'businesses'])('%s: rejects a repeated query parameter', async (of) => {
    const url = `/api/management/compliances/${of}/status?Ssn=0101302989&Ssn=0101302399`;
    const { status, body } = await api.get(url, owner());
    expect([status, body.errorCode]).toEqual([400, 'validation.error']);
  });
});
