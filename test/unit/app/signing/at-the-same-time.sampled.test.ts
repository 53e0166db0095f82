import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../src/app/service/index.ts';
import { type SigningPorts, signByClick } from '../../../../src/app/signing/index.ts';
import { costlyTest } from '../../../support/sample.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

/** Ports of another program on the same store, which share nothing in memory. */
function otherProgram(): SigningPorts {
  const { ports } = world;
  const { store } = ports;
  return {
    ...ports,
    store: {
      read: (work) => store.read(work),
      write: (work) => store.write(work),
      writeRelaxed: (work) => store.writeRelaxed(work),
      writeInBackground: (work) => store.writeInBackground(work),
      claimJobs: (claim) => store.claimJobs(claim),
      checkpoint: () => store.checkpoint(),
      health: () => store.health(),
      requireInPlace: () => store.requireInPlace(),
      close: () => store.close(),
    },
  };
}

const people = (count: number) => Array.from({ length: count }, (_, index) => person(index + 1));

describe('concurrent signing', () => {
  costlyTest('twelve signees in one program all sign', async () => {
    const process = await world.open(people(12));
    await Promise.all(people(12).map((_, index) => signByClick(world.ports, by(process, index))));
    expect(await world.read(process.key)).toMatchObject({ documentRev: 12, phase: 'Finalizing' });
    const { signatures } = await world.verify(process.key);
    expect(signatures.every(({ indication }) => indication === 'TOTAL-PASSED')).toBe(true);
    expect(signatures).toHaveLength(12);
  });

  test('four programs sign at the same time: later signatures include the earlier ones', async () => {
    const process = await world.open(people(4));
    const answers = people(4).map((_, index) => signByClick(otherProgram(), by(process, index)));
    await Promise.all(answers);
    const { signatures } = await world.verify(process.key);
    expect(signatures.map(({ indication }) => indication)).toEqual(Array(4).fill('TOTAL-PASSED'));
  });

  test('a signature covers what the signee was shown plus later signatures, and nothing else', async () => {
    const process = await world.open(people(3));
    const shownSha256 = process.document?.sha256 ?? '';
    const other = 'ab'.repeat(32);
    await expect(
      signByClick(world.ports, { ...by(process), shownSha256: other }),
    ).rejects.toMatchObject({ code: 'process.conflict' });
    expect((await world.read(process.key)).documentRev).toBe(0);
    for (const index of [0, 1, 2]) {
      await signByClick(world.ports, { ...by(process, index), shownSha256 });
    }
    const signed = await world.read(process.key);
    const digests = signed.signees.map(({ proof }) => proof?.signedSha256);
    expect(digests[0]).toBe(shownSha256);
    expect(new Set(digests).size).toBe(3);
  });

  test('one signee signing in four programs gives one signature', async () => {
    const process = await world.open(people(2));
    const answers = Array.from({ length: 4 }, () => signByClick(otherProgram(), by(process)));
    const settled = await Promise.allSettled(answers);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of settled) {
      if (each.status === 'fulfilled') continue;
      expect(each.reason.code).toBe('signing.forbidden.signee.signed');
    }
    expect((await world.read(process.key)).documentRev).toBe(1);
  });

  test.each(['cancel', 'block'] as const)(
    'if a signature and a %s arrive at the same time, one of them wins',
    async (type) => {
      const process = await world.open(people(2));
      const [signed, ended] = await Promise.allSettled([
        signByClick(otherProgram(), by(process)),
        runCommand(world.ports, process.key, { type, by: 'owner@example.is', reason: 'x' }),
      ]);
      const now = await world.read(process.key);
      expect(ended.status).toBe('fulfilled');
      expect(now.documentRev).toBe(signed.status === 'fulfilled' ? 1 : 0);
      if (signed.status === 'rejected') {
        expect(signed.reason.code).toBe(
          `signing.forbidden.${type === 'cancel' ? 'canceled' : 'blocked'}`,
        );
      }
    },
  );

  costlyTest('a signee overtaken by all others signs last', async () => {
    const process = await world.open(people(7));
    let rounds = 0;
    const ports: SigningPorts = {
      ...otherProgram(),
      async openSealing(level) {
        rounds += 1;
        if (rounds < 7) await signByClick(world.ports, by(process, rounds));
        return world.ports.openSealing(level);
      },
    };
    await signByClick(ports, by(process));
    expect(rounds).toBe(7);
    expect(await world.read(process.key)).toMatchObject({ documentRev: 7, phase: 'Finalizing' });
  });
});
