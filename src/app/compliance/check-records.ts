import { defined } from '../../base/defined.ts';
import { invalid } from '../../base/input.ts';
import {
  type ComplianceRecord,
  type ComplianceRules,
  type ComplianceStatus,
  type ComplianceType,
  checkCompliance,
  usualComplianceRules,
} from '../../domain/compliance/index.ts';
import { answeredTypes } from '../../domain/flow/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { useCase } from '../operation.ts';
import type { StorePorts, StoreUnit } from '../ports/index.ts';
import { type ComplianceQuery, requireRecord } from './find-record.ts';

/** Filter for due records. */
export interface DueQuery {
  /** Default: both. */
  readonly kind?: ComplianceRecord['kind'];
  /** Days from today, 0 to 3650. Default: 30. */
  readonly withinDays?: number;
}

/** A person or business that requires action. */
export interface DueRecord
  extends Pick<ComplianceRecord, 'kind' | 'name' | 'ssn' | 'email' | 'phoneNumber'> {
  readonly status: ComplianceStatus;
}

const DAY_MS = 86_400_000;
/** Records read in one transaction. */
const PAGE = 1000;

/** Compliance status of records, and the records that are due. */
export const checkOperations = {
  /**
   * Returns whether a person or business meets the requirements today.
   *
   * @throws compliance.not_found also for an empty query, compliance.person.ambiguous
   * @example
   * const { isCompliant } = await acme.compliance.status('person', { ssn });
   */
  status: useCase(
    ['compliance.not_found', 'compliance.person.ambiguous'],
    async (
      { store, now }: StorePorts,
      companyKey,
      kind: ComplianceRecord['kind'],
      query: ComplianceQuery,
    ): Promise<ComplianceStatus> =>
      store.read(async (unit) => {
        const record = await requireRecord(unit, companyKey, kind, query);
        return check(unit, record, await readFrame(unit, companyKey, now()));
      }),
  ),
  /**
   * Returns the record of a person or business, with its changes.
   *
   * @example
   * const { changes } = await acme.compliance.show('person', { ssn });
   */
  show: useCase(
    ['compliance.not_found', 'compliance.person.ambiguous'],
    async (
      { store }: StorePorts,
      companyKey,
      kind: ComplianceRecord['kind'],
      query: ComplianceQuery,
    ): Promise<ComplianceRecord> =>
      store.read((unit) => requireRecord(unit, companyKey, kind, query)),
  ),
  /**
   * Lists the persons and businesses that are not compliant, or will not be within a number of
   * days; the most urgent first.
   *
   * @example
   * const due = await acme.compliance.due({ kind: 'person', withinDays: 30 });
   */
  due: useCase(
    [],
    async (
      { store, now }: StorePorts,
      companyKey,
      { kind: only, withinDays = 30 }: DueQuery = {},
    ): Promise<readonly DueRecord[]> => {
      if (!(Number.isInteger(withinDays) && withinDays >= 0 && withinDays <= 3650)) {
        invalid('withinDays', 'expected 0 to 3650');
      }
      const nowMs = now();
      const last = new Date(nowMs + withinDays * DAY_MS).toISOString().slice(0, 10);
      const due: DueRecord[] = [];
      let after: string | undefined;
      do {
        const page = await store.read(async (unit) => {
          const frame = await readFrame(unit, companyKey, nowMs);
          const records = await unit.compliance.list(companyKey, after, PAGE);
          const wanted = records.filter((record) => only === undefined || record.kind === only);
          for (const record of wanted) {
            const status = await check(unit, record, frame);
            const { kind, name, ssn, email, phoneNumber } = record;
            if (status.dueDate > last) continue;
            due.push({ ...{ kind, name, status }, ...defined({ ssn, email, phoneNumber }) });
          }
          return records;
        });
        after = page.length < PAGE ? undefined : page.at(-1)?.id;
      } while (after !== undefined);
      return due.sort(
        (a, b) => a.status.dueDate.localeCompare(b.status.dueDate) || a.name.localeCompare(b.name),
      );
    },
  ),
};

/** Input that is the same for all records of a company on one day. */
interface Frame {
  readonly today: string;
  readonly rules: ComplianceRules;
  readonly flowKeys: Readonly<Partial<Record<ComplianceType, string>>>;
}

async function readFrame(unit: StoreUnit, companyKey: CompanyKey, nowMs: number): Promise<Frame> {
  const company = await unit.companies.find(companyKey);
  const flows = (await unit.flows.list(companyKey)).filter(({ isActive }) => isActive);
  const inTime = [...flows].sort((a, b) => a.createdAtMs - b.createdAtMs);
  // If several flows answer an assessment, the newest one is used.
  const flowKeys = inTime.flatMap((flow) =>
    answeredTypes(flow).map((type) => [type, flow.key] as const),
  );
  return {
    today: new Date(nowMs).toISOString().slice(0, 10),
    rules: company?.compliance ?? usualComplianceRules,
    flowKeys: Object.fromEntries(flowKeys),
  };
}

async function check(
  unit: StoreUnit,
  record: ComplianceRecord,
  frame: Frame,
): Promise<ComplianceStatus> {
  const { today, rules, flowKeys } = frame;
  const facts = { today, flowKeys, rules: rules[record.kind], ...(await listedOf(unit, record)) };
  const { owners = [] } = record;
  if (owners.length === 0) return checkCompliance(record, facts);
  const open = await Promise.all(
    owners.map(async (ssn) => {
      const [owner] = await unit.compliance.find(record.companyKey, 'person', { ssn });
      if (owner === undefined) return true;
      const own = { today, flowKeys, rules: rules.person, ...(await listedOf(unit, owner)) };
      const status = checkCompliance(owner, own);
      return status.messages.includes('pep found');
    }),
  );
  return checkCompliance(record, { ...facts, hasOpenOwner: open.includes(true) });
}

/** Result of the latest screening of a person who is also a customer, by national number. */
async function listedOf(
  unit: StoreUnit,
  { companyKey, kind, ssn }: ComplianceRecord,
): Promise<{ readonly listed?: 'open' | 'accepted' }> {
  if (kind !== 'person' || ssn === undefined) return {};
  const same = await unit.customers.findBySsn(companyKey, ssn);
  const matches = same.flatMap(({ latest }) => latest?.matches ?? []);
  const decisions = await unit.matchDecisions.findAll(companyKey, matches);
  const counted = decisions.filter((each) => each?.decision !== 'false_positive');
  if (counted.length === 0) return {};
  return { listed: counted.every((each) => each?.decision === 'accepted') ? 'accepted' : 'open' };
}
