import { InnsigliError } from '../base/errors.ts';
import type { Company } from '../domain/company.ts';
import { asKey, type CompanyKey } from '../domain/keys.ts';
import type { SigningProcess } from '../domain/process/index.ts';
import type { Sequence } from '../domain/sequence.ts';
import type { StoreUnit } from './ports/index.ts';

/** The company that must own a row. Undefined: any. */
type Owner = CompanyKey | undefined;

/** The error for a process or sequence that does not exist, or belongs to another company. */
export function notFoundError(what: 'process' | 'sequence', key: string): InnsigliError {
  return new InnsigliError('process.not_found', `there is no ${what} ${key.slice(0, 40)}`);
}

/**
 * Finds a company by key.
 *
 * @throws company.not_found
 */
export async function requireCompany(
  { companies }: Pick<StoreUnit, 'companies'>,
  key: CompanyKey,
): Promise<Company> {
  const company = await companies.find(key);
  if (company !== undefined) return company;
  throw new InnsigliError('company.not_found', `there is no company ${key}`);
}

/** Like {@link requireCompany}, but locks the company until this transaction ends. */
export async function lockCompany(
  { companies }: Pick<StoreUnit, 'companies'>,
  key: CompanyKey,
): Promise<Company> {
  await companies.lock(key);
  return requireCompany({ companies }, key);
}

/**
 * Returns `process` if it belongs to the owner.
 *
 * @throws process.not_found
 */
export function requireOwn(
  process: SigningProcess | undefined,
  owner: Owner,
  key: string,
): SigningProcess {
  if (process !== undefined && (owner ?? process.companyKey) === process.companyKey) return process;
  throw notFoundError('process', key);
}

/**
 * Finds a process by key.
 *
 * @throws process.not_found
 */
export async function requireProcess(
  { processes }: Pick<StoreUnit, 'processes'>,
  owner: Owner,
  key: string,
): Promise<SigningProcess> {
  return requireOwn(await processes.find(asKey('process', key)), owner, key);
}

/**
 * Finds a sequence by key; `lock` locks it.
 *
 * @throws process.not_found
 */
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
  throw notFoundError('sequence', key);
}
