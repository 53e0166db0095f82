import { describe, expect, test } from 'vitest';
import type { PersonRegister } from '../../src/app/ports/index.ts';

/** Persons known to a register under test, with unassigned numbers. */
export interface RegisterUnderTest {
  readonly register: PersonRegister;
  /** With address, family and meter. */
  readonly known: string;
  /** With everything but a partner; absent if the register has no such person. */
  readonly single: string | undefined;
  readonly withoutMeter: string;
  /** Without an entry; absent if the register invents everyone. */
  readonly unknown: string | undefined;
}

/** Common tests of every register of persons. */
export function describeRegister(name: string, open: () => Promise<RegisterUnderTest>): void {
  describe(`register of persons: ${name}`, () => {
    test('returns an address with exactly three members', async () => {
      const { register, known } = await open();
      const address = await register.address(known);
      expect(Object.keys(address ?? {}).sort()).toEqual(['address', 'city', 'postalCode']);
      for (const text of Object.values(address ?? {})) expect(text).toEqual(expect.any(String));
    });

    test('returns family numbers and codes as digits', async () => {
      const { register, known } = await open();
      const family = await register.family(known);
      const names = ['familyNumber', 'familyStatus', 'genderCode', 'partnerSsn'];
      for (const [member, text] of Object.entries(family ?? {})) {
        expect(names).toContain(member);
        expect(text).toMatch(/^\d+$/);
      }
      expect(family).toMatchObject({ familyNumber: expect.stringMatching(/^\d{8,14}$/) });
    });

    test('omits the partner of a person who has none', async () => {
      const { register, single } = await open();
      if (single === undefined) return expect(name).toContain('simulator');
      const family = await register.family(single);
      expect(family).toMatchObject({ familyStatus: '1' });
      expect(family).not.toHaveProperty('partnerSsn');
    });

    test('reports whether a person has a meter', async () => {
      const { register, known, withoutMeter } = await open();
      expect(await register.hasMeter(known)).toBe(true);
      expect(await register.hasMeter(withoutMeter)).toBe(false);
    });

    test('returns the same result for the same query, and concurrent lookups are independent', async () => {
      const { register, known, withoutMeter } = await open();
      const first = await register.address(known);
      const all = await Promise.all(
        [known, withoutMeter, known, withoutMeter, known].map((ssn) => register.address(ssn)),
      );
      for (const at of [0, 2, 4]) expect(all[at]).toEqual(first);
      expect(all[1]).not.toEqual(first);
    });

    test('returns undefined or false for a person without an entry', async () => {
      const { register, unknown } = await open();
      if (unknown === undefined) return expect(name).toContain('simulator');
      expect(await register.address(unknown)).toBeUndefined();
      expect(await register.family(unknown)).toBeUndefined();
      expect(await register.hasMeter(unknown)).toBe(false);
    });
  });
}
