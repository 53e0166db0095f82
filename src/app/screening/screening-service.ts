import { type Service, useCase } from '../operation.ts';
import { listScreenings, replayScreening, verifyScreenings } from './audit-screenings.ts';
import { decideMatch, listDecisions } from './decide-match.ts';
import { listCustomers, putCustomers, readCustomers, removeCustomer } from './manage-customers.ts';
import { currentLists, diffList, importList, listVersions, removeList } from './manage-lists.ts';
import { rescreen } from './rescreen-customers.ts';
import { type ScreeningPorts, screen, screenAll, staleOf } from './screen-persons.ts';
import { selfTest } from './self-test.ts';
import { updateLists } from './update-lists.ts';

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
   * Looks for many persons, without the quota of requests. Who cannot be looked for is told at
   * their place (`fault`), and the others are.
   *
   * @example
   * const results = await acme.screening.screenAll(requests);
   */
  screenAll: useCase(['screening.flow.invalid', 'screening.list.required'], screenAll),
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
   * Gets lists from the sources of the setting `screening.sources`, and imports them. What fails is
   * told, and stays as it is.
   *
   * @example
   * const { updated, failed } = await acme.screening.updateLists();
   */
  updateLists: useCase(['screening.source.required'], updateLists),
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
   * As {@link putCustomers} from a CSV text: nobody where a row is not valid. Rows are written a
   * thousand at a time; an import that is broken off can be repeated. Columns: reference, name,
   * first_name, middle_name, last_name, date_of_birth (a year will do), gender, country, ssn,
   * risk_level.
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
  rescreen: useCase(['screening.list.required'], async (ports: ScreeningPorts, companyKey) => {
    const done = await rescreen(ports, companyKey);
    return { ...done, staleLists: staleOf(done.lists, ports.now(), ports.listsMaxAgeDays) };
  }),
};

/** The methods of {@link screeningOperations}. */
export type ScreeningService = Service<typeof screeningOperations>;
