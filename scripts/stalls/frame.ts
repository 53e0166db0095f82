import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MemoryWatch, watchMemory } from './memory.ts';
import { openSites, type Site, type SiteOptions, type Sites } from './site.ts';
import { type Seen, startWatch, type Watch } from './watch.ts';

/** One attack of the list. */
export interface Letter {
  readonly letter: string;
  readonly what: string;
  /** Additional options of `serve`. */
  readonly serve?: readonly string[];
  /**
   * A client without credentials, at a different address, sends requests meanwhile and must be
   * answered as well.
   */
  readonly hasStranger?: boolean;
  /** Creates what the attack needs, before the measurement. */
  prepare?(site: Site): Promise<void>;
  /**
   * Attacks until `until` is aborted; returns the distinct responses. A response starting with
   * `missed ` is a missed goal of the attack's own.
   */
  attack(site: Site, until: AbortSignal): Promise<Iterable<string>>;
}

/** Options of running the letters. */
export interface RunOptions extends SiteOptions {
  /** Duration of an attack, and of the run without one before it. */
  readonly attackMs: number;
  readonly quietMs: number;
  /**
   * Factor by which a time may exceed its goal: a busy machine is slow, but a stall is far longer.
   */
  readonly patience: number;
  /** Base64 of the neighbour's document. */
  readonly pdf: string;
}

/** Limits that must hold during an attack. */
export const goals = {
  healthzP99Ms: 100,
  healthzWorstMs: 500,
  neighbourP99Ms: 250,
  strangerP99Ms: 250,
  residentBytes: 600 * 2 ** 20,
} as const;

/**
 * A machine that does other work is slow even without an attack: a goal is missed only if the time
 * also exceeds this multiple of that without the attack, and of the delay of the watcher itself.
 */
const RATIO = 4;

interface Measured extends Seen {
  readonly peakBytes: number;
}

/**
 * Runs each letter on a separate service and prints the table; returns the number that missed a
 * goal.
 */
export async function runLetters(
  letters: readonly Letter[],
  options: RunOptions,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const { engine, workers } = options;
  console.log(`\n${engine}, --workers ${workers}; load ${load()} at the start\n`);
  console.log(
    '| letter | healthz p99, worst | without | neighbour refusals, p99 | without | peak RSS | |',
  );
  console.log('|---|---|---|---|---|---|---|');
  let failed = 0;
  const sites = await openSites(options);
  try {
    for (const letter of letters) failed += (await runLetter(sites, letter, options)) ? 0 : 1;
  } finally {
    await sites.close();
  }
  console.log(`\nload ${load()} at the end`);
  return { passed: letters.length - failed, failed };
}

async function runLetter(sites: Sites, letter: Letter, options: RunOptions): Promise<boolean> {
  const site = await sites.open(letter.serve);
  const hasStranger = letter.hasStranger === true && options.engine !== 'bare';
  const { url, neighbour: tenant } = site;
  const watch = startWatch({ url, tenant, pdf: options.pdf, hasStranger });
  const memory = watchMemory(site.pid);
  try {
    await letter.prepare?.(site);
    // Compilation at first use is not part of either run.
    await sleep(2000);
    await watch.take();
    await sleep(options.quietMs);
    const quiet = await measured(watch, memory);
    const over = AbortSignal.timeout(options.attackMs);
    const answers = await letter.attack(site, over).catch((error: unknown) => [String(error)]);
    const seen = await measured(watch, memory);
    return report(letter, { quiet, seen }, [...new Set(answers)], options.patience);
  } finally {
    memory.stop();
    await watch.stop();
    await site.close();
  }
}

async function measured(watch: Watch, memory: MemoryWatch): Promise<Measured> {
  return { ...(await watch.take()), peakBytes: memory.takePeak() };
}

function report(
  { letter, what }: Letter,
  { quiet, seen }: { readonly quiet: Measured; readonly seen: Measured },
  answers: readonly string[],
  patience: number,
): boolean {
  // A delay of the watcher, caused by the machine, delayed the service as well.
  const noiseMs = RATIO * seen.ownDelayMs;
  const isMissed = (name: string, foundMs: number, quietMs: number, goalMs: number) =>
    foundMs > Math.max(patience * goalMs, RATIO * quietMs, noiseMs) ? name : '';
  const missed = [
    isMissed('healthz p99', seen.healthz.p99Ms, quiet.healthz.p99Ms, goals.healthzP99Ms),
    isMissed('healthz worst', seen.healthz.worstMs, quiet.healthz.worstMs, goals.healthzWorstMs),
    isMissed('neighbour p99', seen.neighbour.p99Ms, quiet.neighbour.p99Ms, goals.neighbourP99Ms),
    seen.peakBytes > goals.residentBytes ? 'memory' : '',
    isMissed('stranger p99', seen.stranger.p99Ms, quiet.stranger.p99Ms, goals.strangerP99Ms),
    parties.some((each) => count(seen[each].refused) > 0) ? 'refusals' : '',
    ...answers.filter((each) => each.startsWith('missed ')).map((each) => each.slice(7)),
  ].filter((each) => each !== '');
  const verdict = missed.length === 0 ? 'ok' : `missed: ${missed.join(', ')}`;
  const { healthz, neighbour, stranger } = seen;
  console.log(
    `| ${letter} | ${ms(healthz.p99Ms)}, ${ms(healthz.worstMs)} | ${ms(quiet.healthz.p99Ms)}, ` +
      `${ms(quiet.healthz.worstMs)} | ${count(neighbour.refused)} of ${neighbour.count}, ` +
      `${ms(neighbour.p99Ms)} | ${ms(quiet.neighbour.p99Ms)} | ` +
      `${Math.round(seen.peakBytes / 2 ** 20)} MiB | ${verdict} |`,
  );
  const refused = parties.flatMap((each) => Object.entries(seen[each].refused));
  const notes = [
    what,
    `the attack met: ${answers.join('; ')}`,
    ...(stranger.count > 0 ? [`a stranger: ${ms(stranger.p99Ms)}, ${ms(stranger.worstMs)}`] : []),
    ...refused.map(([why, n]) => `${n} × ${why}`),
  ];
  console.error(`     ${letter}: ${notes.join(' · ')} (watcher held up ${ms(seen.ownDelayMs)})`);
  return missed.length === 0;
}

const parties = ['healthz', 'neighbour', 'stranger'] as const;

function count(refused: Readonly<Record<string, number>>): number {
  return Object.values(refused).reduce((sum, each) => sum + each, 0);
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

function load(): string {
  return loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');
}

/** Calls `wave` repeatedly until `until` is aborted, and collects its responses. */
export async function inWaves(
  until: AbortSignal,
  wave: (number: number) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string>> {
  const answers = new Set<string>();
  for (let number = 1; !until.aborted; number++) {
    for (const each of await wave(number)) answers.add(each);
  }
  return answers;
}
