import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import { isDay } from '../../base/time/day.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  fictionalList,
  matchEntries,
  type PreparedEntry,
  prepareEntries,
  type WatchMatch,
} from '../../domain/screening/index.ts';
import { type Service, useCase } from '../operation.ts';
import type { Store } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';
import { readEntries } from './read-entries.ts';

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
  readonly matches: readonly WatchMatch[];
}

/** Close enough when nobody says. */
const defaultMatchRate = 75;

const screeningFlows: readonly string[] = ['PEP', 'Compliance', 'ExternalLookup'];
/** Time for which lists are kept in memory: an import elsewhere is seen after that. */
const KEPT_MS = 5000;
const embedded = prepareEntries(fictionalList);

type ScreeningPorts = Pick<ServicePorts, 'store' | 'now' | 'random'>;

/**
 * Looks for a person on the embedded list of made-up persons and on the imported ones.
 *
 * @throws validation.error, screening.date.invalid, screening.flow.invalid
 * @throws screening.quota.exceeded
 */
const screen = useCase(
  ['screening.date.invalid', 'screening.flow.invalid', 'screening.quota.exceeded'],
  async (
    { store, now, random }: ScreeningPorts,
    companyKey,
    request: ScreeningRequest,
  ): Promise<Screening> => {
    const atMs = now();
    takeScreening(store, companyKey, atMs);
    const { matchRate = defaultMatchRate, dateOfBirth, gender, countryCode } = request;
    if (!(matchRate >= 1 && matchRate <= 100)) invalid('MatchRate', 'expected 1 to 100');
    if (!/^[a-z]{2}$/i.test(countryCode)) invalid('countryCode', 'expected two letters');
    const name = readName(request);
    if (dateOfBirth !== undefined) requireDate(dateOfBirth);
    await requireFlow(store, companyKey, request.flowKey);
    const entries = [...embedded, ...(await importedEntries(store, companyKey, atMs))];
    const query = { name, countryCode, ...defined({ dateOfBirth, gender }) };
    const matches = matchEntries(entries, query, matchRate);
    return { id: Buffer.from(random(16)).toString('hex'), atMs, matchRate, matches };
  },
);

/** Screening of persons against lists. */
export const screeningOperations = {
  /**
   * Looks for a person on the embedded list of made-up persons and on the imported ones.
   *
   * @example
   * const { matches } = await acme.screening.screen(request);
   */
  screen,
  /**
   * Puts the entries of a CSV text in the place of the list of that name. @returns how many
   * entries
   *
   * @throws validation.error, limit.exceeded
   * @example
   * await acme.screening.importList('own', await readFile('own.csv', 'utf8'));
   */
  importList: useCase(
    ['limit.exceeded'],
    async ({ store }: ScreeningPorts, companyKey, list: string, csv: string): Promise<number> => {
      const name = list.trim();
      if (!/^[\p{L}\p{N}._ -]{1,100}$/u.test(name)) {
        invalid('list', 'expected a name of letters and digits');
      }
      const entries = readEntries(csv);
      await store.write((unit) => unit.watchlists.replace(companyKey, name, entries));
      kept.get(store)?.delete(companyKey);
      return entries.length;
    },
  ),
};

/** The methods of {@link screeningOperations}. */
export type ScreeningService = Service<typeof screeningOperations>;

interface KeptEntries {
  readonly atMs: number;
  readonly entries: readonly PreparedEntry[];
}

const COMPANIES_MAX = 20;
const kept = new WeakMap<Store, Map<CompanyKey, KeptEntries>>();

async function importedEntries(
  store: Store,
  companyKey: CompanyKey,
  nowMs: number,
): Promise<readonly PreparedEntry[]> {
  const known = kept.get(store) ?? new Map<CompanyKey, KeptEntries>();
  kept.set(store, known);
  const found = known.get(companyKey);
  if (found !== undefined && nowMs - found.atMs < KEPT_MS) return found.entries;
  const read = await store.read((unit) => unit.watchlists.entries(companyKey));
  const entries = prepareEntries(read);
  known.delete(companyKey);
  if (known.size >= COMPANIES_MAX) known.delete(known.keys().next().value as CompanyKey);
  known.set(companyKey, { atMs: nowMs, entries });
  return entries;
}

function readName({ firstName, middleName, lastName, originalName }: ScreeningRequest): string {
  const text = (value: string | undefined) => value?.trim() ?? '';
  if (text(originalName) !== '') return text(originalName);
  if (text(firstName) === '') invalid('firstName', 'expected a name, or originalName');
  if (text(lastName) === '') invalid('lastName', 'expected a name, or originalName');
  return [firstName, middleName, lastName].map(text).join(' ');
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

/** Screenings of a company in a minute. */
const screeningsPerMinute = 60;

const WINDOW_MS = 60_000;
const windows = new WeakMap<Store, Map<CompanyKey, { readonly sinceMs: number; count: number }>>();

/**
 * Counts a screening of a company, in this program.
 *
 * @throws screening.quota.exceeded with the seconds to wait
 */
function takeScreening(store: Store, companyKey: CompanyKey, nowMs: number): void {
  const known = windows.get(store) ?? new Map();
  windows.set(store, known);
  const found = known.get(companyKey);
  if (found === undefined || nowMs - found.sinceMs >= WINDOW_MS) {
    known.set(companyKey, { sinceMs: nowMs, count: 1 });
    return;
  }
  if (found.count >= screeningsPerMinute) {
    const retryAfterSeconds = Math.max(1, Math.ceil((found.sinceMs + WINDOW_MS - nowMs) / 1000));
    throw new InnsigliError(
      'screening.quota.exceeded',
      `expected at most ${screeningsPerMinute} screenings in a minute`,
      { details: { retryAfterSeconds }, hint: 'wait, then ask again' },
    );
  }
  found.count += 1;
}
