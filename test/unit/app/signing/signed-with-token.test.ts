import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityService } from '../../../../src/app/auth/index.ts';
import type { AuthPorts } from '../../../../src/app/auth/ports.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

/** The service of a program that is killed after this many transactions. */
function portsUntil(writes: number): AuthPorts {
  const { store } = world.ports;
  let left = writes;
  const write: typeof store.write = async (work) => {
    if (left-- <= 0) throw new Error('killed');
    return store.write(work);
  };
  return {
    ...world.ports,
    foreign: {} as never,
    register: {} as never,
    openReturnReceiver: async () => undefined,
    store: { ...store, write },
  };
}

test('the result of an accepted click can be polled, whenever the program dies', async () => {
  for (let writes = 0; writes < 3; writes++) {
    const process = await world.open([person(1)]);
    const place = by(process);
    const clicked = await identityService(portsUntil(writes))
      .signByClick(place)
      .catch((error: Error) => error);
    const isSigned = (await world.read(process.key)).signees[0]?.state === 'Signed';
    expect(clicked instanceof Error).toBe(!isSigned);
    if (clicked instanceof Error) continue;
    const again = identityService(portsUntil(0)).pollSigning(place, clicked);
    expect(await again).toMatchObject({ state: 'signed' });
  }
});

test('polling a completed login writes nothing', async () => {
  const process = await world.open([person(1, { ssn: '6000101991' })], { requiresAuth: true });
  const place = { ...by(process), processKey: process.key };
  const open = identityService(portsUntil(99));
  const { token } = await open.startSigneeLogin({
    ...place,
    channel: 'Sim',
    loginHint: '3333333',
    includeVerificationCode: false,
  });
  world.pass(5000);
  const first = await open.pollSigneeLogin({ ...place, token });
  expect(first).toMatchObject({ state: 'done', accessToken: expect.any(String) });
  const again = await identityService(portsUntil(0)).pollSigneeLogin({ ...place, token });
  expect(again).toMatchObject({ state: 'done' });
});
