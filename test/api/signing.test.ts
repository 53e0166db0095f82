import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { agreement } from './support/open-api.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const app = { authenticationContextType: 'App' };
const simple = { name: 'Æsa', email: 'aesa@example.test', signatureType: 'Simple' };
const click = { name: 'Æsa', email: 'aesa@example.test', signatureType: 'ClickToSign' };

/** Logs the signee in and returns the header with the token. */
async function login({ processKey, signeeKey }: Place) {
  const begun = await api.post('/api/signing/Auth/Start', { processKey, signeeKey, ...app });
  expect(begun.status).toBe(200);
  api.answer();
  const { authRequestId } = begun.body;
  const poll = { authRequestId, processKey, signeeKey };
  const done = await api.post('/api/signing/Auth/Poll', poll);
  expect(done.status).toBe(200);
  return { 'x-access-token': String(done.headers['x-access-token']) };
}

describe('login of a signee', () => {
  test('start, poll and token; a later poll repeats the result', async () => {
    const { processKey, signeeKey } = await api.process(einar, { requiresAuth: true });
    const begun = await api.post('/api/signing/auth/start', { processKey, signeeKey, ...app });
    expect(begun.body).toMatchObject({
      authRequestId: expect.any(String),
      verificationCode: expect.stringMatching(/^\d{4}$/),
      pollingInterval: 2,
    });
    const poll = { authRequestId: begun.body.authRequestId, processKey, signeeKey };
    const waiting = await api.post('/api/signing/auth/poll', poll);
    expect(waiting.body).toMatchObject({ waitingForUserInput: true, customer: null });
    expect(waiting.body.signingProcess).toBeUndefined();
    expect((await api.post('/api/signing/auth/poll', poll)).status).toBe(429);
    api.answer();
    const done = await api.post('/api/signing/auth/poll', poll);
    expect(done.body.customer.ssn).toBe('6000101994');
    expect(done.body.signingProcess.key).toBe(processKey);
    const token = done.headers['x-access-token'];
    expect(token).toMatch(/^[\w-]{43}$/);
    const again = await api.post('/api/signing/auth/poll', poll);
    expect([again.body.customer, again.headers['x-access-token']]).toEqual([
      done.body.customer,
      token,
    ]);
  });

  test('at the process, the login hint selects the signee', async () => {
    const other = { name: 'Æsa', ssn: '6000101991', phoneNumber: '3333333' };
    const place = await api.process([einar, other]);
    const url = `/api/signing/${place.processKey}/auth`;
    const body = { authenticationContextType: 'Sim', loginHint: '3333333' };
    const begun = await api.post(url, body);
    expect(begun.status).toBe(200);
    api.answer();
    const { authRequestId } = begun.body;
    const { processKey } = place;
    const done = await api.post('/api/signing/auth/poll', { authRequestId, processKey });
    expect(done.body.customer.ssn).toBe('6000101991');
    const nobody = await api.post(url, { ...body, loginHint: '7777777' });
    expect([nobody.status, nobody.body.errorCode]).toEqual([404, 'error.signee.not_found']);
    const twisted = await api.post(url, { ...body, processKey: 'other' });
    expect(twisted.body.responseStatus.errors[0].fieldName).toBe('processKey');
  });

  test('answers failures with their documented codes', async () => {
    const codes = async (ssn: string) => {
      const place = await api.process({ ...einar, ssn });
      const who = { processKey: place.processKey, signeeKey: place.signeeKey };
      const { body: started } = await api.post('/api/signing/auth/start', { ...who, ...app });
      api.answer();
      const { authRequestId } = started;
      const { status, body } = await api.post('/api/signing/auth/poll', { authRequestId, ...who });
      return [status, body.errorCode];
    };
    expect(await codes('0103901179')).toEqual([403, 'authentication.error.forbidden']);
    const mismatch = [401, 'authentication.error.signee.logon.mismatch'];
    expect(await codes('0203901589')).toEqual(mismatch);
    const { processKey, signeeKey } = await api.process(einar);
    const start = (body: object) => api.post('/api/signing/auth/start', body);
    const foreign = await start({ processKey, signeeKey, ...app, loginHint: '6000101990' });
    expect([foreign.status, foreign.body.errorCode]).toEqual(mismatch);
    expect((await start({ processKey: 'x', signeeKey, ...app })).body.errorCode).toBe(
      'process.not_found',
    );
    expect((await start({ processKey, signeeKey: 'x', ...app })).body.errorCode).toBe(
      'error.signee.not_found',
    );
    const click = await api.process({ name: 'A', email: 'a@b.test', signatureType: 'ClickToSign' });
    const bad = { processKey: click.processKey, signeeKey: click.signeeKey, loginHint: '1' };
    expect((await start({ ...bad, ...app })).body.errorCode).toBe('authentication.error.idp.start');
    expect((await start({ processKey, ...app })).status).toBe(400);
    const poll = { authRequestId: 'x', processKey, signeeKey };
    expect((await api.post('/api/signing/auth/poll', poll)).body.errorCode).toBe(
      'authentication.token.invalid',
    );
  });

  test('answers 401 if the process requires a meter and the person has none', async () => {
    const ssn = '0303901459';
    const meta = { utilityCheck: 'true' };
    const place = await api.process({ name: 'Mælirlaus', ssn }, { meta });
    const { processKey, signeeKey } = place;
    const body = { processKey, signeeKey, ...app };
    const { authRequestId } = (await api.post('/api/signing/auth/start', body)).body;
    api.answer();
    const poll = { authRequestId, processKey, signeeKey };
    const none = await api.post('/api/signing/auth/poll', poll);
    expect([none.status, none.body.errorCode]).toEqual([
      401,
      'authentication.preprocess.utility.not.exists',
    ]);
    const metered = await api.process(einar, { meta });
    await login(metered);
  });
});

