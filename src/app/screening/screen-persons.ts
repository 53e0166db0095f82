import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import { isDay } from '../../base/time/day.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  type DecisionKind,
  type ListedPerson,
  type ListVersion,
  type RecordedMatch,
  type Unread,
  unreadOf,
} from '../../domain/screening/index.ts';
import { useCase } from '../operation.ts';
import type { Store } from '../ports/index.ts';
import { type OpenedLists, openLists, type UpdatePorts } from './lists/index.ts';
import { appendScreenings, decisionsOn, searchPerson } from './record-screening.ts';
import { takeScreening } from './screening-quota.ts';

/** A person who is looked for on lists. */
export interface ScreeningRequest {
  readonly countryCode: string;
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly lastName?: string | undefined;
  /** In place of the names when the whole one cannot be parted. */
  readonly originalName?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string | undefined;
  readonly gender?: 'Male' | 'Female' | undefined;
  /** A flow of type PEP, Compliance or ExternalLookup. */
  readonly flowKey: string;
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
   * What of the name was not searched: `names` after the first eight that semicolons part, or
   * `words` of a name after 16, or after 300 characters.
   */
  readonly unread: readonly Unread[];
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
    await requireFlow(ports.store, companyKey, request.flowKey);
    takeScreening(ports, companyKey, ports.now());
    const lists = await openLists(ports, companyKey);
    const [found] = await screenRequests(ports, companyKey, [request], lists);
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
  const flows = new Set(requests.map(({ flowKey }) => flowKey));
  for (const flowKey of flows) await requireFlow(ports.store, companyKey, flowKey);
  for (let from = 0; from < requests.length; from += BATCH) {
    const part = requests
      .slice(from, from + BATCH)
      .map((request) => [request, faultOf(request)] as const);
    const right = part.flatMap(([request, fault]) => (fault === undefined ? [request] : []));
    const found = [...(await screenRequests(ports, companyKey, right, lists))].reverse();
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

async function screenRequests(
  ports: ScreeningPorts,
  companyKey: CompanyKey,
  requests: readonly ScreeningRequest[],
  lists: OpenedLists,
): Promise<readonly Screening[]> {
  const searched = requests.map((request) => {
    const { matchRate = defaultMatchRate, flowKey } = request;
    const question = { query: queryOf(request), matchRate, cause: 'request', flowKey } as const;
    return searchPerson(question, lists);
  });
  if (searched.length === 0) return [];
  const { records, decisions } = await ports.store.write(async (unit) => {
    const all = searched.map(({ found }) => found);
    const records = await appendScreenings(unit, ports, companyKey, all);
    const decisions = [];
    for (const found of all) decisions.push(await decisionsOn(unit, companyKey, found));
    return { records, decisions };
  });
  return records.map((record, at) => {
    const { id, atMs, matchRate } = record;
    const numbers = searched[at]?.numbers ?? [];
    const close = record.matches
      .map((match, place) => ({
        ...{ ...match, ...lists.person(numbers[place] as number), place: place + 1 },
        ...defined({ decision: decisions[at]?.[place]?.decision }),
      }))
      .filter(({ rate }) => rate >= matchRate)
      .slice(0, SHOWN_MAX);
    return {
      ...{ id, atMs, matchRate },
      matches: close.filter(({ decision }) => decision !== 'false_positive'),
      cleared: close.filter(({ decision }) => decision === 'false_positive'),
      lists: lists.versions,
      staleLists: lists.versions.filter((list) => isStale(list, atMs, ports.listsMaxAgeDays)),
      unread: unreadOf(record.query),
    };
  });
}

/** @throws validation.error, screening.date.invalid */
function checkRequest(request: ScreeningRequest): void {
  const { matchRate = defaultMatchRate, countryCode, dateOfBirth } = request;
  if (!(matchRate >= 1 && matchRate <= 100)) invalid('MatchRate', 'expected 1 to 100');
  if (!/^[a-z]{2}$/i.test(countryCode)) invalid('countryCode', 'expected two letters');
  requireName(request);
  if (dateOfBirth !== undefined) requireDate(dateOfBirth);
}

function queryOf(request: ScreeningRequest) {
  const { firstName, middleName, lastName, originalName, dateOfBirth, gender } = request;
  const { countryCode } = request;
  const names = { firstName, middleName, lastName, originalName };
  return defined({ ...names, dateOfBirth, gender, countryCode });
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

function requireName({ firstName, lastName, originalName }: ScreeningRequest): void {
  const isEmpty = (value: string | undefined) => (value?.trim() ?? '') === '';
  if (!isEmpty(originalName)) return;
  if (isEmpty(firstName)) invalid('firstName', 'expected a name, or originalName');
  if (isEmpty(lastName)) invalid('lastName', 'expected a name, or originalName');
}

function requireDate(text: string): void {
  if (isDay(text)) return;
  throw new InnsigliError('screening.date.invalid', 'dateOfBirth: expected YYYY-MM-DD');
}

async function requireFlow(store: Store, companyKey: CompanyKey, key: string): Promise<void> {
  const flow = await store.read((unit) => unit.flows.find(asKey('flow', key)));
  const isOurs = flow?.companyKey === companyKey && flow.isActive;
  if (isOurs && screeningFlows.includes(flow.type)) return;
  throw new InnsigliError(
    'screening.flow.invalid',
    `flowKey: expected a flow of type ${screeningFlows.join(', ')}`,
    { hint: 'innsigli flow create --type PEP makes one' },
  );
}
