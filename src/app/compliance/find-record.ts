import { InnsigliError } from '../../base/errors.ts';
import type { ComplianceKey, ComplianceRecord } from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { digitsOf, normalPhone } from '../../domain/person/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { contactKeyOf, emailKeyOf, isEmail, isPhone, nameKeyOf } from './read-record.ts';

/** Subject of a query: first its number; else e-mail, phone or both, or the name of a business. */
export interface ComplianceQuery {
  readonly ssn?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Finds the record of a subject.
 *
 * @throws compliance.not_found, compliance.person.ambiguous
 */
export async function requireRecord(
  unit: StoreUnit,
  companyKey: CompanyKey,
  kind: ComplianceRecord['kind'],
  query: ComplianceQuery,
): Promise<ComplianceRecord> {
  const by = readQuery(kind, query);
  const found = by === undefined ? [] : await findBy(unit, companyKey, kind, by);
  const [only] = found;
  if (only === undefined) {
    const group = kind === 'person' ? 'individual' : kind;
    throw new InnsigliError('compliance.not_found', `there is no record of this ${kind}`, {
      hint: `create one with innsigli compliance ${group} record`,
    });
  }
  if (found.length > 1) throw ambiguous(found.length, 'use the national number');
  return only;
}

/** Members by which a record is looked up. */
export type Subject = Pick<
  ComplianceRecord,
  'kind' | 'ssn' | 'contactKey' | 'nameKey' | 'emailKey' | 'phoneKey'
>;

/**
 * Finds the record of the same person or business.
 *
 * @throws compliance.person.ambiguous
 */
export async function findSame(
  unit: StoreUnit,
  companyKey: CompanyKey,
  { kind, ssn, contactKey, nameKey = '', emailKey, phoneKey }: Subject,
): Promise<ComplianceRecord | undefined> {
  const find = unit.compliance.find;
  if (ssn !== undefined) return (await find(companyKey, kind, { ssn }))[0];
  if (contactKey !== undefined) {
    const all = await find(companyKey, kind, { contact: contactKey });
    const [only] = all.length > 1 ? all.filter((each) => each.ssn === undefined) : all;
    // Several records match, and it is unclear which is meant.
    if (only === undefined && all.length > 1)
      throw ambiguous(all.length, 'record it with a national number');
    return only;
  }
  const named = await find(companyKey, kind, { name: nameKey });
  const unnumbered = named.filter(
    (each) => each.ssn === undefined && each.contactKey === undefined,
  );
  if (kind === 'business') return unnumbered[0];
  // The same name with different contact data is a different person.
  return unnumbered.find(
    ({ email, phoneNumber }) =>
      (email && emailKeyOf(email)) === emailKey &&
      (phoneNumber && normalPhone(phoneNumber)) === phoneKey,
  );
}

async function findBy(
  unit: StoreUnit,
  companyKey: CompanyKey,
  kind: ComplianceRecord['kind'],
  by: ComplianceKey,
): Promise<readonly ComplianceRecord[]> {
  const found = await unit.compliance.find(companyKey, kind, by);
  if ('email' in by) return found.filter(({ email = '' }) => emailKeyOf(email) === by.email);
  if (!('phone' in by)) return found;
  return found.filter(({ phoneNumber = '' }) => normalPhone(phoneNumber) === by.phone);
}

function readQuery(
  kind: ComplianceRecord['kind'],
  query: ComplianceQuery,
): ComplianceKey | undefined {
  const text = (value: string | undefined) => (value?.trim() === '' ? undefined : value);
  const [ssn, email, phone, name] = [query.ssn, query.email, query.phone, query.name].map(text);
  if (ssn !== undefined) return { ssn: digitsOf(ssn) };
  if (kind === 'business') return name === undefined ? undefined : { name: nameKeyOf(name) };
  // An invalid address matches nothing, not even records of earlier versions.
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