describe('a company whose trial has ended', () => {
  test('is answered with 406 at the start and at the poll', async () => {
    const nowMs = Date.now() + 10 * 3_600_000;
    const { company } = await api.service.createCompany({
      name: 'Reynsla ehf.',
      trialEndsAtMs: nowMs + 60_000,
    });
    const trial = await api.service.open(company.key);
    const [flow] = await trial.flows.list();
    const { key: processKey, signees } = await trial.processes.create({
      flowKey: flow?.flowKey ?? '',
      pdf: agreement,
      fileName: 'a.pdf',
      signees: [einar],
    });
    const body = { processKey, signeeKey: signees[0]?.key, ...app };
    const begun = await api.post('/api/signing/auth/start', body);
    expect(begun.status).toBe(200);
    api.pass(24 * 3_600_000);
    for (const [url, more] of [
      ['/api/signing/auth/start', {}],
      ['/api/signing/auth/poll', { authRequestId: begun.body.authRequestId }],
    ] as const) {
      const { status, body: answer } = await api.post(url, { ...body, ...more });
      expect([status, answer.errorCode]).toEqual([406, '10101']);
    }
  });
});

describe('a process that requires a login', () => {
  test('rejects requests without a valid token of its signee, even with the API key of the company', async () => {
    const place = await api.process(einar, { requiresAuth: true });
    const other = await api.process(einar, { requiresAuth: true });
    const start = (headers: Record<string, string>, sign = place.sign) =>
      api.post(sign, app, headers);
    const codes = async (reply: ReturnType<typeof start>) => {
      const { status, body } = await reply;
      return [status, body.errorCode];
    };
    const refused = [401, 'authentication.credentials.invalid'];
    expect(await codes(start({}))).toEqual(refused);
    expect(await codes(start({ authorization: 'Digest x' }))).toEqual(refused);
    expect(await codes(start({ authorization: 'Bearer nope' }))).toEqual([
      401,
      'authentication.token.invalid',
    ]);
    expect(await codes(start({ authorization: api.foreign }))).toEqual([404, 'process.not_found']);
    const own = await login(place);
    expect(await codes(start(own, other.sign))).toEqual([
      403,
      'authentication.token.scope.invalid',
    ]);
    const wrongSignee = place.sign.replace(place.signeeKey, 'si00');
    expect(await codes(start({ authorization: api.basic }, wrongSignee))).toEqual([
      404,
      'process.not_found',
    ]);
    expect(await codes(start({ authorization: api.basic }, other.sign))).toEqual([
      403,
      'signing.forbidden.verification.missing',
    ]);
    api.pass(3_700_000);
    expect(await codes(start(own))).toEqual([401, 'authentication.token.invalid']);
  });

  test('is signed with the token as a bearer token', async () => {
    const place = await api.process(einar, { requiresAuth: true });
    const { 'x-access-token': token } = await login(place);
    const headers = { authorization: `Bearer ${token}` };
    const begun = await api.post(place.sign, app, headers);
    expect(begun.status).toBe(200);
    api.answer();
    const done = await api.get(`${place.status}/token/${begun.body.token}`, headers);
    expect(done.body).toMatchObject({ status: 'Signed', signed: true });
    expect((await api.get(`${place.status}/token/${begun.body.token}`)).status).toBe(401);
  });
});

