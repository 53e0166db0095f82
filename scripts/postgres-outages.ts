/**
 * Interrupts PostgreSQL under load, and compares the responses that clients received with the
 * database. See CONTRIBUTING.md.
 *
 *     node scripts/run-ts.mjs scripts/postgres-outages.ts [--short]
 *
 * Needs the built program, and initdb and postgres on the path; without them it reports so and skips.
 * Ends with `outages: N passed, N failed, N skipped`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresMissing, type ServerControl } from '../test/support/postgres.ts';
import { compare, countBy, drain } from './postgres-outages/compare.ts';
import { startLoad, type Told } from './postgres-outages/load.ts';
import { openSite, type Site } from './postgres-outages/site.ts';

const isShort = process.argv.includes('--short');
/** The service must be back within this time after the database. */
const BACK_MS = 2000;
/**
 * No request may take longer: a statement of 15 s with its margin, and a commit that is waited for.
 */
const LONGEST_MS = 50_000;

interface Fault {
  readonly name: string;
  /** Resolves when the database responds again. */
  happen(control: ServerControl): Promise<void>;
}

const restart = (how: 'fast' | 'immediate'): Fault => ({
  name: `restart, ${how}`,
  async happen(control) {
    await control.down(how);
    await control.up();
  },
});
const stopped = (seconds: number): Fault => ({
  name: `stopped for ${seconds} s`,
  async happen(control) {
    await control.down('fast');
    await sleep(seconds * 1000);
    await control.up();
  },
});
const frozen = (seconds: number): Fault => ({
  name: `frozen for ${seconds} s`,
  async happen(control) {
    control.freeze();
    await sleep(seconds * 1000);
    control.thaw();
  },
});
/** Outages are shorter here, so an unresponsive server must be detected sooner. */
const settings: Readonly<Record<string, string>> = isShort
  ? { INNSIGLI_DATABASE_QUERY_TIMEOUT: '3s' }
  : {};
const faults: readonly Fault[] = isShort
  ? [restart('fast'), restart('immediate'), stopped(3), frozen(6)]
  : [
      ...[1, 2, 3].map(() => restart('fast')),
      ...[1, 2, 3].map(() => restart('immediate')),
      stopped(20),
      frozen(20),
    ];

let [passed, failed] = [0, 0];
function judge(what: string, isWell: boolean): void {
  if (isWell) passed += 1;
  else failed += 1;
  console.log(`${isWell ? 'ok  ' : 'FAIL'} ${what}`);
}

async function main(): Promise<void> {
  if (postgresMissing !== undefined || process.env['INNSIGLI_TEST_PG_DSN'] !== undefined) {
    const why = postgresMissing ?? 'an external server is never stopped';
    console.log(`outages: 0 passed, 0 failed, 1 skipped (${why})`);
    return;
  }
  await withSite(40, async (site) => {
    const told: Told[] = [];
    for (const fault of faults) told.push(await tryFault(site, fault));
    await judgeRows(site, told);
  });
  await withSite(10, async (site) => {
    const load = startLoad(site, 32, 'few');
    await sleep(isShort ? 5000 : 20_000);
    await load.stop();
    report('32 clients, 10 connections', load.told, 0);
    await judgeRows(site, [load.told]);
  });
  console.log(`outages: ${passed} passed, ${failed} failed, 0 skipped`);
  if (failed > 0) process.exitCode = 1;
}

async function withSite(connections: number, work: (site: Site) => Promise<void>): Promise<void> {
  const site = await openSite(connections, settings);
  try {
    // Both processes of the service are working.
    const first = startLoad(site, 1, 'first');
    await sleep(500);
    await first.stop();
    await drain(site);
    await work(site);
    judge(`no process of the service ended ${site.deaths.join('; ')}`, site.deaths.length === 0);
  } finally {
    await site.close();
  }
}

let number = 0;
async function tryFault(site: Site, fault: Fault): Promise<Told> {
  number += 1;
  const load = startLoad(site, 8, `f${number}`);
  await sleep(2000);
  const ready = watchReadiness(site);
  const began = performance.now();
  await fault.happen(site.control);
  const upAt = performance.now();
  await sleep(4000);
  await load.stop();
  const slowest = await ready.stop();
  const { answers } = load.told;
  const back = answers.find(({ atMs, what }) => atMs > upAt && what === '200');
  const longest = Math.max(...answers.filter(({ atMs }) => atMs > began).map((a) => a.tookMs));
  const backMs = (back?.atMs ?? Number.POSITIVE_INFINITY) - upAt;
  report(fault.name, load.told, began);
  judge(`${fault.name}: back ${Math.round(backMs)} ms after the database`, backMs <= BACK_MS);
  judge(`${fault.name}: longest request ${Math.round(longest)} ms`, longest <= LONGEST_MS);
  judge(`${fault.name}: slowest /readyz ${Math.round(slowest)} ms`, slowest <= 2500);
  return load.told;
}

function report(name: string, { answers }: Told, since: number): void {
  const counts = countBy(answers.filter(({ atMs }) => atMs > since).map(({ what }) => what));
  const text = [...counts].map(([what, n]) => `${n} × ${what}`).join(', ');
  console.log(`     ${name}: ${text}`);
}

/** Polls /readyz continuously; `stop` returns the longest response time. */
function watchReadiness({ url }: Site) {
  let isOver = false;
  let slowest = 0;
  const watching = (async () => {
    while (!isOver) {
      const beganAt = performance.now();
      await fetch(`${url}/readyz`).catch(() => undefined);
      slowest = Math.max(slowest, performance.now() - beganAt);
      await sleep(200);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return slowest;
    },
  };
}

async function judgeRows(site: Site, told: readonly Told[]): Promise<void> {
  const seconds = await drain(site);
  console.log(`     everything was sealed and sent ${seconds.toFixed(1)} s after the last request`);
  const { lines, faults: count } = await compare(site, told);
  for (const line of lines) console.log(`     ${line}`);
  judge('nothing acknowledged is lost, nothing is duplicated', count === 0);
}

await main();
