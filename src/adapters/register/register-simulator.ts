import { createHash } from 'node:crypto';
import type { PersonRegister } from '../../app/ports/index.ts';

/** The only person without a meter. */
const personWithoutMeter = '0303901459';

const streets = ['Prófgata', 'Sýnisvegur', 'Dæmastígur', 'Æfingabraut', 'Tilraunatún'];
const towns = [
  ['101', 'Reykjavík'],
  ['200', 'Kópavogur'],
  ['600', 'Akureyri'],
  ['700', 'Egilsstaðir'],
  ['800', 'Selfoss'],
] as const;

/** Register for testing: synthetic addresses and families, always the same for a number. */
export function registerSimulator(): PersonRegister {
  return {
    async address(ssn) {
      const [street, number, town] = bytes(`address ${ssn}`);
      const [postalCode, city] = pick(towns, town);
      return { address: `${pick(streets, street)} ${1 + (number % 80)}`, postalCode, city };
    },
    async family(ssn) {
      const [gender, partner] = bytes(`family ${ssn}`);
      const familyNumber = fictional(`family number ${ssn}`);
      const genderCode = String(1 + (gender % 2));
      if (partner % 2 === 0) return { familyNumber, genderCode, familyStatus: '1' };
      const partnerSsn = fictional(`partner ${ssn}`);
      return { partnerSsn, familyNumber, genderCode, familyStatus: '3' };
    },
    hasMeter: async (ssn) => ssn !== personWithoutMeter,
  };
}

function bytes(text: string): readonly [number, number, number] {
  const hash = createHash('sha256').update(text).digest();
  return [hash.readUInt8(0), hash.readUInt8(1), hash.readUInt8(2)];
}

function pick<T>(list: readonly T[], value: number): T {
  return list[value % list.length] as T;
}

/** Ten digits in the form of the published test numbers, which no real person has. */
function fictional(text: string): string {
  const hash = createHash('sha256').update(text).digest();
  return `6${String(hash.readUInt32BE(0) % 1_000_000_000).padStart(9, '0')}`;
}