describe('signing by SIM and app', () => {
  test('is pending, then signed, with the document', async () => {
    const place = await api.process(einar);
    const begun = await api.post(`${place.sign}/`, { authenticationcontexttype: 'app' });
    expect(begun.body).toMatchObject({
      token: expect.any(String),
      pollingInterval: 2,
      verificationCode: expect.stringMatching(/^\d{4}$/),
    });
    const url = `${place.status}/token/${begun.body.token}/`;
    const pending = await api.get(url);
    expect(pending.body).toMatchObject({ status: 'Pending', signed: false });
    expect(pending.body.document).toBeUndefined();
    const early = await api.get(url);
    expect([early.status, early.body.errorCode]).toEqual([429, 'authentication.poll.too_frequent']);
    api.answer();
    const { body } = await api.get(url);
    expect(body).toMatchObject({ status: 'Signed', signed: true, statusMessage: 'ok' });
    const content = Buffer.from(body.document.content, 'base64');
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    const digest = createHash('sha256').update(content).digest('base64');
    expect(body.document).toMatchObject({ digest, fileName: 'Samningur.pdf' });
    expect((await api.get(url)).body.status).toBe('Signed');
  });

  test.each([
    ['0103901179', 'userCancel'],
    ['0203901669', 'expiredTransaction'],
  ])('%s: status Failed, %s; afterwards it can be tried again', async (loginHint, hint) => {
    const place = await api.process({ ...einar, ssn: loginHint });
    const { body } = await api.post(place.sign, { ...app, loginHint });
    api.answer();
    const { body: status } = await api.get(`${place.status}/token/${body.token}`);
    expect([status.status, status.statusMessage]).toEqual([
      'Failed',
      `the signature failed: ${hint}`,
    ]);
    expect((await api.post(place.sign, app)).status).toBe(200);
  });

  test('answers 400 for SIM without a phone number', async () => {
    const place = await api.process({ name: 'Símalaus', ssn: '6000101994' });
    const { status, body } = await api.post(place.sign, { authenticationContextType: 'Sim' });
    expect([status, body.errorCode]).toEqual([400, 'validation.error']);
    expect(body.responseStatus.errors[0].fieldName).toBe('loginHint');
  });

  test('rejects a concurrent signature, a different person, the wrong type and unknown keys', async () => {
    const annar = { ...einar, ssn: '0203901589' };
    const place = await api.process([annar, { ...einar, name: 'Æsa', ssn: '6000101991' }]);
    const second = place.sign.replace(place.signeeKey, String(place.signeeKeys[1]));
    const begun = await api.post(place.sign, app);
    const locked = await api.post(second, app);
    expect([locked.status, locked.body.errorCode]).toEqual([403, '2002']);
    api.answer();
    const url = `${place.status}/token/${begun.body.token}`;
    const stranger = await api.get(url);
    expect([stranger.status, stranger.body.errorCode]).toEqual([
      401,
      'authentication.error.signee.logon.mismatch',
    ]);
    expect((await api.post(`${place.sign}/click`)).body.errorCode).toBe('signing.forbidden.type');
    expect((await api.get(`${place.status}/token/nope`)).body.errorCode).toBe('process.not_found');
    const unknown = place.sign.replace(place.signeeKey, 'si00');
    expect((await api.post(unknown, app)).body.errorCode).toBe('error.signee.not_found');
    const noProcess = place.sign.replace(place.processKey, 'sp00');
    expect((await api.post(noProcess, app)).body.errorCode).toBe('process.not_found');
    const none = await api.process({ ...einar, ssn: '0103901849' });
    const noStart = await api.post(none.sign, app);
    expect(noStart.body.errorCode).toBe('authentication.error.idp.start');
  });

  test('rejects a signature out of order and after expiry', async () => {
    const other = { ...einar, name: 'Æsa', ssn: '6000101996' };
    const place = await api.process([einar, other], { signInOrder: true });
    const second = place.sign.replace(place.signeeKey, String(place.signeeKeys[1]));
    expect((await api.post(second, app)).body.errorCode).toBe('signing.forbidden.order');
    api.pass(31 * 86_400_000);
    const { status, body } = await api.post(place.sign, app);
    expect([status, body.errorCode]).toEqual([403, 'signing.forbidden.expired']);
    api.pass(-31 * 86_400_000);
  });

  test.each([
    ['cancel', 'signing.forbidden.canceled'],
    ['block', 'signing.forbidden.blocked'],
  ] as const)('after %s is rejected with %s', async (what, code) => {
    const place = await api.process(einar);
    await api.toolkit.processes[what]({ key: place.processKey, by: 'owner@example.test' });
    const { status, body } = await api.post(place.sign, app);
    expect([status, body.errorCode]).toEqual([403, code]);
  });
});

