import { nicknames, shortForms } from './tables/index.ts';

let related: Map<string, readonly string[]> | undefined;

/** Other names that the same person may use, in basic letters. */
export function nicknamesOf(word: string): readonly string[] {
  related ??= readTable();
  return related.get(word) ?? [];
}

function readTable(): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, other: string) => {
    const known = found.get(name);
    if (known === undefined) found.set(name, [other]);
    else known.push(other);
  };
  for (const group of [...nicknames, ...shortForms].flatMap((line) => line.split(','))) {
    const [name = '', ...short] = group.split(' ');
    for (const each of short) {
      add(name, each);
      add(each, name);
    }
  }
  return found;
}
