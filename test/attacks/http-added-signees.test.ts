import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IdentityApi,
  openIdentityApi,
  type Place,
  type Reply,
} from '../api/support/identity.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const odon = { name: 'Ödön Kőrösi', email: 'odon@example.test', signatureType: 'ClickToSign' };
const asker = { name: 'Åse Bjørnstad', email: 'aase@example.test', ssn: '6000101995' };
const likeOdon = { name: 'Odon Korosi', ssn: '600010-1994', email: 'mallory@example.test' };
const told = ({ status, body }: Reply) => (status < 400 ? status : [status, body.errorCode]);
const mismatch = [401, 'authentication.error.signee.logon.mismatch'];
const tokenOf = ({ headers }: Reply) => ({ 'x-access-token': String(headers['x-access-token']) });

async function logIn(processKey: string, signeeKey: string, hint: object): Promise<Reply> {
  const place = { processKey, signeeKey };
  const begun = await api.post('/api/signing/auth/start', { ...place, ...hint });
  if (begun.status !== 200) return begun;
  api.answer();
  const { authRequestId } = begun.body;
  return api.post('/api/signing/auth/poll', { ...place, authRequestId });
}

const bySim = { authenticationContextType: 'Sim', loginHint: '6666666' };
const byApp = { authenticationContextType: 'App', loginHint: '6000101994' };
const asAse = { authenticationContextType: 'Sim', loginHint: '7777777' };

/** The link of another signee adds one with the number of Ödön, whom the sender has named. */
async function addedTo({ processKey, signeeKeys }: Place, requiresAuth: boolean) {
  const other = signeeKeys[1] as string;
  const token = requiresAuth ? tokenOf(await logIn(processKey, other, asAse)) : {};
  const added = { ...likeOdon, signatureType: 'ClickToSign', communicationDeliveryType: 'Email' };
  expect(told(await api.post(`/api/signing/${processKey}/signee`, added, token))).toBe(200);
  const { signees } = await api.toolkit.processes.show({ key: processKey });
  return String(signees.at(-1)?.key);
}

const asked = { requiresAuth: true };
const click = (process: string, signee: string, headers = {}) =>
  api.post(`/api/signing/sign/${process}/signee/${signee}/click`, {}, headers);

describe("a signee added by a link with someone else's number", () => {
  test.each([
    ['name', odon],
    ['phone number', { ...odon, phoneNumber: '6666666' }],
  ])(
    'does not lock that person out of the signee whom the sender knows by %s',
    async (_what, own) => {
      const place = await api.process([own, { ...asker, signatureType: 'ClickToSign' }], asked);
      const { processKey, signeeKey } = place;
      const added = await addedTo(place, true);
      const there = await logIn(processKey, added, byApp);
      expect(told(there)).toBe(200);
      const here = await logIn(processKey, signeeKey, bySim);
      expect(told(here)).toBe(200);
      // Their login as the sender's signee takes precedence.
      expect(told(await click(processKey, added, tokenOf(there)))).toEqual(mismatch);
      expect(told(await logIn(processKey, added, byApp))).toEqual(mismatch);
      expect(told(await click(processKey, signeeKey, tokenOf(here)))).toBe(200);
    },
  );

  test('does not block the qualified signature of that person', async () => {
    const own = { name: odon.name, phoneNumber: '6666666', signatureType: 'Qualified' };
    const place = await api.process([own, { ...asker, signatureType: 'ClickToSign' }]);
    const { processKey, sign, status } = place;
    const added = await addedTo(place, false);
    expect(told(await logIn(processKey, added, byApp))).toBe(200);
    const begun = await api.post(sign, bySim);
    api.answer();
    const answer = await api.get(`${status}/token/${begun.body.token}`);
    expect([answer.status, answer.body.status]).toEqual([200, 'Signed']);
  });

  test('who has signed is that person, who can no longer log in as the signee of the sender', async () => {
    const place = await api.process([odon, { ...asker, signatureType: 'ClickToSign' }], asked);
    const { processKey, signeeKey } = place;
    const added = await addedTo(place, true);
    const token = tokenOf(await logIn(processKey, added, byApp));
    expect(told(await click(processKey, added, token))).toBe(200);
    expect(told(await logIn(processKey, signeeKey, bySim))).toEqual(mismatch);
  });
});
