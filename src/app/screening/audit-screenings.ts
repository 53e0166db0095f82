import { InnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import {
  type ScreeningRecord,
  screeningChainStart,
  screeningHash,
} from '../../domain/screening/index.ts';
import type { ChainedRow } from '../ports/index.ts';
import { type ListPorts, openSearched } from './lists/index.ts';
import { searchPerson } from './record-screening.ts';

/** Filter of a list of screenings. */
export interface ScreeningQuery {
  /** Only screenings following this sequence number. Default: 0. */
  readonly afterSeq?: number;
  /** Maximum number, 1 to 1,000. Default: 100. */
  readonly take?: number;
}

/** Result of verifying a chain of screenings. */
export interface ScreeningChain {
  readonly intact: boolean;
  readonly screenings: number;
  /** Hash of the newest row. A copy elsewhere reveals whether rows were removed from the end. */
  readonly head: string;
  /** Sequence number of the first row that was altered. */
  readonly brokenAt?: number;
}

/** Result of repeating a screening. */
export interface Replay {
  readonly screening: ScreeningRecord;
  /** Whether the matches are identical, byte by byte. */
  readonly isSame: boolean;
  /** False if the version of the matching engine differs, whose rates may differ. */
  readonly isSameEngine: boolean;
  readonly matches: ScreeningRecord['matches'];
}

const PAGE = 500;

/** Lists the screenings of a company in chain order. */
export async function listScreenings(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  { afterSeq = 0, take = 100 }: ScreeningQuery = {},
): Promise<readonly ScreeningRecord[]> {
  const most = Math.min(Math.max(1, Math.floor(take)), 1000);
  const rows = await store.read((unit) => unit.screenings.list(companyKey, afterSeq, most));
  return rows.map(({ record }) => record);
}

/** Reads every row of a company and verifies that each follows the preceding one. */
export async function verifyScreenings(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
): Promise<ScreeningChain> {
  let head = screeningChainStart;
  let count = 0;
  for (;;) {
    const page = await store.read((unit) => unit.screenings.chain(companyKey, count, PAGE));
    for (const row of page) {
      if (!follows(row, count, head, companyKey)) {
        return { intact: false, screenings: count, head, brokenAt: count + 1 };
      }
      head = row.hash;
      count += 1;
    }
    if (page.length < PAGE) return { intact: true, screenings: count, head };
  }
}

function follows(
  { row, hash }: ChainedRow,
  count: number,
  head: string,
  companyKey: CompanyKey,
): boolean {
  if (row === undefined) return false;
  const { record, text } = row;
  const isNext = record.seq === count + 1 && record.companyKey === companyKey;
  return isNext && hash === screeningHash(head, text);
}

/**
 * Repeats a screening against the versions of the lists that it searched.
 *
 * @throws screening.not_found
 * @throws screening.list.not_found if one of them is no longer stored
 */
export async function replayScreening(
  ports: ListPorts,
  companyKey: CompanyKey,
  id: string,
): Promise<Replay> {
  const screening = await requireScreening(ports, companyKey, id);
  const { query, matchRate, cause, flowKey, customerId } = screening;
  const lists = await openSearched(ports, companyKey, screening.lists);
  const origin = { ...(flowKey && { flowKey }), ...(customerId && { customerId }) };
  const { found } = searchPerson({ query, matchRate, cause, ...origin }, lists);
  const { matches } = found;
  const isSame = JSON.stringify(matches) === JSON.stringify(screening.matches);
  const isSameEngine = found.engineVersion === screening.engineVersion;
  return { screening, isSame, isSameEngine, matches };
}

/** Returns a screening by its ID or sequence number. @throws screening.not_found */
export async function requireScreening(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  id: string,
): Promise<ScreeningRecord> {
  const found = await store.read(async ({ screenings }) => {
    if (!/^[1-9]\d{0,14}$/.test(id)) return screenings.find(companyKey, id);
    return (await screenings.list(companyKey, Number(id) - 1, 1))[0];
  });
  if (found !== undefined) return found.record;
  throw new InnsigliError('screening.not_found', `there is no screening ${id.slice(0, 60)}`, {
    hint: 'list screenings with innsigli screen audit list',
  });
}
