import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import {
  type ApiKeyRecord,
  type Company,
  type CompanyUser,
  originsMax,
  parseOrigin,
  withSettings,
} from '../../domain/company.ts';
import { useCase } from '../operation.ts';
import type { StorePorts } from '../ports/index.ts';
import { lockCompany } from '../required.ts';
import { planRescreening } from '../screening/index.ts';

/** Settings, users, origins and keys of an existing company. */
export const settingOperations = {
  /**
   * Revokes an API key: from now on it no longer authenticates the company.
   *
   * @throws company.key.not_found for a key that the company does not have, or has already revoked
   * @example
   * await acme.revokeApiKey(id);
   */
  revokeApiKey: useCase(
    ['company.key.not_found'],
    async ({ store, now }: StorePorts, companyKey, id: string): Promise<void> => {
      const nowMs = now();
      await store.write(async ({ companies }) => {
        const records = await companies.apiKeys(companyKey);
        const isOurs = records.some((record) => record.id === id);
        if (isOurs && (await companies.revokeApiKey(id, nowMs))) return;
        throw new InnsigliError(
          'company.key.not_found',
          `the company has no API key ${id.slice(0, 40)}`,
          { hint: 'list them with innsigli company show' },
        );
      });
    },
  ),
  /**
   * Changes settings of a company. They apply to processes created from now on.
   *
   * @param change parsed JSON; null resets a setting to its default
   * @throws company.not_found, validation.error
   * @example
   * await acme.change({ signeeIdentity: 'number' });
   */
  change: useCase(
    ['company.not_found'],
    ({ store, now }: StorePorts, key, change: unknown): Promise<Company> =>
      store.write(async (unit) => {
        const company = await lockCompany(unit, key);
        const next = withSettings(company, change);
        await unit.companies.save(next);
        // Different risk periods move the screening dates of customers.
        if (JSON.stringify(next.compliance) !== JSON.stringify(company.compliance)) {
          await planRescreening(unit, key, now());
        }
        return next;
      }),
  ),
  /**
   * Sets the end of the trial of a company. After it, no new processes are accepted and no signee
   * can log in.
   *
   * @param endsAtMs epoch milliseconds; undefined: no trial
   * @throws company.not_found, validation.error
   * @example
   * await acme.setTrial(Date.now() + 30 * 86_400_000);
   */
  setTrial: useCase(
    ['company.not_found'],
    async ({ store }: StorePorts, companyKey, endsAtMs: number | undefined): Promise<Company> => {
      if (endsAtMs !== undefined && !(Number.isSafeInteger(endsAtMs) && endsAtMs <= LATEST_MS)) {
        invalid('endsAtMs', 'expected epoch milliseconds');
      }
      return store.write(async (unit) => {
        const { trialEndsAtMs: _before, ...rest } = await lockCompany(unit, companyKey);
        const next = endsAtMs === undefined ? rest : { ...rest, trialEndsAtMs: endsAtMs };
        await unit.companies.save(next);
        return next;
      });
    },
  ),
  /**
   * Allows pages of further origins to read responses about a company, and returns all its origins.
   *
   * @throws validation.error for an invalid origin, limit.exceeded
   * @example
   * await acme.addOrigins(['https://app.example.com']);
   */
  addOrigins: useCase(
    ['limit.exceeded'],
    async (
      { store, now }: StorePorts,
      companyKey,
      origins: readonly string[],
    ): Promise<readonly string[]> => {
      const added = origins.map(parseOrigin);
      const nowMs = now();
      return store.write(async ({ companies, origins: known }) => {
        await companies.lock(companyKey);
        const all = new Set([...(await known.list(companyKey)), ...added]);
        if (all.size > originsMax) {
          throw new InnsigliError(
            'limit.exceeded',
            `expected at most ${originsMax} origins of a company`,
            { hint: 'remove one with innsigli company origin remove' },
          );
        }
        for (const origin of added) await known.put(companyKey, origin, nowMs);
        return known.list(companyKey);
      });
    },
  ),
  /**
   * Removes origins added with `addOrigins`, and returns the remaining ones.
   *
   * @throws company.origin.not_found; then none is removed
   * @example
   * await acme.removeOrigins(['https://app.example.com']);
   */
  removeOrigins: useCase(
    ['company.origin.not_found'],
    async (
      { store }: StorePorts,
      companyKey,
      origins: readonly string[],
    ): Promise<readonly string[]> => {
      const removed = origins.map(parseOrigin);
      return store.write(async ({ companies, origins: known }) => {
        await companies.lock(companyKey);
        for (const origin of new Set(removed)) {
          if (await known.remove(companyKey, origin)) continue;
          throw new InnsigliError(
            'company.origin.not_found',
            `the company has no origin ${origin}`,
            {
              hint: 'list them with innsigli company origin list',
            },
          );
        }
        return known.list(companyKey);
      });
    },
  ),
  /**
   * Returns the users, origins and API keys of a company.
   *
   * @example
   * const { users } = await acme.access();
   */
  access: useCase(
    [],
    ({ store }: StorePorts, companyKey): Promise<CompanyAccess> =>
      store.read(async ({ companies, origins }) => {
        const records = await companies.apiKeys(companyKey);
        const apiKeys = records.map(({ sha256: _digest, ...rest }) => rest);
        const users = await companies.users(companyKey);
        return { users, origins: await origins.list(companyKey), apiKeys };
      }),
  ),
};

/** The latest time that a `Date` can represent. */
const LATEST_MS = 8.64e15;

/** Access to a company: its users, its origins, and the API keys that are not revoked. */
export interface CompanyAccess {
  readonly users: readonly CompanyUser[];
  /** Origins whose pages may read responses about it. */
  readonly origins: readonly string[];
  /** Without the keys themselves: only their holders have them. */
  readonly apiKeys: readonly Omit<ApiKeyRecord, 'sha256'>[];
}
