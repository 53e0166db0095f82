/**
 * Two workers with different clocks serve one PostgreSQL database; one of them is killed, gets another
 * time, or is stopped. Compares what was sent with the rows. See CONTRIBUTING.md.
 *
 *     node scripts/run-ts.mjs scripts/hosts-apart.ts [NAME…] [--count N]
 *
 * Needs the built program, and initdb and postgres on the path; without them it reports so and skips.
 * Ends with `hosts apart: N passed, N failed, N skipped`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresMissing } from '../test/support/postgres.ts';
import { compare, countBy, drain } from './postgres-outages/compare.ts';
import { startLoad } from './postgres-outages/load.ts';
import { type Host, openSite, type Site } from './postgres-outages/site.ts';

interface Trial {
  readonly name: string;
  /** Clocks of the two workers, relative to that of the machine. */
  readonly aheadMs: readonly [number, number];
  /** Runs when half of the work has been created. */
  happen(worker: Host, site: Site): Promise<void>;
  /** Whether mails and webhooks may be sent twice: those in progress when a program was killed. */
  readonly mayRepeat: boolean;
  /** Environment variables of all programs. */
  readonly settings?: Readonly<Record<string, string>>;
}

const MINUTE = 60_000;
const nothing = async () => undefined;
/** Sets a clock, and resets it after a while. */
const step = (ms: number) => async (worker: Host) => {
  worker.setClock(ms);
  await sleep(8000);
  worker.setClock(0);
};
const apart = [0, 10 * MINUTE] as const;
const trials: readonly Trial[] = [
  { name: 'apart', aheadMs: apart, happen: nothing, mayRepeat: false },
  { name: 'behind', aheadMs: [0, -10 * MINUTE], happen: nothing, mayRepeat: false },
  {
    name: 'killed',
    aheadMs: apart,
    happen: async (worker) => {
      worker.signal('SIGKILL');
      await sleep(5000);
      worker.again();
    },
    mayRepeat: true,
  },
  { name: 'hour', aheadMs: [0, 0], happen: step(60 * MINUTE), mayRepeat: false },
  { name: 'hour-back', aheadMs: [0, 0], happen: step(-60 * MINUTE), mayRepeat: false },
  // Less than the clock watch detects.
  { name: 'seconds', aheadMs: [0, 0], happen: step(90_000), mayRepeat: false },
  {
    name: 'paused',
    aheadMs: [0, 0],
    happen: async (worker) => {
      worker.signal('SIGSTOP');
      await sleep(75_000);
      worker.signal('SIGCONT');
    },
    mayRepeat: true,
  },
  {
    name: 'restart',
    aheadMs: apart,
    happen: async (_, { control }) => {
      await control.down('immediate');
      await control.up();
    },
    mayRepeat: false,
  },
  {
    name: 'one-connection',
    aheadMs: apart,
    happen: nothing,
    mayRepeat: false,
    settings: { INNSIGLI_DATABASE_CONNECTIONS: '1', INNSIGLI_DATABASE_QUERY_TIMEOUT: '2s' },
  },
];

const words = process.argv.slice(2);
const countAt = words.indexOf('--count');
const count = countAt < 0 ? 200 : Number(words.splice(countAt, 2)[1]);
const wanted = words.length === 0 ? trials : trials.filter(({ name }) => words.includes(name));
let [passed, failed] = [0, 0];

async function run({ name, aheadMs, happen, mayRepeat, settings }: Trial): Promise<void> {
  const site = await openSite(60, settings, { roles: ['api', 'worker', 'worker'], slowMs: 600 });
  try {
    const [, first, second] = site.hosts as readonly [Host, Host, Host];
    first.setClock(aheadMs[0]);
    second.setClock(aheadMs[1]);
    // The workers have their clocks from the start.
    for (const worker of [first, second]) worker.signal('SIGKILL');
    await sleep(500);
    for (const worker of [first, second]) worker.again();
    const load = startLoad(site, 8, name, 2);
    while (load.told.created.size < count / 2) await sleep(100);
    const happened = happen(second, site);
    while (load.told.created.size < count) await sleep(100);
    await load.stop();
    await happened;
    const drained = await drain(site);
    const { lines, faults } = await compare(site, [load.told]);
    const repeats =
      timesTwice(
        countBy(site.smtp.mails.map(({ raw }) => /^Message-ID: *(.*)$/im.exec(raw)?.[1])),
      ) + timesTwice(site.events);
    console.log(`${name}: drained in ${drained.toFixed(0)} s`);
    for (const line of lines) console.log(`  ${line}`);
    // A worker has one mail in progress, and at most as many webhooks as there are clients.
    const isWell = repeats === 0 ? faults === 0 : mayRepeat && faults <= repeats && repeats <= 8;
    if (isWell && site.deaths.length === 0) passed += 1;
    else failed += 1;
    console.log(`${isWell ? 'ok  ' : 'FAIL'} ${name}: ${repeats} sent twice ${site.deaths.join()}`);
  } finally {
    await site.close();
  }
}

function timesTwice(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, times) => sum + times - 1, 0);
}

if (postgresMissing === undefined && process.env['INNSIGLI_TEST_PG_DSN'] === undefined) {
  for (const trial of wanted) await run(trial);
  console.log(`hosts apart: ${passed} passed, ${failed} failed, 0 skipped`);
  if (failed > 0) process.exitCode = 1;
} else console.log(`hosts apart: 0 passed, 0 failed, 1 skipped (${postgresMissing ?? 'given'})`);
