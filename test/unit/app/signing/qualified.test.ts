import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../src/app/service/index.ts';
import {
  confirmCode,
  pollQualified,
  signByClick,
  startCode,
  startQualified,
} from '../../../../src/app/signing/index.ts';
import type { Signee, SigningProcess } from '../../../../src/domain/process/index.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

const qualified = (changes: Partial<Signee> = {}) =>
  person(1, { signatureType: 'Qualified', ssn: '6000101994', ...changes });

async function begin(changes: Partial<Signee> = {}, more: readonly Signee[] = [person(2)]) {
  const process = await world.open([qualified(changes), ...more]);
  const { token } = await startQualified(world.ports, { ...by(process), channel: 'App' });
  return { process, token };
}

const poll = (process: SigningProcess, token: string) =>
  pollQualified(world.ports, { ...by(process), token });

describe('signing with an electronic identity', () => {
  test('blocks other signees while it lasts, and lets them continue afterwards', async () => {
    const { process, token } = await begin({}, [
      person(2),
      person(3, { signatureType: 'Simple', phoneNumber: '+11111111111' }),
    ]);
    const refused = { code: '2002', details: { retryAfterSeconds: 210 } };
    await expect(signByClick(world.ports, by(process, 1))).rejects.toMatchObject(refused);
    await expect(startCode(world.ports, by(process, 2))).rejects.toMatchObject(refused);
    world.pass(2_000);
    expect(await poll(process, token)).toMatchObject({ state: 'signed' });
    expect((await world.read(process.key)).lease).toBeUndefined();
    await signByClick(world.ports, by(process, 1));
    const { signatures } = await world.verify(process.key);
    expect(signatures.map(({ indication }) => indication)).toEqual([
      'TOTAL-PASSED',
      'TOTAL-PASSED',
    ]);
  });

  test('blocks a one-time code that was sent before', async () => {
    const process = await world.open([
      qualified(),
      person(2, { signatureType: 'Simple', phoneNumber: '+11111111111' }),
    ]);
    const { token } = await startCode(world.ports, by(process, 1));
    await startQualified(world.ports, { ...by(process), channel: 'App' });
    const answer = { ...by(process, 1), token, code: '000000' };
    await expect(confirmCode(world.ports, answer)).rejects.toMatchObject({ code: '2002' });
  });

  test('releases the lease immediately when the person cancels', async () => {
    const { process, token } = await begin({ ssn: '0103901179' });
    world.pass(2_000);
    const failed = { state: 'failed', hint: 'userCancel' };
    expect(await poll(process, token)).toEqual(failed);
    expect(await poll(process, token)).toEqual(failed);
    const now = await world.read(process.key);
    expect(now.lease).toBeUndefined();
    expect(now.signees[0]?.state).not.toBe('Signing');
    await signByClick(world.ports, by(process, 1));
  });

  test('expires after 180 s without a response', async () => {
    const { process, token } = await begin({ ssn: '0103901419' });
    world.pass(179_000);
    expect(await poll(process, token)).toMatchObject({ state: 'waiting' });
    world.pass(1_000);
    expect(await poll(process, token)).toEqual({ state: 'failed', hint: 'expiredTransaction' });
    expect((await world.read(process.key)).lease).toBeUndefined();
  });

  test('is refused permanently if another person responds', async () => {
    const { process, token } = await begin({ ssn: '0203901589' });
    world.pass(2_000);
    const mismatch = { code: 'authentication.error.signee.logon.mismatch' };
    await expect(poll(process, token)).rejects.toMatchObject(mismatch);
    await expect(poll(process, token)).rejects.toMatchObject(mismatch);
    const now = await world.read(process.key);
    expect(now).toMatchObject({ documentRev: 0 });
    expect(now.lease).toBeUndefined();
  });

  test.each([
    ['no session', '0103901849', 'App'],
    ['no identity on the SIM', '6000101990', 'Sim'],
    ['no identity in the App', '3333333', 'App'],
  ] as const)('does not start and releases the lease: %s', async (_, loginHint, channel) => {
    const own = channel === 'App' ? { ssn: loginHint } : {};
    const process = await world.open([{ ...qualified(), ...own }, person(2)]);
    const start = startQualified(world.ports, { ...by(process), channel, loginHint });
    await expect(start).rejects.toMatchObject({ code: 'authentication.error.idp.start' });
    await signByClick(world.ports, by(process, 1));
  });

  test('requires a number', async () => {
    const process = await world.open([qualified()]);
    const start = startQualified(world.ports, { ...by(process), channel: 'Sim' });
    await expect(start).rejects.toMatchObject({ code: 'validation.error' });
  });

  test('can be finished only with the token of the latest start', async () => {
    const { process, token: first } = await begin();
    const { token: second } = await startQualified(world.ports, { ...by(process), channel: 'App' });
    world.pass(2_000);
    await expect(poll(process, first)).rejects.toMatchObject({ code: 'process.conflict' });
    expect(await poll(process, second)).toMatchObject({ state: 'signed' });
    expect((await world.read(process.key)).documentRev).toBe(1);
  });

  test('does not overwrite later signatures once the lease has expired', async () => {
    const { process, token } = await begin();
    world.pass(211_000);
    await signByClick(world.ports, by(process, 1));
    await expect(poll(process, token)).rejects.toMatchObject({ code: 'process.conflict' });
    expect(await poll(process, token)).toEqual({ state: 'failed', hint: 'process.conflict' });
    expect((await world.read(process.key)).documentRev).toBe(1);
  });

  test('signs nothing if the owner cancelled meanwhile', async () => {
    const { process, token } = await begin();
    await runCommand(world.ports, process.key, { type: 'cancel', by: 'owner@example.is' });
    world.pass(2_000);
    await expect(poll(process, token)).rejects.toMatchObject({
      code: 'signing.forbidden.canceled',
    });
  });

  test('gives one signature, reported to every concurrent poll', async () => {
    const { process, token } = await begin();
    world.pass(2_000);
    const answers = await Promise.all(Array.from({ length: 4 }, () => poll(process, token)));
    expect(answers.map(({ state }) => state)).toEqual(['signed', 'signed', 'signed', 'signed']);
    expect((await world.read(process.key)).documentRev).toBe(1);
  });

  test('rejects a token of another signee', async () => {
    const { process, token } = await begin();
    await expect(pollQualified(world.ports, { ...by(process, 1), token })).rejects.toMatchObject({
      code: 'authentication.token.invalid',
    });
  });
});
