import type { CompanyKey } from '../../domain/keys.ts';
import { type ListPorts, type OpenedLists, openCurrent } from './lists/index.ts';
import { decisionsOn, searchPersonInThread } from './record-screening.ts';

/** Options of {@link warmUpScreening}. */
export interface WarmUpOptions {
  /** Called for a company whose lists cannot be opened or searched. The next company follows. */
  failed(companyKey: CompanyKey, error: unknown): void;
  /** Stops after the current search. */
  readonly stop: AbortSignal;
}

/** Maximum number of companies whose lists are opened; each set of lists is opened once. */
const COMPANIES_MAX = 4;
/** Maximum number of names searched, and the time limit, per set of lists. */
const NAMES_MAX = 1000;
const FOR_MS = 1000;
const RATE = 75;

/**
 * Opens the most recently imported lists and searches for synthetic names composed from them in a
 * worker thread, so that the first screenings after a start need not wait. Nothing is recorded.
 * Does nothing without worker threads.
 *
 * @returns the number of names searched
 * @throws store.*
 */
export async function warmUpScreening(
  ports: ListPorts,
  { failed, stop }: WarmUpOptions,
): Promise<number> {
  if (ports.searchThreads === undefined) return 0;
  const companies = await ports.store.read(({ watchlists }) => watchlists.companies(COMPANIES_MAX));
  const known = new Set<string>();
  let count = 0;
  for (const companyKey of companies) {
    const stored = await ports.store.read(({ watchlists }) => watchlists.current(companyKey));
    const contents = stored.map(({ contentSha256 }) => contentSha256).join();
    if (stop.aborted) break;
    if (known.has(contents)) continue;
    known.add(contents);
    try {
      const lists = await openCurrent(ports, stored);
      count += await searchSyntheticNames(ports, companyKey, lists, stop);
    } catch (error) {
      if (!stop.aborted) failed(companyKey, error);
    }
  }
  return count;
}

async function searchSyntheticNames(
  ports: ListPorts,
  companyKey: CompanyKey,
  lists: OpenedLists,
  stop: AbortSignal,
): Promise<number> {
  const untilMs = ports.now() + FOR_MS;
  let count = 0;
  for (const originalName of syntheticNames(lists)) {
    if (stop.aborted || ports.now() >= untilMs) break;
    const question = { query: { originalName }, matchRate: RATE, cause: 'request' } as const;
    const { found } = await searchPersonInThread(question, lists);
    await ports.store.read((unit) => decisionsOn(unit, companyKey, found));
    count += 1;
  }
  return count;
}

/** First names of persons spread over the lists, each with the last name of a different one. */
function* syntheticNames({ index, person }: OpenedLists): Iterable<string> {
  const { personCount } = index;
  const count = Math.min(personCount, NAMES_MAX);
  const step = personCount / count;
  for (let number = 0; number < count; number++) {
    const { firstName } = person(Math.floor(number * step)).person;
    const { lastName } = person(personCount - 1 - Math.floor(number * step)).person;
    yield `${firstName} ${lastName}`;
  }
}
