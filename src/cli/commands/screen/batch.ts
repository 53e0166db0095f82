import type { BatchScreening, ScreeningRequest } from '../../../app/screening/index.ts';
import { csvLine, inColumnNames, readCsv } from '../../../base/csv.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { meantHint } from '../../../base/text/index.ts';
import { command, oneOf, readTableText } from '../../command/index.ts';
import { counted, printable } from '../../output/index.ts';
import { searchedLines } from './lists.ts';
import { cutText, matchRate, screeningFlow, unreadText } from './person.ts';

const columns = {
  name: 'originalName',
  first_name: 'firstName',
  middle_name: 'middleName',
  last_name: 'lastName',
  date_of_birth: 'dateOfBirth',
  gender: 'gender',
  country: 'countryCode',
} as const;

interface Row {
  /** Line or row number, as spreadsheets and editors count. */
  readonly number: number;
  /** Any cell that should be repeated in the output. */
  readonly reference: string | undefined;
  readonly request: ScreeningRequest;
}

/** Screens the persons of a file. */
export const screenBatch = command('screen batch', {
  summary: 'screen the persons of a file',
  description: 'Screen each person of a CSV or JSON Lines file; every row gets a result.',
  args: { '<file>': 'CSV whose first row has the column names, JSON Lines, or - for stdin' },
  options: {
    '--flow <key>': screeningFlow,
    '--country <code>': 'two letters, for rows without a country',
    '--rate <number>': {
      text: 'required similarity of names: 1 to 100',
      ...matchRate,
      default: '75',
    },
    '--format <format>': {
      text: 'lines, csv or jsonl on stdout',
      ...oneOf(['lines', 'csv', 'jsonl']),
      default: 'lines',
    },
    '--fail-on-match': 'exit code 7 if there is a match',
  },
  help: [
    `Columns, and members of JSON lines: ${Object.keys(columns).join(', ')}, and reference, ` +
      'which is included in the output. A row needs a name, or first and last name; the rest is ' +
      'evidence.',
    'A row that cannot be screened is reported with its number, and the rest are screened; the ' +
      'exit code is then 3. A file with other columns is rejected. Every screening is recorded.',
  ],
  examples: {
    'innsigli screen batch customers.csv --country IS --format csv > report.csv':
      'one line per match, and per row without one',
  },
  exits: {
    0: 'all rows were screened, with or without a match',
    2: 'the file is invalid',
    3: 'some rows could not be screened',
    5: 'no such file',
    7: 'there is a match, with --fail-on-match',
    10: 'production without an imported list',
  },
  busy: 'Screening',
  names: () => ({ flowKey: '--flow' }),
  call: async ({ screening }, { file, flow, country, rate }, { io }) => {
    const rows = readRows(await readTableText(file, io), { flow, country, rate });
    const results = await screening.screenAll(rows.map(({ request }) => request));
    const searched = results.find((result) => 'matches' in result);
    const { lists = [], staleLists = [] } = searched ?? {};
    return {
      rows: rows.map((row, at) => ({ ...row, result: told(results[at] as BatchScreening) })),
      ...{ lists, staleLists },
    };
  },
  document: ({ rows, lists, staleLists }) => ({
    rows: rows.map(rowBody),
    lists,
    staleLists: staleLists.map(({ list }) => list),
  }),
  text: ({ rows, lists, staleLists }, { console }, { format }) => {
    if (format === 'csv') console.result(csvRow(csvColumns));
    for (const row of rows) console.result(print[format as keyof typeof print](row));
    const faults = rows.filter(({ result }) => 'fault' in result);
    for (const { number, result } of faults) {
      if ('fault' in result) console.note(`row ${number}: ${printable(result.fault)}`);
    }
    const matched = rows.filter(({ result }) => !('fault' in result) && result.matches.length > 0);
    const all = counted(rows.length, 'row');
    console.note(`${all}, ${matched.length} with a match, ${faults.length} not screened`);
    console.note(searchedLines(lists, staleLists));
  },
  exit: ({ rows }, { failOnMatch }) => {
    const hasMatch = rows.some(({ result }) => 'matches' in result && result.matches.length > 0);
    if (failOnMatch && hasMatch) return 7;
    return rows.some(({ result }) => 'fault' in result) ? 3 : 0;
  },
});

/** A result whose error uses the column names of the file. */
function told(result: BatchScreening): BatchScreening {
  return 'fault' in result ? { fault: inColumnNames(result.fault, words) } : result;
}

