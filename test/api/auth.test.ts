import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inNoTime } from '../support/in-no-time.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;
let flowKey = '';

beforeAll(async () => {
  api = await openIdentityApi();
  flowKey = api.flowKey;
}, 60_000);
afterAll(() => api.close());

const sim = (phoneNumber: string, more = {}) => ({
  flowKey,
  authenticationContextType: 'Sim',
  phoneNumber,
  ...more,
});
const app = (ssn: string, more = {}) => ({
  flowKey,
  authenticationContextType: 'App',
  ssn,
  ...more,
});
const start = (body: object) => api.post('/api/auth/start', body);
const poll = (authRequestId: string, more = {}) =>
  api.post('/api/auth/poll', { authRequestId, flowKey, ...more });
const started = async (body: object): Promise<string> => {
  const { status, body: answer } = await start(body);
  expect(status).toBe(200);
  return answer.authRequestId;
};
/** The published table: national number, phone number, availability by SIM, availability by app. */
const published = [
  ['5000101886', '1111111', false, true],
  ['6000101990', '2222222', false, true],
  ['6000101991', '3333333', true, false],
  ['6000101992', '4444444', false, true],
  ['6000101993', '5555555', true, false],
  ['6000101994', '6666666', true, true],
  ['6000101995', '7777777', true, false],
  ['6000101996', '8888888', false, true],
  ['6000101997', '9999999', true, false],
] as const;

describe('POST /Auth/Start (login by SIM or app)', () => {
  test.each(published)(
    'ssn %s, phone %s: available by SIM: %s, by app: %s',
    async (ssn, phone, hasSim, hasApp) => {
      for (const [body, has] of [
        [sim(phone), hasSim],
        [app(ssn), hasApp],
      ] as const) {
        const { status, body: answer } = await start(body);
        expect(status).toBe(has ? 200 : 403);
        if (!has) expect(answer.errorCode).toBe('authentication.error.idp.start');
        else expect(answer).toMatchObject({ pollingInterval: 2 });
      }
    },
  );

  test('always returns a verification code for the app, and for SIM only on request', async () => {
    expect((await start(app('6000101994'))).body.verificationCode).toMatch(/^\d{4}$/);
    expect((await start(sim('6666666'))).body.verificationCode).toBe('');
    const asked = await start(sim('6666666', { includeVerificationCode: true }));
    expect(asked.body.verificationCode).toMatch(/^\d{4}$/);
  });

  test.each(['service', 'Service', 'the service', 'The Service'])(
    'accepts %s as an alias of authenticationContextType',
    async (member) => {
      const { status } = await start({ flowKey, [member]: 'sim', phoneNumber: '6666666' });
      expect(status).toBe(200);
      const both = { authenticationContextType: 'App', [member]: 'Sim', ssn: '6000101994' };
      expect((await start({ flowKey, ...both })).status).toBe(200);
    },
  );

  test('every route with authenticationContextType declares its aliases', () => {
    const taking = api.app.routeFacts.filter(
      ({ body }) => body !== undefined && JSON.stringify(body).includes('"Sim","App"'),
    );
    expect(taking).toHaveLength(4);
    for (const { path, body } of taking) {
      const isNamed = JSON.stringify(body).includes('"x-aliases":["service","the service"]');
      expect([path, isNamed]).toEqual([path, true]);
    }
  });

  test('ignores the case of paths, member names and values, and an identifier of the other method', async () => {
    const odd = { FLOWKEY: flowKey, AuthenticationContextType: 'sIm', PhoneNumber: '6666666' };
    for (const url of ['/Auth/Start', '/api/AUTH/start/']) {
      const { status } = await api.post(url, { ...odd, ssn: 'nonsense', unknown: 1 });
      expect(status).toBe(200);
    }
    const { status } = await start({
      flowKey,
      authenticationContextType: 'App',
      loginHint: '6000101994',
    });
    expect(status).toBe(200);
  });

  test.each([
    ['no flow', { authenticationContextType: 'Sim', phoneNumber: '6666666' }, 'flowKey'],
    [
      'no authenticationContextType',
      { flowKey: 'x', phoneNumber: '6666666' },
      'authenticationContextType',
    ],
    [
      'an unknown authenticationContextType',
      { flowKey: 'x', authenticationContextType: 'Web' },
      'authenticationCont',
    ],
  ])('answers 400 for %s', async (_, body, field) => {
    const { status, body: answer } = await start(body);
    expect([status, answer.errorCode]).toEqual([400, 'validation.error']);
    expect(answer.responseStatus.errors[0].fieldName).toContain(field);
  });

  test.each([
    ['Sim', 'phoneNumber'],
    ['App', 'ssn'],
  ])('answers 400 for %s without an identifier', async (authenticationContextType, field) => {
    const { status, body } = await start({ flowKey, authenticationContextType });
    expect([status, body.responseStatus.errors[0].fieldName]).toEqual([400, field]);
  });

  test('answers 404 for an unknown flow', async () => {
    const { status, body } = await start(sim('6666666', { flowKey: 'nope' }));
    expect([status, body.errorCode]).toEqual([404, 'flow.not_found']);
  });
});

