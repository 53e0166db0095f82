import type { CustomerView } from '../../../app/screening/index.ts';
import { riskLevels } from '../../../domain/compliance/index.ts';
import { command, oneOf, readTableText } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { searchedLines } from './lists.ts';
import { unreadText } from './person.ts';

const customerAdd = command('screen customer add', {
  summary: 'monitor a customer',
  description: 'Add or change a customer who is screened repeatedly.',
  args: { '<reference>': 'your reference number of the customer' },
  options: {
    '--name <name>': 'full name, instead of --first and --last',
    '--first <name>': 'given name',
    '--middle <name>': 'middle name',
    '--last <name>': 'family name',
    '--born <date>': 'date of birth: YYYY-MM-DD, YYYY-MM or YYYY',
    '--gender <gender>': { text: 'Male or Female', ...oneOf(['Male', 'Female']) },
    '--country <code>': 'two letters',
    '--ssn <number>': 'national number: matches are recorded in its compliance record',
    '--risk-level <level>': { text: riskLevels.join(', '), ...oneOf(riskLevels), default: 'high' },
  },
  examples: {
    "innsigli screen customer add 1001 --name 'Jón Jónsson' --born 1970-01-31 --country IS":
      'screened every year, and when a list changes',
  },
  exits: { 0: 'added or changed', 2: 'a value is missing or invalid' },
  names: () => ({
    ...{ originalName: '--name', firstName: '--first', lastName: '--last' },
    ...{ dateOfBirth: '--born', countryCode: '--country' },
  }),
  call: async ({ screening }, { reference, name, first, middle, last, born, country, ...rest }) => {
    const { gender, ssn, riskLevel } = rest;
    const names = { originalName: name, firstName: first, middleName: middle, lastName: last };
    const facts = { dateOfBirth: born, gender, countryCode: country, ssn, riskLevel };
    const { unread } = await screening.putCustomers([{ reference, ...names, ...facts }]);
    return { reference, unread };
  },
  text: ({ reference, unread }, { console }) => {
    console.note(`recorded: ${printable(reference)}`);
    console.note(unread.map(unreadLine));
  },
});

const customerImport = command('screen customer import', {
  summary: 'monitor the customers of a CSV file',
  description: 'Import the customers of a CSV file; nothing is imported if a row is invalid.',
  args: { '<csv>': 'file whose first row has the column names, or - for stdin' },
  help: [
    'Columns: reference, name (or first_name, middle_name, last_name), date_of_birth, gender ' +
      '(Male, Female), country (two letters), ssn, risk_level (low, medium, high; empty: high).',
    'A thousand rows are written at a time, so that a running service is not blocked. An ' +
      'interrupted import has written the first rows; run it again: no customer is duplicated.',
  ],
  examples: { 'innsigli screen customer import customers.csv': 'every row is checked first' },
  exits: { 0: 'imported', 2: 'a row is invalid; nothing was imported', 5: 'no such file' },
  call: async ({ screening }, { csv }, { io }) =>
    screening.importCustomers(await readTableText(csv, io)),
  text: ({ customers, unread }, { console }) => {
    console.note(`imported: ${customers}`);
    console.note(unread.map(unreadLine));
  },
});

const customerList = command('screen customer list', {
  summary: 'list customers with their matches',
  description: 'List the monitored customers with their latest matches.',
  options: {
    '--open': 'only those with an undecided match',
    '--fail-on-match': 'exit code 7 if one of them has such a match',
  },
  help: [
    'The line of a match starts with its position in the screening: ' +
      'decide it with `innsigli screen decide SCREENING PLACE`. --json has the keys of the ' +
      'entries.',
  ],
  examples: { 'innsigli screen customer list --open': 'matches to review' },
  exits: { 0: 'listed', 7: 'there is an open match, with --fail-on-match' },
  call: async ({ screening }, { open }) => ({
    customers: await screening.customers({ onlyOpen: open === true }),
  }),
  text: ({ customers }, { console }) => {
    for (const customer of customers) console.result(customerLines(customer));
    if (customers.length === 0) console.note('nobody');
  },
  exit: ({ customers }, { failOnMatch }) => {
    const open = customers.some(({ matches }) => matches.some(({ decision }) => !decision));
    return failOnMatch && open ? 7 : 0;
  },
});

const customerRemove = command('screen customer remove', {
  summary: 'stop monitoring a customer',
  description: 'Stop monitoring a customer. Recorded screenings stay.',
  args: { '<reference>': 'your reference number of the customer' },
  examples: { 'innsigli screen customer remove 1001': 'the relationship has ended' },
  exits: { 0: 'removed', 5: 'no such customer' },
  call: async ({ screening }, { reference }) => {
    await screening.removeCustomer(reference);
    return { reference, removed: true };
  },
  text: ({ reference }, { console }) => console.note(`removed: ${printable(reference)}`),
});

const customerScreen = command('screen customer screen', {
  summary: 'screen customers who are due',
  description: 'Screen customers who are due, or whom a new list version may concern.',
  options: { '--fail-on-match': 'exit code 7 if one of them has a new match' },
  help: [
    'A worker (serve, worker) does this by itself. Matches already found by a worker or an ' +
      'interrupted run are not new to the next run: `innsigli screen customer list --open ' +
      '--fail-on-match` lists every undecided match.',
  ],
  examples: { 'innsigli screen customer screen --fail-on-match': 'after an import' },
  exits: { 0: 'screened', 7: 'there is a new match, with --fail-on-match', 10: 'no list' },
  busy: 'Screening customers',
  call: ({ screening }) => screening.rescreen(),
  document: ({ staleLists, ...done }) => ({
    ...done,
    staleLists: staleLists.map(({ list }) => list),
  }),
  text: ({ screened, changed, unread, lists, staleLists }, { console }) => {
    console.result(changed.map((reference) => printable(reference)));
    console.note(`${screened} screened, ${changed.length} with a new match`);
    console.note(unread.map(unreadLine));
    console.note(searchedLines(lists, staleLists));
  },
  exit: ({ changed }, { failOnMatch }) => (failOnMatch && changed.length > 0 ? 7 : 0),
});

function unreadLine(reference: string): string {
  return `${printable(reference)}: a part of the name is not searched (see screen customer list)`;
}

/** Text lines about a customer, with the matches by their position in the screening. */
function customerLines({ reference, name, level, ...rest }: CustomerView): readonly string[] {
  const { screenedAtMs, screeningId, unread, matches } = rest;
  const screened =
    screenedAtMs === undefined
      ? ['never screened']
      : [new Date(screenedAtMs).toISOString(), `screening ${screeningId}`];
  return [
    printable([reference, name, level, ...screened].join('  ')),
    ...unread.map((what) => `       ${unreadText[what]}`),
    ...matches.map((match, at) => {
      const { rate, category, list, key, sinceMs, decision = 'open' } = match;
      const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const since = sinceMs === undefined ? [] : [`since ${day(sinceMs)}`];
      const facts = [rate, category, match.name ?? key, list, ...since, decision];
      return printable(`${String(at + 1).padStart(5)}  ${facts.join('  ')}`);
    }),
  ];
}

/** `screen customer` with its commands. */
export const screenCustomer = command('screen customer', {
  summary: 'monitor customers',
  description:
    'Screen customers again when a list changes and after the period of their risk level.',
  commands: [customerAdd, customerImport, customerList, customerRemove, customerScreen],
});
