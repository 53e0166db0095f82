import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { invalid, refuse } from '../../base/input.ts';
import { isPartialDay, partialDayFault } from '../../base/time/day.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  type DecisionKind,
  hasName,
  type ListedPerson,
  type ListVersion,
  type RecordedMatch,
  type Unread,
  unreadOf,
} from '../../domain/screening/index.ts';
import { useCase } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import {
  type OpenedLists,
  openCurrent,
  openLists,
  type PersonOfList,
  type UpdatePorts,
} from './lists/index.ts';
import {
  appendScreenings,
  decisionsOn,
  type ScreeningQuestion,
  type SearchedPerson,
  searchPerson,
  searchPersonInThread,
} from './record-screening.ts';
import { takeScreening } from './screening-quota.ts';

/** A person to be screened. */
export interface ScreeningRequest {
  /** Two-letter country code. It can support a match, but never counts against one. */
  readonly countryCode?: string | undefined;
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Full name, in place of the separate names if it cannot be split. */
  readonly originalName?: string | undefined;
  /** `YYYY-MM-DD`, or the known part of it: `YYYY-MM`, `YYYY`. */
  readonly dateOfBirth?: string | undefined;
  readonly gender?: 'Male' | 'Female' | undefined;
  /** A flow of type PEP, Compliance or ExternalLookup. Default: the company's only such flow. */
  readonly flowKey?: string | undefined;
  /** Minimum rate of a match, 1 to 100. Default: 75. */
  readonly matchRate?: number | undefined;
}

/** Result of a screening. */
export interface Screening {
  readonly id: string;
  readonly atMs: number;
  readonly matchRate: number;
  /** Matches, the closest first. */
  readonly matches: readonly ScreeningMatch[];
  /** Matches decided to be different persons. */
  readonly cleared: readonly ScreeningMatch[];
  /** Lists that were searched. */
  readonly lists: readonly ListVersion[];
  /** Lists imported or published longer ago than the setting allows. */
  readonly staleLists: readonly ListVersion[];
  /**
   * Parts of the name that were not searched: `names` following the first eight (separated by
   * semicolons), or `words` of a name following the first 16 or the first 300 characters.
   */
  readonly unread: readonly Unread[];
  /** Set if there are more matches than the 100 closest, which are the only ones returned. */
  readonly isCut?: true;
}

/** A listed person who matches closely enough. */
export interface ScreeningMatch extends Omit<RecordedMatch, 'list' | 'key'> {
  /** Position in the screening, starting at 1. Decisions refer to it. */
  readonly place: number;
  readonly person: ListedPerson;
  /** The list that names the person. */
  readonly list: ListVersion;
  /** The decision about the match, which applies until either side changes. */
  readonly decision?: DecisionKind;
}

const defaultMatchRate = 75;

const screeningFlows: readonly string[] = ['PEP', 'Compliance', 'ExternalLookup'];
/** Maximum number of matches returned by one screening. More are recorded. */
const SHOWN_MAX = 100;
const DAY_MS = 86_400_000;

/** Dependencies of {@link screen}. */
export interface ScreeningPorts extends UpdatePorts {
  random(count: number): Uint8Array;
  /** Age in days from which a list is reported as stale. */
  readonly listsMaxAgeDays: number;
  /** Maximum number of screenings per company and minute, counted by each program separately. */
  readonly screeningsPerMinute: number;
}

/**
 * Screens a person against the imported lists, or against the embedded list of fictional persons if
 * there are none.
 *
 * @throws validation.error, screening.date.invalid, screening.flow.invalid
 * @throws screening.quota.exceeded
 */
export const screen = useCase(
  [
    'screening.date.invalid',
    'screening.flow.invalid',
    'screening.quota.exceeded',
    'screening.list.required',
  ],
  async (ports: ScreeningPorts, companyKey, request: ScreeningRequest): Promise<Screening> => {
    checkRequest(request);
    const { flowKey, current } = await ports.store.read(async (unit) => ({
      flowKey: await findFlow(unit, companyKey, request.flowKey),
      current: await unit.watchlists.current(companyKey),
    }));
    takeScreening(ports, companyKey, ports.now());
    const lists = await openCurrent(ports, current);
    const searched = await searchPersonInThread(questionOf({ ...request, flowKey }), lists);
    const [found] = await recordScreenings(ports, companyKey, [searched], lists);
    return found as Screening;
  },
);

/** Number of persons screened in one transaction. */
const BATCH = 100;

/** Result for one of several persons. */
export type BatchScreening = Screening | { readonly fault: string };

/**
 * Screens many persons like {@link screen}, without the quota of requests. An invalid request
 * yields a `fault` at its position; the rest are screened.
 */
export async function screenAll(
  ports: ScreeningPorts,
  companyKey: CompanyKey,
  requests: readonly ScreeningRequest[],
): Promise<readonly BatchScreening[]> {
  const lists = await openLists(ports, companyKey);
  const results: BatchScreening[] = [];
  const flows = new Map<string | undefined, string>();
  for (const { flowKey } of requests) {
    if (flows.has(flowKey)) continue;
    const found = await ports.store.read((unit) => findFlow(unit, companyKey, flowKey));
    flows.set(flowKey, found);
  }
  for (let from = 0; from < requests.length; from += BATCH) {
    const part = requests
      .slice(from, from + BATCH)
      .map((request) => [request, faultOf(request)] as const);
    const right = part.flatMap(([request, fault]) => {
      const flowKey = flows.get(request.flowKey) as string;
      if (fault !== undefined) return [];
      return [searchPerson(questionOf({ ...request, flowKey }), lists)];
    });
    const found = [...(await recordScreenings(ports, companyKey, right, lists))].reverse();
    for (const [, fault] of part) {
      results.push(fault === undefined ? (found.pop() as Screening) : { fault });
    }
  }
  return results;
}

