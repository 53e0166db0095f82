import type { WatchCategory } from './category.ts';
import type { ListedName, ListedPerson } from './listed-person.ts';

/** A person on a company's own list or on the embedded one. */
export interface WatchEntry {
  readonly categories: readonly WatchCategory[];
  readonly firstName: string;
  readonly middleName?: string | undefined;
  readonly lastName: string;
  /** Other spellings of the whole name. */
  readonly aliases?: readonly string[] | undefined;
  readonly gender?: 'Male' | 'Female' | undefined;
  /** `YYYY-MM-DD`, or a prefix of it. */
  readonly dateOfBirth?: string | undefined;
  readonly placeOfBirth?: string | undefined;
  readonly isDeceased?: boolean | undefined;
  /** Country codes of two letters. */
  readonly countries: readonly string[];
  readonly nationality?: string | undefined;
  readonly primaryLocation?: string | undefined;
  readonly images?: readonly string[] | undefined;
  readonly furtherInformation?: readonly string[] | undefined;
  readonly descriptions?:
    | readonly { readonly description1: string; readonly description2: string }[]
    | undefined;
  readonly roles?: ListedPerson['roles'] | undefined;
  readonly officialLists?: ListedPerson['officialLists'] | undefined;
}

/** Converts an entry to the common form. The key is derived from content or is the row number. */
export function listedEntry(entry: WatchEntry, row: number): ListedPerson {
  return keyedEntry(entry, row, (key) => key);
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Like {@link listedEntry}, with a different key derived from it. Lists are stored with their
 * members in this order.
 *
 * @param keyFor returns the key for the one derived from the content of the entry
 */
export function keyedEntry(
  entry: WatchEntry,
  row: number,
  keyFor: (key: string) => string,
): ListedPerson {
  const { categories, firstName, middleName, lastName, countries, dateOfBirth } = entry;
  // Lists have hundreds of thousands of these: members are assigned individually, without copying.
  const made = { categories, countries } as Writable<
    ListedPerson & Pick<WatchEntry, 'descriptions'>
  >;
  if (entry.gender !== undefined) made.gender = entry.gender;
  if (entry.placeOfBirth !== undefined) made.placeOfBirth = entry.placeOfBirth;
  if (entry.isDeceased === true) made.isDeceased = true;
  if (entry.nationality !== undefined) made.nationality = entry.nationality;
  if (entry.primaryLocation !== undefined) made.primaryLocation = entry.primaryLocation;
  if (entry.images !== undefined) made.images = entry.images;
  if (entry.furtherInformation !== undefined) made.furtherInformation = entry.furtherInformation;
  if (entry.descriptions !== undefined) made.descriptions = entry.descriptions;
  if (entry.roles !== undefined) made.roles = entry.roles;
  if (entry.officialLists !== undefined) made.officialLists = entry.officialLists;
  const whole = wholeName(firstName, middleName, lastName);
  made.key = keyFor(`${whole}/${dateOfBirth ?? String(row)}`);
  made.subject = 'person';
  made.firstName = firstName;
  made.lastName = lastName;
  if (middleName !== undefined) made.middleName = middleName;
  const names: ListedName[] = [{ text: whole, kind: 'primary' }];
  for (const text of entry.aliases ?? []) names.push({ text, kind: 'alias' });
  made.names = names;
  made.births = dateOfBirth === undefined ? [] : [{ from: dateOfBirth }];
  return made;
}

function wholeName(first: string, middle: string | undefined, last: string): string {
  const given =
    first === '' || middle === undefined || middle === ''
      ? first || middle || ''
      : `${first} ${middle}`;
  return given === '' || last === '' ? given || last : `${given} ${last}`;
}
