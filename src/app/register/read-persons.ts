import { type CsvRow, unknownColumns } from '../../base/csv.ts';
import { defined } from '../../base/defined.ts';
import { type ErrorFinding, InnsigliError, isInnsigliError, onCode } from '../../base/errors.ts';
import type { FamilyFacts, HomeAddress } from '../../domain/auth/index.ts';
import type { RegisterFigures, RegisterPerson, RegisterTable } from '../ports/index.ts';
import { csvRows } from './csv-rows.ts';

/** Columns of an imported register. Only the first is required. */
const registerColumns = [
  'ssn',
  'name',
  'address',
  'postalCode',
  'city',
  'familyNumber',
  'genderCode',
  'familyStatus',
  'partnerSsn',
  'hasMeter',
] as const;

type Column = (typeof registerColumns)[number];

/** Maximum number of faults listed. All are counted. */
const NAMED_MAX = 100;
const CHARACTERS_MAX = 200;

/**
 * Yields the persons of a CSV file in row order. Names are parsed but not stored: the e-ID provider
 * supplies the name of a person. Messages name rows and columns, never values.
 *
 * @throws validation.error after the last row, with each fault in `findings`
 * @throws limit.exceeded
 */
async function* readPersons(csv: AsyncIterable<Uint8Array>): AsyncGenerator<RegisterPerson> {
  const faults: ErrorFinding[] = [];
  let count = 0;
  for await (const row of csvRows(csv, requireColumns)) {
    try {
      const person = readPerson(row);
      // A file with a fault is not imported; its remaining rows are only checked for more faults.
      if (count === 0) yield person;
    } catch (error) {
      if (!isInnsigliError(error) || error.code !== 'validation.error') throw error;
      count += 1;
      if (count <= NAMED_MAX) faults.push({ name: `row ${row.number}`, message: error.message });
    }
  }
  const [first] = faults;
  if (first === undefined) return;
  const rows = `${count} row${count === 1 ? '' : 's'}`;
  throw refused(rows, `${first.name}: ${first.message}`, faults, count);
}

function requireColumns(names: readonly string[]): void {
  const unknown = unknownColumns(names, registerColumns);
  const missing = names.includes('ssn')
    ? []
    : [{ name: 'column ssn', message: 'required, but missing' }];
  const faults = [...unknown, ...missing];
  if (faults.length === 0) return;
  const others = registerColumns.filter((name) => name !== 'ssn').join(', ');
  // Never quotes the names found: without a header row they are data of persons.
  throw refused('the columns are', `expected ssn and any of ${others}`, faults);
}

function readPerson({ number: row, cells }: CsvRow): RegisterPerson {
  const cell = (name: Column) => readText(name, cells.get(name.toLowerCase()) ?? '');
  cell('name');
  const ssn = readNumber('ssn', cell('ssn'));
  const address = readAddress(cell);
  const family = readFamily(cell);
  return { ssn, row, ...defined({ address, family }), hasMeter: readAnswer(cell('hasMeter')) };
}

function readAddress(cell: (name: Column) => string): HomeAddress | undefined {
  const home = { address: cell('address'), postalCode: cell('postalCode'), city: cell('city') };
  return Object.values(home).every((text) => text === '') ? undefined : home;
}

function readFamily(cell: (name: Column) => string): FamilyFacts | undefined {
  const facts = {
    familyNumber: cell('familyNumber').replace(/[- ]/g, ''),
    genderCode: cell('genderCode'),
    familyStatus: cell('familyStatus'),
  };
  const partner = cell('partnerSsn');
  if (partner === '' && Object.values(facts).every((text) => text === '')) return undefined;
  for (const [name, text] of Object.entries(facts)) {
    if (!/^\d{1,14}$/.test(text)) throw fault(`${name}: expected digits, as in all family columns`);
  }
  return partner === '' ? facts : { ...facts, partnerSsn: readNumber('partnerSsn', partner) };
}

/** A national number of any country. The check digit is not verified: new numbers have none. */
function readNumber(name: Column, text: string): string {
  const digits = text.replace(/[- ]/g, '');
  if (/^\d{8,14}$/.test(digits)) return digits;
  throw fault(`${name}: expected a national number of 8 to 14 digits`);
}

function readAnswer(text: string): boolean {
  if (/^(?:true|yes|1|x)$/i.test(text)) return true;
  if (/^(?:false|no|0)?$/i.test(text)) return false;
  throw fault('hasMeter: expected yes or no (true, 1, x; false, 0; or nothing)');
}

function readText(name: Column, text: string): string {
  if (text.length > CHARACTERS_MAX) throw fault(`${name}: expected ${CHARACTERS_MAX} characters`);
  if (/\p{Cc}/u.test(text)) throw fault(`${name}: expected text without control characters`);
  return text;
}

function fault(message: string): InnsigliError {
  return new InnsigliError('validation.error', message);
}

function refused(
  what: string,
  why: string,
  faults: readonly ErrorFinding[],
  count = faults.length,
): InnsigliError {
  const message = `${what} not valid, and nothing was changed: ${why}`;
  return new InnsigliError('validation.error', message, {
    findings: faults.slice(0, NAMED_MAX),
    details: { faults: count },
  });
}

/** Options of an import of the register. */
export interface RegisterImport {
  /** Whether a file replaces the stored persons even if it has lost more than a tenth of them. */
  readonly acceptsShrunken?: boolean;
}

/** Minimum size of a new file, as a share of the stored persons. */
const KEPT_SHARE = 0.9;

/**
 * Replaces the imported register with the persons of a CSV file, atomically: an invalid, empty or
 * shrunken file changes nothing.
 *
 * @param csv the file, in chunks
 * @throws validation.error with each invalid row in `findings`
 * @throws register.import.shrunk, limit.exceeded, config.datadir.unusable
 */
export async function importRegister(
  { table, now }: { readonly table: RegisterTable; now(): number },
  csv: AsyncIterable<Uint8Array>,
  { acceptsShrunken = false }: RegisterImport = {},
): Promise<RegisterFigures> {
  const stored = await storedPersons(table);
  return table.replace(readPersons(csv), now(), (persons) => {
    if (persons === 0) {
      throw new InnsigliError('validation.error', 'expected rows with persons, found none');
    }
    if (acceptsShrunken || persons >= stored * KEPT_SHARE) return;
    const found = `found ${persons} for ${stored} stored ones`;
    throw new InnsigliError(
      'register.import.shrunk',
      `expected at least nine tenths of the persons, ${found}; nothing was changed`,
      { hint: 'if they really left the register, import it with --accept-shrunken' },
    );
  });
}

// A damaged table is no reason to reject a valid file.
async function storedPersons(table: RegisterTable): Promise<number> {
  const figures = await table.figures().catch(onCode(/^register\./));
  return figures?.persons ?? 0;
}
