import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type SimulatedPersons,
  simulatorDriver,
  testPersons,
} from '../../../src/adapters/eid/index.ts';
import { openVault } from '../../../src/adapters/vault/index.ts';
import { simulatedIdentity } from '../../support/eid/simulated-identity.ts';
import { makeTestPki } from '../../support/pki.ts';
import { countingRandom } from '../../support/sealing.ts';

const clock = { nowMs: 1_000_000 };
const issued: { name: string; serialNumber: string }[] = [];
const random = countingRandom();

const pki = makeTestPki();

/** A provider as another process with the same data directory would open it. */
function provider(key = 7, persons?: SimulatedPersons) {
  const driver = simulatorDriver({
    ...(persons === undefined ? {} : { persons }),
    issue: async (person) => {
      issued.push(person);
      const { certificate, privateKey } = pki.member('signer');
      return { certificate: certificate.der, chain: [], privateKey };
    },
  });
  const vault = openVault(Buffer.alloc(32, key));
  return simulatedIdentity({ driver, vault, now: () => clock.nowMs, random });
}

/** Starts a signature over some bytes, as the service does. */
async function startSigning(channel: 'Sim' | 'App', hint: string, at = provider()) {
  const asked = request(channel, hint);
  const found = await at.findCertificates?.(asked);
  const signedBytes = Buffer.from('signed attributes');
  const digest = createHash('sha256').update(signedBytes).digest();
  const order = { digest, signedBytes, label: 'Agreement.pdf', ...found };
  return at.start({ ...asked, order: { ...order, certificates: found?.certificates ?? [] } });
}

const request = (channel: 'Sim' | 'App', loginHint: string) => ({
  purpose: 'sign' as const,
  channel,
  loginHint,
  text: 'Agreement.pdf',
  includeVerificationCode: false,
});

const start = (channel: 'Sim' | 'App', hint: string) => provider().start(request(channel, hint));
const notStarted = { code: 'authentication.error.idp.start' };

/** The published table: number, phone, identity on the SIM, identity in the app. */
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

describe('the simulator', () => {
  test.each(published)(
    'knows the person %s / %s: SIM %s, app %s',
    async (ssn, phone, hasSim, hasApp) => {
      for (const [channel, hint, has] of [
        ['Sim', phone, hasSim],
        ['Sim', `+354 ${phone}`, hasSim],
        ['App', ssn, hasApp],
        ['App', `${ssn.slice(0, 6)}-${ssn.slice(6)}`, hasApp],
      ] as const) {
        if (!has) {
          await expect(start(channel, hint)).rejects.toMatchObject(notStarted);
          continue;
        }
        const { ref } = await startSigning(channel, hint);
        expect(await provider().poll(ref)).toMatchObject({ state: 'waiting' });
        clock.nowMs += 2_000;
        const answer = await provider().poll(ref);
        expect(answer).toMatchObject({ state: 'done', identity: { ssn } });
        const known = testPersons.find((person) => person.ssn === ssn);
        expect(issued.at(-1)).toEqual({ name: known?.name, serialNumber: `PNOIS-${ssn}` });
      }
    },
  );

  test.each([
    ['App', '0101302989'],
    ['Sim', '6111234'],
    ['Sim', '+46 70 123 45 67'],
  ] as const)('rejects any other number: %s %s', async (channel, hint) => {
    await expect(start(channel, hint)).rejects.toMatchObject(notStarted);
  });

  test('accepts any other number if configured, always as the same person', async () => {
    const any = provider(7, 'any');
    const startAny = (channel: 'Sim' | 'App', hint: string) => any.start(request(channel, hint));
    const people = await Promise.all(
      ['0101302989', '0101302989', '1203754459'].map((ssn) => startAny('App', ssn)),
    );
    clock.nowMs += 2_000;
    const names = await Promise.all(
      people.map(async ({ ref }) => {
        const answer = await any.poll(ref);
        return answer.state === 'done' ? answer.identity.name : answer.state;
      }),
    );
    expect(names[0]).toBe(names[1]);
    expect(names[0]).not.toBe(names[2]);
    const { ref } = await startAny('Sim', '+46 70 123 45 67');
    clock.nowMs += 2_000;
    const answer = await any.poll(ref);
    expect(answer).toMatchObject({ state: 'done', identity: { phoneNumber: '+46701234567' } });
  });

  test.each(['', '12', 'abc', '01013029890', '+1', '611 123'])(
    'rejects an invalid number: «%s»',
    async (hint) => {
      await expect(start('Sim', hint)).rejects.toMatchObject(notStarted);
      await expect(start('App', hint)).rejects.toMatchObject(notStarted);
    },
  );

  test.each([
    ['0103901179', '0100011', 'userCancel'],
    ['0103901419', '0100014', 'expiredTransaction'],
  ])('the numbers %s and %s fail with %s', async (ssn, phone, hint) => {
    for (const { ref } of [await start('App', ssn), await start('Sim', phone)]) {
      clock.nowMs += 180_000;
      expect(await provider().poll(ref)).toEqual({ state: 'failed', hint });
      await expect(provider().signature(ref)).rejects.toMatchObject({
        code: 'authentication.token.invalid',
      });
    }
  });

  test('reserved numbers fail at the start or yield another person', async () => {
    await expect(start('App', '0103901849')).rejects.toMatchObject(notStarted);
    const { ref } = await start('App', '0203901589');
    clock.nowMs += 2_000;
    const answer = await provider().poll(ref);
    expect(answer).toMatchObject({ state: 'done', identity: { ssn: '0103901099' } });
  });

  test('signs only after the response, and never with a login session', async () => {
    const refused = { code: 'authentication.token.invalid' };
    const { ref } = await startSigning('App', '6000101994');
    await expect(provider().signature(ref)).rejects.toMatchObject(refused);
    const login = await provider().start({ ...request('App', '6000101994'), purpose: 'auth' });
    clock.nowMs += 2_000;
    const loggedIn = await provider().poll(login.ref);
    const loginRef = loggedIn.state === 'done' ? loggedIn.ref : undefined;
    await expect(provider().signature(loginRef ?? '')).rejects.toMatchObject(refused);
    const answer = await provider().poll(ref);
    const signature = await provider().signature((answer.state === 'done' && answer.ref) || '');
    const value = signature.delivery === 'raw' ? signature.value : new Uint8Array();
    const { certificate } = pki.member('signer');
    const key = { key: Buffer.from(certificate.spkiDer), format: 'der', type: 'spki' } as const;
    expect(verify('sha256', Buffer.from('signed attributes'), createPublicKey(key), value)).toBe(
      true,
    );
  });

  test('encrypts the session reference, detects changes and binds it to the vault', async () => {
    const { ref } = await start('App', '6000101994');
    expect(Buffer.from(ref.replace(/^v1\./, ''), 'base64url').includes('6000101994')).toBe(false);
    const refused = { code: 'authentication.token.invalid' };
    for (const other of ['', 'x', ref.slice(0, -2), `${ref}AA`]) {
      await expect(provider().poll(other)).rejects.toMatchObject(refused);
    }
    await expect(provider(8).poll(ref)).rejects.toMatchObject(refused);
  });

  test('shows a code in the app, and on the SIM card if requested', async () => {
    expect((await start('App', '6000101994')).verificationCode).toMatch(/^\d{4}$/);
    expect((await start('Sim', '6666666')).verificationCode).toBe('');
    const asked = { ...request('Sim', '6666666'), includeVerificationCode: true };
    expect((await provider().start(asked)).verificationCode).toMatch(/^\d{4}$/);
  });
});
