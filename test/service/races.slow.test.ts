import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigneeRequest } from '../../src/app/process/index.ts';
import { sharedPostgres, whyNot } from '../support/engines.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';
import type { RacerTask } from './racer.ts';
import { openRaceTrack, type Racer, type RaceTrack, race } from './racers.ts';

const RACERS = 8;
/** Rounds of a duel: in each one the other command starts later. */
const ROUNDS = 12;
const DAY = 86_400_000;
const clicker = (at: number): SigneeRequest => ({
  name: `Signee ${at}`,
  email: `signee${at}@example.test`,
  signatureType: 'ClickToSign',
});

const engines = ['sqlite', 'postgresql'] as const;

for (const engine of engines) {
  const why = whyNot(engine);
  describe.skipIf(why !== '')(`${RACERS} concurrent programs, ${engine}${why}`, () => {
    let it: TestService;
    let track: RaceTrack;
    let racers: readonly Racer[] = [];
    let env: Record<string, string> = {};

    beforeAll(async () => {
      track = await openRaceTrack();
      if (engine === 'postgresql') {
        env = { INNSIGLI_DATABASE: await sharedPostgres().newDatabase() };
      }
      it = await openTestService(env);
      const home = { HOME: it.folder, INNSIGLI_HOME: `${it.folder}/data` };
      racers = await track.start(RACERS, { ...home, ...env });
    }, 120_000);
    afterAll(async () => {
      track?.remove();
      await it?.close();
    });

    const create = (count: number) =>
      it.toolkit.processes.create({
        flowKey: it.flowKey,
        pdf: agreement,
        fileName: 'agreement.pdf',
        signees: Array.from({ length: count }, (_, at) => clicker(at)),
      });
    const task = (
      act: RacerTask['act'],
      { key, signees }: Awaited<ReturnType<typeof create>>,
      signee = 0,
      offsetMs = 0,
      delayMs = 0,
    ): RacerTask => ({
      act,
      offsetMs,
      delayMs,
      processKey: key,
      signeeKey: signees[signee]?.key ?? '',
    });
    const rows = async (key: string) => {
      const [log] = await it.toolkit.activity.list({
        fromMs: 0,
        toMs: it.nowMs() + DAY,
        take: 1,
        skip: 0,
        processKey: key as never,
      });
      return log?.activityLog.map(({ status }) => status) ?? [];
    };

    test('one signee signs eight times: one signature', async () => {
      const process = await create(1);
      const outcomes = await race(
        racers,
        Array.from({ length: RACERS }, () => task('click', process)),
      );
      expect(outcomes.filter(({ ok }) => ok).length).toBe(1);
      const losers = outcomes.filter(({ ok }) => !ok).map(({ code }) => code);
      expect(new Set(losers)).toEqual(new Set(['signing.forbidden.signee.signed']));
      expect((await rows(process.key)).filter((row) => row === 'SigneeSigned').length).toBe(1);
    }, 120_000);

    test('eight signees sign: eight signatures, and one of them is the last', async () => {
      const process = await create(RACERS);
      const tasks = process.signees.map((_, at) => task('click', process, at));
      const outcomes = await race(racers, tasks);
      expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
      const after = await it.toolkit.processes.show({ key: process.key });
      expect(after).toMatchObject({ phase: 'Finalizing', documentRev: RACERS });
      const log = await rows(process.key);
      expect(log.filter((row) => row === 'SigneeSigned').length).toBe(RACERS);
      await it.toolkit.runDueJobs();
      const pdf = await it.toolkit.processes.document(process.key);
      expect(Buffer.compare(pdf.subarray(0, agreement.length), agreement)).toBe(0);
      expect((await it.toolkit.processes.show({ key: process.key })).status).toBe('Completed');
    }, 180_000);

    const duels = [
      ['cancel', 'Canceled', 'signing.forbidden.canceled'],
      ['block', 'Blocked', 'signing.forbidden.blocked'],
      ['expire', 'Expired', 'signing.forbidden.expired'],
    ] as const;
    test.each(duels)(
      'signing against %s: one wins',
      async (act, status, code) => {
        const wins = { sign: 0, other: 0 };
        for (let round = 0; round < ROUNDS; round += 1) {
          const process = await create(1);
          const offsetMs = act === 'expire' ? 31 * DAY : 0;
          const others = Array.from({ length: RACERS / 2 }, () =>
            task(act, process, 0, offsetMs, round * 25),
          );
          const signs = Array.from({ length: RACERS / 2 }, () => task('click', process));
          const outcomes = await race(racers, [...signs, ...others]);
          const signed = outcomes.slice(0, signs.length);
          const after = await it.toolkit.processes.show({ key: process.key });
          const isSigned = after.phase === 'Finalizing' || after.status === 'Completed';
          expect(signed.filter(({ ok }) => ok).length).toBe(isSigned ? 1 : 0);
          wins[isSigned ? 'sign' : 'other'] += 1;
          if (!isSigned) {
            expect(after.status).toBe(status);
            expect(new Set(signed.map((each) => each.code))).toEqual(new Set([code]));
          } else if (act !== 'expire') {
            const refused = outcomes.slice(signs.length).map((each) => each.code);
            expect(new Set(refused)).toEqual(new Set(['error.signee.process.finished']));
          }
          const log = await rows(process.key);
          const ends = log.filter((row) => row === 'SigneeSigned' || row === status);
          expect(ends.length).toBe(1);
        }
        console.info(`${engine}: sign against ${act}: ${wins.sign} to ${wins.other}`);
      },
      240_000,
    );

    test('the log of all races verifies', async () => {
      expect(await it.toolkit.activity.verify()).toMatchObject({ isIntact: true });
    });
  });
}
