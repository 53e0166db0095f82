import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindOperations } from '../../../../src/app/operation.ts';
import { runCommand, wholeContent } from '../../../../src/app/service/index.ts';
import {
  pollAuth,
  signByClick,
  signingOperations,
  startAuth,
  viewDocument,
} from '../../../../src/app/signing/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import {
  by,
  circumstances,
  openSigningWorld,
  person,
  type SigningWorld,
} from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

describe('viewing the document', () => {
  test('records every document once, with the digest of what was shown', async () => {
    const process = await world.open([person(1), person(2)]);
    const first = await viewDocument(world.ports, by(process));
    await signByClick(world.ports, by(process, 1));
    await viewDocument(world.ports, by(process));
    const second = await viewDocument(world.ports, by(process));
    expect(second.sha256).not.toBe(first.sha256);
    const { signees } = await world.read(process.key);
    const shown = { viewedSha256: first.sha256, shownSha256: second.sha256 };
    expect(signees[0]).toMatchObject({ state: 'Viewed', ...shown });
    const rows = await world.ports.store.read((unit) => unit.activity.rows(process.key));
    const views = rows.filter(({ status }) => status === 'DocumentViewed');
    const digests = [first.sha256, second.sha256].map((each) => `SHA-256 ${each}`);
    expect(views.map(({ description }) => description)).toEqual(digests);
  });

  test('shows a signee the current version after signing; no one sees a cancelled one', async () => {
    const process = await world.open([person(1), person(2)]);
    await signByClick(world.ports, by(process));
    const seen = await viewDocument(world.ports, by(process));
    expect(await wholeContent(seen.content)).toEqual(await world.bytes(process.key));
    await runCommand(world.ports, process.key, { type: 'cancel', by: 'owner@example.is' });
    for (const index of [0, 1]) {
      await expect(viewDocument(world.ports, by(process, index))).rejects.toMatchObject({
        code: 'signing.forbidden.canceled',
      });
    }
  });

  test('reports unknown processes, signees and companies with specific codes', async () => {
    const process = await world.open([person(1)]);
    const nobody = { ...by(process), signeeKey: asKey('signee', 'si404') };
    await expect(viewDocument(world.ports, nobody)).rejects.toMatchObject({
      code: 'error.signee.not_found',
    });
    const other = bindOperations(signingOperations, world.ports, asKey('company', '000000000000'));
    const place = { processKey: process.key, signeeKey: 'si1', circumstances };
    await expect(other.view(place)).rejects.toMatchObject({ code: 'process.not_found' });
    const own = bindOperations(signingOperations, world.ports, process.companyKey);
    await expect(own.view(place)).rejects.toMatchObject({ code: 'error.signee.not_found' });
  });
});

describe('logging in', () => {
  const wanted = { code: 'signing.forbidden.verification.missing' };

  test('is required where requested, and then allows viewing and signing', async () => {
    const process = await world.open([person(1, { ssn: '6000101991' })], { requiresAuth: true });
    await expect(viewDocument(world.ports, by(process))).rejects.toMatchObject(wanted);
    await expect(signByClick(world.ports, by(process))).rejects.toMatchObject(wanted);
    const choice = { channel: 'Sim', loginHint: '+354 333-3333', includeVerificationCode: true };
    const session = await startAuth(world.ports, { ...by(process), ...choice } as never);
    expect(session.verificationCode).toMatch(/^\d{4}$/);
    const poll = { ...by(process), token: session.token };
    expect(await pollAuth(world.ports, poll)).toMatchObject({ state: 'waiting' });
    world.pass(2_000);
    const answers = await Promise.all([0, 1, 2].map(() => pollAuth(world.ports, poll)));
    for (const answer of answers) {
      expect(answer).toMatchObject({ state: 'done', identity: { ssn: '6000101991' } });
    }
    const rows = await world.ports.store.read((unit) => unit.activity.rows(process.key));
    expect(rows.filter(({ status }) => status === 'Authenticated')).toHaveLength(1);
    await viewDocument(world.ports, by(process));
    expect(await signByClick(world.ports, by(process))).toMatchObject({ phase: 'Finalizing' });
  });

  test('is refused permanently if another person responds', async () => {
    const process = await world.open([person(1, { ssn: '0203901589' })], { requiresAuth: true });
    const mismatch = { code: 'authentication.error.signee.logon.mismatch' };
    const start = { ...by(process), channel: 'App' } as const;
    const foreign = startAuth(world.ports, { ...start, loginHint: '6000101992' });
    await expect(foreign).rejects.toMatchObject(mismatch);
    const { token } = await startAuth(world.ports, start);
    world.pass(2_000);
    for (let time = 0; time < 2; time++) {
      const answer = pollAuth(world.ports, { ...by(process), token });
      await expect(answer).rejects.toMatchObject(mismatch);
    }
    await expect(viewDocument(world.ports, by(process))).rejects.toMatchObject(wanted);
  });

  test('can fail because the person cancels', async () => {
    const process = await world.open([person(1, { ssn: '0103901179' })], { requiresAuth: true });
    const { token } = await startAuth(world.ports, { ...by(process), channel: 'App' });
    world.pass(2_000);
    const failed = { state: 'failed', hint: 'userCancel' };
    expect(await pollAuth(world.ports, { ...by(process), token })).toEqual(failed);
    expect(await pollAuth(world.ports, { ...by(process), token })).toEqual(failed);
  });
});
