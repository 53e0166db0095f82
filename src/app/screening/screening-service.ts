import { type Service, useCase } from '../operation.ts';
import { listScreenings, replayScreening, verifyScreenings } from './audit-screenings.ts';
import { decideMatch, listDecisions } from './decide-match.ts';
import { listCustomers, putCustomers, readCustomers, removeCustomer } from './manage-customers.ts';
import { currentLists, diffList, importList, listVersions, removeList } from './manage-lists.ts';
import { rescreen } from './rescreen-customers.ts';
import { type ScreeningPorts, screen, screenAll, staleOf } from './screen-persons.ts';
import { selfTest } from './self-test.ts';
import { updateLists } from './update-lists.ts';

/** Operations that screen persons against watchlists. */
export const screeningOperations = {
  /**
   * Screens a person against the imported lists, or against the embedded list of fictional persons
   * if there are none.
   *
   * @example
   * const { matches } = await acme.screening.screen(request);
   */
  screen,
  /**
   * Screens many persons, without the quota of requests. An invalid request yields a `fault` at its
   * position; the rest are screened.
   *
   * @example
   * const results = await acme.screening.screenAll(requests);
   */
  screenAll: useCase(['screening.flow.invalid', 'screening.list.required'], screenAll),
  /**
   * Imports a version of a list in any supported format. If it is invalid, nothing is changed.
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
   * Fetches lists from the sources in the setting `screening.sources` and imports them. A list that
   * fails is reported and keeps its current version.
   *
   * @example
   * const { updated, failed } = await acme.screening.updateLists();
   */
  updateLists: useCase(['screening.source.required'], updateLists),
  /**
   * Returns the current version of each list.
   *
   * @example
   * const lists = await acme.screening.lists();
   */
  lists: useCase([], currentLists),
  /**
   * Returns the stored versions of a list, newest first.
   *
   * @example
   * const [newest] = await acme.screening.listVersions('un');
   */
  listVersions: useCase(['screening.list.not_found'], listVersions),
  /**
   * Returns the changes of a list in its newest version.
   *
   * @example
   * const { added, changed, removed } = await acme.screening.diffList('un');
   */
  diffList: useCase(['screening.list.not_found'], diffList),
  /**
   * Removes a list with all its versions.
   *
   * @example
   * await acme.screening.removeList('un');
   */
  removeList: useCase(['screening.list.not_found'], removeList),
  /**
   * Searches for every name of every list and returns the names that do not find their person.
   *
   * @example
   * const { names, failed } = await acme.screening.selfTest();
   */
  selfTest: useCase(['screening.list.required'], selfTest),
  /**
   * Lists screenings in chain order, with all matches of a rate of 60 or higher.
   *
   * @example
   * const screenings = await acme.screening.list({ afterSeq: 0, take: 100 });
   */
  list: useCase([], listScreenings),
  /**
   * Verifies that the recorded screenings are unaltered, complete and in order.
   *
   * @example
   * const { intact, head } = await acme.screening.verify();
   */
  verify: useCase([], verifyScreenings),
  /**
   * Repeats a screening against the versions of the lists that it searched.
   *
   * @example
   * const { isSame } = await acme.screening.replay(id);
   */
  replay: useCase(['screening.not_found', 'screening.list.not_found'], replayScreening),
  /**
   * Records a decision about a match. It applies until the names, dates, gender or countries of the
   * person or the list entry change.
   *
   * @example
   * const reason = 'another date of birth';
   * await acme.screening.decide({ screening: id, match: 1, decision: 'false_positive', reason });
   */
  decide: useCase(['screening.not_found'], decideMatch),
  /**
   * Lists decisions about matches, newest first.
   *
   * @example
   * const decisions = await acme.screening.decisions();
   */
  decisions: useCase([], listDecisions),
  /**
   * Adds or updates customers who are screened periodically: when a list changes, and when the
   * period of their risk level is over (`compliance` of the company, `riskMonths` of persons).
   *
   * @example
   * await acme.screening.putCustomers([{ reference: '1001', originalName: 'Jón Jónsson' }]);
   */
  putCustomers: useCase([], putCustomers),
  /**
   * Like {@link putCustomers}, from a CSV text. If any row is invalid, no customer is imported.
   * Rows are written a thousand at a time; an interrupted import can be repeated. Columns:
   * reference, name, first_name, middle_name, last_name, date_of_birth (a year is enough), gender,
   * country, ssn, risk_level.
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
   * Lists customers with the matches of their latest screening.
   *
   * @example
   * const open = await acme.screening.customers({ onlyOpen: true });
   */
  customers: useCase([], listCustomers),
  /**
   * Ends the screening of a customer.
   *
   * @example
   * await acme.screening.removeCustomer('1001');
   */
  removeCustomer: useCase(['screening.customer.not_found'], removeCustomer),
  /**
   * Screens the customers who are due, or affected by a new list, without waiting for the worker.
   *
   * @example
   * const { screened, changed } = await acme.screening.rescreen();
   */
  rescreen: useCase(['screening.list.required'], async (ports: ScreeningPorts, companyKey) => {
    const done = await rescreen(ports, companyKey);
    return { ...done, staleLists: staleOf(done.lists, ports.now(), ports.listsMaxAgeDays) };
  }),
};

/** The methods of {@link screeningOperations}. */
export type ScreeningService = Service<typeof screeningOperations>;
