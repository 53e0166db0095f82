import { InnsigliError } from '../../base/errors.ts';
import {
  type ComplianceKey,
  type ComplianceRecord,
  checkCompliance,
} from '../../domain/compliance.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { digitsOf, normalPhone } from '../../domain/person/index.ts';
import { type Service, useCase } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';
import { readImport } from './read-import.ts';
import {
  type ComplianceRequest,
  contactKeyOf,
  emailKeyOf,
  isEmail,
  isPhone,
  nameKeyOf,
  readRecord,
} from './read-record.ts';

/**
 * Subject of a query: a number takes precedence; else e-mail with phone, one of them alone, or the
 * name of a business.
 */
export interface ComplianceQuery {
  readonly ssn?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly name?: string | undefined;
}

type CompliancePorts = Pick<ServicePorts, 'store' | 'now' | 'random'>;

/** The compliance register of a company: persons and businesses. */
export const complianceOperations = {
  /**
   * Writes a record in the place of the one about the same.
   *
   * @throws validation.error
   * @throws compliance.person.ambiguous without a number, where several have its e-mail and
   *   phone
   * @example
   * await acme.compliance.record({ kind: 'person', name: 'Anna', ssn, pepFound: false });
   */
  record: useCase(
    ['compliance.person.ambiguous'],
    (ports: CompliancePorts, companyKey, request: ComplianceRequest) =>
      putRecords(ports, companyKey, [request]),
  ),
  /**
   * Writes the records of a CSV text: all of them, or none, also when one row is not understood.
   * Rows about the same become one record, each with one requirement. Columns: kind, name, ssn,
   * email, phone, pep_found, risk_evaluated, compliance_type, answered_date, next_date, flow_key.
   * @returns how many records
   *
   * @throws validation.error with each row that is wrong in `findings`, limit.exceeded
   * @throws compliance.person.ambiguous
   * @example
   * const count = await acme.compliance.import(await readFile('records.csv', 'utf8'));
   */
  import: useCase(
    ['compliance.person.ambiguous', 'limit.exceeded'],
    async (ports: CompliancePorts, companyKey, csv: string) => {
      const requests = readImport(csv);
      await putRecords(ports, companyKey, requests);
      return requests.length;
    },
  ),
  /**
   * Records about a person or business, and whether they meet the requirements.
   *
   * @throws compliance.not_found also without a question, compliance.person.ambiguous
   * @example
   * const { isCompliant } = await acme.compliance.status('person', { ssn });
   */
  status: useCase(
    ['compliance.not_found', 'compliance.person.ambiguous'],
    async (
      { store, now }: CompliancePorts,
      companyKey,
      kind: ComplianceRecord['kind'],
      query: ComplianceQuery,
    ) => {
      const by = readQuery(kind, query);
      const found = by === undefined ? [] : await findBy(store, companyKey, kind, by);
      const [only] = found;
      if (only === undefined) {
        throw new InnsigliError('compliance.not_found', `there is no record of this ${kind}`);
      }
      if (found.length > 1) throw ambiguous(found.length, 'ask with the national number');
      return checkCompliance(only, new Date(now()).toISOString().slice(0, 10));
    },
  ),
};

/** The methods of {@link complianceOperations}. */
export type ComplianceService = Service<typeof complianceOperations>;

async function putRecords(
  { store, now, random }: CompliancePorts,
  companyKey: CompanyKey,
  requests: readonly ComplianceRequest[],
): Promise<void> {
  const records = requests.map(readRecord);
  await store.write(async (unit) => {
    // Two records about the same person or business would be found by turns.
    await unit.companies.lock(companyKey);
    for (const record of records) {
      const before = await findSame(unit, companyKey, record);
      const id = before?.id ?? Buffer.from(random(16)).toString('hex');
      await unit.compliance.put({ ...record, id, companyKey, updatedAtMs: now() });
    }
  });
}

async function findBy(
  store: ServicePorts['store'],
  companyKey: CompanyKey,
  kind: ComplianceRecord['kind'],
  by: ComplianceKey,
): Promise<readonly ComplianceRecord[]> {
  const found = await store.read((unit) => unit.compliance.find(companyKey, kind, by));
  if ('email' in by) return found.filter(({ email = '' }) => emailKeyOf(email) === by.email);
  if (!('phone' in by)) return found;
  return found.filter(({ phoneNumber = '' }) => normalPhone(phoneNumber) === by.phone);
}

type NewRecord = ReturnType<typeof readRecord>;

async function findSame(
  unit: StoreUnit,
  companyKey: CompanyKey,
  { kind, ssn, contactKey, nameKey = '', emailKey, phoneKey }: NewRecord,
): Promise<ComplianceRecord | undefined> {
  const find = unit.compliance.find;
  if (ssn !== undefined) return (await find(companyKey, kind, { ssn }))[0];
  if (contactKey !== undefined) {
    const all = await find(companyKey, kind, { contact: contactKey });
    const [only] = all.length > 1 ? all.filter((each) => each.ssn === undefined) : all;
    // It is ambiguous which of them is meant.
    if (only === undefined && all.length > 1) throw ambiguous(all.length, 'record it with one');
    return only;
  }
  const named = await find(companyKey, kind, { name: nameKey });
  const unnumbered = named.filter(
    (each) => each.ssn === undefined && each.contactKey === undefined,
  );
  if (kind === 'business') return unnumbered[0];
  // Persons with one name and different addresses are different persons.
  return unnumbered.find(
    ({ email, phoneNumber }) =>
      (email && emailKeyOf(email)) === emailKey &&
      (phoneNumber && normalPhone(phoneNumber)) === phoneKey,
  );
}

function readQuery(
  kind: ComplianceRecord['kind'],
  query: ComplianceQuery,
): ComplianceKey | undefined {
  const text = (value: string | undefined) => (value?.trim() === '' ? undefined : value);
  const [ssn, email, phone, name] = [query.ssn, query.email, query.phone, query.name].map(text);
  if (ssn !== undefined) return { ssn: digitsOf(ssn) };
  if (kind === 'business') return name === undefined ? undefined : { name: nameKeyOf(name) };
  // A query without a person finds nobody, also in records of earlier versions.
  if (email !== undefined && !isEmail(email)) return undefined;
  if (phone !== undefined && !isPhone(phone)) return undefined;
  const contact = contactKeyOf(email, phone);
  if (contact !== undefined) return { contact };
  if (email !== undefined) return { email: emailKeyOf(email) };
  return phone === undefined ? undefined : { phone: normalPhone(phone) };
}

function ambiguous(count: number, hint: string): InnsigliError {
  return new InnsigliError('compliance.person.ambiguous', `expected one, found ${count}`, { hint });
}
