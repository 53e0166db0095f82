import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid, refuse, refuseWord } from '../../base/input.ts';
import { isDay } from '../../base/time/day.ts';
import {
  addMonths,
  type ComplianceRecord,
  type ComplianceSource,
  type RiskLevel,
  riskLevels,
} from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { type Service, useCase } from '../operation.ts';
import type { StorePorts } from '../ports/index.ts';
import { checkOperations } from './check-records.ts';
import { type ComplianceQuery, findSame, requireRecord } from './find-record.ts';
import { mergeRecord, withChange } from './merge-record.ts';
import { readImport } from './read-import.ts';
import { type ComplianceRequest, readRecord } from './read-record.ts';

/** Dependencies of the compliance register. */
export interface CompliancePorts extends StorePorts {
  random(count: number): Uint8Array;
}

type Kind = ComplianceRecord['kind'];

/** The compliance register of a company: persons and businesses. */
export const complianceOperations = {
  /**
   * Records data about a person or business. Members absent from the request keep their values: a
   * politically exposed person remains one until `pepFound` is false.
   *
   * @throws validation.error
   * @throws compliance.person.ambiguous without a number, if several records have its e-mail and
   *   phone
   * @example
   * await acme.compliance.record({ kind: 'person', name: 'Anna', ssn, riskLevel: 'low' });
   */
  record: useCase(
    ['compliance.person.ambiguous'],
    (ports: CompliancePorts, companyKey, request: ComplianceRequest) =>
      putRecords(ports, companyKey, [request], 'record'),
  ),
  /**
   * Imports the records of a CSV text: all of them, or none if any row is invalid. Rows about the
   * same subject become one record, each adding one requirement. Columns: kind, name, ssn,
   * email, phone, pep_found, risk_evaluated, risk_level, risk_date, risk_until, owners,
   * compliance_type, answered_date, next_date, flow_key.
   * @param kind of rows that name none
   * @returns the number of records
   *
   * @throws validation.error with each invalid row in `findings`, limit.exceeded
   * @throws compliance.person.ambiguous
   * @example
   * const count = await acme.compliance.import(await readFile('records.csv', 'utf8'));
   */
  import: useCase(
    ['compliance.person.ambiguous', 'limit.exceeded'],
    async (ports: CompliancePorts, companyKey, csv: string, kind: Kind = 'person') => {
      const requests = readImport(csv, todayOf(ports), kind);
      await putRecords(ports, companyKey, requests, 'import');
      return requests.length;
    },
  ),
  /**
   * Records a risk evaluation of a person or business, dated today. The level determines when they
   * must be assessed again.
   *
   * @param until last day on which it is valid; default: by the period of the company
   * @throws compliance.not_found, compliance.person.ambiguous, validation.error
   * @example
   * await acme.compliance.evaluate('person', { ssn }, 'low');
   */
  evaluate: useCase(
    ['compliance.not_found', 'compliance.person.ambiguous'],
    (
      ports: CompliancePorts,
      companyKey,
      kind: Kind,
      query: ComplianceQuery,
      level: RiskLevel,
      until?: string,
    ) => {
      if (!riskLevels.includes(level)) refuseWord('level', riskLevels, level);
      const today = todayOf(ports);
      requireDay('until', until, today);
      const risk = { date: today, level, ...defined({ until }) };
      return changeRecord(ports, companyKey, kind, query, 'evaluate', (record) => ({
        ...record,
        risk,
      }));
    },
  ),
  /**
   * Accepts a politically exposed person as a customer after due diligence. They remain recorded as
   * politically exposed, but this no longer makes them non-compliant.
   *
   * @param until last day on which it is valid; default: a year from today
   * @throws compliance.not_found, compliance.person.ambiguous, validation.error
   * @throws compliance.pep.absent for a person not recorded as politically exposed
   * @example
   * await acme.compliance.accept({ ssn }, 'source of funds documented, approved by the board');
   */
  accept: useCase(
    ['compliance.not_found', 'compliance.person.ambiguous', 'compliance.pep.absent'],
    (
      ports: CompliancePorts,
      companyKey,
      query: ComplianceQuery,
      reason: string,
      until?: string,
    ) => {
      const today = todayOf(ports);
      requireDay('until', until, today);
      const words = reason.trim();
      if (words === '' || words.length > REASON_MAX) {
        invalid('reason', `expected 1 to ${REASON_MAX} characters`);
      }
      const pepAcceptance = { date: today, until: until ?? addMonths(today, 12), reason: words };
      return changeRecord(ports, companyKey, 'person', query, 'accept', (record) => {
        if (record.pepFound) return { ...record, pepAcceptance };
        throw new InnsigliError('compliance.pep.absent', 'expected a person with pepFound', {
          hint: 'show the record with innsigli compliance individual show',
        });
      });
    },
  ),
  ...checkOperations,
};

/** The methods of {@link complianceOperations}. */
export type ComplianceService = Service<typeof complianceOperations>;

const REASON_MAX = 2000;

function todayOf({ now }: Pick<CompliancePorts, 'now'>): string {
  return new Date(now()).toISOString().slice(0, 10);
}

function requireDay(name: string, day: string | undefined, today: string): void {
  if (day === undefined || (isDay(day) && day >= today)) return;
  refuse(name, `YYYY-MM-DD, ${today} or later`, day);
}

async function changeRecord(
  { store, now }: CompliancePorts,
  companyKey: CompanyKey,
  kind: Kind,
  query: ComplianceQuery,
  source: ComplianceSource,
  change: (record: ComplianceRecord) => ComplianceRecord,
): Promise<void> {
  await store.write(async (unit) => {
    await unit.companies.lock(companyKey);
    const before = await requireRecord(unit, companyKey, kind, query);
    const next = { ...change(before), updatedAtMs: now() };
    await unit.compliance.put(withChange(before, next, source));
  });
}

async function putRecords(
  { store, now, random }: CompliancePorts,
  companyKey: CompanyKey,
  requests: readonly ComplianceRequest[],
  source: ComplianceSource,
): Promise<void> {
  const updatedAtMs = now();
  const today = todayOf({ now: () => updatedAtMs });
  const records = requests.map((request) => readRecord(request, today));
  await store.write(async (unit) => {
    // Prevents duplicate records of the same person or business.
    await unit.companies.lock(companyKey);
    for (const record of records) {
      const before = await findSame(unit, companyKey, record);
      const id = before?.id ?? Buffer.from(random(16)).toString('hex');
      const own = { id, companyKey, updatedAtMs };
      await unit.compliance.put(mergeRecord(before, record, source, own));
    }
  });
}
