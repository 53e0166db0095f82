import { defined } from '../../base/defined.ts';
import type { WatchCategory } from './category.ts';
import type { ListedPerson } from './listed-person.ts';

/** A person of a list of a company, or of the embedded one. */
export interface WatchEntry {
  readonly categories: readonly WatchCategory[];
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  /** Other spellings of the whole name. */
  readonly aliases?: readonly string[];
  readonly gender?: 'Male' | 'Female';
  /** `YYYY-MM-DD`, or a part of it from the left. */
  readonly dateOfBirth?: string;
  readonly placeOfBirth?: string;
  readonly isDeceased?: boolean;
  /** Two letters each. */
  readonly countries: readonly string[];
  readonly nationality?: string;
  readonly primaryLocation?: string;
  readonly images?: readonly string[];
  readonly furtherInformation?: readonly string[];
  readonly descriptions?: readonly {
    readonly description1: string;
    readonly description2: string;
  }[];
  readonly roles?: readonly {
    readonly title: string;
    readonly status: string;
    readonly country: string;
  }[];
  readonly officialLists?: readonly {
    readonly keyword: string;
    readonly description: string;
    readonly isCurrent: boolean;
  }[];
}

/** An entry in the form of all lists. Its key is made of what it says, or the number of its row. */
export function listedEntry(entry: WatchEntry, row: number): ListedPerson {
  const { firstName, middleName, lastName, aliases = [], dateOfBirth, ...rest } = entry;
  const whole = [firstName, middleName, lastName].filter(Boolean).join(' ');
  return {
    ...rest,
    key: `${whole}/${dateOfBirth ?? String(row)}`,
    subject: 'person',
    ...{ firstName, lastName, ...defined({ middleName }) },
    names: [
      { text: whole, kind: 'primary' },
      ...aliases.map((text) => ({ text, kind: 'alias' }) as const),
    ],
    births: dateOfBirth === undefined ? [] : [{ from: dateOfBirth }],
    ...(entry.isDeceased === true ? { isDeceased: true } : {}),
  } as ListedPerson;
}
