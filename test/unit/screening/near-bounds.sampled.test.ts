import { describe, expect, test } from 'vitest';
import { buildArrays } from '../../../src/domain/screening/index/build.ts';
import { BagBounds } from '../../../src/domain/screening/index/near/bag-bounds.ts';
import {
  consonantBag,
  consonantsOf,
  mostOfBags,
} from '../../../src/domain/screening/index/near/consonant-bags.ts';
import { NearTexts } from '../../../src/domain/screening/index/near/near-texts.ts';
import { TwoWords } from '../../../src/domain/screening/index/near/two-words.ts';
import { Vocabulary } from '../../../src/domain/screening/index/vocabulary.ts';
import {
  ConsonantTarget,
  likenessOfConsonants,
  wholeLikeness,
  wholeName,
} from '../../../src/domain/screening/names/consonants.ts';
import { joinedLikeness } from '../../../src/domain/screening/names/word-likeness.ts';
import { nameWord, wordsOf } from '../../../src/domain/screening/names/words.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

const syllables = 'ab du ra hman vik tor ka rim jo mo ha med al bin li s na dal sok mmi'.split(' ');
const aWord = fc
  .array(fc.constantFrom(...syllables), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const aName = fc.array(aWord, { minLength: 2, maxLength: 4 }).map((words) => words.join(' '));
const someNames = fc.array(aName, { minLength: 20, maxLength: 20 });

function indexOf(names: readonly string[]) {
  const arrays = buildArrays(
    names.map((text) => ({ names: [{ text, kind: 'primary' }], births: [], countries: [] })),
  );
  return { arrays, vocabulary: new Vocabulary(arrays) };
}

describe('names are ruled out before they are compared', () => {
  test('by bags of consonants, which never understate the likeness and rule out many', () => {
    let [alike, told] = [0, 0];
    fc.assert(
      fc.property(aName, aName, fc.nat(8), (one, another, kept) => {
        const other = one.slice(0, -kept - 1) + another.slice(-kept - 1);
        const [a, b] = [wordsOf(one), wordsOf(other)];
        const most = mostOfBags(consonantBag(consonantsOf(a)), consonantBag(consonantsOf(b)));
        const [wholeA, wholeB] = [wholeName(a), wholeName(b)];
        if (wholeA === undefined || wholeB === undefined) return;
        const likeness = wholeLikeness(wholeA, wholeB);
        expect([one, other, Math.min(likeness, Math.max(0, most))]).toEqual([one, other, likeness]);
        alike += likeness > 0 ? 1 : 0;
        told += most < 0.65 ? 1 : 0;
      }),
      { numRuns: runs(20_000) },
    );
    expect(alike).toBeGreaterThan(runs(100));
    expect(told).toBeGreaterThan(runs(1000));
  });

  test.each([0.565, 0.715, 0.8])(
    'by quick bounds on bags exactly as by the full bound, at %f',
    (least) => {
      const bounds = new BagBounds();
      const aBag = fc
        .tuple(fc.stringMatching(/^[bkstrmnhw]{1,20}$/), fc.nat(4))
        .map(([text, more]) => {
          const made = consonantBag(text);
          return { ...made, repeated: made.repeated + more };
        });
      let [far, near] = [0, 0];
      fc.assert(
        fc.property(aBag, fc.array(aBag, { minLength: 10 }), (query, others) => {
          bounds.begin(query, least);
          for (const other of [...others, query]) {
            const isFar = bounds.isFar(other.count, other.repeated, other.bag);
            expect([query, other, isFar]).toEqual([query, other, mostOfBags(query, other) < least]);
            if (isFar) far += 1;
            else near += 1;
          }
        }),
        { numRuns: runs(1000) },
      );
      expect(far).toBeGreaterThan(runs(1000));
      expect(near).toBeGreaterThan(runs(300));
    },
  );

  test.each([0.565, 0.695, 0.8])('by consonants at %f, but not if they are similar', (least) => {
    const target = new ConsonantTarget();
    const some = fc.stringMatching(/^[bkmns7]{1,20}$/);
    let [alike, far] = [0, 0];
    fc.assert(
      fc.property(some, some, fc.nat(20), (one, another, kept) => {
        const other = (one.slice(0, kept) + another).slice(0, one.length + 2);
        target.begin(one);
        const codes = Uint16Array.from(other, (letter) => letter.charCodeAt(0));
        const isFar = target.isFar(codes, other.length, least);
        const isAlike = likenessOfConsonants(one, other, least) >= least;
        expect([one, other, isFar && isAlike]).toEqual([one, other, false]);
        alike += isAlike ? 1 : 0;
        far += isFar ? 1 : 0;
      }),
      { numRuns: runs(5000) },
    );
    expect(alike).toBeGreaterThan(runs(200));
    expect(far).toBeGreaterThan(runs(1000));
  });

  test('by pairs of words, but never a pair that may be one word of a list', () => {
    let [near, ruledOut] = [0, 0];
    fc.assert(
      fc.property(
        someNames,
        fc.array(fc.tuple(aWord, aWord), { minLength: 20 }),
        (names, pairs) => {
          const { arrays, vocabulary } = indexOf(names);
          const texts = new NearTexts(arrays);
          for (const [first, second] of pairs) {
            if (first.length < 2 || second.length < 2) continue;
            const isNear = vocabulary.hasNear(first + second);
            const mayBe = texts.mayBegin(first) && texts.mayEnd(second);
            if (isNear) expect([first, second, mayBe]).toEqual([first, second, true]);
            near += isNear ? 1 : 0;
            ruledOut += mayBe ? 0 : 1;
          }
        },
      ),
      { numRuns: runs(200) },
    );
    expect(near).toBeGreaterThan(runs(50));
    expect(ruledOut).toBeGreaterThan(runs(1000));
  });

  test('except exactly those with two adjacent words similar to one word', () => {
    let found = 0;
    fc.assert(
      fc.property(someNames, aWord, aWord, (names, first, second) => {
        const { arrays } = indexOf([...names, `${first} ${second} bin`]);
        const word = nameWord(first + second, 'latin');
        const alike = [...names, `${first} ${second} bin`].flatMap((name, at) => {
          const words = wordsOf(name);
          const isAlike = words.some(({ text }, place) => {
            const next = words[place + 1]?.text;
            return next !== undefined && joinedLikeness(text + next, word.text) > 0;
          });
          return isAlike && word.text.length >= 4 ? [at] : [];
        });
        const twoWords = new TwoWords(arrays).namesOf(word);
        expect([...new Set(twoWords)].sort((a, b) => a - b)).toEqual(alike);
        found += alike.length;
      }),
      { numRuns: runs(300) },
    );
    expect(found).toBeGreaterThan(runs(100));
  });
});
