import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollAuth, sessionOfReturn, startAuth } from '../../../../src/app/signing/index.ts';
import { pollChallenge } from '../../../../src/app/signing/login/ask-provider.ts';
import type { Challenge } from '../../../../src/domain/signing/index.ts';
import { beginScripted, kindOf, nextNumber } from '../../../support/eid/scripted-signature.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';
import { testNowMs } from '../../../support/store.ts';

let world: SigningWorld;
const pki = makeTestPki({ nowMs: testNowMs });
const member = pki.issue({ name: 'Ödön Kőrösi' });
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

test('concurrent polls ask the person for one signature', async () => {
  const { script, process, poll } = await beginScripted(world, kindOf('raw', 'session'), member);
  script.approve();
  const meanwhile: unknown[] = [];
  script.onStart = async () => {
    script.onStart = async () => undefined;
    meanwhile.push(await poll());
  };
  await poll();
  expect(meanwhile).toEqual([{ state: 'waiting' }]);
  expect(script.purposes).toEqual(['certificate', 'sign']);
  await poll();
  expect(await poll()).toMatchObject({ state: 'signed' });
  expect((await world.read(process.key)).signees[0]?.state).toBe('Signed');
});

test("the person visits the provider's page for certificate and signature, and returns to the session", async () => {
  const { script, poll } = await beginScripted(world, kindOf('raw', 'session'), member);
  script.page = 'https://idp.example.is/';
  script.approve();
  expect(await poll()).toMatchObject({ redirectUrl: 'https://idp.example.is/2' });
  script.withhold();
  // The next poll may come from another program, or the first response was lost.
  const shown = { redirectUrl: 'https://idp.example.is/2', verificationCode: '0002' };
  expect(await poll()).toMatchObject({ state: 'waiting', ...shown });
  expect(await poll()).toMatchObject({ state: 'waiting', ...shown });
  const states = script.returnUrls.map((url) => new URL(url ?? '').searchParams.get('state'));
  expect(states.map((state) => sessionOfReturn(world.ports.vault, state ?? '').kind)).toEqual([
    'signing',
    'signing',
  ]);
});

test('a signature whose session ended meanwhile is cancelled at the provider', async () => {
  const { script, poll, ports, place } = await beginScripted(
    world,
    kindOf('raw', 'session'),
    member,
  );
  script.approve();
  script.onStart = async () => {
    await ports.store.write(async (unit) => {
      const now = await unit.challenges.find(place.token);
      if (now !== undefined) await unit.challenges.save({ ...now, state: 'failed' });
    });
  };
  expect(await poll()).toMatchObject({ state: 'failed' });
  expect(script.purposes).toEqual(['certificate', 'sign']);
  expect(script.cancelled).toEqual(['2']);
});

test.each([
  ['a poll that waits', { state: 'waiting', ref: 'older' }, 'came back'],
  ['a result', { state: 'done', ref: 'result', identity: { ssn: '', name: '' } }, 'result'],
] as const)('%s does not overwrite the return that arrived meanwhile', async (_, answer, kept) => {
  const { ports, place } = await beginScripted(world, kindOf('evidence'), member);
  const find = () => ports.store.read((unit) => unit.challenges.find(place.token));
  const session = (await find()) as Challenge & { readonly providerRef: string };
  const poll = async () => {
    const back = { ...session, providerRef: 'came back' };
    await ports.store.write((unit) => unit.challenges.save(back));
    return answer;
  };
  await pollChallenge({ ...ports, identity: { ...ports.identity, poll } }, session);
  expect((await find())?.providerRef).toBe(kept);
});

test('a login at a provider that answers once is reported to every later poll', async () => {
  const { script, ports } = await beginScripted(world, kindOf('evidence'), member);
  const ssn = nextNumber();
  script.ssn = ssn;
  const process = await world.open([person(1, { ssn })]);
  const { token } = await startAuth(ports, { ...by(process), channel: 'App' });
  script.approve();
  const ask = () => pollAuth(ports, { ...by(process), token });
  expect(await ask()).toMatchObject({ state: 'done' });
  expect(await ask()).toMatchObject({ state: 'done' });
  world.pass(300_000);
  expect(await ask()).toMatchObject({ state: 'done' });
});
