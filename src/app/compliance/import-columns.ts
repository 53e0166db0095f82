import type { ErrorFinding } from '../../base/errors.ts';

/** Columns of an import. */
export const importColumns = [
  'kind',
  'name',
  'ssn',
  'email',
  'phone',
  'pep_found',
  'risk_evaluated',
  'compliance_type',
  'answered_date',
  'next_date',
  'flow_key',
] as const;

/** What is wrong with the first row: an answer in a column that nobody reads would be lost. */
export function columnFaults(names: readonly string[]): readonly ErrorFinding[] {
  const known: readonly string[] = importColumns;
  const unknown = names.filter((name) => !known.includes(name));
  const faults = unknown.map((name) => ({
    name: `column ${name}`.trim(),
    message: `expected one of ${importColumns.join(', ')}`,
  }));
  if (names.includes('name')) return faults;
  return [...faults, { name: 'column name', message: 'expected it, found none' }];
}

/** What a cell says: nothing, when it is empty; undefined for a word that is neither. */
export function readAnswer(text: string | undefined): 'yes' | 'no' | 'nothing' | undefined {
  if (text === undefined || text === '') return 'nothing';
  if (/^(?:true|yes|1|x)$/i.test(text)) return 'yes';
  return /^(?:false|no|0)$/i.test(text) ? 'no' : undefined;
}
