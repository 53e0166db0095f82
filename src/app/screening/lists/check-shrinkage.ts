import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import {
  identityHash,
  type ListedPerson,
  type ListedPersons,
  type ListVersion,
  parsePersons,
  personsNotIn,
} from '../../../domain/screening/index.ts';
import type { BlobStore, StoredWatchlist } from '../../ports/index.ts';

/** Maximum share of persons that a new version may lose. */
const SHRINK_MAX = 0.1;
/** Maximum share of names that it may lose. A missing file of several loses more. */
const NAMES_SHRINK_MAX = 0.2;
/** Lists with fewer names are not checked for lost names. */
const NAMES_MIN = 50;
/** Maximum share of persons that a new version may replace. */
const EXCHANGED_MAX = 0.5;
/** Lists with fewer persons are not checked for replaced persons. */
const COMPARED_MIN = 10;

/**
 * Rejects a version that has far fewer persons or names than the previous one, or an earlier date.
 * A previous date that was in the future when it was imported is ignored.
 *
 * @throws screening.list.shrunken
 */
export function requireSuccessor(
  before: StoredWatchlist | undefined,
  { persons, names, publishedDate }: Pick<ListVersion, 'persons' | 'names' | 'publishedDate'>,
): void {
  if (before === undefined) return;
  const was = before.version;
  if (persons < was.persons * (1 - SHRINK_MAX)) {
    const message = `expected at least nine tenths of ${was.persons} persons, found ${persons}`;
    throw shrunken(message, was.persons, persons);
  }
  if (was.names >= NAMES_MIN && names < was.names * (1 - NAMES_SHRINK_MAX)) {
    const message = `expected at least four fifths of ${was.names} names, found ${names}`;
    throw shrunken(`${message}: is a file missing?`, was.persons, persons);
  }
  if (was.publishedDate === undefined || publishedDate === undefined) return;
  const wasFuture = was.publishedDate > new Date(was.importedAtMs).toISOString().slice(0, 10);
  if (wasFuture || publishedDate >= was.publishedDate) return;
  const message =
    `expected a list from ${was.publishedDate} or later, found one from ` + `${publishedDate}`;
  throw shrunken(message, was.persons, persons);
}

/**
 * Rejects a version that lacks most persons of the previous one: it is the file of a different
 * list.
 *
 * @param content the bytes of the new version
 * @throws screening.list.shrunken
 */
export async function requireSamePersons(
  blobs: BlobStore,
  before: StoredWatchlist | undefined,
  content: Uint8Array,
): Promise<void> {
  const old = before && (await readable(blobs, before));
  if (old === undefined || old.count < COMPARED_MIN) return;
  const most = old.count * EXCHANGED_MAX;
  const persons = parsePersons(content);
  const others = personsNotIn(old, persons);
  if (others.length <= most) return;
  const keys = new Set(each(persons, ({ key }) => key));
  const missing = others.filter((at) => !keys.has(old.person(at).key));
  if (missing.length <= most) return;
  // In lists without entry numbers, keys depend on the content and position of a row.
  const identities = new Set(each(persons, identityHash));
  const lost = missing.filter((at) => !identities.has(identityHash(old.person(at))));
  if (lost.length <= most) return;
  const [was, kept] = [old.count, old.count - lost.length];
  const message = `expected at least half of the ${was} persons of the previous version`;
  throw shrunken(`${message}, found ${kept}: is it a different list?`, was, kept);
}

function* each<T>(persons: ListedPersons, factOf: (person: ListedPerson) => T): Generator<T> {
  for (let at = 0; at < persons.count; at++) yield factOf(persons.person(at));
}

/** Returns undefined if the previous version is unreadable, which must not block the next one. */
async function readable(
  blobs: BlobStore,
  { contentSha256 }: StoredWatchlist,
): Promise<ListedPersons | undefined> {
  try {
    return parsePersons(await blobs.get(contentSha256));
  } catch (error) {
    if (isInnsigliError(error) && error.code.startsWith('blob.')) return undefined;
    throw error;
  }
}

function shrunken(message: string, before: number, persons: number): InnsigliError {
  return new InnsigliError('screening.list.shrunken', message, {
    details: { before, persons },
    hint: 'nothing was changed; if the file is correct, pass --accept-shrink',
  });
}
