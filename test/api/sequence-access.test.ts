import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  einar,
  type IdentityApi,
  openIdentityApi,
  type SequencePlace,
} from './support/identity.ts';
import { agreement } from './support/open-api.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const aesa = { name: 'Æsa Öxndal', ssn: '6000101996', phoneNumber: '8888888' };
const app = (loginHint: string) => ({ authenticationContextType: 'App', loginHint });

async function startLogin({ path, sequenceKey }: SequencePlace, hint: string): Promise<string> {
  const { status, body } = await api.post(`${path}/auth`, { sequenceKey, ...app(hint) });
  expect(status).toBe(200);
  return body.authRequestId;
}

describe('access to a sequence', () => {
  test('needs no login if the sequence requires none', async () => {
    const { path, sequenceKey, personKeys } = await api.sequence([einar, aesa]);
    const { status, body } = await api.post(path, { signeeKey: personKeys[1] });
    expect([status, body.key]).toEqual([200, sequenceKey]);
    const keys = body.signees.map(({ key }: { key?: string }) => key);
    expect(keys).toEqual([undefined, personKeys[1]]);
    expect(body.signingProcesses).toHaveLength(2);
    const unknown = await api.post('/api/signing/sequential/pg00');
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 'process.not_found']);
    const nobody = await api.post(path, { signeeKey: 'gs00' });
    expect([nobody.status, nobody.body.errorCode]).toEqual([404, 'error.signee.not_found']);
  });

  test('requires a token of this sequence or the API key of its company if it requires a login', async () => {
    const place = await api.sequence([einar], { requiresAuth: true });
    const other = await api.sequence([einar], { requiresAuth: true });
    const see = async (headers: Record<string, string>) => {
      const { status, body } = await api.post(place.path, {}, headers);
      return [status, body.errorCode];
    };
    expect(await see({})).toEqual([401, 'authentication.credentials.invalid']);
    expect(await see({ 'x-access-token': 'nope' })).toEqual([401, 'authentication.token.invalid']);
    expect(await see({ authorization: api.foreign })).toEqual([404, 'process.not_found']);
    expect(await see({ authorization: api.basic })).toEqual([200, undefined]);
    const tokenUrl = `${other.path}/signee/${other.personKeys[0]}/Token`;
    const { body } = await api.post(tokenUrl, {}, { authorization: api.basic });
    expect(await see({ 'x-access-token': body.accessToken })).toEqual([
      403,
      'authentication.token.scope.invalid',
    ]);
  });

  test('a login by SIM or app opens all documents of the person', async () => {
    const place = await api.sequence([einar, aesa], { requiresAuth: true });
    const authRequestId = await startLogin(place, '6000101994');
    const waiting = await api.post(place.path, { authRequestId });
    expect([waiting.status, waiting.body.waitingForUserInput]).toEqual([202, true]);
    expect((await api.post(place.path, { authRequestId })).status).toBe(429);
    api.answer();
    const done = await api.post(place.path, { authRequestId });
    expect([done.status, done.body.key]).toEqual([200, place.sequenceKey]);
    const headers = { 'x-access-token': String(done.headers['x-access-token']) };
    const again = await api.post(place.path, { authRequestId });
    expect(again.headers['x-access-token']).toBe(headers['x-access-token']);
    expect((await api.post(place.path, {}, headers)).status).toBe(200);
    for (const { key, signeeKeys } of place.processes) {
      const url = `/api/signing/sign/${key}/signee/${signeeKeys[0]}`;
      const begun = await api.post(url, { authenticationContextType: 'App' }, headers);
      expect(begun.status).toBe(200);
      const foreign = `/api/signing/sign/${key}/signee/${signeeKeys[1]}`;
      const refused = await api.post(foreign, { authenticationContextType: 'App' }, headers);
      expect(refused.body.errorCode).toBe('authentication.token.scope.invalid');
    }
    api.pass(3_700_000);
    expect((await api.post(place.path, {}, headers)).status).toBe(401);
  });

  test('answers failed logins with their documented codes', async () => {
    const cancels = { name: 'Hildur', ssn: '0103901179', email: 'h@example.test' };
    const swaps = { name: 'Annar', ssn: '0203901589', email: 'a@example.test' };
    const refuses = { name: 'Lokað', ssn: '0103901849', email: 'l@example.test' };
    const place = await api.sequence([einar, cancels, swaps, refuses], { requiresAuth: true });
    const finish = async (hint: string) => {
      const authRequestId = await startLogin(place, hint);
      api.answer();
      const { status, body } = await api.post(place.path, { authRequestId });
      return [status, body.errorCode];
    };
    const mismatch = [401, 'authentication.error.signee.logon.mismatch'];
    const foreign = await api.post(`${place.path}/auth`, app('6000101996'));
    expect([foreign.status, foreign.body.errorCode]).toEqual(mismatch);
    expect(await finish('0203901589')).toEqual(mismatch);
    expect(await finish('0103901179')).toEqual([403, 'authentication.error.forbidden']);
    const unknown = await api.post(place.path, { authRequestId: 'nope' });
    expect(unknown.body.errorCode).toBe('authentication.token.invalid');
    const other = await api.sequence([einar]);
    const authRequestId = await startLogin(other, '6000101994');
    const scope = await api.post(place.path, { authRequestId });
    expect(scope.body.errorCode).toBe('authentication.token.scope.invalid');
    const noStart = await api.post(`${place.path}/auth`, app('0103901849'));
    expect(noStart.body.errorCode).toBe('authentication.error.idp.start');
    const twisted = await api.post(`${place.path}/auth`, { sequenceKey: 'x', ...app('1') });
    expect(twisted.status).toBe(400);
    expect((await api.post(`${place.path}/auth`, {})).status).toBe(400);
    const gone = await api.post('/api/signing/sequential/pg00/auth', app('6000101994'));
    expect(gone.body.errorCode).toBe('process.not_found');
  });
});

