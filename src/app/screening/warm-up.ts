import type { CompanyKey } from '../../domain/keys.ts';
import { type ListPorts, type OpenedLists, openCurrent } from './lists/index.ts';
import { decisionsOn, searchPersonBeside } from './record-screening.ts';

/** Options of {@link warmUpScreening}. */
export interface WarmUpOptions {
  /** Told of a company whose lists cannot be opened or searched; the next one follows. */
  failed(companyKey: CompanyKey, error: unknown): void;
  /** Ends it after what is under way. */
  readonly stop: AbortSignal;
}

/** Companies whose lists are opened at most, each set of lists once. */
const COMPANIES_MAX = 4;
/** Names that are searched at most, and the time for those of one set of lists. */
const NAMES_MAX = 1000;
const FOR_MS = 1000;
const RATE = 75;

/**
 * Opens the lists that were imported last, and searches made-up names of their words in a thread,
 * so that screenings soon after a start need not wait for the lists. Nothing is recorded.
 * Without threads for searches nothing is done.
 *
 * @returns how many names were searched
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
      count += await searchMadeUpNames(ports, companyKey, lists, stop);
    } catch (error) {
      if (!stop.aborted) failed(companyKey, error);
    }
  }
  return count;
}

async function searchMadeUpNames(
  ports: ListPorts,
  companyKey: CompanyKey,
  lists: OpenedLists,
  stop: AbortSignal,
): Promise<number> {
  const untilMs = ports.now() + FOR_MS;
  let count = 0;
  for (const originalName of madeUpNames(lists)) {
    if (stop.aborted || ports.now() >= untilMs) break;
    const question = { query: { originalName }, matchRate: RATE, cause: 'request' } as const;
    const { found } = await searchPersonBeside(question, lists);
    await ports.store.read((unit) => decisionsOn(unit, companyKey, found));
    count += 1;
  }
  return count;
}

/** First names of persons from all over the lists, each with the last name of another. */
function* madeUpNames({ index, person }: OpenedLists): Iterable<string> {
  const { personCount } = index;
  const count = Math.min(personCount, NAMES_MAX);
  const step = personCount / count;
  for (let number = 0; number < count; number++) {
    const { firstName } = person(Math.floor(number * step)).person;
    const { lastName } = person(personCount - 1 - Math.floor(number * step)).person;
    yield `${firstName} ${lastName}`;
  }
}
