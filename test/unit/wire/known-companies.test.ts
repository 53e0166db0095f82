import { describe, expect, test } from 'vitest';
import type { CompanyService } from '../../../src/app/company-service.ts';
import type { Company } from '../../../src/domain/company.ts';
import { knownCompanies } from '../../../src/wire/service/known/known-companies.ts';

function open() {
  const clock = { nowMs: 0 };
  const company = { key: 'c1', name: 'Acme' } as unknown as Company;
  const known = knownCompanies(
    (one) => ({ company: one }) as CompanyService,
    () => clock.nowMs,
  );
  let found: Company | undefined = company;
  let expiresAtMs: number | undefined;
  const asked: string[] = [];
  const ask = async (apiKey: string, meanwhile?: () => void) => {
    const right = await known.authenticated('c1', apiKey, async () => {
      asked.push(apiKey);
      meanwhile?.();
      return found && { company: found, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
    });
    return right?.toolkit;
  };
  const set = (next: Company | undefined) => {
    found = next;
  };
  const endAt = (atMs: number) => {
    expiresAtMs = atMs;
  };
  return { known, company, clock, asked, ask, set, endAt };
}

describe('the cache of valid API keys', () => {
  test('looks a key up once a second', async () => {
    const { clock, asked, ask } = open();
    const toolkit = await ask('k');
    clock.nowMs = 999;
    expect(await ask('k')).toBe(toolkit);
    expect(asked).toEqual(['k']);
    clock.nowMs = 1000;
    expect(await ask('k')).toBe(toolkit);
    expect(asked).toEqual(['k', 'k']);
  });

  test('ends a key exactly when it expires', async () => {
    const { clock, ask, set, endAt } = open();
    endAt(500);
    expect(await ask('k')).toBeDefined();
    clock.nowMs = 499;
    expect(await ask('k')).toBeDefined();
    set(undefined);
    clock.nowMs = 500;
    expect(await ask('k')).toBeUndefined();
  });

  test('looks an invalid key up every time', async () => {
    const { asked, ask, set } = open();
    await ask('k');
    set(undefined);
    expect(await ask('other')).toBeUndefined();
    expect(await ask('other')).toBeUndefined();
    expect(asked).toEqual(['k', 'other', 'other']);
  });

  test('is cleared when a key is revoked, including a look-up under way', async () => {
    const { known, asked, ask, set } = open();
    await ask('k');
    set(undefined);
    known.forgetKeys();
    expect(await ask('k')).toBeUndefined();
    set({ key: 'c1', name: 'Acme' } as unknown as Company);
    await ask('late', known.forgetKeys);
    set(undefined);
    expect(await ask('late')).toBeUndefined();
    expect(asked).toHaveLength(4);
  });

  test('replaces the toolkit of a company when its record changes', () => {
    const { known, company } = open();
    const first = known.toolkit(company);
    expect(known.toolkit({ ...company })).toBe(first);
    expect(known.toolkit({ ...company, name: 'Acme ehf.' })).not.toBe(first);
  });
});