describe('a document without a login in a sequence with one that requires it', () => {
  const mixed = async () => {
    const signee = { name: einar.name, email: 'einar@example.test', signatureType: 'ClickToSign' };
    const document = {
      flowKey: api.flowKey,
      pdfFileName: 'a.pdf',
      pdfDocument: agreement.toString('base64'),
      createSignees: [signee],
    };
    const { processes } = await api.sequence([], {
      createSigningProcesses: [document, { ...document, requiresAuth: true }],
    });
    const [open, locked] = processes.map(({ key, signeeKeys }) => ({
      url: `/api/signing/${key}/signee/${signeeKeys[0]}`,
      key,
    }));
    if (open === undefined || locked === undefined) throw new Error('expected two documents');
    return { open, locked };
  };
  const change = async (url: string, headers: Record<string, string> = {}) => {
    const payload = { email: 'new@example.test', user: 'u' };
    return (await api.app.inject({ method: 'PUT', url, payload, headers })).statusCode;
  };
  const addressIn = async (key: string) =>
    (await api.toolkit.processes.show({ key })).signees[0]?.email;

  test('changes no contact address in the protected document', async () => {
    const { open, locked } = await mixed();
    expect(await change(locked.url)).toBe(401);
    for (const headers of [{}, { authorization: 'Basic Zm9vOmJhcg==' }]) {
      expect(await change(open.url, headers as Record<string, string>)).toBe(200);
    }
    expect(await addressIn(open.key)).toBe('new@example.test');
    expect(await addressIn(locked.key)).toBe('einar@example.test');
  });

  test('changes it for the company, and is changed with it', async () => {
    const one = await mixed();
    expect(await change(one.locked.url, { authorization: api.basic })).toBe(200);
    expect(await addressIn(one.open.key)).toBe('new@example.test');
    const other = await mixed();
    expect(await change(other.open.url, { authorization: api.basic })).toBe(200);
    expect(await addressIn(other.locked.key)).toBe('new@example.test');
  });
});

describe('the passcode of a sequence', () => {
  const secret = { ...einar, passcode: 'þagnarorð 1' };

  test('opens the sequence; five wrong ones lock out a client for 15 minutes', async () => {
    const place = await api.sequence([secret, aesa], { requiresAuth: true });
    const url = `${place.path}/signee/${place.personKeys[0]}/passcode`;
    const enter = (passcode: string) => api.post(url, { Passcode: passcode });
    const refused = [403, 'process.passcode.not_valid'];
    const codes = async (passcode: string) => {
      const { status, body } = await enter(passcode);
      return [status, body.errorCode];
    };
    expect(await codes('wrong')).toEqual(refused);
    const right = await enter('þagnarorð 1');
    expect([right.status, right.body.key]).toEqual([200, place.sequenceKey]);
    expect(JSON.stringify(right.body)).not.toContain('passcode');
    const headers = { 'x-access-token': String(right.headers['x-access-token']) };
    expect((await api.post(place.path, {}, headers)).status).toBe(200);
    const wrong = await Promise.all(['1a', '2b', '3c', '4d', '5e', '6f'].map(codes));
    expect(wrong).toEqual(Array.from({ length: 6 }, () => refused));
    const locked = await enter('þagnarorð 1');
    expect(locked.status).toBe(403);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(800);
    api.pass(15 * 60_000 + 1000);
    expect((await enter('þagnarorð 1')).status).toBe(200);
    // A passcode shows documents; signing them requires a login.
    const [first] = place.processes;
    const sign = `/api/signing/sign/${first?.key}/signee/${first?.signeeKeys[0]}`;
    const fresh = await enter('þagnarorð 1');
    const token = { 'x-access-token': String(fresh.headers['x-access-token']) };
    const { body } = await api.post(sign, { authenticationContextType: 'App' }, token);
    expect(body.errorCode).toBe('signing.forbidden.verification.missing');
  });

  test('is rejected for a person without one, and for an unknown person', async () => {
    const place = await api.sequence([secret, aesa]);
    const none = await api.post(`${place.path}/signee/${place.personKeys[1]}/passcode`, {
      passcode: 'anything',
    });
    expect(none.body.errorCode).toBe('process.passcode.not_valid');
    const unknown = await api.post(`${place.path}/signee/gs00/passcode`, { passcode: 'x' });
    expect(unknown.body.errorCode).toBe('error.signee.not_found');
    const empty = await api.post(`${place.path}/signee/gs00/passcode`, {});
    expect(empty.body.errorCode).toBe('validation.error');
    await expect(api.sequence([{ ...einar, passcode: 'abc' }])).rejects.toThrow('passcode');
    await expect(api.process(secret)).rejects.toThrow('passcode');
  });
});

