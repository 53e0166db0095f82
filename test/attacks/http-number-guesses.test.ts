import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi, type Reply } from '../api/support/identity.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi({ trustProxy: ['127.0.0.1'] });
}, 60_000);
afterAll(() => api.close());

const anna = {
  ...{ name: 'Åse Bjørnstad', ssn: '6000101995', phoneNumber: '7777777' },
  signatureType: 'Qualified',
};
const einar = { name: 'Ödön Kőrösi', ssn: '6000101994', phoneNumber: '6666666' };
const other = { ...einar, signatureType: 'Qualified' };
const sim = (loginHint: string) => ({ authenticationContextType: 'Sim', loginHint });
const app = (loginHint: string) => ({ authenticationContextType: 'App', loginHint });
const told = ({ status, body }: Reply) => [status, body.errorCode];
const enough = [429, 'authentication.start.too_frequent'];
const from = (address: string) => ({ 'x-forwarded-for': address });
const wrongSims = Array.from({ length: 5 }, (_, at) => sim(String(8_100_000 + at)));
const wrongApps = Array.from({ length: 5 }, (_, at) => app(String(1_203_804_500 + at)));
const wrongBoth = Array.from({ length: 5 }, (_, at) => ({ loginHint: String(8_100_000 + at) }));

const unknown = [404, 'error.signee.not_found'];
const mismatch = [401, 'authentication.error.signee.logon.mismatch'];

interface Guessed {
  readonly path: string;
}
const atProcess = (signees: readonly object[]) => async (): Promise<Guessed> => {
  const { processKey } = await api.process(signees);
  return { path: `/api/signing/${processKey}/auth` };
};
const atSequence = (tail: string) => async (): Promise<Guessed> => {
  const { path } = await api.sequence([anna, other]);
  return { path: `${path}${tail}` };
};

describe('guessing the numbers of signees', () => {
  test.each([
    ['a process, by phone', atProcess([anna, other]), wrongSims, sim('7777777'), unknown],
    ['a process, by national number', atProcess([anna, other]), wrongApps, app(einar.ssn), unknown],
    ['a process with one signee', atProcess([anna]), wrongSims, sim('7777777'), mismatch],
    ['a sequence, by phone', atSequence('/auth'), wrongSims, sim('7777777'), mismatch],
    ['a sequence, by national number', atSequence('/auth'), wrongApps, app(einar.ssn), mismatch],
    [
      'a sequence, with eid-se',
      atSequence('/auth/eid-se/start'),
      wrongBoth,
      { loginHint: anna.ssn },
      mismatch,
    ],
  ])('is limited at %s', async (_where, make, wrong, right, refused) => {
    const { path } = await make();
    const guesser = from('198.51.100.7');
    for (const body of wrong) expect(told(await api.post(path, body, guesser))).toEqual(refused);
    const late = await api.post(path, right, guesser);
    expect(told(late)).toEqual(enough);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(800);
    // One more wrong number gets the same response.
    expect(told(await api.post(path, wrong[0] as object, guesser))).toEqual(enough);
    // The person comes from elsewhere, and the guesser may try again after the wait.
    expect((await api.post(path, right, from('192.0.2.9'))).status).toBe(200);
    api.pass(16 * 60_000);
    expect(told(await api.post(path, wrong[0] as object, guesser))).toEqual(refused);
  });

  test('a national number sent by SIM is answered like an unknown number', async () => {
    const { path } = await atProcess([anna, other])();
    for (const hint of [anna.ssn, '1203804500']) {
      expect(told(await api.post(path, sim(hint), from('198.51.100.8')))).toEqual(unknown);
    }
  });

  test('a correct number does not reset the count of guesses', async () => {
    const { path } = await atProcess([anna, other])();
    const guesser = from('198.51.100.9');
    for (const body of wrongSims.slice(0, 4)) await api.post(path, body, guesser);
    expect((await api.post(path, sim('6666666'), guesser)).status).toBe(200);
    expect(told(await api.post(path, wrongSims[4] as object, guesser))).toEqual(unknown);
    expect(told(await api.post(path, wrongSims[0] as object, guesser))).toEqual(enough);
  });

  test('concurrent guesses are counted', async () => {
    const { path } = await atSequence('/auth')();
    const guesser = from('198.51.100.10');
    const bodies = Array.from({ length: 12 }, (_, at) => sim(String(8_200_000 + at)));
    const found = await Promise.all(bodies.map((body) => api.post(path, body, guesser)));
    expect(found.filter(({ status }) => status === 401)).toHaveLength(5);
  });
});

describe('logins that would open nothing', () => {
  const code = 'leyniorð';
  test.each([
    ['auth', sim('7777777')],
    ['auth/eid-se/start', { loginHint: '6000101995' }],
  ])('send no prompt to a person with a passcode: %s', async (tail, body) => {
    const closed = await api.sequence([{ ...anna, passcode: code }]);
    const refused = await api.post(`${closed.path}/${tail}`, body);
    expect(told(refused)).toEqual([401, 'authentication.credentials.invalid']);
    const mixed = await api.sequence([{ ...anna, passcode: code }, other]);
    expect(told(await api.post(`${mixed.path}/${tail}`, body))).toEqual(mismatch);
    // A person without a number: any hint would be accepted, but it is not theirs.
    const free = { name: 'Bera', email: 'bera@example.test', signatureType: 'ClickToSign' };
    const open = await api.sequence([{ ...anna, passcode: code }, free]);
    expect(told(await api.post(`${open.path}/${tail}`, body))).toEqual(mismatch);
    const asked = await api.sequence([{ ...anna, passcode: code }], { requiresAuth: true });
    expect((await api.post(`${asked.path}/${tail}`, body)).status).toBe(200);
  });
});
