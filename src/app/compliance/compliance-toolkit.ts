import { parseCsv } from '../../base/csv.ts';
import { CoreError } from '../../base/errors.ts';
import type { ComplianceKey, ComplianceStatus } from '../../domain/compliance/index.ts';
import { type ComplianceRecord, judgeCompliance } from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { digitsOf, normalPhone } from '../../domain/person/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';
import {
  type ComplianceRequest,
  contactKeyOf,
  emailKeyOf,
  nameKeyOf,
  type RequirementRequest,
  readRecord,
} from './read-record.ts';

/**
 * Who is asked about: a number decides; else e-mail with phone, one of them alone, or the name of
 * a business.
 */
export interface ComplianceQuery {
  readonly ssn?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly name?: string | undefined;
}

/** What a company knows of the compliance of persons and businesses. */
export interface ComplianceToolkit {
  /** Writes a record in the place of the one about the same. @throws validation.error */
  record(request: ComplianceRequest): Promise<void>;
  /**
   * Writes the records of a CSV text: all of them, or none. Rows about the same become one record,
   * each with one requirement. Columns: kind, name, ssn, email, phone, pep_found, risk_evaluated,
   * compliance_type, answered_date, next_date, flow_key.
   *
   * @returns how many records
   * @throws validation.error, limit.exceeded
   */
  import(csv: string): Promise<number>;
  /** @throws compliance.not_found also without a question, compliance.person.ambiguous */
  status(kind: ComplianceRecord['kind'], query: ComplianceQuery): Promise<ComplianceStatus>;
}

/** The register of one company. */
export function complianceToolkit(
  ports: Pick<ServicePorts, 'store' | 'now' | 'random'>,
  companyKey: CompanyKey,
): ComplianceToolkit {
  const put = (requests: readonly ComplianceRequest[]) => {
    const records = requests.map(readRecord);
    return ports.store.write(async (unit) => {
      // Two records about the same person or business would be found by turns.
      await unit.companies.lock(companyKey);
      for (const record of records) {
        const before = await findSame(unit, companyKey, record);
        const id = before?.id ?? Buffer.from(ports.random(16)).toString('hex');
        await unit.compliance.put({ ...record, id, companyKey, updatedAtMs: ports.now() });
      }
    });
  };
  return {
    record: (request) => put([request]),
    import: async (csv) => {
      const requests = readRequests(csv);
      await put(requests);
      return requests.length;
    },
    status: async (kind, query) => {
      const by = readQuery(kind, query);
      const found = by === undefined ? [] : await findBy(ports.store, companyKey, kind, by);
      const [only] = found;
      if (only === undefined) {
        throw new CoreError('compliance.not_found', `no such ${kind} was ever recorded`);
      }
      // Of persons with a number, or with both addresses, there is one record.
      if (found.length > 1 && by !== undefined && ('email' in by || 'phone' in by)) {
        throw new CoreError('compliance.person.ambiguous', `${found.length} persons have it`, {
          hint: 'ask with the national number, or with e-mail and phone',
        });
      }
      return judgeCompliance(only, new Date(ports.now()).toISOString().slice(0, 10));
    },
  };
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
  { kind, ssn, contactKey, nameKey = '' }: NewRecord,
): Promise<ComplianceRecord | undefined> {
  const find = unit.compliance.find;
  if (ssn !== undefined) return (await find(companyKey, kind, { ssn }))[0];
  if (contactKey !== undefined) return (await find(companyKey, kind, { contact: contactKey }))[0];
  const named = await find(companyKey, kind, { name: nameKey });
  return named.find((each) => each.ssn === undefined && each.contactKey === undefined);
}

function readQuery(
  kind: ComplianceRecord['kind'],
  query: ComplianceQuery,
): ComplianceKey | undefined {
  const text = (value: string | undefined) => (value?.trim() === '' ? undefined : value);
  const [ssn, email, phone, name] = [query.ssn, query.email, query.phone, query.name].map(text);
  if (ssn !== undefined) return { ssn: digitsOf(ssn) };
  if (kind === 'business') return name === undefined ? undefined : { name: nameKeyOf(name) };
  const contact = contactKeyOf(email, phone);
  if (contact !== undefined) return { contact };
  if (email !== undefined) return { email: emailKeyOf(email) };
  return phone === undefined ? undefined : { phone: normalPhone(phone) };
}

function readRequests(csv: string): readonly ComplianceRequest[] {
  const bySubject = new Map<string, ComplianceRequest & { requirements: RequirementRequest[] }>();
  parseCsv(csv).forEach((row, index) => {
    const cell = (name: string) => row.get(name) || undefined;
    const kind = (cell('kind') ?? 'person').toLowerCase();
    if (kind !== 'person' && kind !== 'business') {
      const found = `row ${index + 2}: kind: expected person or business`;
      throw new CoreError('validation.error', found, { details: { row: index + 2 } });
    }
    const [name, ssn, email, phone] = [
      cell('name') ?? '',
      cell('ssn'),
      cell('email'),
      cell('phone'),
    ];
    const subject = [kind, ssn && digitsOf(ssn), contactKeyOf(email, phone)];
    const key = JSON.stringify((subject[1] ?? subject[2]) ? subject : [kind, nameKeyOf(name)]);
    const known = bySubject.get(key) ?? {
      kind,
      name,
      ssn,
      email,
      phoneNumber: phone,
      pepFound: isYes(cell('pep_found')),
      riskEvaluated: isYes(cell('risk_evaluated')),
      requirements: [],
    };
    const type = cell('compliance_type');
    if (type !== undefined) {
      known.requirements.push({
        type,
        answeredDate: cell('answered_date'),
        nextDate: cell('next_date'),
        flowKey: cell('flow_key'),
      });
    }
    bySubject.set(key, known);
  });
  return [...bySubject.values()];
}

function isYes(text: string | undefined): boolean {
  return /^(true|yes|1|x)$/i.test(text ?? '');
}
