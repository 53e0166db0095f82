import { defined } from '../../base/defined.ts';
import { attempt, onCode } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { type FlowValue, type FlowValues, valuesFromMeta } from '../../domain/flow/index.ts';
import { asKey, type RandomBytes } from '../../domain/keys.ts';
import { digitsOf } from '../../domain/person/index.ts';
import type { EventDraft, Signee, SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { findSame } from './find-record.ts';
import { mergeRecord } from './merge-record.ts';
import { type CheckedRecord, isEmail, isPhone, readRecord } from './read-record.ts';

/**
 * Registers the subjects of a new process of a flow that answers assessments, and records their
 * answers when it is completed, in the same transaction. The subject is the business given in the
 * values (`company`: `name` and `ssn`), else each signee. A signee named only by the holder of a
 * link, or by a public form, counts only after a login. If a subject matches several records,
 * nothing is recorded.
 */
export async function recordByFlow(
  unit: StoreUnit,
  { random }: { readonly random: RandomBytes },
  process: SigningProcess,
  events: readonly EventDraft[],
  nowMs: number,
): Promise<void> {
  const isCompleted = events.some(({ type }) => type === 'Completed');
  if (!isCompleted && !events.some(({ type }) => type === 'Created')) return;
  const { complianceTypes: types = [] } = process.policy;
  if (types.length === 0) return;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const answer = {
    flowKey: process.flowKey,
    ...(isCompleted ? { answeredDate: today } : {}),
  };
  const requirements = types.map((type) => ({ type, ...answer }));
  const { companyKey } = process;
  await unit.companies.lock(companyKey);
  for (const subject of subjectsOf(process)) {
    const read = readRecord({ ...subject, requirements }, today);
    const record: CheckedRecord = {
      ...read,
      requirements: read.requirements.map((each) =>
        isCompleted ? { ...each, processKey: process.key } : each,
      ),
    };
    const before = await findSubject(unit, companyKey, record);
    if (before === 'several') continue;
    const id = before?.id ?? Buffer.from(random(16)).toString('hex');
    const own = { id, companyKey: asKey('company', companyKey), updatedAtMs: nowMs };
    await unit.compliance.put(mergeRecord(before, record, 'flow', own));
  }
}

/** Finds a record by number, else one with the same contact data and no number. */
async function findSubject(
  unit: StoreUnit,
  companyKey: SigningProcess['companyKey'],
  record: CheckedRecord,
) {
  const { ssn, ...others } = record;
  const find = async () => {
    const numbered = ssn && (await findSame(unit, companyKey, record));
    if (numbered) return numbered;
    const found = await findSame(unit, companyKey, others);
    return found?.ssn !== undefined && ssn !== undefined ? undefined : found;
  };
  return find().catch(onCode('compliance.person.ambiguous', () => 'several' as const));
}

function subjectsOf(process: SigningProcess) {
  // Values that produce no document were never checked.
  const values = attempt<FlowValues, FlowValues>(
    () => valuesFromMeta(process.meta, true),
    () => ({}),
  );
  const isClaim = process.policy.isByCustomer === true;
  const persons = process.signees.filter(
    ({ byLink, login }) => login?.ssn !== undefined || (byLink === undefined && !isClaim),
  );
  const business = businessOf(values);
  // A business must be represented by a person who counts.
  if (business !== undefined) return persons.length === 0 ? [] : [business];
  const isPep = persons.length === 1 && isYes(values['pepFound'] ?? values['pep_found']);
  const known = persons.map((signee) => (isClaim ? provedOf(signee) : signee));
  return known.map((signee) => ({ ...personOf(signee), ...(isPep ? { pepFound: true } : {}) }));
}

/** The signee as identified by the login: contact data they claim may belong to someone else. */
function provedOf({ email: _email, phoneNumber: _phone, ssn: _ssn, ...signee }: Signee): Signee {
  return { ...signee, name: signee.login?.name ?? signee.name };
}

function personOf({ name, ssn, email, phoneNumber, login }: Signee) {
  const number = login?.ssn ?? ssn;
  const isNumber = number !== undefined && digitsOf(number).length === 10;
  return {
    kind: 'person' as const,
    name,
    ...defined({
      ssn: isNumber ? number : undefined,
      email: email !== undefined && isEmail(email) ? email : undefined,
      phoneNumber: phoneNumber !== undefined && isPhone(phoneNumber) ? phoneNumber : undefined,
    }),
  };
}

function businessOf(values: FlowValues) {
  const { company } = values;
  const inside = isRecord(company) ? company : {};
  const text = (name: string) => {
    const found = inside[name] ?? values[`company.${name}`];
    return typeof found === 'string' && found.trim() !== ''
      ? found.trim().slice(0, 400)
      : undefined;
  };
  const name = text('name') ?? (typeof company === 'string' ? company.trim() : undefined);
  if (name === undefined || name === '') return undefined;
  const ssn = text('ssn');
  const isNumber = ssn !== undefined && digitsOf(ssn).length === 10;
  return { kind: 'business' as const, name, ...(isNumber ? { ssn } : {}) };
}

function isYes(value: FlowValue | undefined): boolean {
  return value === true || (typeof value === 'string' && /^(?:true|yes|on|1|x)$/i.test(value));
}
