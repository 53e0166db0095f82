import { expect, test } from 'vitest';
import { buildNameIndex, comparePerson, nearTo } from '../../../src/domain/screening/index.ts';
import { foldName } from '../../../src/domain/screening/names/fold.ts';
import {
  isKoreanName,
  spellingsOfSyllable,
  syllablesOf,
} from '../../../src/domain/screening/names/korean.ts';

const listed = (text: string) => ({
  names: [{ text, kind: 'primary' as const }],
  births: [],
  countries: [],
});
const found = (query: string, text: string) =>
  buildNameIndex([listed(text)]).search({ originalName: query }, { leastRate: 75, limit: 1 })[0];

test.each([
  ['박지성', 'Park Ji-sung', 'silent r'],
  ['허준', 'Hur Joon', 'silent r of another vowel'],
  ['이순신', 'Yi Sun-sin', 'y before i'],
  ['이건희', 'Lee Kun-hee', 'l that is not read'],
  ['노무현', 'Roh Moo-hyun', 'r for n'],
  ['노무현', 'No Mu Hyon', 'McCune–Reischauer'],
  ['유관순', 'Ryu Gwansun', 'r that is not read, given name as one word'],
  ['최규하', 'CHOI Kyu Hah', 'vowel of two letters'],
  ['임권택', 'Lim Kwon Taik', 'vowel of two letters inside'],
  ['정주영', 'Chung Joo Young', 'English vowels'],
  ['우상호', 'Woo Sang Ho', 'w before u'],
  ['안중근', 'Ahn Joong-keun', 'h that makes long'],
  ['로두철', 'Ro Tu-chol', 'spelling of the north'],
  ['황보석', 'Hwangbo Suk', 'family of two syllables'],
  ['주영 정', 'Joo Young Chung', 'family last in both'],
  ['정주영', 'Joo Young Chung', 'family last in one'],
])('%s matches %s in both directions: %s', (hangul, latin) => {
  expect(found(hangul, latin)?.rate).toBeGreaterThan(75);
  expect(found(latin, hangul)?.rate).toBeGreaterThan(75);
  const alike = comparePerson({ originalName: hangul }, listed(latin));
  expect(found(hangul, latin)?.rate).toBe(alike);
  const isNear = nearTo([listed(latin)], buildNameIndex([listed(latin)]).rarity);
  expect(isNear({ originalName: hangul })).toBe(true);
});

test.each([
  ['박지성', 'Park Chan Ho'],
  ['이순신', 'Ivan Susanin'],
  ['정주영', 'Jung Chan Woo'],
  ['이건희', 'Lynn Keane'],
])('%s does not match %s', (hangul, latin) => {
  expect(found(hangul, latin)).toBeUndefined();
  expect(found(latin, hangul)).toBeUndefined();
});

test.each([
  ['김동철', 'korean'],
  ['김 동철', 'korean'],
  ['동철 김', 'korean'],
  ['남궁 옥분', 'korean'],
  ['존 키', 'hangul'],
  ['닉 클레그', 'hangul'],
  ['트뤼그베 리', 'hangul'],
  ['푸틴', 'hangul'],
])('%s is classified as %s', (name, script) => {
  expect(foldName(name)[0]?.script).toBe(script);
  expect(isKoreanName(name)).toBe(script === 'korean');
});

test('every Hangul syllable has few spellings, including the Revised Romanisation', () => {
  let most = 0;
  for (let code = 0xac00; code <= 0xd7a3; code++) {
    const [text = ''] = syllablesOf(String.fromCharCode(code));
    const spellings = spellingsOfSyllable(text);
    expect(spellings.get(text)).toBe(Math.max(...spellings.values()));
    most = Math.max(most, spellings.size);
  }
  expect(most).toBeLessThan(300);
});
