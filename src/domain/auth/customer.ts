import { defined } from '../../base/defined.ts';
/** How much is told of a person who has logged in. */
export const lookupTypes = ['Name', 'NameAddress', 'NameAddressFamily'] as const;

/** One of {@link lookupTypes}. */
export type LookupType = (typeof lookupTypes)[number];

/** What is told when nobody says: both the interface description and the connector name it. */
export const defaultLookup: LookupType = 'NameAddress';

/** A person who has logged in, as far as was asked. */
export interface Customer {
  readonly name: string;
  readonly ssn: string;
  readonly phoneNumber?: string;
  readonly address?: string;
  readonly postalCode?: string;
  readonly city?: string;
  /** Names this answer: 20 hexadecimal digits. */
  readonly token: string;
  readonly flowKey?: string;
  /** Family data under their published names. */
  readonly meta?: Readonly<Record<string, string>>;
}

/** Where a person lives. */
export interface HomeAddress {
  readonly address: string;
  readonly postalCode: string;
  readonly city: string;
}

/** Family data of a person; all are texts. */
export interface FamilyFacts {
  readonly partnerSsn?: string;
  readonly familyNumber: string;
  /** `1` man, `2` woman, and further ones of the register. */
  readonly genderCode: string;
  readonly familyStatus: string;
}

/** Family data under the names that are published, spelling included. */
export function familyMeta(facts: FamilyFacts): Readonly<Record<string, string>> {
  const { partnerSsn, familyNumber, genderCode, familyStatus } = facts;
  return {
    ...defined({ ParnerSsn: partnerSsn }),
    FamilyNumber: familyNumber,
    GenderCode: genderCode,
    FamilyStatus: familyStatus,
  };
}
