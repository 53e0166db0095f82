import { InnsigliError } from '../base/errors.ts';
import type { Company } from '../domain/company.ts';
import { asKey, type CompanyKey } from '../domain/keys.ts';
import type { SigningProcess } from '../domain/process/index.ts';
import type { Sequence } from '../domain/sequence.ts';
import type { StoreUnit } from './ports/index.ts';

/** The company that a row has to belong to; undefined: any. */
type Owner = CompanyKey | undefined;

/** The error for a process or sequence that is not there, or of another company. */
export function notThere(what: 'process' | 'sequence', key: string): InnsigliError {
  return new InnsigliError('process.not_found', `there is no ${what} ${key.slice(0, 40)}`);
}

/** The company of that key. @throws company.not_found */
export async function requireCompany(
  { companies }: Pick<StoreUnit, 'companies'>,
  key: CompanyKey,
): Promise<Company> {
  const company = await companies.find(key);
  if (company !== undefined) return company;
  throw new InnsigliError('company.not_found', `there is no company ${key}`);
}

/** As {@link requireCompany}; others who lock it wait until this transaction ends. */
export async function lockCompany(
  { companies }: Pick<StoreUnit, 'companies'>,
  key: CompanyKey,
): Promise<Company> {
  await companies.lock(key);
  return requireCompany({ companies }, key);
}

/** `process`, if it is one of its owner. @throws process.not_found */
export function requireOwn(
  process: SigningProcess | undefined,
  owner: Owner,
  key: string,
): SigningProcess {
  if (process !== undefined && (owner ?? process.companyKey) === process.companyKey) return process;
  throw notThere('process', key);
}

/** The process of that key. @throws process.not_found */
export async function requireProcess(
  { processes }: Pick<StoreUnit, 'processes'>,
  owner: Owner,
  key: string,
): Promise<SigningProcess> {
  return requireOwn(await processes.find(asKey('process', key)), owner, key);
}

/** The sequence of that key, locked if need be. @throws process.not_found */
export async function requireSequence(
  { sequences }: Pick<StoreUnit, 'sequences'>,
  owner: Owner,
  key: string,
  how: 'find' | 'lock' = 'find',
): Promise<Sequence> {
  const sequence = await sequences[how](asKey('sequence', key));
  if (sequence !== undefined && (owner ?? sequence.companyKey) === sequence.companyKey) {
    return sequence;
  }
  throw notThere('sequence', key);
}
