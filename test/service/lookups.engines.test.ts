import { expect, test } from 'vitest';
import type { LookupType } from '../../src/domain/auth/index.ts';
import { documentedAnswers, serveRegister } from '../support/register-server.ts';
import { describeOnEngines } from './on-engines.ts';
import { openTestService, type TestService } from './open-service.ts';

const DAY = 86_400_000;
const anna = '6000101994';

/** A completed login in the app; returns a function that polls it. */
async function loggedIn({ toolkit, service, pass }: TestService) {
  const settings = { familyLookup: true };
  const flow = await toolkit.flows.create({ name: 'Family', type: 'Auth', settings } as never);
  const place = { scheme: 'sim-app', flowKey: flow.key } as const;
  const start = { channel: 'App', loginHint: anna, includeVerificationCode: false } as const;
  const { token } = await service.identity.startLogin({ ...place, ...start });
  pass(3000);
  return (lookup: LookupType) => {
    pass(3000);
    return service.identity.pollLogin({ ...place, token, lookup });
  };
}

const counts = async ({ toolkit }: TestService) =>
  Object.fromEntries(
    (await toolkit.lookups()).map(({ lookup, today, total }) => [lookup, [today, total]]),
  );

describeOnEngines('lookups in the register of persons', (it) => {
  test('each kind counts once per login, and a name is free', async () => {
    expect(await counts(it())).toEqual({ NameAddress: [0, 0], NameAddressFamily: [0, 0] });
    const ask = await loggedIn(it());
    await ask('Name');
    expect(await counts(it())).toEqual({ NameAddress: [0, 0], NameAddressFamily: [0, 0] });
    const first = await ask('NameAddress');
    expect(await ask('NameAddress')).toEqual(first);
    await Promise.all([ask('NameAddressFamily'), ask('NameAddressFamily')]);
    expect(await counts(it())).toEqual({ NameAddress: [1, 1], NameAddressFamily: [1, 1] });
    const again = await loggedIn(it());
    await again('NameAddress');
    expect(await counts(it())).toMatchObject({ NameAddress: [2, 2] });
    it().pass(DAY);
    expect(await counts(it())).toMatchObject({ NameAddress: [0, 2], NameAddressFamily: [0, 1] });
  });
});

test('a failing register fails only the lookup: the login remains, and nothing is counted', async () => {
  let isUp = false;
  const home = { address: 'Prófgata 1', postalCode: '101', city: 'Reykjavík' };
  const answers = documentedAnswers({ [anna]: { address: home } });
  const { url, requests } = await serveRegister((request, response) => {
    if (isUp) answers(request, response);
    else response.writeHead(503).end();
  });
  const it = await openTestService({ INNSIGLI_REGISTER_URL: url });
  try {
    const ask = await loggedIn(it);
    await expect(ask('NameAddress')).rejects.toMatchObject({ code: 'register.unavailable' });
    expect(await counts(it)).toMatchObject({ NameAddress: [0, 0] });
    expect(await ask('Name')).toMatchObject({ state: 'done', customer: { ssn: anna } });
    isUp = true;
    expect(await ask('NameAddress')).toMatchObject({ state: 'done', customer: home });
    const before = requests.length;
    expect(await ask('NameAddress')).toMatchObject({ state: 'done', customer: home });
    expect(requests.length).toBe(before);
    expect(await counts(it)).toMatchObject({ NameAddress: [1, 1] });
  } finally {
    await it.close();
  }
});
