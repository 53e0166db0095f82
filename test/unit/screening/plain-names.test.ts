import { describe, expect, test } from 'vitest';
import { plainTokens, plainWord } from '../../../src/domain/screening/index/words/plain-names.ts';
import { wordsOf } from '../../../src/domain/screening/names/words.ts';

/** The words of a name that is read word by word; undefined otherwise. */
function readPlain(name: string): readonly string[] | undefined {
  const words = plainTokens(name)?.map(plainWord);
  if (words === undefined || words.includes(undefined)) return undefined;
  return words.slice(0, 16).map((word) => word?.text ?? '');
}

const textsOf = (name: string) => wordsOf(name).map(({ text }) => text);

describe('a name read word by word has the same words as one read as a whole', () => {
  test.each([
    ['Anna Maria', ['anna', 'maria']],
    ['GUÐMUNDSSON, Jón', ['jon', 'gudmundsson']],
    ["O'Neil-Sørensen J.", ['oneil', 'sorensen', 'j']],
    ['Straße, ', ['strasse']],
    ['Lovelace,', ['lovelace']],
    ['Isabella Ki', ['isabella', 'ki']],
    ['Leonardo da Vinci', ['leonardo', 'da', 'vinci']],
    [', Anna', ['anna']],
    ['a b c d e f g h i j k l m n o p q r s', [...'abcdefghijklmnop']],
  ])('%s', (name, words) => {
    expect(readPlain(name)).toEqual(words);
    expect(textsOf(name)).toEqual(words);
  });
});

test.each([
  'Tom King, Baron King of Bridgwater',
  'Dr. Anna Olsen',
  'JC Olsen',
  'Anna al Salem',
  'Sayf ad Din',
  'Isabella Li',
  'Yu. Olsen',
  'Viktoras Sidorovas',
  'Cabdi Olsen',
  'Abdulrahman Salem',
  'Anna, Maria, Olga',
  'Jo\u0301n Olsen',
  'Paral\u0140lel Olsen',
  'Anna (Olga) Olsen',
  'Анна Olsen',
  'Anna 0lsen',
  "Anna ' Olsen",
  `${'Anna '.repeat(60)}B`,
])('%s is read as a whole because its words depend on their context', (name) => {
  expect(readPlain(name)).toBeUndefined();
  expect(textsOf(name).length).toBeGreaterThan(0);
});

test('random names of words and marks are read the same either way', () => {
  const words =
    "Anna Olga Maria Smith Isabella Li Wu Valentin Hannah Abdullayev Abdulov Abu Bakr allah Hidayatullah Saif ud Din Núñez Jón O'Neil Mac-Donald de la Vega Dr Sir abd al bin J JC Ng Tom Earl Baron Straße Øystein Ĳsbrand ǅemal İnan Abdullah Salahuddin III 2nd ' Jose\u0301 المختار Анна 金".split(
      ' ',
    );
  const signs = [' ', ' ', ' ', '-', '. ', ', ', ' (', ') ', "'"];
  let state = 5;
  const some = <T>(list: readonly T[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((list.length * state) / 2 ** 32)] as T;
  };
  let plain = 0;
  for (let round = 0; round < 20_000; round++) {
    let name = some(words);
    for (let more = some([1, 2, 3, 4]); more > 0; more--) name += some(signs) + some(words);
    const read = readPlain(name);
    if (read === undefined) continue;
    plain += 1;
    expect([name, read]).toEqual([name, textsOf(name)]);
  }
  expect(plain).toBeGreaterThan(1000);
});
