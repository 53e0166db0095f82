import {
  type CsvRow,
  foundColumn,
  inColumnNames,
  readCsv,
  unknownColumns,
} from '../../base/csv.ts';
import { defined } from '../../base/defined.ts';
import { type ErrorFinding, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { shown } from '../../base/input.ts';
import { complianceTypes, riskLevels } from '../../domain/compliance/index.ts';
import { digitsOf, normalPhone } from '../../domain/person/index.ts';
import {
  type ComplianceRequest,
  contactKeyOf,
  emailKeyOf,
  nameKeyOf,
  type RequirementRequest,
  readRecord,
} from './read-record.ts';

/** Maximum number of faults reported; all of them are counted. */
const NAMED_MAX = 100;

type Answer = 'yes' | 'no' | 'nothing';

/** Returns the text in a column; undefined if it is empty. */
type Cell = (column: (typeof importColumns)[number]) => string | undefined;

interface RowFacts {
  readonly number: number;
  readonly cell: Cell;
  readonly kind: 'person' | 'business';
  readonly pepFound: Answer;
  readonly riskEvaluated: Answer;
  readonly requirement: RequirementRequest | undefined;
}

/**
 * Parses a CSV text about persons and businesses into one request per subject. Rows about the same
 * subject are merged conservatively: a person is politically exposed if any row says so, the risk
 * is evaluated if a row says so and none denies it, and the highest level counts.
 *
 * @param today as in {@link readRecord}
 * @param kind of rows that name none
 * @throws validation.error with every invalid row in `findings`
 * @throws limit.exceeded
 */
export function readImport(
  csv: string,
  today: string,
  kind: RowFacts['kind'] = 'person',
): readonly ComplianceRequest[] {
  const { names, rows } = readCsv(csv);
  requireColumns(names);
  const faults: ErrorFinding[] = [];
  const facts: RowFacts[] = [];
  for (const row of rows) {
    try {
      const read = readRow(row, names.length, kind);
      // Each row is checked on its own, so that its faults carry its row number.
      readRecord(requestOf([read]), today);
      facts.push(read);
    } catch (error) {
      if (!isInnsigliError(error) || error.code !== 'validation.error') throw error;
      const message = inColumnNames(error.message, {
        phoneNumber: 'phone',
        type: 'compliance_type',
      });
      faults.push({ name: `row ${row.number}`, message, ...defined({ hint: error.hint }) });
    }
  }
  const requests = joined(facts, faults);
  if (faults.length === 0) return requests;
  const [first] = faults;
  const count = `${faults.length} row${faults.length === 1 ? '' : 's'}`;
  throw refused(count, `${first?.name}: ${first?.message}`, faults);
}

function readRow(
  { number, cells }: CsvRow,
  columnCount: number,
  usualKind: RowFacts['kind'],
): RowFacts {
  if (cells.size < columnCount) {
    throw fault(`expected ${columnCount} cells, found ${cells.size}`);
  }
  const cell: Cell = (column) => cells.get(column) || undefined;
  const kind = (cell('kind') ?? usualKind).toLowerCase();
  if (kind !== 'person' && kind !== 'business')
    throw fault(`kind: expected person or business, found ${shown(cell('kind'))}`);
  const answer = (name: 'pep_found' | 'risk_evaluated'): Answer => {
    const text = cell(name);
    if (text === undefined) return 'nothing';
    if (/^(?:true|yes|1|x)$/i.test(text)) return 'yes';
    if (/^(?:false|no|0)$/i.test(text)) return 'no';
    throw fault(
      `${name}: expected yes or no (true, 1, x; false, 0; or nothing), found ${shown(text)}`,
    );
  };
  const [pepFound, riskEvaluated] = [answer('pep_found'), answer('risk_evaluated')];
  const requirement = readRequirement(cell);
  if (kind === 'business' && pepFound === 'yes') {
    throw fault('pep_found: allowed only for kind person');
  }
  return { number, cell, kind, pepFound, riskEvaluated, requirement };
}

function readRequirement(cell: Cell): RequirementRequest | undefined {
  const type = cell('compliance_type');
  const columns = ['answered_date', 'next_date', 'flow_key'] as const;
  const [answeredDate, nextDate, flowKey] = columns.map(cell);
  if (type !== undefined) return { type, answeredDate, nextDate, flowKey };
  const given = columns.filter(cell);
  if (given.length === 0) return undefined;
  const types = complianceTypes.join(', ');
  throw fault(`compliance_type: expected one of ${types} with ${given.join(' and ')}, found none`);
}

/** One request per subject, in the order of their first rows. */
function joined(rows: readonly RowFacts[], faults: ErrorFinding[]): readonly ComplianceRequest[] {
  const numbered = new Map<string, Set<string>>();
  for (const row of rows) {
    const [contact, ssn] = [contactOf(row), row.cell('ssn')];
    if (ssn === undefined || contact === undefined) continue;
    const found = numbered.get(contact) ?? new Set();
    numbered.set(contact, found.add(digitsOf(ssn)));
  }
  const bySubject = new Map<string, RowFacts[]>();
  for (const row of rows) {
    const contact = contactOf(row);
    const owners = [...((contact && numbered.get(contact)) || [])];
    if (row.cell('ssn') === undefined && owners.length > 1) {
      const message = `ssn: expected one, ${owners.length} persons have these addresses`;
      faults.push({ name: `row ${row.number}`, message });
      continue;
    }
    const key = subjectOf(row, owners[0]);
    bySubject.set(key, [...(bySubject.get(key) ?? []), row]);
  }
  return [...bySubject.values()].map(requestOf);
}

function contactOf({ kind, cell }: RowFacts): string | undefined {
  const contact = contactKeyOf(cell('email'), cell('phone'));
  return contact === undefined ? undefined : `${kind} ${contact}`;
}

/** @param owner the number of another row with the same e-mail and phone */
function subjectOf(row: RowFacts, owner: string | undefined): string {
  const { kind, cell } = row;
  const [ssn, email, phone] = [cell('ssn'), cell('email'), cell('phone')];
  const number = ssn === undefined ? owner : digitsOf(ssn);
  if (number !== undefined) return JSON.stringify([kind, 'number', number]);
  const contact = contactOf(row);
  if (contact !== undefined) return JSON.stringify([kind, 'contact', contact]);
  const addresses = [email && emailKeyOf(email), phone && normalPhone(phone)];
  // Persons of the same name differ by contact data; a business is identified by its name.
  const name = nameKeyOf(cell('name') ?? '');
  return JSON.stringify([kind, 'name', name, ...(kind === 'person' ? addresses : [])]);
}

function requestOf(rows: readonly RowFacts[]): ComplianceRequest {
  const first: Cell = (column) => rows.map(({ cell }) => cell(column)).find((text) => text);
  const says = (key: 'pepFound' | 'riskEvaluated', answer: Answer) =>
    rows.some((row) => row[key] === answer);
  const isSaid = (key: 'pepFound' | 'riskEvaluated') => says(key, 'yes') || says(key, 'no');
  const isDenied = says('riskEvaluated', 'no');
  return {
    kind: rows[0]?.kind ?? 'person',
    name: first('name') ?? '',
    ssn: first('ssn'),
    email: first('email'),
    phoneNumber: first('phone'),
    ...(isSaid('pepFound') ? { pepFound: says('pepFound', 'yes') } : {}),
    ...(isSaid('riskEvaluated') ? { riskEvaluated: !isDenied } : {}),
    // One row that denies an evaluation outweighs the others. The highest level of several counts.
    ...(isDenied ? {} : highestRisk(rows)),
    owners: first('owners')?.split(';'),
    requirements: rows.flatMap(({ requirement }) => requirement ?? []),
  };
}

function highestRisk(rows: readonly RowFacts[]) {
  const rank = ({ riskLevel }: { readonly riskLevel: string | undefined }) =>
    (riskLevels as readonly string[]).indexOf(riskLevel?.trim().toLowerCase() ?? '');
  const [highest] = rows
    .map(({ cell }) => ({
      riskLevel: cell('risk_level'),
      riskDate: cell('risk_date'),
      riskUntil: cell('risk_until'),
    }))
    .filter(({ riskLevel, riskDate, riskUntil }) => riskLevel ?? riskDate ?? riskUntil)
    .sort((a, b) => rank(b) - rank(a));
  return highest ?? {};
}

function fault(message: string): InnsigliError {
  return new InnsigliError('validation.error', message);
}

function refused(what: string, why: string, faults: readonly ErrorFinding[]): InnsigliError {
  const message = `${what} not valid, and nothing was recorded: ${why}`;
  return new InnsigliError('validation.error', message, {
    findings: faults.slice(0, NAMED_MAX),
    details: { faults: faults.length },
  });
}

const importColumns = [
  'kind',
  'name',
  'ssn',
  'email',
  'phone',
  'pep_found',
  'risk_evaluated',
  'risk_level',
  'risk_date',
  'risk_until',
  'owners',
  'compliance_type',
  'answered_date',
  'next_date',
  'flow_key',
] as const;

/** Rejects a header row with unknown names: values in an unknown column would be lost. */
function requireColumns(names: readonly string[]): void {
  const unknown = unknownColumns(names, importColumns);
  const hasName = names.includes('name');
  if (unknown.length === 0 && hasName) return;
  const missing = hasName ? [] : [{ name: 'column name', message: 'required, but missing' }];
  const others = importColumns.filter((name) => name !== 'name').join(', ');
  const why = `expected name and any of ${others}, ${foundColumn(unknown)}`;
  throw refused('the columns are', why, [...unknown, ...missing]);
}
