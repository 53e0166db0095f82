// Words in names of many languages, and their spellings in other languages: for
// `held-out-pairs.mjs`.
import { readFileSync } from 'node:fs';
import { numbers } from './misspelt-names.mjs';

/** Word lists by the name at the start of their line. */
export const lists = Object.fromEntries(
  readFileSync(new URL('held-out-words.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(': '))
    .map(([name, values]) => [name, values.split('|')]),
);
export const {
  men,
  fathers,
  families,
  ukrainian,
  ukrainianFamilies,
  arabGiven,
  arabFamily,
  chinese,
  syllables,
  koreanFamilies,
  koreanSyllables,
  nordic,
  west,
  westFamilies,
  spanish,
  spanishFamilies,
  hypocorisms,
  titles,
  arabWays,
  vietFamilies,
  vietMiddle,
  vietGiven,
  wadeInitials,
} = lists;

const random = numbers(20_261);
export const below = (end) => Math.floor(random() * end);
export const pick = (list) => list[below(list.length)];
export const words = (text) => text.split(' ');
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** Returns `count` different pairs made by `make`, without undefined results. */
export function some(make, count = 150) {
  const found = new Map();
  for (let tries = 0; found.size < count && tries < 20 * count; tries++) {
    const pair = make();
    if (pair !== undefined && pair[0] !== pair[1]) found.set(pair.join(' | '), pair);
  }
  return [...found.values()];
}
/** Returns two different elements of a list. */
export function two(list) {
  const first = pick(list);
  const second = pick(list.filter((each) => each !== first));
  return [first, second];
}

export const letters = Array.from('абвгдеёжзийклмнопрстуфхцчшщъыьэюя');
const alphabet = (text) =>
  new Map(words(text).map((each, at) => [letters[at], each === '-' ? '' : each]));
export const russian = {
  icao: alphabet('a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch ie y - e iu ia'),
  bgn: alphabet('a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya'),
  scientific: alphabet('a b v g d e ë ž z i j k l m n o p r s t u f h c č š šč - y - è ju ja'),
  german: alphabet(
    'a b w g d e jo sch s i j k l m n o p r s t u f ch z tsch sch schtsch - y - e ju ja',
  ),
  french: alphabet(
    'a b v g d e io j z i ï k l m n o p r s t ou f kh ts tch ch chtch - y - e iou ia',
  ),
};
export const latin = (text, table) =>
  text.replace(/[а-яё]+/giu, (word) =>
    // German writes "je" unless a consonant precedes it.
    capital(
      (table === russian.german && /^е/iu.test(word) ? 'j' : '') +
        Array.from(word.toLowerCase(), (each) => table.get(each) ?? each).join(''),
    ),
  );
export const person = () => [pick(men), pick(fathers), pick(families)];

export function arab() {
  const father = random() < 0.5 ? [pick(arabGiven)] : [];
  return [pick(arabGiven), ...father, pick(arabFamily)].join(' ');
}
export const rewritten = (name, ways, times) => {
  let text = name;
  for (let tries = 0, done = 0; done < times && tries < 30; tries++) {
    const [from, to] = pick(ways).split('→');
    const next = text.replace(new RegExp(from, 'gi'), to);
    if (next !== text) done += 1;
    text = next;
  }
  return text;
};

export const wade = (text) => {
  const initials = wadeInitials.map((each) => each.split('/'));
  const [from, to] = initials.find(([each]) => text.startsWith(each)) ?? ['', ''];
  return (to + text.slice(from.length))
    .replace(/ong$/, 'ung')
    .replace(/ian$/, 'ien')
    .replace(/ie$/, 'ieh')
    .replace(/^kui$/, 'kuei')
    .replace(/^yan$/, 'yen')
    .replace(/(?<=h)i$/, from === 'zh' || from === 'sh' ? 'ih' : 'i')
    .replace(/uo$/, 'o')
    .replace(/^kuo$|^ko$/, 'kuo');
};
export const han = () => [pick(chinese), pick(syllables), pick(syllables)];
export const viet = () => [pick(vietFamilies), pick(vietMiddle), pick(vietGiven)];
export const bare = (text) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/đ/g, 'd').replace(/Đ/g, 'D');
export const nordicWays = [
  { ð: 'd', þ: 'th', æ: 'ae', ø: 'o', å: 'a', ß: 'ss' },
  { ð: 'dh', þ: 'th', æ: 'ae', ø: 'oe', å: 'aa', ö: 'oe', ä: 'ae', ü: 'ue', ß: 'ss' },
  { ð: 'd', þ: 't', æ: 'e', ø: 'o', å: 'aa', ß: 's' },
];
export const plain = (text, table) =>
  bare(
    Array.from(text, (each) => {
      const other = table[each.toLowerCase()];
      return other === undefined ? each : each === each.toLowerCase() ? other : capital(other);
    }).join(''),
  );

export const anybody = () => [pick(west), pick(west), pick(westFamilies)];
export const localized = (rows, script) => rows.filter(({ local }) => script.test(local));
