import { afterAll, beforeAll, expect, test } from 'vitest';
import { finalizeProcess } from '../../../../src/app/finalize/index.ts';
import { wholeContent } from '../../../../src/app/service/index.ts';
import {
  confirmCode,
  pollQualified,
  signByClick,
  startCode,
  startQualified,
  viewDocument,
} from '../../../../src/app/signing/index.ts';
import type { ProcessKey } from '../../../../src/domain/keys.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

async function levelsOf(key: ProcessKey) {
  const { signatures } = await world.verify(key);
  return signatures
    .filter(({ kind }) => kind === 'signature')
    .map(({ level, indication, intact, signer }) => ({
      level,
      indication,
      intact,
      subject: signer?.subject,
    }));
}

test('one signee of each type signs, and every earlier signature stays valid to the end', async () => {
  const { ports } = world;
  const process = await world.open(
    [
      person(1, { name: 'Þórður Łucja Čeněk Ödön', reason: 'Samþykkt {allt}' }),
      person(2, { signatureType: 'Simple', phoneNumber: '+354 611 1234' }),
      person(3, { signatureType: 'Qualified', ssn: '6000101994', phoneNumber: '6666666' }),
    ],
    {},
    { sealLevel: 'B-LTA' },
  );
  const { key } = process;
  const original = await world.bytes(key);

  const viewed = await viewDocument(ports, by(process, 0));
  expect(await wholeContent(viewed.content)).toEqual(original);
  await signByClick(ports, by(process, 0));
  const first = await world.bytes(key);
  expect(first.subarray(0, original.length)).toEqual(original);
  expect(await levelsOf(key)).toMatchObject([{ level: 'B-T', indication: 'TOTAL-PASSED' }]);

  const { token } = await startCode(ports, by(process, 1));
  await confirmCode(ports, { ...by(process, 1), token, code: await world.code(key) });
  expect((await world.bytes(key)).subarray(0, first.length)).toEqual(first);
  expect(await levelsOf(key)).toMatchObject([{ intact: true }, { intact: true }]);

  const session = await startQualified(ports, { ...by(process, 2), channel: 'App' });
  expect(session.verificationCode).toMatch(/^\d{4}$/);
  const poll = { ...by(process, 2), token: session.token };
  expect(await pollQualified(ports, poll)).toMatchObject({ state: 'waiting' });
  world.pass(2_000);
  expect(await pollQualified(ports, poll)).toMatchObject({ state: 'signed' });
  expect(await pollQualified(ports, poll)).toMatchObject({ state: 'signed' });
  const before = await world.read(key);
  expect(before).toMatchObject({ phase: 'Finalizing', documentRev: 3 });
  expect(before.signees.map(({ proof }) => proof?.method)).toEqual(['click', 'code', 'simulator']);
  expect(before.signees[0]?.proof?.shownSha256).toBe(viewed.sha256);
  expect(before.signees[0]?.proof?.signedSha256).toBe(viewed.sha256);
  expect(before.signees[2]?.proof?.certificate).toContain('serialNumber=PNOIS-6000101994');

  await finalize(key);
  const done = await world.read(key);
  expect(done).toMatchObject({ status: 'Completed', finalization: { level: 'B-LTA' } });
  const levels = await levelsOf(key);
  expect(levels).toMatchObject(
    Array.from({ length: 4 }, () => ({ level: 'B-LTA', indication: 'TOTAL-PASSED' })),
  );
  expect(levels[2]?.subject).toContain('CN=Ödön Kőrösi');
  expect(
    done.attachments.map(({ type, fileName, audience }) => [type, fileName, audience]),
  ).toEqual([
    ['EvidencePage', expect.stringMatching(/-evidence\.pdf$/), 'company'],
    ['Unspecified', expect.stringMatching(/-evidence\.json$/), 'company'],
    ['EvidencePage', expect.stringMatching(/-evidence-masked\.pdf$/), 'signees'],
    ['Unspecified', expect.stringMatching(/-evidence-masked\.json$/), 'signees'],
  ]);
});

async function finalize(key: ProcessKey): Promise<void> {
  const { store } = world.ports;
  const nowMs = world.ports.now();
  const claim = { owner: 'w1', kinds: ['finalize'], nowMs, leaseMs: 60_000, limit: 9 } as const;
  const jobs = await store.claimJobs(claim);
  const job = jobs.find(({ ref }) => ref === key);
  if (job === undefined) throw new Error('no job');
  await finalizeProcess(job, world.ports);
}
