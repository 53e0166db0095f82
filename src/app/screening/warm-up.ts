import type { CompanyKey } from '../../domain/keys.ts';
import { type ListPorts, openCurrent } from './lists/index.ts';
import { canScreen, type ScreeningRequest } from './screen-persons.ts';
import { warmUpNames } from './warm-up-names.ts';

/** How a warm-up asks, and whom it tells. */
export interface WarmUpOptions {
  /** Screens a person as for a client, and leaves nothing behind. */
  screen(companyKey: CompanyKey, request: ScreeningRequest): Promise<unknown>;
  /** Told of a company whose lists cannot be opened or searched. */
  failed(companyKey: CompanyKey, error: unknown): void;
  /** Ends it after what is under way. */
  readonly stop: AbortSignal;
}

/** Companies whose lists are opened at most, each set of lists once. */
const COMPANIES_MAX = 4;
/** Names that are asked for at most, and the time for those of one set of lists. */
const NAMES_MAX = 1000;
const FOR_MS = 3000;
/** The same of a further set: only its lists are new then. */
const FURTHER_NAMES_MAX = 200;
const RATE = 75;
/** Requests at once: they share commits as those of clients do, and each waits for few others. */
const AT_ONCE = 4;

/**
 * Opens the lists that were imported last, and asks for made-up names of their words, so that
 * screenings soon after a start wait for neither lists nor compilers. Without threads for searches
 * nothing is done. A company whose lists fail is told of, and the next one follows.
 *
 * @returns how many names were asked for
 * @throws store.*
 */
export async function warmUpScreening(ports: ListPorts, options: WarmUpOptions): Promise<number> {
  const { failed, stop } = options;
  if (ports.searchThreads === undefined) return 0;
  const companies = await ports.store.read(({ watchlists }) => watchlists.companies(COMPANIES_MAX));
  const known = new Set<string>();
  let count = 0;
  for (const companyKey of companies) {
    if (stop.aborted) break;
    try {
      count += await warmUpCompany(ports, companyKey, known, options);
    } catch (error) {
      if (!stop.aborted) failed(companyKey, error);
    }
  }
  return count;
}

/** @param known contents of lists that were opened for others; those of the company are added */
async function warmUpCompany(
  ports: ListPorts,
  companyKey: CompanyKey,
  known: Set<string>,
  options: WarmUpOptions,
): Promise<number> {
  const { stored, flows } = await ports.store.read(async ({ watchlists, flows }) => ({
    stored: await watchlists.current(companyKey),
    flows: await flows.list(companyKey),
  }));
  const namesMax = known.size === 0 ? NAMES_MAX : FURTHER_NAMES_MAX;
  const contents = stored.map(({ contentSha256 }) => contentSha256).join();
  if (known.has(contents)) return 0;
  known.add(contents);
  const lists = await openCurrent(ports, stored);
  const flowKey = flows.find(canScreen)?.key;
  // Without such a flow nobody can ask.
  if (flowKey === undefined) return 0;
  const ask = (originalName: string) =>
    options.screen(companyKey, { countryCode: 'IS', flowKey, originalName, matchRate: RATE });
  return askForEach(warmUpNames(lists, namesMax), ask, ports.now, options.stop);
}

async function askForEach(
  names: Generator<string, void>,
  ask: (name: string) => Promise<unknown>,
  now: () => number,
  stop: AbortSignal,
): Promise<number> {
  const untilMs = now() + FOR_MS;
  let count = 0;
  const askInTurn = async () => {
    // Who ends the loop ends it for all.
    for (const name of names) {
      if (stop.aborted || now() >= untilMs) break;
      count += 1;
      await ask(name);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, askInTurn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return count;
}
