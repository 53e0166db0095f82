import { createHash } from 'node:crypto';
import type { ListContent } from './list-content.ts';
import type { ListedPerson } from './listed-person.ts';

/** What another version of a list changes. */
export interface ListDelta {
  readonly added: readonly ListedPerson[];
  readonly changed: readonly {
    readonly person: ListedPerson;
    /** Names, births, gender or countries are others: the person is to be screened again. */
    readonly isIdentityChanged: boolean;
  }[];
  readonly removed: readonly ListedPerson[];
}

/** The difference of two versions, by the keys of their persons. */
export function compareLists(before: ListContent, after: ListContent): ListDelta {
  const known = new Map<string, ListedPerson>();
  for (let at = 0; at < before.count; at++) {
    const person = before.person(at);
    known.set(person.key, person);
  }
  const added: ListedPerson[] = [];
  const changed: ListDelta['changed'][number][] = [];
  for (let at = 0; at < after.count; at++) {
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

/** SHA-256 of what a person is matched by, in whatever order, hexadecimal. */
export function identityHash({ names, births, gender, countries }: ListedPerson): string {
  const sorted = (values: readonly object[]) => values.map((each) => JSON.stringify(each)).sort();
  const content = [sorted(names), sorted(births), gender ?? null, [...countries].sort()];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