function faultOf(request: ScreeningRequest): string | undefined {
  try {
    checkRequest(request);
    return undefined;
  } catch (error) {
    if (isInnsigliError(error)) return error.message;
    throw error;
  }
}

function questionOf(request: ScreeningRequest & { readonly flowKey: string }): ScreeningQuestion {
  const { matchRate = defaultMatchRate, flowKey } = request;
  return { query: queryOf(request), matchRate, cause: 'request', flowKey };
}

async function recordScreenings(
  ports: ScreeningPorts,
  companyKey: CompanyKey,
  searched: readonly SearchedPerson[],
  lists: OpenedLists,
): Promise<readonly Screening[]> {
  if (searched.length === 0) return [];
  const { records, decisions } = await ports.store.writeOverlapped(async (unit) => {
    const all = searched.map(({ found }) => found);
    const records = await appendScreenings(unit, ports, companyKey, all);
    const decisions = [];
    for (const found of all) decisions.push(await decisionsOn(unit, companyKey, found));
    return { records, decisions };
  });
  return records.map((record, at) => {
    const { id, atMs, matchRate } = record;
    const persons = searched[at]?.persons ?? [];
    const all = record.matches
      .map((match, place) => ({
        ...{ ...match, ...(persons[place] as PersonOfList), place: place + 1 },
        ...defined({ decision: decisions[at]?.[place]?.decision }),
      }))
      .filter(({ rate }) => rate >= matchRate);
    const close = all.slice(0, SHOWN_MAX);
    return {
      ...{ id, atMs, matchRate },
      matches: close.filter(({ decision }) => decision !== 'false_positive'),
      cleared: close.filter(({ decision }) => decision === 'false_positive'),
      lists: lists.versions,
      staleLists: staleOf(lists.versions, atMs, ports.listsMaxAgeDays),
      unread: unreadOf(record.query),
      ...(all.length > SHOWN_MAX ? { isCut: true as const } : {}),
    };
  });
}

/** @throws validation.error, screening.date.invalid */
function checkRequest(request: ScreeningRequest): void {
  const { matchRate = defaultMatchRate, countryCode, dateOfBirth } = request;
  if (!(matchRate >= 1 && matchRate <= 100)) refuse('matchRate', '1 to 100', matchRate);
  const isCountry = countryCode === undefined || /^[a-z]{2}$/i.test(countryCode);
  if (!isCountry) refuse('countryCode', 'two letters', countryCode);
  requireName(request);
  if (dateOfBirth !== undefined) requireDate(dateOfBirth);
}

function queryOf(request: ScreeningRequest) {
  const { firstName, middleName, lastName, originalName, dateOfBirth, gender } = request;
  const { countryCode } = request;
  const names = { firstName, middleName, lastName, originalName };
  return defined({ ...names, dateOfBirth, gender, countryCode });
}

/** The lists that are stale according to {@link isStale}. */
export function staleOf(
  lists: readonly ListVersion[],
  nowMs: number,
  days: number,
): readonly ListVersion[] {
  return lists.filter((list) => isStale(list, nowMs, days));
}

/** Whether a list was imported more than `days` ago, or states an older date of publication. */
export function isStale(
  { importedAtMs, publishedDate, isFictional }: ListVersion,
  nowMs: number,
  days: number,
): boolean {
  if (isFictional === true) return false;
  // Counted from the end of the day of publication.
  const publishedMs = Date.parse(`${publishedDate ?? ''}T00:00:00Z`) + DAY_MS;
  const sinceMs = Number.isNaN(publishedMs) ? importedAtMs : Math.min(importedAtMs, publishedMs);
  return nowMs - sinceMs > days * DAY_MS;
}

function requireName(request: ScreeningRequest): void {
  const { firstName, lastName, originalName } = request;
  const isEmpty = (value: string | undefined) => (value?.trim() ?? '') === '';
  const isWhole = !isEmpty(originalName);
  if (!isWhole && isEmpty(firstName) && isEmpty(lastName)) {
    invalid('originalName', 'expected a full name, or first and last name');
  }
  const missing = 'expected a name, because no full name is given';
  if (!isWhole && isEmpty(firstName)) invalid('firstName', missing);
  if (!isWhole && isEmpty(lastName)) invalid('lastName', missing);
  // A result without matches would suggest that a search took place.
  if (hasName(queryOf(request))) return;
  invalid(isWhole ? 'originalName' : 'lastName', 'expected letters of a name, found none');
}

function requireDate(text: string): void {
  if (isPartialDay(text)) return;
  throw new InnsigliError('screening.date.invalid', `dateOfBirth: ${partialDayFault(text)}`);
}

/**
 * Returns the key of the requested flow, or of the only suitable one.
 *
 * @throws screening.flow.invalid
 */
async function findFlow(
  { flows }: Pick<StoreUnit, 'flows'>,
  companyKey: CompanyKey,
  key: string | undefined,
): Promise<string> {
  const named =
    key === undefined ? await flows.list(companyKey) : [await flows.find(asKey('flow', key))];
  const fitting = named.filter(
    (flow) =>
      flow?.companyKey === companyKey && flow.isActive && screeningFlows.includes(flow.type),
  );
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only.key;
  const types = screeningFlows.join(', ');
  const expected =
    key === undefined
      ? `one flow of type ${types}, found ${fitting.length || 'none'}`
      : `a flow of type ${types}`;
  const hint =
    key !== undefined || fitting.length > 1
      ? 'list the keys with innsigli flow list'
      : 'create one with innsigli flow create --name NAME --type PEP';
  throw new InnsigliError('screening.flow.invalid', `flowKey: expected ${expected}`, { hint });
}
