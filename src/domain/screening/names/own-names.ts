import { familyNames, loneNames, ownNames, slavicNames } from './tables/index.ts';

/** Position of a name in the tables of names. */
export interface KnownName {
  /** Numbers of the names that it is, or is used for. */
  readonly names: readonly number[];
  /** Numbers of the forms of these names. */
  readonly forms: readonly number[];
}

interface Tables {
  readonly known: ReadonlyMap<string, KnownName>;
  readonly spellings: ReadonlyMap<string, ReadonlySet<string>>;
}

let tables: Tables | undefined;

/** The table entry of a word in basic letters; undefined for most words. */
export function knownName(word: string): KnownName | undefined {
  tables ??= readTables();
  return tables.known.get(word);
}

/** Other spellings of a known name, in all its forms. */
export function spellingsOfName(word: string): ReadonlySet<string> {
  tables ??= readTables();
  return tables.spellings.get(word) ?? none;
}

const none: ReadonlySet<string> = new Set();

/** Whether both are spellings of the same form of a name. */
export function isOneName(a: KnownName, b: KnownName): boolean {
  return a === b || a.forms.some((form) => b.forms.includes(form));
}

/** Whether both are names that are never used for each other. */
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
