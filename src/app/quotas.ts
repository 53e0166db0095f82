import { type ErrorCode, InnsigliError } from '../base/errors.ts';
import { invalid } from '../base/input.ts';
import type { LookupType } from '../domain/auth/index.ts';
import {
  type QuotaName,
  type Quotas,
  quotaDay,
  quotaNames,
  usualQuotas,
} from '../domain/company.ts';
import type { CompanyKey } from '../domain/keys.ts';
import { useCase } from './operation.ts';
import type { StorePorts, StoreUnit } from './ports/index.ts';
import { lockCompany } from './required.ts';

/** Amounts of the quotas of a company that a request uses. */
export type QuotaRequest = { readonly [Name in QuotaName]?: number };

type Unit = Pick<StoreUnit, 'companies' | 'quotas'>;

const codes: { readonly [Name in QuotaName]: ErrorCode } = {
  storedBytes: 'quota.storage.exceeded',
  processes: 'quota.processes.exceeded',
  attachments: 'quota.attachments.exceeded',
  mailsPerRecipient: 'quota.mails.exceeded',
  namedRequests: 'quota.requests.exceeded',
};

/** Days of counts retained besides today: workers and requests may disagree on the day. */
const KEPT_DAYS = 2;
const DAY_MS = 86_400_000;

/** One quota of a company. */
export interface QuotaUse {
  readonly name: QuotaName;
  readonly most: number;
  /** For stored bytes the total; for other quotas the use of today, all recipients together. */
  readonly used: number;
}

async function quotasOf({ companies }: Unit, companyKey: CompanyKey): Promise<Quotas> {
  return { ...usualQuotas, ...(await companies.find(companyKey))?.quotas };
}

/**
 * Rejects a request that exceeds a quota of the company; nothing is counted.
 *
 * @param part subject of the request, for a quota that applies to each subject
 * @throws quota.*
 */
export async function requireQuotas(
  unit: Unit,
  companyKey: CompanyKey,
  request: QuotaRequest,
  nowMs: number,
  part?: string,
): Promise<void> {
  const quotas = await quotasOf(unit, companyKey);
  for (const [name, amount = 0] of Object.entries(request) as [QuotaName, number?][]) {
    if (amount === 0 && name !== 'storedBytes') continue;
    const used = await unit.quotas.used({ companyKey, what: name, day: dayOf(name, nowMs) }, part);
    if (used + amount > quotas[name]) throw exceeded(name, quotas[name], nowMs);
  }
}

/**
 * Counts the use of daily quotas by a company, in the transaction that causes it. Concurrent
 * transactions may together exceed a quota slightly.
 *
 * @param owner the purpose: any text that differs for each use
 * @throws quota.*
 */
export async function takeQuotas(
  unit: Unit,
  companyKey: CompanyKey,
  request: QuotaRequest,
  nowMs: number,
  owner: string,
): Promise<void> {
  await requireQuotas(unit, companyKey, request, nowMs);
  const part = owner.slice(-1);
  for (const [what, amount = 0] of Object.entries(request) as [QuotaName, number?][]) {
    const day = dayOf(what, nowMs);
    if (day !== '' && amount > 0) await unit.quotas.add({ companyKey, what, day }, part, amount);
  }
  // Only occasionally, and never for requests that create nothing.
  if (part !== '0') return;
  await removeOldDays(unit, companyKey, nowMs);
}

/** Share of a daily quota available to public forms, so that the company's API keeps working. */
const FORMS_SHARE = 0.5;

/** Quotas of which forms have a share. */
export type FormQuota = 'processes' | 'namedRequests';

/**
 * Rejects a request if the share of forms is used up; nothing is counted.
 *
 * @throws quota.*
 */
export async function requireFormQuota(
  unit: Unit,
  companyKey: CompanyKey,
  name: FormQuota,
  nowMs: number,
): Promise<void> {
  const most = Math.ceil((await quotasOf(unit, companyKey))[name] * FORMS_SHARE);
  const { day } = quotaDay(nowMs);
  const used = await unit.quotas.used({ companyKey, what: `form:${name}`, day });
  if (used + 1 > most) throw exceeded(name, most, nowMs);
}

/**
 * Counts one use of a daily quota by a form, in addition to {@link takeQuotas}.
 *
 * @throws quota.*
 */
export async function takeFormQuota(
  unit: Unit,
  companyKey: CompanyKey,
  name: FormQuota,
  nowMs: number,
  owner: string,
): Promise<void> {
  await requireFormQuota(unit, companyKey, name, nowMs);
  const count = { companyKey, what: `form:${name}`, day: quotaDay(nowMs).day } as const;
  await unit.quotas.add(count, owner.slice(-1), 1);
}

