import { describe, expect, test } from 'vitest';
import { buildNameIndex, comparePerson, nearTo } from '../../../src/domain/screening/index.ts';
import { mandarinWord } from '../../../src/domain/screening/names/languages/mandarin.ts';
import { wordsOf } from '../../../src/domain/screening/names/words.ts';

const listed = (text: string) => ({
  names: [{ text, kind: 'primary' as const }],
  births: [],
  countries: [],
});
const rateIn = (query: string, text: string) =>
  buildNameIndex([listed(text), ...crowd])
    .search({ originalName: query }, { leastRate: 75, limit: 5 })
    .find(({ number }) => number === 0)?.rate ?? 0;

/** Many persons with these family names: persons without a further common word are not compared. */
const crowd = Array.from({ length: 300 }, (_, at) => {
  const letter = (each: number) => 'abcdefghij'.charAt(each % 10);
  const family = ['Deng', 'Teng', 'Xie', 'Hsieh'][at % 4];
  return listed(`${family} ${letter(at)}ol${letter(at / 10)}rem${letter(at / 100)}id`);
});

test.each([
  ['taojing', ['tao jing'], []],
  ['taoching', [], ['dao jing', 'dao qing', 'tao jing', 'tao qing']],
  ['hsiuchih', [], ['xiu chi', 'xiu zhi']],
  ['xian', ['xian'], []],
  ['lijun', ['li jun'], ['li run']],
])('%s is split into syllables', (word, asPinyin, asWade) => {
  const read = mandarinWord(word);
  expect([...(read?.asPinyin ?? [])]).toEqual(asPinyin);
  expect([...(read?.asWade ?? [])].sort()).toEqual(asWade);
});

test.each(['margaret', 'x', '', 'taojingming', 'zh', 'jongun'])('%s is not Mandarin', (word) => {
  expect(mandarinWord(word)).toBeUndefined();
});

describe('a Chinese name matches in Pinyin and Wade–Giles, hyphenated or not', () => {
  test.each([
    ["Teng Shu-ch'ing", 'Deng Shuqing'],
    ['Hsieh Pao-kuei', 'Xie Baogui'],
    ['Hsieh Paokuei', 'Xie Bao Gui'],
    ['Pao-kuei Hsieh', 'Xie Baogui'],
    ["Ts'ai Yung-hsiang", 'Cai Yongxiang'],
    ['蔡永祥', "Ts'ai Yung-hsiang"],
  ])('%s and %s', (one, other) => {
    for (const [query, text] of [
      [one, other],
      [other, one],
    ] as const) {
      const rate = rateIn(query, text);
      expect(rate).toBeGreaterThanOrEqual(75);
      const { rarity } = buildNameIndex([listed(text)]);
      expect(nearTo([listed(text)], rarity)({ originalName: query })).toBe(true);
    }
  });
});

describe('two given names with one common syllable do not match', () => {
  test.each([
    ['Deng Baozhen', 'Deng Baofeng'],
    ['Deng Bao Zhen', 'Deng Bao De'],
    ['Deng Guo Bin', 'Deng Guo Liang'],
    ['Teng Pao-chen', 'Deng Baofeng'],
    ['Xie Guangping', 'Xie Guangrong'],
  ])('%s and %s', (one, other) => {
    expect(rateIn(one, other)).toBe(0);
    expect(comparePerson({ originalName: one }, listed(other))).toBeLessThan(75);
  });
});

test.each([
  ['Deng Baozhen', 'Deng Baozhan', 'a letter is wrong'],
  ['Deng Baozhen', 'Deng Boazhen', 'two letters are turned round'],
])('%s matches %s: %s', (one, other) => {
  expect(rateIn(one, other)).toBeGreaterThanOrEqual(75);
});

test.each([
  ['Deng Bao De', ['deng', 'baode']],
  ['Tao-ching Teng', ['taoching', 'teng']],
  ['TENG, Tao-ching', ['taoching', 'teng']],
  // The comma marks Pao as the family name, although it is not in the table.
  ['PAO, Yu Hsiang', ['yu', 'hsiang', 'pao']],
  // Either may be the family name.
  ['Feng Bao Dong', ['feng', 'bao', 'dong']],
  // Korea, the Netherlands, and too many words.
  ['Kang Nung-su', ['kang', 'nung', 'su']],
  ['Han Song-min', ['han', 'song', 'min']],
  ['Lin de Groot', ['lin', 'de', 'groot']],
  ['Anna Deng Bao De', ['anna', 'deng', 'bao', 'de']],
])('%s is split into words', (name, words) => {
  expect(wordsOf(name).map(({ text }) => text)).toEqual(words);
});

test('spellings of other languages that look like syllables are compared by letters', () => {
  expect(comparePerson({ originalName: 'Zhulia Holm' }, listed('Julia Holm'))).toBeGreaterThan(75);
});

test('a short family name with a long given name matches itself', () => {
  expect(rateIn('Yu Xiangbao', 'Yu Xiangbao')).toBe(100);
  expect(comparePerson({ originalName: 'Yu Xiangbao' }, listed('Yu Xiangbao'))).toBe(100);
});