const words = { originalName: 'name', countryCode: 'country', matchRate: '--rate' };

interface Common {
  readonly flow: string | undefined;
  readonly country: string | undefined;
  readonly rate: number;
}

function readRows(text: string, { flow, country, rate }: Common): readonly Row[] {
  const isJson = /^\uFEFF?\s*\{/.test(text);
  const raw = isJson ? jsonRows(text) : csvRows(text);
  return raw.map(({ number, cells }) => {
    const named = Object.entries(columns).map(([column, member]) => [member, cells.get(column)]);
    const request = Object.fromEntries(named) as Record<string, string | undefined>;
    const countryCode = request['countryCode'] || country;
    const given = { ...request, countryCode, flowKey: flow, matchRate: rate };
    const present = Object.entries(given).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    const reference = cells.get('reference') || undefined;
    return { number, reference, request: Object.fromEntries(present) as ScreeningRequest };
  });
}

type Cells = { readonly number: number; readonly cells: ReadonlyMap<string, string> };

function csvRows(text: string): readonly Cells[] {
  const { names, rows } = readCsv(text);
  for (const name of names) requireColumn(name, 1);
  return rows;
}

function jsonRows(text: string): readonly Cells[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const number = at + 1;
    const value = parseObject(line, number);
    const cells = Object.entries(value).map(([name, each]) => {
      requireColumn(name, number);
      return [name, each === null ? '' : String(each)] as const;
    });
    return [{ number, cells: new Map(cells) }];
  });
}

function parseObject(line: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below: the line number helps, not the parser's message.
  }
  throw new InnsigliError('validation.error', `line ${number}: expected a JSON object`);
}

function requireColumn(name: string, number: number): void {
  if (name === 'reference' || Object.hasOwn(columns, name)) return;
  const known = [...Object.keys(columns), 'reference'];
  const found = name.slice(0, 60);
  const message = `line ${number}: expected one of ${known.join(', ')}, found "${found}"`;
  const hint = meantHint(found, known);
  throw new InnsigliError('validation.error', message, defined({ hint }));
}

/** Same as `csvLine` without the line break, which the console adds. */
const csvRow = (cells: readonly string[]) => csvLine(cells).trimEnd();

type Printed = Row & { readonly result: BatchScreening };

function rowBody({ number, reference, result }: Printed): object {
  const who = { row: number, ...defined({ reference }) };
  if ('fault' in result) return { ...who, fault: result.fault };
  const matches = result.matches.map(({ place, rate, category, list, person, decision }) => ({
    ...{ place, rate, category, list: list.list, key: person.key },
    name: person.names[0]?.text ?? '',
    ...defined({ decision }),
  }));
  const { id, unread, isCut } = result;
  const more = { ...(unread.length === 0 ? {} : { unread }), ...defined({ isCut }) };
  return { ...who, screening: id, matches, ...more };
}

const csvColumns = [
  ...['row', 'reference', 'screening', 'rate', 'category', 'list', 'key', 'name', 'fault'],
];

/** States what is missing from the result of a row. */
function leftOf({ unread, isCut }: Extract<BatchScreening, { unread: unknown }>) {
  return [...unread.map((what) => unreadText[what]), ...(isCut ? [cutText] : [])];
}

const print = {
  jsonl: (row: Printed) => JSON.stringify(rowBody(row)),
  csv: ({ number, reference = '', result }: Printed) => {
    const who = [String(number), reference];
    if ('fault' in result) return csvRow([...who, '', '', '', '', '', '', result.fault]);
    const left = leftOf(result).join('; ');
    const none = csvRow([...who, result.id, '', '', '', '', '', left]);
    const lines = result.matches.map(({ rate, category, list, person }) =>
      csvRow([
        ...[...who, result.id, String(rate), category, list.list, person.key],
        ...[person.names[0]?.text ?? '', left],
      ]),
    );
    return lines.length === 0 ? none : lines;
  },
  lines: ({ number, reference, result }: Printed) => {
    const who = printable(reference ?? `row ${number}`);
    if ('fault' in result) return `${who}  not screened`;
    const left = leftOf(result).map((what) => `${who}  ${what}`);
    if (result.matches.length === 0) return [`${who}  no match`, ...left];
    const found = result.matches.map(({ rate, category, list, person }) => {
      const name = person.names[0]?.text ?? '';
      return `${who}  ${rate}  ${category}  ${printable(name)}  ${printable(list.list)}`;
    });
    return [...found, ...left];
  },
} as const;
