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

/** Which screenings to list. */
export interface ScreeningQuery {
  /** Only those behind this number. Default: 0. */
  readonly afterSeq?: number;
  /** At most, 1 to 1,000. Default: 100. */
  readonly take?: number;
}

/** The verdict on a chain of screenings. */
export interface ScreeningChain {
  readonly intact: boolean;
  readonly screenings: number;
  /** Hash of the newest row: who keeps it elsewhere notices that rows were cut off. */
  readonly head: string;
  /** Number of the first row that is not as it was written. */
  readonly brokenAt?: number;
}

/** What a screening finds when it is done again. */
export interface Replay {
  readonly screening: ScreeningRecord;
  /** True when the same matches come out, byte by byte. */
  readonly isSame: boolean;
  /** False: another version of the matching, whose rates may be others. */
  readonly isSameEngine: boolean;
  readonly matches: ScreeningRecord['matches'];
}

const PAGE = 500;

/** Screenings of a company in their order. */
export async function listScreenings(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  { afterSeq = 0, take = 100 }: ScreeningQuery = {},
): Promise<readonly ScreeningRecord[]> {
  const most = Math.min(Math.max(1, Math.floor(take)), 1000);
  const rows = await store.read((unit) => unit.screenings.list(companyKey, afterSeq, most));
  return rows.map(({ record }) => record);
}

/** Reads every row of a company, and checks that each follows the one before. */
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
 * Does a screening again, against the versions of the lists that it searched.
 *
 * @throws screening.not_found
 * @throws screening.list.not_found when one of them is kept no longer
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

/** A screening by its id, or its number. @throws screening.not_found */
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
