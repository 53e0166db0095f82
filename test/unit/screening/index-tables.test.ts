import { describe, expect, test } from 'vitest';
import { AskedWords, type Term, termOf } from '../../../src/domain/screening/index/asked-words.ts';
import { buildArrays } from '../../../src/domain/screening/index/build.ts';
import {
  type ConsonantBag,
  ConsonantBags,
  consonantBag,
  consonantsOf,
} from '../../../src/domain/screening/index/near/consonant-bags.ts';
import { Vocabulary } from '../../../src/domain/screening/index/vocabulary.ts';
import { wordFacts } from '../../../src/domain/screening/index/word-facts.ts';
import { ranked } from '../../../src/domain/screening/index/words/expansion.ts';
import { areFar, wordLikeness } from '../../../src/domain/screening/names/word-likeness.ts';
import { nameWord, wordsOf } from '../../../src/domain/screening/names/words.ts';
import { fc } from '../../support/property.ts';

/** The bag of a name, as in a query. */
function bagOf(bags: ConsonantBags, name: number): ConsonantBag {
  const found: ConsonantBag[] = [];
  bags.isFar(name, {
    isFar: (count, repeated, bag) => found.push({ count, repeated, bag }) === 0,
  });
  return found[0] as ConsonantBag;
}

describe('tables of the name index', () => {
  test('hold for each name the bag of its consonants, without particles', () => {
    const names = [
      'Anna Karin Lindqvist',
      'Ludwig van der Berg',
      'J Bakk Kolmannskog',
      '\u0645\u062d\u0645\u062f \u0639\u0644\u064a',
      '\u0930\u092e\u0947\u0936 \u0915\u0941\u092e\u093e\u0930',
    ];
    const arrays = buildArrays(
      names.map((text) => ({ names: [{ text, kind: 'primary' }], births: [], countries: [] })),
    );
    const bags = new ConsonantBags(arrays, new Vocabulary(arrays));
    for (const [at, name] of names.entries()) {
      const text = consonantsOf(wordsOf(name));
      const { count, repeated, bag } = consonantBag(text);
      expect(String.fromCharCode(...bags.codes.subarray(0, bags.read(at)))).toBe(text);
      expect(bagOf(bags, at)).toMatchObject({ count, bag });
      expect(bagOf(bags, at).repeated).toBeGreaterThanOrEqual(repeated);
    }
    // The last letter of `Kolmannskog`, and at most the first letter of each following word.
    expect(bagOf(bags, 2).repeated).toBe(1 + 2);
  });

  test('never rule out a word that is alike, however long it is', () => {
    const letters = fc.constantFrom(...'aeiouhbkdlmnrstvz');
    const aWord = fc.array(letters, { minLength: 2, maxLength: 36 }).map((all) => all.join(''));
    const others = fc.tuple(aWord, fc.nat(36), fc.constantFrom('', 'a', 'h', 'k', 'st'));
    let [alike, far] = [0, 0];
    fc.assert(
      fc.property(others, aWord, ([text, place, added], third) => {
        const one = nameWord(text, 'latin');
        const at = place % text.length;
        for (const other of [text.slice(0, at) + added + text.slice(at + 1), third]) {
          const two = nameWord(other, 'latin');
          if (other.length < 2 || one.isKnown || two.isKnown) continue;
          const isFar = areFar(wordFacts(one), wordFacts(two));
          const likeness = wordLikeness(one, two);
          if (isFar) expect([text, other, likeness]).toEqual([text, other, 0]);
          alike += likeness > 0 ? 1 : 0;
          far += isFar ? 1 : 0;
        }
      }),
      { numRuns: 3000 },
    );
    expect(alike).toBeGreaterThan(1000);
    expect(far).toBeGreaterThan(1000);
  });

  test.each([0, 1, 5, 32, 33, 200])('find %i similar words by their numbers', (count) => {
    const near = Array.from({ length: 2 * count }, (_, at) => 7 * at + 1);
    const likenesses = near.map((_, at) => (at % 2 === 0 ? 0.7 + (at % 6) / 20 : 0.69));
    const found = ranked(
      Uint32Array.from([...near, 2]),
      near.length,
      Float64Array.from(likenesses),
    );
    const order = near.filter((_, at) => at % 2 === 0);
    const likenessOf = (word: number) => likenesses[(word - 1) / 7] as number;
    order.sort((a, b) => likenessOf(b) - likenessOf(a) || a - b);
    expect(found.words).toEqual(order);
    expect(found.likenesses).toEqual(order.map(likenessOf));
    expect(order.map((word) => found.likenessOf(word))).toEqual(found.likenesses);
    expect(found.likenessOf(2)).toBeUndefined();
    expect(found.likenessOf(7 * near.length + 1)).toBeUndefined();
    const turned = Float64Array.from(likenesses.toReversed());
    expect(ranked(Uint32Array.from(near.toReversed()), near.length, turned)).toEqual(found);
  });

  test('keep a likeness per term for a word that is similar to several terms', () => {
    const terms = ['ann', 'anna', 'nana'].map((text, at) => {
      const alike = ranked(Uint32Array.from([3, 5 + at]), 2, Float64Array.from([0.7 + at / 10, 1]));
      return termOf(nameWord(text, 'latin'), alike, 1, 0);
    });
    const asked = new AskedWords(9);
    asked.begin([terms[2] as Term], []);
    asked.begin(terms, []);
    expect(Array.from(asked.bits)).toEqual([0, 0, 0, 0b111, 0, 0b1, 0b10, 0b100, 0]);
    for (const [at, term] of terms.entries()) {
      const ofWords = [3, 5 + at, 8].map((word) => asked.likenessOf(word, 1 << at, term));
      expect(ofWords).toEqual([0.7 + at / 10, 1, undefined]);
    }
  });
});
