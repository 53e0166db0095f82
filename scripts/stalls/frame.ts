import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MemoryWatch, watchMemory } from './memory.ts';
import { openSites, type Site, type SiteOptions, type Sites } from './site.ts';
import { type Seen, startWatch, type Watch } from './watch.ts';

/** One attack of the list. */
export interface Letter {
  readonly letter: string;
  readonly what: string;
  /** Further options of `serve`. */
  readonly serve?: readonly string[];
  /** Somebody without credentials at another address asks meanwhile, and must be answered too. */
  readonly hasStranger?: boolean;
  /** Makes what the attack needs, before anything is measured. */
  prepare?(site: Site): Promise<void>;
  /**
   * Attacks until `until` is aborted; gives what it was answered, each once. An answer that begins
   * with `missed ` is a goal of its own that was missed.
   */
  attack(site: Site, until: AbortSignal): Promise<Iterable<string>>;
}

/** How the letters are run. */
export interface RunOptions extends SiteOptions {
  /** Time of an attack, and of the run without one before it. */
  readonly attackMs: number;
  readonly quietMs: number;
  /** How many times its goal a time may be: a busy machine is slow, and a stall is far beyond. */
  readonly patience: number;
  /** Base64 of the document of the neighbour. */
  readonly pdf: string;
}

/** What must hold while an attack runs. */
export const goals = {
  healthzP99Ms: 100,
  healthzWorstMs: 500,
  neighbourP99Ms: 250,
  strangerP99Ms: 250,
  residentBytes: 600 * 2 ** 20,
} as const;

/**
 * A machine that does other work is slow without an attack too: a goal is missed when a time is
 * also more than so many times that of the run without the attack, and what the machine kept the
 * watcher itself waiting.
 */
const RATIO = 4;

interface Measured extends Seen {
  readonly peakBytes: number;
}

/** Runs each letter on a service of its own, and prints the table: how many missed a goal. */
export async function runLetters(
  letters: readonly Letter[],
  options: RunOptions,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const { engine, workers } = options;
  console.log(`\n${engine}, --workers ${workers}; load ${load()} at the beginning\n`);
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
    // What is compiled at first use is no part of either run.
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
  // What kept the watcher waiting, on the machine, kept the service waiting too.
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

/** Calls `wave` again and again until `until` is aborted, and collects what it answers. */
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
