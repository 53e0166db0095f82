import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi, type Place, type Reply } from './support/identity.ts';
import { agreement } from './support/open-api.ts';
import { newestSms } from './support/outbox.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const answer = ({ status, body }: Reply) => [status, body.errorCode];
const odon = { authenticationContextType: 'Sim', loginHint: '6666666' };
const odonNumber = '6000101994';

async function logIn({ processKey, signeeKey }: Place, number = odon): Promise<Reply> {
  const begun = await api.post('/api/signing/auth/start', { processKey, signeeKey, ...number });
  api.answer();
  const { authRequestId } = begun.body;
  return api.post('/api/signing/auth/poll', { authRequestId, processKey, signeeKey });
}

const tokenOf = ({ headers }: Reply) => ({ 'x-access-token': String(headers['x-access-token']) });

/** A flow in which a signee without a number may be anybody. */
async function openFlow(): Promise<object> {
  const settings = { signeeIdentity: 'anybody', requiresAuth: true };
  const made = await api.toolkit.flows.create({ name: 'Open', type: 'DropAndSign', settings });
  return { flowKey: made.key, requiresAuth: true };
}

describe('a login that can never match the signee', () => {
  const never = [403, 'authentication.error.signee.unprovable'];
  const byPhone = { name: 'Ödön Kőrösi', phoneNumber: '6666666' };
  const byApp = { authenticationContextType: 'App', loginHint: odonNumber };

  test('is rejected at every start that names the signee', async () => {
    const { processKey, signeeKey, sign } = await api.process(byPhone);
    const keys = { processKey, signeeKey };
    const replies = [
      await api.post('/api/signing/auth/start', { ...keys, ...byApp }),
      await api.post(`/api/signing/${processKey}/auth`, { ...keys, ...byApp }),
      await api.post(sign, byApp),
      await api.post(`${sign}/eid-se`, {}),
      await api.post(`${sign}/eid-dk`, {}),
    ];
    const { path, personKeys } = await api.sequence([byPhone]);
    replies.push(await api.post(`${path}/signee/${personKeys[0]}/auth/eid-se/start`, {}));
    expect(replies.map(answer)).toEqual(replies.map(() => never));
    expect((await api.post(sign, odon)).status).toBe(200);
  });

  test('a signee without a number is rejected if the flow logs in by number', async () => {
    const settings = { signeeIdentity: 'number' };
    const flow = await api.toolkit.flows.create({ name: 'Strict', type: 'DropAndSign', settings });
    const mailed = { name: 'Anna', email: 'a@example.test', signatureType: 'ClickToSign' };
    const making = api.process(mailed, { flowKey: flow.key, requiresAuth: true });
    await expect(making).rejects.toThrow(/validation\.error.*createSignees\[0\]/s);
    const { processKey, signeeKey } = await api.process(mailed, { flowKey: flow.key });
    const start = { processKey, signeeKey, ...odon };
    expect(answer(await api.post('/api/signing/auth/start', start))).toEqual(never);
  });
});

describe('one person cannot be two signees', () => {
  const mismatch = [401, 'authentication.error.signee.logon.mismatch'];
  const mailed = (name: string) => ({
    ...{ name, email: `${name.toLowerCase()}@example.test`, signatureType: 'ClickToSign' },
  });

  /** The company adds a signee with the number of the person who has logged in. */
  async function addTheSame({ processKey }: Place): Promise<void> {
    const known = { ...mailed('Known'), ssn: odonNumber };
    const owner = { authorization: api.basic };
    const added = await api.post(`/api/signing/${processKey}/signee`, known, owner);
    expect(added.status).toBe(200);
  }

  test('a person added as a second signee can no longer sign as the first by click', async () => {
    const place = await api.process(mailed('Victor'), await openFlow());
    const token = tokenOf(await logIn(place));
    await addTheSame(place);
    expect(answer(await api.post(`${place.sign}/click`, {}, token))).toEqual(mismatch);
  });

  test('a person added as a second signee can no longer sign as the first by code', async () => {
    const simple = { ...mailed('Victor'), signatureType: 'Simple', phoneNumber: '6666666' };
    const place = await api.process(simple, await openFlow());
    const token = tokenOf(await logIn(place));
    const sent = await api.post(`${place.sign}/otp`, {}, token);
    await api.toolkit.runDueJobs();
    await addTheSame(place);
    const body = { token: sent.body.token, code: newestSms(api.dataDir) };
    expect(answer(await api.post(`${place.sign}/otp/confirm`, body, token))).toEqual(mismatch);
  });
});

describe('a person of a sequence', () => {
  const signer = { name: 'Ödön Kőrösi', email: 'odon@example.test', signatureType: 'ClickToSign' };

  test.each([
    ['has a phone number in the second document only', [{}, { phoneNumber: '6666666' }]],
    ['has a phone number in the first document only', [{ phoneNumber: '6666666' }, {}]],
  ])('who %s signs both documents', async (_what, known) => {
    const document = {
      ...{ flowKey: api.flowKey, pdfFileName: 'a.pdf', requiresAuth: true },
      pdfDocument: agreement.toString('base64'),
    };
    const createSigningProcesses = known.map((more) => ({
      ...document,
      createSignees: [{ ...signer, ...more }],
    }));
    const body = { createSigningProcesses, user: 'owner@example.test' };
    const owner = { authorization: api.basic };
    const made = await api.post('/api/management/signing/sequential', body, owner);
    expect([made.status, made.body.signees.length]).toEqual([200, 1]);
    for (const { key, signees } of made.body.signingProcesses) {
      const [signeeKey] = signees.map((each: { key: string }) => each.key);
      const place = { processKey: key, signeeKey } as Place;
      const token = tokenOf(await logIn(place));
      const path = `/api/signing/sign/${key}/signee/${signeeKey}/click`;
      expect((await api.post(path, {}, token)).status).toBe(200);
    }
  });
});
