import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { isDay } from '../../base/time/day.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  fictionalList,
  matchEntries,
  type PreparedEntry,
  prepareEntries,
  type WatchMatch,
} from '../../domain/screening/index.ts';
import type { Store } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';
import { takeScreening } from './quota.ts';
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

/** What a screening found. */
export interface Screening {
  readonly id: string;
  readonly atMs: number;
  readonly matchRate: number;
  readonly matches: readonly WatchMatch[];
}

/** Screening of persons against lists. */
export interface ScreeningService {
  /**
   * Looks for a person on the embedded list of made-up persons and on the imported ones.
   *
   * @throws validation.error, screening.date.invalid, screening.flow.invalid
   * @throws screening.quota.exceeded
   */
  screen(request: ScreeningRequest): Promise<Screening>;
  /**
   * Puts the entries of a CSV text in the place of the list of that name.
   *
   * @returns how many entries
   * @throws validation.error, limit.exceeded
   */
  importList(list: string, csv: string): Promise<number>;
}

/** Close enough when nobody says. */
export const defaultMatchRate = 75;

const screeningFlows: readonly string[] = ['PEP', 'Compliance', 'ExternalLookup'];
/** How long lists are kept in memory: an import elsewhere is seen after that. */
const KEPT_MS = 5000;
const embedded = prepareEntries(fictionalList);

/** The screening of one company. */
export function screeningService(
  ports: Pick<ServicePorts, 'store' | 'now' | 'random'>,
  companyKey: CompanyKey,
): ScreeningService {
  const { store } = ports;
  return {
    screen: async (request) => {
      const nowMs = ports.now();
      takeScreening(store, companyKey, nowMs);
      const { matchRate = defaultMatchRate, dateOfBirth, gender, countryCode } = request;
      if (!(matchRate >= 1 && matchRate <= 100)) throw invalid('MatchRate', 'expected 1 to 100');
      if (!/^[a-z]{2}$/i.test(countryCode)) throw invalid('countryCode', 'expected two letters');
      const name = readName(request);
      if (dateOfBirth !== undefined) requireDate(dateOfBirth);
      await requireFlow(store, companyKey, request.flowKey);
      const entries = [...embedded, ...(await importedEntries(store, companyKey, nowMs))];
      const query = {
        name,
        countryCode,
        ...defined({ dateOfBirth, gender }),
      };
      return {
        id: Buffer.from(ports.random(16)).toString('hex'),
        atMs: nowMs,
        matchRate,
        matches: matchEntries(entries, query, matchRate),
      };
    },
    importList: async (list, csv) => {
      const name = list.trim();
      if (!/^[\p{L}\p{N}._ -]{1,100}$/u.test(name)) {
        throw invalid('list', 'expected a name of letters and digits');
      }
      const entries = readEntries(csv);
      await store.write((unit) => unit.watchlists.replace(companyKey, name, entries));
      kept.get(store)?.delete(companyKey);
      return entries.length;
    },
  };
}

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
  if (text(firstName) === '') throw invalid('firstName', 'expected a name, or originalName');
  if (text(lastName) === '') throw invalid('lastName', 'expected a name, or originalName');
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

function invalid(field: string, why: string): InnsigliError {
  return new InnsigliError('validation.error', `${field}: ${why}`, { details: { field } });
}