describe('POST /Auth/Poll', () => {
  test('first reports waiting, then returns the person, and repeats the result on later polls', async () => {
    const id = await started(app('6000101990'));
    const early = await poll(id);
    expect(early.body).toEqual({
      waitingForUserInput: true,
      statusMessage: 'waiting for the person',
      customer: null,
    });
    api.answer();
    const { body } = await poll(id);
    expect(body).toMatchObject({
      waitingForUserInput: false,
      statusMessage: 'ok',
      customer: {
        ssn: '6000101990',
        name: 'Þórður Ðagnýjarson',
        address: expect.any(String),
        postalCode: expect.any(String),
        city: expect.any(String),
        token: expect.stringMatching(/^[0-9a-f]{20}$/),
        flowKey,
      },
    });
    expect(body.customer.meta).toBeUndefined();
    expect((await poll(id)).body).toEqual(body);
    api.pass(23 * 3_600_000);
    expect((await poll(id)).body).toEqual(body);
    api.pass(2 * 3_600_000);
    const gone = await poll(id);
    expect([gone.status, gone.body.errorCode]).toEqual([401, 'authentication.token.invalid']);
  });

  test('concurrent polls of a finished login return the same customer', async () => {
    const id = await started(sim('6666666'));
    api.answer();
    const first = await poll(id);
    const all = await Promise.all([1, 2, 3, 4].map(() => poll(id)));
    for (const { body } of all) expect(body).toEqual(first.body);
    expect(first.body.customer.phoneNumber).toBe('6666666');
  });

  test('concurrent polls return one result or 429, whichever of them finishes the login', async () => {
    const id = await started(sim('6666666'));
    api.answer();
    const all = await Promise.all(Array.from({ length: 8 }, () => poll(id)));
    const answered = all.filter(({ status }) => status === 200);
    // Polls that start in the millisecond in which the login ends are answered, too.
    expect(answered.length).toBeGreaterThan(0);
    for (const { body } of answered) expect(body).toEqual(answered[0]?.body);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(8 - answered.length);
    expect((await poll(id)).status).toBe(200);
  });

  test('LookupType selects the returned data; each type has a separate result and token', async () => {
    const id = await started(sim('6666666'));
    api.answer();
    const name = (await poll(id, { lookupType: 'name' })).body.customer;
    expect(name.address).toBeUndefined();
    const address = (await poll(id, { lookupType: 'NameAddress' })).body.customer;
    expect(address.address).toEqual(expect.any(String));
    expect(address.token).not.toBe(name.token);
    const refused = await poll(id, { lookupType: 'NameAddressFamily' });
    expect([refused.status, refused.body.errorCode]).toEqual([
      403,
      'authentication.error.forbidden',
    ]);
    const bad = await poll(id, { lookupType: 'Everything' });
    expect([bad.status, bad.body.errorCode]).toEqual([400, 'validation.error']);
  });

  test('returns family data for a flow that allows the family lookup', async () => {
    const request = { name: 'Family', type: 'Auth', settings: { familyLookup: true } };
    const { key: own } = await api.toolkit.flows.create(request as never);
    const id = await started(app('6000101996', { flowKey: own }));
    api.answer();
    const { body } = await poll(id, { flowKey: own, lookupType: 'NameAddressFamily' });
    expect(Object.keys(body.customer.meta).sort().slice(0, 3)).toEqual(
      expect.arrayContaining(['FamilyNumber', 'FamilyStatus', 'GenderCode']),
    );
    expect(body.customer.meta.FamilyNumber).toMatch(/^\d{10}$/);
  });

  test('answers 429 with Retry-After before the interval has passed, and the session continues', async () => {
    const id = await started(app('6000101992'));
    expect((await poll(id)).status).toBe(200);
    const early = await poll(id);
    expect([early.status, early.body.errorCode]).toEqual([429, 'authentication.poll.too_frequent']);
    expect(Number(early.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    api.answer();
    expect((await poll(id)).body.customer.ssn).toBe('6000101992');
  });

  test('accepts only one of several concurrent polls of a waiting login', async () => {
    const id = await started(app('0103901419'));
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => poll(id)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429]);
  });

  test.each([
    ['0103901179', 'userCancel'],
    ['0203901669', 'expiredTransaction'],
    ['0203901749', 'startFailed'],
  ])('answers 403 with the reason on every poll: %s → %s', async (ssn, hint) => {
    const id = await started(app(ssn));
    api.answer();
    for (const again of [1, 2]) {
      const { status, body } = await poll(id);
      expect([again, status, body.errorCode]).toEqual([
        again,
        403,
        'authentication.error.forbidden',
      ]);
      expect(body.message).toContain(hint);
    }
  });

  test('answers 403 when the person has not responded for 180 s', async () => {
    const id = await started(app('0103901419'));
    api.pass(178_000);
    expect((await poll(id)).body.waitingForUserInput).toBe(true);
    api.pass(3_000);
    expect(await poll(id)).toMatchObject({
      status: 403,
      body: { errorCode: 'authentication.error.forbidden' },
    });
  });

  test('POST /Auth/Start answers 403 when the provider rejects the start', async () => {
    const { status, body } = await start(app('0103901849'));
    expect([status, body.errorCode]).toEqual([403, 'authentication.error.idp.start']);
  });

  test('answers 401 for an unknown login and 403 for a login of another flow', async () => {
    const unknown = await poll('nope');
    expect([unknown.status, unknown.body.errorCode]).toEqual([401, 'authentication.token.invalid']);
    const id = await started(app('6000101990'));
    const other = await poll(id, { flowKey: 'other' });
    expect([other.status, other.body.errorCode]).toEqual([
      403,
      'authentication.token.scope.invalid',
    ]);
  });
});

