import { expect, test } from 'vitest';
import type { Term } from '../../../src/domain/screening/index/asked-words.ts';
import { buildArrays } from '../../../src/domain/screening/index/build.ts';
import { NameTraits } from '../../../src/domain/screening/index/name-traits.ts';
import { MostWords } from '../../../src/domain/screening/index/search/most-words.ts';
import { nothing } from '../../../src/domain/screening/index/words/expansion.ts';
import { mostAlike } from '../../../src/domain/screening/names/align.ts';
import { nameWord } from '../../../src/domain/screening/names/words.ts';

const LEAST = 0.715;

function mostWordsOf(names: readonly string[]): MostWords {
  const arrays = buildArrays(
    names.map((text) => ({ names: [{ text, kind: 'primary' }], births: [], countries: [] })),
  );
  const weights = new Float64Array(arrays.wordScript.length).fill(0.6);
  return new MostWords(arrays, new NameTraits(arrays), weights);
}

function termsOf(...texts: readonly string[]): readonly Term[] {
  const expansion = nothing;
  return texts.map((text) => {
    return { word: nameWord(text, 'latin'), expansion, weight: 0.6, postings: 0 };
  });
}

const bounds = (ofWords: number) => ({ ofWords, isSyllabic: false });
const added = (own: number, likeness = 1) => ({ own, most: 0.8, likeness });

test('words are counted, except for names that can be similar by other means', () => {
  const names = [
    'Anna Karin Lindqvist',
    'J Lindqvist',
    '\u0645\u062d\u0645\u062f \u0639\u0644\u064a',
  ];
  const most = mostWordsOf(names);
  expect(names.map((_, name) => most.countOf(name))).toEqual([3, 0, 0]);
});

test('the maximum number of words follows from the required likeness', () => {
  const most = mostWordsOf(['Anna Lindqvist']);
  most.begin(termsOf('anna', 'karin', 'lindqvist'), 0, 0, 0, bounds(LEAST));
  for (const own of [1, 2, 4]) most.add(added(own));
  // One of three is too few, two of three require a name of only these, three allow further words.
  expect([1, 3, 5].map((set) => most.of(set))).toEqual([0, 2, 2]);
  const all = most.of(7);
  expect(all).toBeGreaterThan(3);
  const left = 0.5 * (all - 3);
  expect(mostAlike(2.4, 0, left, 0, 3)).toBeGreaterThanOrEqual(LEAST);
  expect(mostAlike(2.4, 0, left + 0.5, 0, 3)).toBeLessThan(LEAST);
});

test('the number of words is unlimited if words decide nothing or the walk was cut short', () => {
  const most = mostWordsOf(['Anna Lindqvist']);
  most.begin(termsOf('anna', 'karin'), 0, 0, 0, bounds(0));
  most.add(added(1));
  expect(most.of(1)).toBe(254);
  most.begin(termsOf('anna', 'karin', 'lindqvist'), 0, 0, 0, bounds(LEAST));
  most.add(added(1));
  expect(most.of(1)).toBe(0);
  most.giveUp();
  expect(most.of(1)).toBe(254);
});

test('less similar words allow fewer others, unless two words may be one of the query', () => {
  const most = mostWordsOf(['Anna Lindqvist Karlsson', 'An Na Lindqvist']);
  const wordsAt = (likeness: number) => {
    most.begin(termsOf('anna', 'lindqvist'), 0, 0, 0, bounds(LEAST));
    for (const own of [1, 2]) most.add(added(own, likeness));
    return most.ofOne(3);
  };
  expect(wordsAt(1)).toBe(most.of(3));
  expect(wordsAt(0.9)).toBeLessThan(most.of(3));
  expect(wordsAt(0.8)).toBe(0);
  expect([0, 1].map((name) => most.isFar(name, 3))).toEqual([true, false]);
});
