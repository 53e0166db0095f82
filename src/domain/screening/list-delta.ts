import { createHash } from 'node:crypto';
import type { ListedPersons } from './list-content.ts';
import type { ListedPerson } from './listed-person.ts';

/** Difference between two versions of a list. */
export interface ListDelta {
  readonly added: readonly ListedPerson[];
  readonly changed: readonly {
    readonly person: ListedPerson;
    /** Names, births, gender or countries changed, which requires screening customers again. */
    readonly isIdentityChanged: boolean;
  }[];
  readonly removed: readonly ListedPerson[];
}

/** Compares two versions of a list by the keys of their persons. */
export function compareLists(before: ListedPersons, after: ListedPersons): ListDelta {
  // Unchanged persons have equal bytes, so that most persons need not be parsed.
  const known = new Map(
    personsNotIn(before, after).map((at) => {
      const person = before.person(at);
      return [person.key, person];
    }),
  );
  const added: ListedPerson[] = [];
  const changed: ListDelta['changed'][number][] = [];
  for (const at of personsNotIn(after, before)) {
    const person = after.person(at);
    const old = known.get(person.key);
    known.delete(person.key);
    if (old === undefined) added.push(person);
    else if (JSON.stringify(old) !== JSON.stringify(person)) {
      changed.push({ person, isIdentityChanged: identityHash(old) !== identityHash(person) });
    }
  }
  return { added, changed, removed: [...known.values()] };
}

/** Maximum number of persons compared per hash: a list may be crafted to have many collisions. */
const LOOKED_AT_MAX = 16;

/** Numbers of persons, in order, whose bytes the other list lacks; may include some it has. */
export function personsNotIn(persons: ListedPersons, others: ListedPersons): readonly number[] {
  const first = new Map<number, number>();
  const next = new Int32Array(others.count).fill(-1);
  for (let at = 0; at < others.count; at++) {
    const hash = hashOf(others.bytes(at));
    next[at] = first.get(hash) ?? -1;
    first.set(hash, at);
  }
  const found: number[] = [];
  for (let at = 0; at < persons.count; at++) {
    const bytes = persons.bytes(at);
    let other = first.get(hashOf(bytes)) ?? -1;
    let isFound = false;
    for (let looked = 0; other >= 0 && looked < LOOKED_AT_MAX && !isFound; looked++) {
      isFound = Buffer.compare(bytes, others.bytes(other)) === 0;
      other = next[other] as number;
    }
    if (!isFound) found.push(at);
  }
  return found;
}

/** 32-bit FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++)
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}

/** SHA-256 of the data by which a person is matched, independent of order, hexadecimal. */
export function identityHash({ names, births, gender, countries }: ListedPerson): string {
  const sorted = (values: readonly object[]) => values.map((each) => JSON.stringify(each)).sort();
  const content = [sorted(names), sorted(births), gender ?? null, [...countries].sort()];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