describe('a process that ends while its signee is being asked', () => {
  const owner = { by: 'owner@example.test' };
  test.each(
    (
      [
        ['cancel', 'signing.forbidden.canceled'],
        ['block', 'signing.forbidden.blocked'],
      ] as const
    ).flatMap(([what, code]) =>
      ['', '/eid-se', '/eid-dk'].map((scheme) => [what, scheme, code] as const),
    ),
  )('%s, start at %s: %s at the poll', async (what, scheme, code) => {
    const { processKey: key, sign, status: state } = await api.process(einar);
    const { token } = (await api.post(`${sign}${scheme}`, scheme === '' ? app : {})).body;
    await api.toolkit.processes[what]({ key, ...owner });
    api.answer();
    const { status, body } = await api.get(`${state}${scheme}/token/${token}`);
    expect([status, body.errorCode]).toEqual([403, code]);
  });
});

describe('signing by foreign e-ID', () => {
  test.each([
    ['eid-se', ['autoStartToken', 'qrData']],
    ['eid-dk', ['redirectUrl']],
  ])('%s: start, status, signed', async (scheme, members) => {
    const place = await api.process(einar);
    const begun = await api.post(`${place.sign}/${scheme}/`);
    expect(begun.status).toBe(200);
    for (const member of members) expect(begun.body[member]).toEqual(expect.any(String));
    const url = `${place.status}/${scheme}/token/${begun.body.token}/`;
    expect((await api.get(url)).body.status).toBe('Pending');
    const swapped = url.replace(`/${scheme}/`, scheme === 'eid-se' ? '/eid-dk/' : '/eid-se/');
    const other = await api.get(swapped);
    expect([other.status, other.body.errorCode]).toEqual([404, 'process.not_found']);
    api.answer();
    const { body } = await api.get(url);
    expect(body).toMatchObject({ status: 'Signed', signee: { signed: true } });
    const generic = await api.get(`${place.status}/token/${begun.body.token}`);
    expect(generic.body.document.digest).toEqual(expect.any(String));
  });

  test.each([
    ['0103901179', 'userCancel'],
    ['0203901669', 'expiredTransaction'],
    ['0203901749', 'startFailed'],
  ])('%s: status Failed with hintCode %s', async (ssn, hintCode) => {
    const place = await api.process({ name: 'Prófun', ssn });
    const begun = await api.post(`${place.sign}/eid-se`);
    api.answer();
    const { status, body } = await api.get(`${place.status}/eid-se/token/${begun.body.token}`);
    expect([status, body.status, body.hintCode]).toEqual([200, 'Failed', hintCode]);
  });

  test('the status has the QR code or link to show when the provider asks once more', async () => {
    const place = await api.process(einar);
    const { token } = (await api.post(`${place.sign}/eid-dk`)).body;
    const shown = { redirectUrl: 'https://idp.example.is/2', verificationCode: '0002' };
    const poll = vi.spyOn(api.service.identity, 'pollSigning');
    poll.mockResolvedValue({ state: 'waiting', ...shown });
    for (const scheme of ['/eid-dk', '']) {
      const { body } = await api.get(`${place.status}${scheme}/token/${token}`);
      expect(body).toMatchObject({ status: 'Pending', ...shown });
    }
    poll.mockRestore();
  });

  test('answers 502 if the provider rejects the start, and releases the document', async () => {
    const place = await api.process([{ name: 'Lokað', ssn: '0103901849' }, einar]);
    const { status, body } = await api.post(`${place.sign}/eid-dk`);
    expect([status, body.errorCode]).toEqual([502, 'eid.provider.error']);
    const second = place.sign.replace(place.signeeKey, String(place.signeeKeys[1]));
    expect((await api.post(second, app)).status).toBe(200);
  });
});