describe('POST /Auth (the deprecated blocking login)', () => {
  const waitingFor = async (options: object, url = '/Auth') => {
    let waitedMs = 0;
    const reply = await inNoTime(
      () => api.post(url, options),
      (ms) => {
        waitedMs += ms;
        api.pass(ms);
      },
    );
    return { ...reply, waitedMs };
  };

  test.each(['/api/auth', '/Auth'])(
    '%s blocks until the person has responded, then returns the person',
    async (url) => {
      const { status, body, waitedMs } = await waitingFor({ phoneNumber: '6666666', flowKey }, url);
      expect([status, body.ssn, body.name]).toEqual([200, '6000101994', 'Ödön Kőrösi']);
      expect(waitedMs).toBeGreaterThan(1000);
    },
  );

  test.each([
    ['0100011', 403, 'authentication.error.forbidden'],
    ['2222222', 403, 'authentication.error.idp.start'],
  ])('phone number %s: answers %s %s', async (phoneNumber, status, code) => {
    const { status: found, body } = await waitingFor({ phoneNumber, flowKey });
    expect([found, body.errorCode]).toEqual([status, code]);
  });

  test('answers 404 for an unknown flow', async () => {
    const { status, body } = await api.post('/Auth', { phoneNumber: '6666666', flowKey: 'x' });
    expect([status, body.errorCode]).toEqual([404, 'flow.not_found']);
  });
});

