import { familyNames, loneNames, ownNames, slavicNames } from './tables/index.ts';

/** Where a name stands in the tables of names. */
export interface KnownName {
  /** Names of their own that it is, or is written for. */
  readonly names: readonly number[];
  /** Forms of them. */
  readonly forms: readonly number[];
}

interface Tables {
  readonly known: ReadonlyMap<string, KnownName>;
  readonly spellings: ReadonlyMap<string, ReadonlySet<string>>;
}

let tables: Tables | undefined;

/** What is known of a word in basic letters; undefined for most. */
export function knownName(word: string): KnownName | undefined {
  tables ??= readTables();
  return tables.known.get(word);
}

/** How else a known name is spelt, in all forms of it. */
export function spellingsOfName(word: string): ReadonlySet<string> {
  tables ??= readTables();
  return tables.spellings.get(word) ?? none;
}

const none: ReadonlySet<string> = new Set();

/** True for two spellings of one form of a name. */
export function isOneName(a: KnownName, b: KnownName): boolean {
  return a === b || a.forms.some((form) => b.forms.includes(form));
}

/** True for two names that are not written for one another. */
export function areTwoNames(a: KnownName, b: KnownName): boolean {
  return a !== b && !a.names.some((name) => b.names.includes(name));
}

function readTables(): Tables {
  const known = new Map<string, { names: number[]; forms: number[] }>();
  const spellings = new Map<string, Set<string>>();
  let formCount = 0;
  const lone = loneNames.flatMap((line) => line.split(' '));
  for (const [name, line] of [...ownNames, ...familyNames, ...slavicNames, ...lone].entries()) {
    const all = line.split(/[ ,]/);
    for (const form of line.split(',')) {
      formCount += 1;
      for (const word of form.split(' ')) {
        const own = known.get(word) ?? { names: [], forms: [] };
        own.names.push(name);
        own.forms.push(formCount);
        known.set(word, own);
        const others = spellings.get(word) ?? new Set();
        for (const other of all) if (other !== word) others.add(other);
        spellings.set(word, others);
      }
    }
  }
  return { known, spellings };
}
