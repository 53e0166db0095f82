import { expect, test } from 'vitest';
import { misspeltNames, numbers } from '../../../bench/misspelt-names.mjs';
import { buildNameIndex } from '../../../src/domain/screening/index.ts';
import { compareWords } from '../../../src/domain/screening/names/compare.ts';
import { type NameWord, wordsOf } from '../../../src/domain/screening/names/words.ts';

const given =
  'Mohammed Muhammad Anna Maria Viktor Stefania Galina Guglielmo Salah Simon Elizabeth Kate Omar';
const family = 'Drakmenov Prestigiacomo Balmos Epifani Abdallah Gatwech Suhorenko Haqqani Tarwat';
const others = ['Вера', 'Николай', 'محمد', 'خالد', 'यादव'];
const syllables = 'ba ko ri mo ta sha len vik dor mar es an il jo ber nik sol hav dar';

const random = numbers(11);
const some = (list: readonly string[]) => list[Math.floor(list.length * random() ** 2)] ?? '';
const rare = () =>
  Array.from({ length: 2 + Math.floor(random() * 2.2) }, () => some(syllables.split(' '))).join('');
const aName = () => {
  const first = some([...given.split(' '), ...others]);
  const last = random() < 0.5 ? some(family.split(' ')) : rare();
  return [first, ...(random() < 0.4 ? [rare()] : []), last].join(' ');
};

const names = [...new Set(Array.from({ length: 2500 }, aName))];
const index = buildNameIndex(
  names.map((text) => ({ names: [{ text, kind: 'primary' }], births: [], countries: [] })),
);
const words = names.map(wordsOf);
const rarity = ({ text }: NameWord) => index.rarity.ofQuery(text);

/** Names with at least this likeness, by comparing all. */
function alike(query: string, least: number): number[] {
  const asked = wordsOf(query);
  return names.flatMap((_, at) => {
    const likeness = compareWords(asked, words[at] as readonly NameWord[], rarity);
    return Math.round(100 * likeness) >= least ? [at] : [];
  });
}

test('the index finds almost everything that a full comparison finds', () => {
  let hits = 0;
  const missed: string[] = [];
  for (const query of misspeltNames(names, 800, 3)) {
    const matches = index.search({ originalName: query }, { leastRate: 75, limit: names.length });
    const found = new Set(matches.map(({ number }) => number));
    const all = alike(query, 75);
    hits += all.length;
    missed.push(...all.filter((at) => !found.has(at)).map((at) => `${query}: ${names[at]}`));
  }
  expect(hits).toBeGreaterThan(1500);
  // Names with two misspelt parts, and the most frequent names with an initial, are not all
  // compared.
  expect(missed.length / hits, missed.slice(0, 20).join('\n')).toBeLessThan(0.04);
});