describe('login by device link', () => {
  const startLink = (more = {}, authorization = api.basic) =>
    api.post('/Auth/DeviceLink/Start', { flowKey, ...more }, { authorization });
  const pollLink = (sessionId: string, authorization = api.basic) =>
    api.post('/Auth/DeviceLink/Poll', { SessionId: sessionId, flowKey }, { authorization });

  test('returns a new link on each poll until the person has responded, then returns the person', async () => {
    const { status, body } = await startLink();
    expect([status, body.pollingInterval]).toEqual([200, 2]);
    const first = await pollLink(body.sessionId);
    expect(first.body).toMatchObject({ waitingForUserInput: true, customer: null });
    expect(first.body.deviceLinkUrl).toMatch(/^https:/);
    api.answer();
    const done = await pollLink(body.sessionId);
    expect(done.body.customer.ssn).toBe('6000101994');
    expect(done.body.deviceLinkUrl).toBeUndefined();
    expect((await pollLink(body.sessionId)).body).toEqual(done.body);
  });

  test('returns a different link on the start and on every poll', async () => {
    const { body } = await startLink({ loginHint: '0103901419' });
    const links = [body.deviceLinkUrl];
    for (let count = 0; count < 3; count++) {
      api.answer();
      links.push((await pollLink(body.sessionId)).body.deviceLinkUrl);
    }
    expect(new Set(links).size).toBe(4);
  });

  test('answers each failure with its documented status or code', async () => {
    expect((await api.post('/Auth/DeviceLink/Start', { flowKey })).status).toBe(401);
    expect((await startLink({ flowKey: 'x' })).body.errorCode).toBe('flow.not_found');
    expect((await startLink({}, api.foreign)).body.errorCode).toBe('flow.not_found');
    expect((await startLink({ loginHint: '0103901849' })).status).toBe(502);
    expect((await pollLink('nope')).body.errorCode).toBe('authentication.token.invalid');
    const { body } = await startLink({ loginHint: '0103901179' });
    expect((await pollLink(body.sessionId, api.foreign)).body.errorCode).toBe('flow.not_found');
    api.answer();
    expect((await pollLink(body.sessionId)).body.errorCode).toBe('authentication.error.forbidden');
    const sim = await started(app('6000101990'));
    expect((await pollLink(sim)).status).toBe(401);
  });
});

describe('login by eid-se', () => {
  const begin = (more?: object) => api.post('/auth/eid-se/start/', more);
  const ask = (token: string, flow = flowKey) =>
    api.get(`/auth/eid-se/status/token/${token}/?FlowKey=${flow}`);

  test('starts, waits and returns the person, with and without a flow at the start', async () => {
    for (const request of [undefined, { flowKey, userVisibleText: 'Halló' }]) {
      const { status, body } = await begin(request);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        token: expect.any(String),
        autoStartToken: expect.any(String),
        qrData: expect.stringContaining('simulator'),
        pollingInterval: 2,
      });
      expect((await ask(body.token)).body.waitingForUserInput).toBe(true);
      api.answer();
      expect((await ask(body.token)).body.customer.ssn).toBe('6000101994');
    }
  });

  test.each([
    ['0103901179', 'userCancel'],
    ['0203901669', 'expiredTransaction'],
    ['0203901749', 'startFailed'],
  ])("answers 403 with the provider's reason: %s → %s", async (loginHint, hint) => {
    const { body } = await begin({ loginHint });
    api.answer();
    const { status, body: answer } = await ask(body.token);
    expect([status, answer.errorCode, answer.responseStatus.errorCode]).toEqual([403, hint, hint]);
    expect(answer.message).not.toBe('');
  });

  test('answers 502 when the provider rejects the start', async () => {
    const { status, body } = await begin({ loginHint: '0103901849' });
    expect([status, body.errorCode]).toEqual([502, 'eid.provider.error']);
  });

  test('answers an unknown flow, an unknown token and a foreign flow with their documented codes', async () => {
    expect((await begin({ flowKey: 'x' })).body.errorCode).toBe('flow.not_found');
    expect((await ask('nope')).body.errorCode).toBe('authentication.token.invalid');
    const { body } = await begin({ flowKey });
    expect((await ask(body.token, 'x')).body.errorCode).toBe('authentication.token.scope.invalid');
    expect((await api.get(`/auth/eid-se/status/token/${body.token}`)).status).toBe(400);
  });
});
