import { expect, test } from 'vitest';
import {
  buildNameIndex,
  comparePerson,
  hasName,
  nearTo,
  unreadOf,
} from '../../../src/domain/screening/index.ts';
import { foldName } from '../../../src/domain/screening/names/fold.ts';
import { honorifics, particles } from '../../../src/domain/screening/names/tables/index.ts';
import { namesOf, wordsOf } from '../../../src/domain/screening/names/words.ts';

const rateOf = (query: string, text: string) => {
  const index = buildNameIndex([{ names: [{ text, kind: 'primary' }], births: [], countries: [] }]);
  return index.search({ originalName: query }, { leastRate: 60, limit: 1 })[0]?.rate ?? 0;
};

test.each([
  ["ג'ונתן סוויפט", 'Jonathan Swift', 'marked letters, and vav as a vowel'],
  ["צ'רלס דרווין", 'Charles Darwin', 'vav twice as v'],
  ['ויקטור הוגו', 'Victor Hugo', 'vav first as v'],
  ['मा. राम बहादुर थापा', 'Ram Bahadur Thapa', 'title of Devanagari'],
  ['Уильям Шекспир', 'William Shakespeare', 'u before a vowel'],
  ['Айман аз-Завахири', 'Ayman al-Zawahiri', 'v that is w, with kh that is h, after an article'],
  ['Анвар Наваз', 'Anwar Nawaz', 'v that is w'],
  ['Бьёрн Дракмен', 'Bjørn Drakmen', 'o after a soft consonant'],
  ['Хасан Файзалла', 'Hassan Faizallah', 'name of God without an h'],
  ['Μπάρμπα Ντράκμεν', 'Barba Drakmen', 'two letters of Greek for b and d'],
  ['Ευάγγελος Παύλου', 'Evangelos Pavlou', 'two letters of Greek for ev, ng, av and ou'],
  ['Γιώργος Δράκμενος', 'George Drakmenos', 'short form of Greek'],
  ['معمر الدركمي', 'Muammar al-Drakmi', 'vowel between two of the same letter'],
  ['ममता द्रकमेन', 'Mamata Drakmen', 'vowel between two of the same letter'],
  ['יצחק דרקמן', 'Yitzhak Drakman', 'letter that is written tz'],
  ['בנימין דרקמן', 'Binyamin Drakman', 'letter that begins a word as b'],
  ['ウィリアム・ジェームズ', 'William James', 'small letters of kana'],
  ['卡洛斯·罗梅罗', 'Carlos Romero', 'characters of China for sounds'],
  ['Гельмут Шмідт', 'Helmut Schmidt', 'g that is read h'],
  ['Gamal Abdel Nasser', 'Jamal Abdul Nasser', 'g of Egypt'],
  ['Sergej Prokofjev', 'Sergey Prokofyev', 'j that is read y'],
  ['Uladzimir Karatkevich', 'Vladimir Karatkevich', 'one name in two Slavic languages'],
  ['Mykola Lysenko', 'Nikolai Lysenko', 'one name in two Slavic languages'],
  ['Uladzimir Naumau', 'Vladimir Naumov', 'v that is written u in Belarus'],
  ['Vladimir Naumov', 'Uladzimir Naumau', 'u of Belarus that is written v'],
  ['Ang Lee', 'Ang Li', 'long e'],
  ['Sergej Iwanow', 'Sergey Ivanov', 'w that is read v'],
  ['Sergey Drakmenov', 'Sergej Drakmenow', 'v that is written w'],
  ['Stefan Michałowa', 'Stefan Mihalowa', 'ch of Poland that is read h'],
  ['Цвятко Дракмен', 'Tcviatko Drakmen', 'ts that is written tc'],
  ['Maria Gonçala', 'Maria Gonsala', 'c that has lost its mark'],
  ['Микела Дракмен', 'Michela Drakmen', 'k that Italian writes ch'],
  ['Dordevic Milan', 'Djordjevic Milan', 'd of Serbia that has lost its stroke'],
  ['Moxamed Draknour', 'Mohamed Draknour', 'x of Somalia'],
  ['דוד ז׳בוטין', 'David Zhabotin', 'letter with the mark that Hebrew has for it'],
  ['رضا کریمی', 'Reza Karimi', 'letters of Persian that are said z'],
  ['Agus Drakmadi', 'Agoes Drakmadi', 'oe of the Netherlands'],
  ['Pieter Vandenberg', 'Pieter van den Berg', 'articles written with the name'],
  ['Maria Delacruz', 'de la Cruz, Maria', 'articles written with the name'],
  ['ميشال عون', 'Michel Aoun', 'w that is read u'],
  ['Al-Habib ben Ahmad al-Drakmi', 'Habib ben Ahmed al-Drakmi', 'article of another word'],
])('%s matches %s: %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeGreaterThan(74);
});

test.each([
  ["ג'ונתן סוויפט", 'Gunther Savoy'],
  ['ויקטור הוגו', 'Hector Vigo'],
  ['Уильям Шекспир', 'Leyla Sheksper'],
  ['Uladzimir Karatkevich', 'Nikolai Karatkevich'],
])('%s does not match %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeLessThan(75);
});