/** Quotas and lookups of a company. */
export const quotaOperations = {
  /**
   * Returns the quotas of a company and their use.
   *
   * @example
   * const quotas = await acme.quotas();
   */
  quotas: useCase(
    [],
    ({ store, now }: StorePorts, companyKey): Promise<readonly QuotaUse[]> =>
      store.read(async (unit) => {
        const nowMs = now();
        const quotas = await quotasOf(unit, companyKey);
        const report = [];
        for (const name of quotaNames) {
          const used = await unit.quotas.used({ companyKey, what: name, day: dayOf(name, nowMs) });
          report.push({ name, most: quotas[name], used });
        }
        return report;
      }),
  ),
  /**
   * Returns the number of lookups in the person register caused by logins for flows of the company.
   *
   * @example
   * const lookups = await acme.lookups();
   */
  lookups: useCase(
    [],
    ({ store, now }: StorePorts, companyKey): Promise<readonly LookupUse[]> =>
      store.read(async ({ quotas }) => {
        const { day: today } = quotaDay(now());
        const report = [];
        for (const lookup of countedLookups) {
          const used = (day: string) => quotas.used({ companyKey, what: `lookup:${lookup}`, day });
          report.push({ lookup, today: await used(today), total: await used('') });
        }
        return report;
      }),
  ),
  /**
   * Sets quotas of a company; absent ones are unchanged.
   *
   * @throws company.not_found
   * @throws validation.error for an unknown name, or a value that is not a non-negative integer
   * @example
   * await acme.setQuotas({ processes: 100 });
   */
  setQuotas: useCase(
    ['company.not_found'],
    async ({ store }: StorePorts, companyKey, change: QuotaChange): Promise<void> => {
      for (const [name, most] of Object.entries(change)) {
        const isQuota = quotaNames.some((each) => each === name);
        if (!isQuota) invalid(name, `expected one of ${quotaNames.join(', ')}`);
        if (most === null || (Number.isSafeInteger(most) && most >= 0)) continue;
        invalid(name, 'expected a whole number of at least 0');
      }
      await store.write(async (unit) => {
        const { quotas, ...company } = await lockCompany(unit, companyKey);
        const next = Object.entries({ ...quotas, ...change }).filter(([, most]) => most !== null);
        const own = next.length === 0 ? {} : { quotas: Object.fromEntries(next) };
        await unit.companies.save({ ...company, ...own });
      });
    },
  ),
};

// The store counts the stored bytes, without a day.
function dayOf(name: QuotaName, nowMs: number): string {
  return name === 'storedBytes' ? '' : quotaDay(nowMs).day;
}

function exceeded(name: QuotaName, most: number, nowMs: number): InnsigliError {
  const hint = 'show and set quotas with innsigli company quota';
  if (name === 'storedBytes') {
    return new InnsigliError(codes[name], `expected at most ${most} bytes stored`, { hint });
  }
  const details = { retryAfterSeconds: quotaDay(nowMs).restSeconds };
  return new InnsigliError(codes[name], `expected at most ${most} per day`, { details, hint });
}

/** Lookups that incur costs: the e-ID provider itself reports a name alone. */
const countedLookups = ['NameAddress', 'NameAddressFamily'] as const;

/** Lookups of one kind in the person register, for the flows of a company. */
export interface LookupUse {
  readonly lookup: LookupType;
  /** Number of lookups today, in UTC. */
  readonly today: number;
  readonly total: number;
}

/**
 * Counts a lookup, in the transaction that stores its result: one per login and kind, however often
 * it is polled.
 *
 * @param owner any text that differs for each use
 */
export async function countLookup(
  { quotas }: Pick<StoreUnit, 'quotas'>,
  companyKey: CompanyKey,
  lookup: LookupType,
  nowMs: number,
  owner: string,
): Promise<void> {
  if (!countedLookups.some((each) => each === lookup)) return;
  const part = owner.slice(-1);
  const what = `lookup:${lookup}` as const;
  for (const day of ['', quotaDay(nowMs).day]) {
    await quotas.add({ companyKey, what, day }, part, 1);
  }
  if (part === '0') await removeOldDays({ quotas }, companyKey, nowMs);
}

async function removeOldDays(
  { quotas }: Pick<StoreUnit, 'quotas'>,
  companyKey: CompanyKey,
  nowMs: number,
): Promise<void> {
  await quotas.removeBefore(companyKey, quotaDay(nowMs - KEPT_DAYS * DAY_MS).day);
}

/** New quotas; null restores the default. */
export type QuotaChange = { readonly [Name in QuotaName]?: number | null };