describe('a token issued by the company', () => {
  test('opens the documents of the person until it expires', async () => {
    const place = await api.sequence([einar, aesa], { requiresAuth: true });
    const [personKey] = place.personKeys;
    const url = `${place.path}/signee/${personKey}/Token`;
    const owner = { authorization: api.basic };
    const { status, body } = await api.post(url, { expiresInSeconds: 60 }, owner);
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 60,
      expiresAt: expect.stringMatching(/Z$/),
      sequenceKey: place.sequenceKey,
      signeeKey: personKey,
    });
    const headers = { authorization: `Bearer ${body.accessToken}` };
    expect((await api.post(place.path, {}, headers)).status).toBe(200);
    api.pass(61_000);
    expect((await api.post(place.path, {}, headers)).status).toBe(401);
    expect((await api.post(url, undefined, owner)).body.expiresIn).toBe(3600);
    expect((await api.post(url, { expiresInSeconds: 59 }, owner)).status).toBe(400);
    expect((await api.post(url, {})).status).toBe(401);
    expect((await api.post(url, {}, { authorization: api.foreign })).body.errorCode).toBe(
      'process.not_found',
    );
    const nobody = url.replace(String(personKey), 'gs00');
    expect((await api.post(nobody, {}, owner)).body.errorCode).toBe('error.signee.not_found');
  });
});

describe('eid-se at a sequence', () => {
  const poll = (place: SequencePlace, token: string, more = {}) =>
    api.post(`${place.path}/auth/eid-se/poll`, { Token: token, ...more });

  test.each([
    ['the person', true],
    ['the sequence (being retired)', false],
  ])('starts at %s, polls, and returns a token', async (_, isPerson) => {
    const place = await api.sequence([einar, aesa], { requiresAuth: true });
    const [signeeKey] = place.personKeys;
    const at = isPerson ? `${place.path}/signee/${signeeKey}` : place.path;
    const { status, body } = await api.post(`${at}/auth/eid-se/start`);
    expect([status, body.pollingInterval]).toEqual([200, 2]);
    expect((await poll(place, body.token)).body).toMatchObject({ waitingForUserInput: true });
    api.answer();
    const done = await poll(place, body.token, isPerson ? { signeeKey } : {});
    expect(done.body.customer.ssn).toBe('6000101994');
    expect(done.body.sequentialSigning.key).toBe(place.sequenceKey);
    const headers = { 'x-access-token': String(done.headers['x-access-token']) };
    expect((await api.post(place.path, {}, headers)).status).toBe(200);
  });

  test('answers failures with their documented codes', async () => {
    const cancels = { name: 'Hildur', ssn: '0103901179' };
    const refuses = { name: 'Lokað', ssn: '0103901849' };
    const swaps = { name: 'Annar', ssn: '0203901589' };
    const place = await api.sequence([cancels, refuses, einar, swaps]);
    const [first, second, third, fourth] = place.personKeys;
    const start = (key: string | undefined, more = {}) =>
      api.post(`${place.path}/signee/${key}/auth/eid-se/start`, more);
    const { body } = await start(first);
    api.answer();
    const canceled = await poll(place, body.token);
    expect([canceled.status, canceled.body.errorCode]).toEqual([403, 'userCancel']);
    const refused = await start(second);
    expect([refused.status, refused.body.errorCode]).toEqual([502, 'eid.provider.error']);
    expect((await start('gs00')).body.errorCode).toBe('error.signee.not_found');
    expect((await poll(place, 'nope')).body.errorCode).toBe('authentication.token.invalid');
    const foreign = await start(third, { loginHint: '6000101996' });
    expect([foreign.status, foreign.body.errorCode]).toEqual([
      401,
      'authentication.error.signee.logon.mismatch',
    ]);
    const stranger = await start(fourth, { loginHint: '0203901589' });
    expect((await poll(place, stranger.body.token, { signeeKey: first })).body.errorCode).toBe(
      'authentication.token.scope.invalid',
    );
    api.answer();
    const mismatch = await poll(place, stranger.body.token);
    expect([mismatch.status, mismatch.body.errorCode]).toEqual([
      401,
      'authentication.error.signee.logon.mismatch',
    ]);
  });
});