test('a word that starts like a Devanagari title is kept', () => {
  expect(foldName('मान सिंह').map(({ text }) => text)).toEqual(['man', 'simh']);
  expect(foldName('मा.मान सिंह').map(({ text }) => text)).toEqual(['man', 'simh']);
});

test('words that differ and are also reordered are less similar', () => {
  expect(rateOf('Lovelace Ada', 'Ada Lovelace')).toBe(97);
  const [inOrder, turned] = [
    rateOf('Ada Lovelace', 'Eda Lowlace'),
    rateOf('Lovelace Ada', 'Eda Lowlace'),
  ];
  expect(inOrder - turned).toBeGreaterThan(3);
});

test.each([
  'Rumpole Horace; Holmes Sherlok',
  'Horace Rumpole; Sherlok Holmes;',
  '; Sherlok Holmes',
])('%s contains two names, one of which is listed', (query) => {
  const listed = {
    names: [{ text: 'Sherlock Holmes', kind: 'primary' as const }],
    births: [],
    countries: [],
  };
  const [match] = buildNameIndex([listed]).search(
    { originalName: query },
    { leastRate: 75, limit: 1 },
  );
  expect(match?.parts.map(({ query: part }) => part)).toContain('sherlok');
  expect(match?.rate).toBe(comparePerson({ originalName: query }, listed));
  expect(nearTo([listed], buildNameIndex([listed]).rarity)({ originalName: query })).toBe(true);
  expect(rateOf(query.replaceAll(';', ''), 'Sherlock Holmes')).toBeLessThanOrEqual(
    match?.rate ?? 0,
  );
  expect(rateOf(query, 'Horace Holmes')).toBeLessThan(75);
});

test.each([
  ['Lovelace; Ada', 'Ada Lovelace', 97],
  ['Ada; Lovelace', 'Ada Lovelace', 100],
  ['van Gogh; Vincent', 'Vincent van Gogh', 97],
  ['Lovelace; Ada', 'Lovelace', 0],
  ['Lovelace; Ada', 'Ada Yonath', 0],
  ['Ada Lovelace; Vincent van Gogh', 'Vincent van Gogh', 100],
  ['Ada; Vincent van Gogh', 'Vincent van Gogh', 100],
  [`${';'.repeat(290)}Ada Lovelace`, 'Ada Lovelace', 100],
])('parts of one name count together: %s matches %s by %i', (query, listed, expected) => {
  const found = rateOf(query, listed);
  expect(found < 85 ? 0 : found).toBe(expected);
});

test('parts after the first 300 of a text are ignored', () => {
  const far = `${';'.repeat(300)}Ada Lovelace`;
  expect(namesOf(far)).toEqual([far]);
  expect(namesOf(far.slice(1))).toEqual(['Ada Lovelace']);
});

const eight = Array.from({ length: 8 }, (_, at) => `Anna Olsen${'abcdefgh'[at]}`).join('; ');
const sixteen = Array.from({ length: 16 }, () => 'Anna').join(' ');

test.each([
  ['Ada Lovelace', []],
  [eight, []],
  [`${eight}; Ada Lovelace`, ['names']],
  [`${eight}; Ada`, ['names']],
  [`${';'.repeat(299)}Ada Lovelace`, []],
  [`${';'.repeat(300)}Ada Lovelace`, ['names', 'words']],
  [sixteen, []],
  [`${sixteen} Olsen`, ['words']],
  ['金'.repeat(17), ['words']],
  [`Dr. ${sixteen}`, []],
  [`${eight.slice(0, 40)}; ${sixteen} Olsen`, ['words']],
  [`A${'n'.repeat(300)} Olsen`, ['words']],
  [`${sixteen}; Ada`, []],
] as const)('for %s the unsearched parts are reported: %j', (originalName, unread) => {
  expect(unreadOf({ originalName })).toEqual(unread);
});

test.each([
  ['—', false],
  [';;;', false],
  ['\u200b', false],
  ['🦊', false],
  ['0101901239', false],
  ['🦊 Ada', true],
  ['Dr.', true],
  ['王', true],
  ["'Ada'", true],
] as const)('that %s contains a searchable name is %s', (originalName, expected) => {
  expect(hasName({ originalName })).toBe(expected);
  expect(hasName({ firstName: originalName, lastName: '-' })).toBe(expected);
  expect(hasName({ firstName: originalName, lastName: 'Olsen' })).toBe(true);
});

test('any name with a basic Latin letter can be searched', () => {
  const parts = [...honorifics, ...particles, 'J', 'JC', '-', '--', 'Kim', 'abd', 'ullah', 'Baron'];
  for (const first of parts) {
    for (const second of ['', '-', 'J', 'bin', 'Kim', first]) {
      const originalName = `${first} ${second}`;
      const words = wordsOf(originalName).length;
      expect(hasName({ originalName }), originalName).toBe(words > 0);
    }
  }
});

test('the eighth name of a text is found and the ninth is not', () => {
  const listed = { names: [{ text: 'Olsenh Anna', kind: 'primary' as const }] };
  const index = buildNameIndex([{ ...listed, births: [], countries: [] }]);
  const rates = [eight, `Ada Lovelace; ${eight}`].map(
    (originalName) => index.search({ originalName }, { leastRate: 96, limit: 1 })[0]?.rate ?? 0,
  );
  expect(rates[0]).toBeGreaterThan(95);
  expect(rates[1]).toBe(0);
});
