import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import {
  identityHash,
  type ListContent,
  type ListedPerson,
} from '../../../domain/screening/index.ts';
import type { BlobStore, StoredWatchlist } from '../../ports/index.ts';
import { openContent } from './open-lists.ts';

/** The share of persons that a new version may have fewer. */
const SHRINK_MAX = 0.1;
/** The share of persons that a new version may have exchanged for others. */
const EXCHANGED_MAX = 0.5;
/** Lists with fewer persons may change at will. */
const COMPARED_MIN = 10;

/** Refuses a version with far fewer persons than the one before. @throws screening.list.shrunken */
export function requireSize(before: StoredWatchlist | undefined, persons: number): void {
  if (before === undefined || persons >= before.version.persons * (1 - SHRINK_MAX)) return;
  const was = before.version.persons;
  throw shrunken(`expected at least nine tenths of ${was} persons, found ${persons}`, was, persons);
}

/**
 * Refuses a version that has as many persons and few of those before: the file of another list.
 *
 * @throws screening.list.shrunken
 */
export async function requireSamePersons(
  blobs: BlobStore,
  before: StoredWatchlist | undefined,
  persons: readonly ListedPerson[],
): Promise<void> {
  const content = before && (await readable(blobs, before));
  if (content === undefined || content.count < COMPARED_MIN) return;
  const most = content.count * EXCHANGED_MAX;
  const keys = new Set(persons.map(({ key }) => key));
  const missing = personsOf(content).filter(({ key }) => !keys.has(key));
  if (missing.length <= most) return;
  // Keys of lists without numbers are made of what a row says, and where it stands.
  const identities = new Set(persons.map(identityHash));
  const lost = missing.filter((person) => !identities.has(identityHash(person)));
  if (lost.length <= most) return;
  const [was, kept] = [content.count, content.count - lost.length];
  throw shrunken(
    `expected at least half of the ${was} persons of before, found ${kept}: another list?`,
    was,
    kept,
  );
}

function personsOf(content: ListContent): readonly ListedPerson[] {
  return Array.from({ length: content.count }, (_, at) => content.person(at));
}

/** A version that cannot be read any more must not keep the next one out. */
async function readable(
  blobs: BlobStore,
  stored: StoredWatchlist,
): Promise<ListContent | undefined> {
  try {
    return await openContent(blobs, stored);
  } catch (error) {
    if (isInnsigliError(error) && error.code.startsWith('blob.')) return undefined;
    throw error;
  }
}

function shrunken(message: string, before: number, persons: number): InnsigliError {
  return new InnsigliError('screening.list.shrunken', message, {
    details: { before, persons },
    hint: '--accept-shrink takes it as it is',
  });
}
