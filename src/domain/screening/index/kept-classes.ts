import type { ListedIdentity } from '../listed-person.ts';

/** A person with a name in a script with vowels and one in a script without. */
const person: ListedIdentity = {
  names: [
    { text: 'Muhammad Abdelrahman', kind: 'primary' },
    {
      text: '\u0645\u062d\u0645\u062f \u0639\u0628\u062f\u0627\u0644\u0631\u062d\u0645\u0646',
      kind: 'alias',
    },
  ],
  births: [],
  countries: [],
};

/** Searches after which what V8 has compiled for them is worth keeping. */
const SEARCHES = 200;

/**
 * Keeps the hidden classes of a search from dying with it. A class lives as long as an object that
 * has it, and so does the code that was compiled for it: when the last index of a process is
 * collected, the code of all searches is given up, and the next index is searched as slowly as the
 * first one was. So a search in a list of one person stays, from the time when there were many.
 *
 * @param make makes it and asks it for the names, which makes what the first names do that are
 *   looked at
 * @returns to be called for each search
 */
export function classKeeper(make: (person: ListedIdentity) => object): () => void {
  const kept: object[] = [];
  let searches = 0;
  return () => {
    if (searches === SEARCHES) return;
    searches += 1;
    if (searches === SEARCHES) kept.push(make(person));
  };
}
