import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import { isDay } from '../../base/time/day.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type {
  DecisionKind,
  ListedPerson,
  ListVersion,
  RecordedMatch,
} from '../../domain/screening/index.ts';
import { type Service, useCase } from '../operation.ts';
import type { Store } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';
import { listScreenings, replayScreening, verifyScreenings } from './audit-screenings.ts';
import { decideMatch, listDecisions } from './decide-match.ts';
import { listCustomers, putCustomers, readCustomers, removeCustomer } from './manage-customers.ts';
import { currentLists, diffList, importList, listVersions, removeList } from './manage-lists.ts';
import { type ListPorts, openLists } from './open-lists.ts';
import { appendScreenings, decisionsOn, searchPerson } from './record-screening.ts';
import { rescreen } from './rescreen-customers.ts';
import { selfTest } from './self-test.ts';

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
  /** Lists that were imported longer ago than the setting allows. */
  readonly staleLists: readonly ListVersion[];
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
const DAY_MS = 86_400_000;

/** Dependencies of screening. */
export interface ScreeningPorts extends ListPorts, Pick<ServicePorts, 'random'> {
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
const screen = useCase(
  [
    'screening.date.invalid',
    'screening.flow.invalid',
    'screening.quota.exceeded',
    'screening.list.required',
  ],
  async (ports: ScreeningPorts, companyKey, request: ScreeningRequest): Promise<Screening> => {
    const { store, now } = ports;
    const { matchRate = defaultMatchRate, countryCode, flowKey } = request;
    if (!(matchRate >= 1 && matchRate <= 100)) invalid('MatchRate', 'expected 1 to 100');
    if (!/^[a-z]{2}$/i.test(countryCode)) invalid('countryCode', 'expected two letters');
    requireName(request);
    if (request.dateOfBirth !== undefined) requireDate(request.dateOfBirth);
    await requireFlow(store, companyKey, flowKey);
    takeScreening(ports, companyKey, now());
    const lists = await openLists(ports, companyKey);
    const wish = { query: queryOf(request), matchRate, cause: 'request', flowKey } as const;
    const { found, numbers } = searchPerson(wish, lists);
    const { record, decisions } = await store.write(async (unit) => {
      const [made] = await appendScreenings(unit, ports, companyKey, [found]);
      return { record: made, decisions: await decisionsOn(unit, companyKey, found) };
    });
    const close = found.matches
      .map((match, at) => ({
        ...match,
        ...lists.person(numbers[at] as number),
        place: at + 1,
        ...defined({ decision: decisions[at]?.decision }),
      }))
      .filter(({ rate }) => rate >= matchRate);
    const { id = '', atMs = now() } = record ?? {};
    return {
      ...{ id, atMs, matchRate },
      matches: close.filter(({ decision }) => decision !== 'false_positive'),
      cleared: close.filter(({ decision }) => decision === 'false_positive'),
      lists: lists.versions,
      staleLists: lists.versions.filter((list) => isStale(list, atMs, ports.listsMaxAgeDays)),
    };
  },
);

function queryOf(request: ScreeningRequest) {
  const { firstName, middleName, lastName, originalName, dateOfBirth, gender } = request;
  const { countryCode } = request;
  const names = { firstName, middleName, lastName, originalName };
  return defined({ ...names, dateOfBirth, gender, countryCode });
}

function isStale({ importedAtMs, isFictional }: ListVersion, nowMs: number, days: number): boolean {
  return isFictional !== true && nowMs - importedAtMs > days * DAY_MS;
}

/** Screening of persons against lists. */
export const screeningOperations = {
  /**
   * Looks for a person on the imported lists; on the embedded one of made-up persons without any.
   *
   * @example
   * const { matches } = await acme.screening.screen(request);
   */
  screen,
  /**
   * Imports a version of a list, whatever its format. One that is wrong changes nothing.
   *
   * @example
   * const content = await readFile('consolidated.xml');
   * const files = [{ name: 'consolidated.xml', content }];
   * const { persons } = await acme.screening.importList({ list: 'un', files });
   */
  importList: useCase(
    ['screening.list.invalid', 'screening.list.shrunken', 'limit.exceeded'],
    importList,
  ),
  /**
   * The current version of each list.
   *
   * @example
   * const lists = await acme.screening.lists();
   */
  lists: useCase([], currentLists),
  /**
   * The versions of a list that are kept, the newest first.
   *
   * @example
   * const [newest] = await acme.screening.listVersions('un');
   */
  listVersions: useCase(['screening.list.not_found'], listVersions),
  /**
   * What the newest version of a list changes.
   *
   * @example
   * const { added, changed, removed } = await acme.screening.diffList('un');
   */
  diffList: useCase(['screening.list.not_found'], diffList),
  /**
   * Removes a list with all of its versions.
   *
   * @example
   * await acme.screening.removeList('un');
   */
  removeList: useCase(['screening.list.not_found'], removeList),
  /**
   * Searches every name of every list, and gives those that do not find their person.
   *
   * @example
   * const { names, failed } = await acme.screening.selfTest();
   */
  selfTest: useCase(['screening.list.required'], selfTest),
  /**
   * Screenings in their order, with all that was found from a rate of 60 on.
   *
   * @example
   * const screenings = await acme.screening.list({ afterSeq: 0, take: 100 });
   */
  list: useCase([], listScreenings),
  /**
   * Whether the screenings are those that were recorded, all of them in their order.
   *
   * @example
   * const { intact, head } = await acme.screening.verify();
   */
  verify: useCase([], verifyScreenings),
  /**
   * Does a screening again, against the versions of the lists that it searched.
   *
   * @example
   * const { isSame } = await acme.screening.replay(id);
   */
  replay: useCase(['screening.not_found', 'screening.list.not_found'], replayScreening),
  /**
   * Decides about a match. It counts as long as neither the person nor the entry of the list has
   * other names, dates, gender or countries.
   *
   * @example
   * const reason = 'another date of birth';
   * await acme.screening.decide({ screening: id, match: 1, decision: 'false_positive', reason });
   */
  decide: useCase(['screening.not_found'], decideMatch),
  /**
   * Decisions about matches, the newest first.
   *
   * @example
   * const decisions = await acme.screening.decisions();
   */
  decisions: useCase([], listDecisions),
  /**
   * Takes customers in who are screened again and again: when a list changes, and when the period
   * of their risk is over (`compliance` of the company, `riskMonths` of persons).
   *
   * @example
   * await acme.screening.putCustomers([{ reference: '1001', originalName: 'Jón Jónsson' }]);
   */
  putCustomers: useCase([], putCustomers),
  /**
   * As {@link putCustomers} from a CSV text: all rows, or none. Columns: reference, name,
   * first_name, middle_name, last_name, date_of_birth, gender, country, ssn, risk_level.
   *
   * @example
   * await acme.screening.importCustomers(await readFile('customers.csv', 'utf8'));
   */
  importCustomers: useCase(
    ['limit.exceeded'],
    async (ports: ScreeningPorts, companyKey, csv: string) =>
      putCustomers(ports, companyKey, readCustomers(csv)),
  ),
  /**
   * Customers with the matches of their latest screening.
   *
   * @example
   * const open = await acme.screening.customers({ onlyOpen: true });
   */
  customers: useCase([], listCustomers),
  /**
   * Screens a customer no longer.
   *
   * @example
   * await acme.screening.removeCustomer('1001');
   */
  removeCustomer: useCase(['screening.customer.not_found'], removeCustomer),
  /**
   * Screens customers now who are due, or whom a new list may concern. A worker does it too.
   *
   * @example
   * const { screened, changed } = await acme.screening.rescreen();
   */
  rescreen: useCase(['screening.list.required'], (ports: ScreeningPorts, companyKey) =>
    rescreen(ports, companyKey),
  ),
};

/** The methods of {@link screeningOperations}. */
export type ScreeningService = Service<typeof screeningOperations>;

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

const WINDOW_MS = 60_000;
const windows = new WeakMap<Store, Map<CompanyKey, { readonly sinceMs: number; count: number }>>();

/**
 * Counts a screening of a company, in this program.
 *
 * @throws screening.quota.exceeded with the seconds to wait
 */
function takeScreening(
  { store, screeningsPerMinute }: Pick<ScreeningPorts, 'store' | 'screeningsPerMinute'>,
  companyKey: CompanyKey,
  nowMs: number,
): void {
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
