import { foundColumn, inColumnNames, readCsv, unknownColumns } from '../../base/csv.ts';
import { defined } from '../../base/defined.ts';
import { type ErrorFinding, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { invalid, refuse, refuseWord } from '../../base/input.ts';
import { isPartialDay, partialDayFault } from '../../base/time/day.ts';
import { type RiskLevel, riskLevels } from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { digitsOf } from '../../domain/person/index.ts';
import {
  type Customer,
  type DecisionKind,
  hasName,
  type PersonQuery,
  type Unread,
  unreadOf,
} from '../../domain/screening/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { ListPorts } from './lists/index.ts';
import { planRescreening } from './rescreen-customers.ts';
import { riskMonthsOf, screenedAgainAtMs } from './screening-dates.ts';

/** A customer to be screened periodically. */
export interface CustomerRequest {
  /** The company's reference for the customer, 1 to 100 characters. */
  readonly reference: string;
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Full name, in place of the separate names if it cannot be split. */
  readonly originalName?: string | undefined;
  /** `YYYY-MM-DD`, or the known part of it: `YYYY-MM`, `YYYY`. */
  readonly dateOfBirth?: string | undefined;
  readonly gender?: 'Male' | 'Female' | undefined;
  /** Two-letter country code. */
  readonly countryCode?: string | undefined;
  /** National number. Matches are recorded in its compliance record. */
  readonly ssn?: string | undefined;
  /** `low`, `medium` or `high`. Default: `high`. */
  readonly riskLevel?: string | undefined;
}

/** A customer with the matches of the latest screening. */
export interface CustomerView {
  readonly reference: string;
  readonly name: string;
  readonly level: RiskLevel;
  readonly screenedAtMs?: number;
  readonly screeningId?: string;
  readonly nextAtMs: number;
  /** Parts of the name that are not searched. */
  readonly unread: readonly Unread[];
  readonly matches: readonly CustomerMatch[];
}

/** A match of the latest screening of a customer. */
export interface CustomerMatch {
  readonly list: string;
  readonly key: string;
  /** Name on the list. Undefined until the customer is screened again. */
  readonly name?: string;
  /** Time at which the match was first found. Every later screening found it as well. */
  readonly sinceMs?: number;
  readonly category: string;
  readonly rate: number;
  readonly decision?: DecisionKind;
}

/** Result of importing customers. */
export interface TakenCustomers {
  readonly customers: number;
  /** References of customers whose names are too long to be searched completely. */
  readonly unread: readonly string[];
}

type Ports = Pick<ListPorts, 'store' | 'now'> & { random(count: number): Uint8Array };

const [TEXT_MAX, PAGE, FAULTS_NAMED] = [400, 1000, 100];

/**
 * Adds customers, or updates those with the same reference. They are screened soon after. They are
 * written in pages: one long transaction would time out other writers.
 */
export async function putCustomers(
  { store, now, random }: Ports,
  companyKey: CompanyKey,
  requests: readonly CustomerRequest[],
): Promise<TakenCustomers> {
  const read = requests.map(readCustomer);
  const nowMs = now();
  for (let from = 0; from < read.length; from += PAGE) {
    await store.write(async (unit) => {
      await unit.companies.lock(companyKey);
      const months = await riskMonthsOf(unit, companyKey);
      for (const { reference, ...facts } of read.slice(from, from + PAGE)) {
        const before = await unit.customers.findByReference(companyKey, reference);
        const id = before?.id ?? Buffer.from(random(16)).toString('hex');
        const isSame = before && JSON.stringify(before.query) === JSON.stringify(facts.query);
        const own = { id, companyKey, reference, updatedAtMs: nowMs };
        const { latest, isConcerned } = before ?? {};
        const kept = isSame ? defined({ latest, isConcerned }) : {};
        const nextAtMs = isSame ? nextOf(before, facts.level, months, nowMs) : nowMs;
        await unit.customers.put({ ...own, ...facts, ...kept, nextAtMs });
      }
      await planRescreening(unit, companyKey, nowMs);
    });
  }
  const unread = read.filter(({ query }) => unreadOf(query).length > 0);
  return { customers: read.length, unread: unread.map(({ reference }) => reference) };
}

/** A changed risk level changes the period since the last screening. Due customers stay due. */
function nextOf(
  { level: before, nextAtMs, latest }: Customer,
  level: RiskLevel,
  months: Readonly<Record<RiskLevel, number>>,
  nowMs: number,
): number {
  if (before === level || nextAtMs <= nowMs || latest === undefined) return nextAtMs;
  return screenedAgainAtMs(latest.atMs, months[level]);
}

const columns = [
  ...['reference', 'name', 'first_name', 'middle_name', 'last_name', 'date_of_birth'],
  ...['gender', 'country', 'ssn', 'risk_level'],
];

/** Parses and validates the customers of a CSV text. @throws validation.error, limit.exceeded */
export function readCustomers(csv: string): readonly CustomerRequest[] {
  const { names, rows } = readCsv(csv);
  requireColumns(names);
  const faults: ErrorFinding[] = [];
  const rowOf = new Map<string, number>();
  const requests = rows.map(({ number, cells }): CustomerRequest => {
    const cell = (name: string) => cells.get(name) || undefined;
    const request = {
      ...{ reference: cell('reference') ?? '', originalName: cell('name') },
      ...{ firstName: cell('first_name'), middleName: cell('middle_name') },
      ...{ lastName: cell('last_name'), dateOfBirth: cell('date_of_birth') },
      gender: cell('gender') as CustomerRequest['gender'],
      ...{ countryCode: cell('country'), ssn: cell('ssn'), riskLevel: cell('risk_level') },
    };
    try {
      const { reference } = readCustomer(request);
      const first = rowOf.get(reference);
      // The later row would replace the earlier person.
      if (first !== undefined) invalid('reference', `expected once, found in row ${first} too`);
      rowOf.set(reference, number);
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      const message = inColumnNames(error.message, {
        countryCode: 'country',
        originalName: 'name',
      });
      faults.push({ name: `row ${number}`, message, ...defined({ hint: error.hint }) });
    }
    return request;
  });
  const [first] = faults;
  if (first === undefined) return requests;
  const count = `${faults.length} row${faults.length === 1 ? '' : 's'}`;
  throw new InnsigliError(
    'validation.error',
    `${count} not valid, and nothing was imported: ${first.name}: ${first.message}`,
    { findings: faults.slice(0, FAULTS_NAMED), details: { faults: faults.length } },
  );
}

function requireColumns(names: readonly string[]): void {
  const unknown = unknownColumns(names, columns);
  const [first] = unknown;
  if (first === undefined) return;
  const why = `expected any of ${columns.join(', ')}, ${foundColumn(unknown)}`;
  const message = `the columns are not valid, and nothing was imported: ${why}`;
  throw new InnsigliError('validation.error', message, {
    findings: unknown.slice(0, FAULTS_NAMED),
    details: { faults: unknown.length },
  });
}

function readCustomer(
  request: CustomerRequest,
): Omit<Customer, 'id' | 'companyKey' | 'nextAtMs' | 'updatedAtMs' | 'latest'> {
  const reference = request.reference.trim();
  if (reference === '' || reference.length > 100) invalid('reference', 'expected a number or name');
  const { gender, dateOfBirth, ssn } = request;
  if (gender !== undefined && gender !== 'Male' && gender !== 'Female') {
    refuse('gender', 'Male or Female', gender);
  }
  if (dateOfBirth !== undefined && !isPartialDay(dateOfBirth)) {
    invalid('dateOfBirth', partialDayFault(dateOfBirth));
  }
  const level = (request.riskLevel?.trim().toLowerCase() || 'high') as RiskLevel;
  if (!riskLevels.includes(level)) refuseWord('riskLevel', riskLevels, request.riskLevel);
  const digits = ssn === undefined ? undefined : digitsOf(ssn);
  if (digits !== undefined && digits.length !== 10) invalid('ssn', 'expected ten digits');
  const countryCode = request.countryCode?.trim().toUpperCase();
  if (countryCode !== undefined && !/^[A-Z]{2}$/.test(countryCode)) {
    refuse('countryCode', 'two letters', request.countryCode);
  }
  const query = { ...readNames(request), ...defined({ dateOfBirth, gender, countryCode }) };
  return { reference, query, level, ...(digits === undefined ? {} : { ssn: digits }) };
}

function readNames(request: CustomerRequest): PersonQuery {
  const { firstName, middleName, lastName, originalName } = request;
  const trimmed = Object.entries({ firstName, middleName, lastName, originalName }).flatMap(
    ([name, value]) => {
      const text = value?.trim() ?? '';
      if (text.length > TEXT_MAX) invalid(name, `expected at most ${TEXT_MAX} characters`);
      return text === '' ? [] : [[name, text]];
    },
  );
  const names = Object.fromEntries(trimmed) as PersonQuery;
  const isWhole = names.originalName ?? (names.firstName && names.lastName);
  if (!isWhole) return invalid('name', 'expected a name, or first and last name');
  return hasName(names) ? names : invalid('name', 'expected letters of a name, found none');
}

/** Lists the customers of a company with the matches of their latest screening. */
export async function listCustomers(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  { onlyOpen = false }: { readonly onlyOpen?: boolean } = {},
): Promise<readonly CustomerView[]> {
  const views: CustomerView[] = [];
  let after = '';
  for (;;) {
    const page = await store.read(async (unit) => {
      const all = await unit.customers.list(companyKey, after, PAGE);
      const shown = await Promise.all(all.map((customer) => viewOf(unit, customer)));
      views.push(...shown);
      return all;
    });
    after = page.at(-1)?.id ?? '';
    if (page.length < PAGE) break;
  }
  const open = ({ matches }: CustomerView) =>
    matches.some(({ decision }) => decision === undefined);
  const wanted = onlyOpen ? views.filter(open) : views;
  return wanted.sort((a, b) => a.reference.localeCompare(b.reference));
}

async function viewOf(unit: StoreUnit, customer: Customer): Promise<CustomerView> {
  const { reference, query, level, nextAtMs, latest } = customer;
  const { firstName, middleName, lastName, originalName } = query;
  const parts = [firstName, middleName, lastName].filter(Boolean).join(' ');
  const name = originalName ?? parts;
  const common = { reference, name, level, nextAtMs, unread: unreadOf(query) };
  if (latest === undefined) return { ...common, matches: [] };
  const { matches, atMs, screeningId } = latest;
  const decisions = await unit.matchDecisions.findAll(customer.companyKey, matches);
  return {
    ...{ ...common, screenedAtMs: atMs, screeningId },
    matches: matches.map(({ subject: _subject, identity: _identity, ...match }, at) => {
      const decision = decisions[at]?.decision;
      return { ...match, ...defined({ decision }) };
    }),
  };
}

/** Ends the screening of a customer. @throws screening.customer.not_found */
export async function removeCustomer(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  reference: string,
): Promise<void> {
  const isRemoved = await store.write(async (unit) => {
    // A concurrent screening or update of the customer is written before this, never afterwards.
    await unit.companies.lock(companyKey);
    return unit.customers.remove(companyKey, reference);
  });
  if (isRemoved) return;
  throw new InnsigliError(
    'screening.customer.not_found',
    `there is no customer "${reference.slice(0, 100)}"`,
    { hint: 'list customers with innsigli screen customer list' },
  );
}
