import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { einar, type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const app = (loginHint: string) => ({ method: 'app', flowKey: api.flowKey, loginHint }) as const;

describe('toolkit.auth: logins of a company from a program', () => {
  test('start, refresh and poll return the person', async () => {
    const { auth } = api.toolkit;
    const login = await auth.start({ method: 'device-link', flowKey: api.flowKey });
    expect(login).toMatchObject({ method: 'device-link', isSimulated: true });
    const first = await auth.refresh(login.token);
    api.answer();
    expect(await auth.refresh(login.token)).not.toBe(first);
    const answer = await auth.poll({ token: login.token, lookup: 'Name' });
    expect(answer).toMatchObject({ state: 'done', customer: { ssn: '6000101994' } });
    expect(answer.state === 'done' && answer.customer.address).toBe(undefined);
  });

  test('rejects a login by anyone but the expected person, and does not disclose who logged in', async () => {
    const { auth } = api.toolkit;
    const { token } = await auth.start(app('0203901589'));
    api.answer();
    const poll = auth.poll({ token, loginHint: '020390-1589' });
    await expect(poll).rejects.toMatchObject({
      code: 'authentication.error.signee.logon.mismatch',
      message: expect.not.stringMatching(/\d{6}/),
    });
  });

  test('compares the phone number with the one reported by the provider', async () => {
    const { auth } = api.toolkit;
    const sim = { method: 'sim', flowKey: api.flowKey, loginHint: '6666666' } as const;
    const { token } = await auth.start(sim);
    api.answer();
    const other = auth.poll({ token, loginHint: '8888888' });
    await expect(other).rejects.toMatchObject({ details: {} });
    api.answer();
    const same = await auth.poll({ token, loginHint: '+354 666 6666' });
    expect(same.state).toBe('done');
  });

  test('a cancelled login fails with the hint "cancelled"', async () => {
    const { auth } = api.toolkit;
    const { token } = await auth.start(app('6000101996'));
    await auth.cancel(token);
    expect(await auth.poll({ token })).toEqual({ state: 'failed', hint: 'cancelled' });
    await expect(auth.cancel('nothing')).rejects.toMatchObject({
      code: 'authentication.token.invalid',
    });
  });

  test('another company can neither poll, cancel nor refresh the login', async () => {
    const { auth } = api.toolkit;
    const { token } = await auth.start(app('6000101990'));
    const [other = ''] = Buffer.from(api.foreign.slice(6), 'base64').toString().split(':');
    const theirs = (await api.service.open(other)).auth;
    for (const act of [theirs.poll({ token }), theirs.cancel(token), theirs.refresh(token)]) {
      await expect(act).rejects.toMatchObject({ code: 'authentication.token.invalid' });
    }
  });

  test('a signature by a foreign e-ID can be cancelled and restarted immediately', async () => {
    const { auth } = api.toolkit;
    const { processKey, signeeKey } = await api.process({ ...einar, signatureType: 'Qualified' });
    const place = { processKey, signeeKey };
    const { token } = await auth.startSigning(place, { method: 'eid-se' });
    await auth.cancelSigning({ ...place, token });
    expect(await auth.pollSigning({ ...place, token })).toEqual({
      state: 'failed',
      hint: 'cancelled',
    });
    const again = await auth.startSigning(place, { method: 'eid-dk' });
    api.answer();
    const signed = await auth.pollSigning({ ...place, token: again.token });
    expect(signed.state).toBe('signed');
  });

  test.each([
    [{ method: 'card' }, 'method'],
    [{ loginHint: 'a\nb' }, 'loginHint'],
    [{ text: 'x'.repeat(141) }, 'text'],
  ])('rejects the option %o', async (wrong, field) => {
    const request = { ...app('6000101994'), ...wrong } as ReturnType<typeof app>;
    await expect(api.toolkit.auth.start(request)).rejects.toMatchObject({
      code: 'validation.error',
      details: { field },
    });
  });
});
