import { defined } from '../../../base/defined.ts';
import type { WatchCategory } from '../category.ts';
import type { ListedDate, ListedName, ListedPerson } from '../listed-person.ts';

/** Maximum number of values stored per entry; lists repeat themselves. */
const NAMES_MAX = 1000;
const BIRTHS_MAX = 50;
const TEXTS_MAX = 50;
const TEXT_MAX = 2000;

/** An entry as extracted by a reader. Empty texts are omitted. */
export interface Draft {
  readonly key: string;
  readonly subject: ListedPerson['subject'];
  readonly categories: readonly WatchCategory[];
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly names: readonly (ListedName | undefined)[];
  readonly births?: readonly (ListedDate | undefined)[];
  readonly gender?: 'Male' | 'Female' | undefined;
  readonly countries?: readonly (string | undefined)[];
  readonly isDeceased?: true | undefined;
  readonly placeOfBirth?: string | undefined;
  readonly nationality?: string | undefined;
  readonly primaryLocation?: string | undefined;
  readonly identifiers?: readonly string[];
  readonly furtherInformation?: readonly string[];
  readonly roles?: readonly string[];
  readonly list: string;
  readonly program?: string | undefined;
}

/** Converts a draft to an entry. Undefined if it has no name, because it could never be found. */
export function entryOf(draft: Draft): ListedPerson | undefined {
  const seen = new Set<string>();
  const names = draft.names.filter((name): name is ListedName => {
    if (name === undefined || name.text === '' || seen.has(name.text)) return false;
    seen.add(name.text);
    return true;
  });
  const [first] = names;
  if (first === undefined) return undefined;
  const { key, subject, categories, gender, isDeceased, list, program } = draft;
  return {
    ...{ key, subject, categories, names: names.slice(0, NAMES_MAX) },
    firstName: clean(draft.firstName) ?? (clean(draft.lastName) === undefined ? first.text : ''),
    lastName: clean(draft.lastName) ?? '',
    births: (draft.births ?? []).filter((each) => each !== undefined).slice(0, BIRTHS_MAX),
    countries: [...new Set((draft.countries ?? []).filter((each) => each !== undefined))],
    officialLists: [{ keyword: list, description: clean(program) ?? list, isCurrent: true }],
    ...defined({
      gender,
      isDeceased,
      middleName: clean(draft.middleName),
      placeOfBirth: clean(draft.placeOfBirth),
      nationality: clean(draft.nationality),
      primaryLocation: clean(draft.primaryLocation),
      identifiers: some(draft.identifiers),
      furtherInformation: some(draft.furtherInformation),
      roles: some(draft.roles)?.map((title) => ({ title, status: '', country: '' })),
    }),
  };
}

/** Builds a name of a list; undefined if it is empty. */
export function nameOf(
  text: string | undefined,
  kind: ListedName['kind'],
  isWeak = false,
): ListedName | undefined {
  const found = clean(text);
  return found === undefined ? undefined : { text: found, kind, ...(isWeak ? { isWeak } : {}) };
}

/** Joins the non-empty texts; undefined if there are none. */
export function joined(...parts: readonly (string | undefined)[]): string | undefined {
  return clean(parts.filter((part) => part !== undefined && part.trim() !== '').join(' '));
}

/** Normalises white space and limits the length; undefined if the text is empty. */
export function clean(text: string | undefined): string | undefined {
  const found = text?.replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX);
  return found === undefined || found === '' || found === '-0-' ? undefined : found;
}

function some(texts: readonly string[] | undefined): readonly string[] | undefined {
  const found = (texts ?? []).flatMap((text) => clean(text) ?? []).slice(0, TEXTS_MAX);
  return found.length === 0 ? undefined : found;
}
