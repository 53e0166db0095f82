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
  searchPersonBeside,
} from './record-screening.ts';
import { takeScreening } from './screening-quota.ts';

/** A person who is looked for on lists. */
export interface ScreeningRequest {
  /** Two letters. It counts for a match and never against one. */
  readonly countryCode?: string | undefined;
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly lastName?: string | undefined;
  /** In place of the names when the whole one cannot be parted. */
  readonly originalName?: string | undefined;
  /** `YYYY-MM-DD`, or as much as is known: `YYYY-MM`, `YYYY`. */
  readonly dateOfBirth?: string | undefined;
  readonly gender?: 'Male' | 'Female' | undefined;
  /** A flow of type PEP, Compliance or ExternalLookup; left out: the only one of the company. */
  readonly flowKey?: string | undefined;
  /** 1 to 100; 75 when it is left out. */
  readonly matchRate?: number | undefined;
}

/** Result of a screening. */
export interface Screening {
  readonly id: string;
  readonly atMs: number;
  readonly matchRate: number;
  /** The closest first. */
  readonly matches: readonly ScreeningMatch[];
  /** Those that somebody has decided to be other persons. */
  readonly cleared: readonly ScreeningMatch[];
  /** What was searched. */
  readonly lists: readonly ListVersion[];
  /** Lists that were imported, or published, longer ago than the setting allows. */
  readonly staleLists: readonly ListVersion[];
  /**
   * What of the name was not searched: `names` after the first eight (semicolons separate
   * them), or `words` of a name after 16, or after 300 characters.
   */
  readonly unread: readonly Unread[];
  /** There are more matches than the 100 closest, which alone are shown. */
  readonly isCut?: true;
}

/** A listed person who is close enough. */
export interface ScreeningMatch extends Omit<RecordedMatch, 'list' | 'key'> {
  /** Place in the screening, from 1 on: a decision names it. */
  readonly place: number;
  readonly person: ListedPerson;
  /** The list that the person stands on. */
  readonly list: ListVersion;
  /** What was decided about it, as long as neither side has changed. */
  readonly decision?: DecisionKind;
}

/** Close enough when nobody says. */
const defaultMatchRate = 75;

const screeningFlows: readonly string[] = ['PEP', 'Compliance', 'ExternalLookup'];
/** Matches of one screening that are shown at most; more are recorded. */
const SHOWN_MAX = 100;
const DAY_MS = 86_400_000;

/** Dependencies of screening. */
export interface ScreeningPorts extends UpdatePorts {
  random(count: number): Uint8Array;
  /** Days after which a list is told to be old. */
  readonly listsMaxAgeDays: number;
  /** Screenings of one company in a minute, by one program. */
  readonly screeningsPerMinute: number;
}

/**
 * Looks for a person on the imported lists; on the embedded one of made-up persons without any.
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
    const searched = await searchPersonBeside(questionOf({ ...request, flowKey }), lists);
    const [found] = await recordScreenings(ports, companyKey, [searched], lists);
    return found as Screening;
  },
);

/** Persons who are screened in one transaction. */
const BATCH = 100;

/** What becomes of one person of several. */
export type BatchScreening = Screening | { readonly fault: string };

/**
 * Screens many persons, each as {@link screen} does, without the quota of requests. A person who
 * cannot be screened is told at their place, and the others are screened.
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
  const { records, decisions } = await ports.store.writeBeside(async (unit) => {
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

/** The lists that {@link isStale}. */
export function staleOf(
  lists: readonly ListVersion[],
  nowMs: number,
  days: number,
): readonly ListVersion[] {
  return lists.filter((list) => isStale(list, nowMs, days));
}

/** True for a list that was imported more than so many days ago, or states an older date. */
export function isStale(
  { importedAtMs, publishedDate, isFictional }: ListVersion,
  nowMs: number,
  days: number,
): boolean {
  if (isFictional === true) return false;
  // All of the day on which it was published counts as that day.
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
  // «No match» would say that somebody was looked for.
  if (hasName(queryOf(request))) return;
  invalid(isWhole ? 'originalName' : 'lastName', 'expected letters of a name, found none');
}

function requireDate(text: string): void {
  if (isPartialDay(text)) return;
  throw new InnsigliError('screening.date.invalid', `dateOfBirth: ${partialDayFault(text)}`);
}

/**
 * The key of the flow that a request names, or of the only one that fits.
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