describe('signing by one-time code and click', () => {
  test.each([
    ['+11111111111', 200, undefined],
    ['+16666666666', 200, undefined],
    ['+17777777777', 400, '1122'],
    ['+18888888888', 400, '1120'],
    ['+19999999999', 400, '1121'],
  ])('test number %s: answers %s %s', async (phoneNumber, status, code) => {
    const place = await api.process({ ...simple, phoneNumber });
    const { body } = await api.post(`${place.sign}/otp/`);
    expect((await api.get(`${place.status}/token/${body.token}`)).body.status).toBe('Pending');
    const confirm = { token: body.token, code: '000000' };
    const done = await api.post(`${place.sign}/otp/confirm/`, confirm);
    expect([done.status, done.body.errorCode]).toEqual([status, code]);
    const now = await api.get(`${place.status}/token/${body.token}`);
    expect(now.body.signed).toBe(status === 200);
  });

  test('rejects a wrong code, an unknown token and an expired code', async () => {
    const place = await api.process({ ...simple, phoneNumber: '8881234' });
    const { body } = await api.post(`${place.sign}/otp`);
    const confirm = (token: string) =>
      api.post(`${place.sign}/otp/confirm`, { token, code: 'nonsense' });
    expect((await confirm(body.token)).body.errorCode).toBe('1120');
    expect((await confirm('nope')).body.errorCode).toBe('1122');
    api.pass(11 * 60_000);
    expect((await confirm(body.token)).body.errorCode).toBe('1121');
    const now = await api.get(`${place.status}/token/${body.token}`);
    expect(now.body).toMatchObject({ status: 'Failed', signed: false });
  });

  test('a click signs immediately', async () => {
    const place = await api.process(click);
    const { status, body } = await api.post(`${place.sign}/click/`);
    expect(status).toBe(200);
    const done = await api.get(`${place.status}/token/${body.token}`);
    expect(done.body).toMatchObject({ status: 'Signed', signed: true });
    const again = await api.post(`${place.sign}/click`);
    expect([again.status, again.body.errorCode]).toEqual([403, 'signing.forbidden.signee.signed']);
  });
});
