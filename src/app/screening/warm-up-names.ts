import type { OpenedLists } from './lists/index.ts';

/** Given and family names of many people, by script: each asks for rules of its own. */
const ofScripts: readonly (readonly [given: string, family: string])[] = [
  ['محمد فاطمة عبدالله يوسف مريم خالد', 'الحسيني حداد المصري منصور ناصر'],
  ['رضا سارا پریسا کیان زهرا علی', 'کریمی یزدی احمدی تهرانی موسوی'],
  ['דוד יעל נועם שרה יוסף', 'כהן לוי מזרחי פרץ'],
  ['राज सीता अनिल प्रिया सुनीता', 'शर्मा थापा सिंह वर्मा'],
  ['สมชาย วิไล สุดา อนันต์', 'ใจดี ทองคำ ศรีสุข'],
  ['伟 芳 秀英 志明 淑芬', '王 李 张 陳 林'],
  ['민준 서연 지우 영숙', '김 이 박 최'],
  ['さくら 太郎 美咲 健太', '佐藤 鈴木 高橋'],
  ['Иван Елена Сергей Олена', 'Петров Иванова Шевченко'],
  ['Γιώργος Μαρία Νίκος', 'Παπαδόπουλος Νικολάου'],
  ['Þórður Łukasz Şule Nguyễn Björg', 'Guðmundsdóttir Østergård Wiśniewski Yılmaz'],
];

/**
 * Names to warm up with, of every list and many scripts: first words of listed names, each with the
 * last word of another, some whole ones, and some that stand on no list.
 */
export function* warmUpNames(lists: OpenedLists, namesMax: number): Generator<string, void> {
  const places = placesOf(lists);
  const count = Math.min(lists.index.personCount, namesMax);
  for (let number = 0; number < count; number++) {
    const [start, persons] = places[number % places.length] ?? [0, 0];
    const ahead = Math.floor((number / count) * persons);
    const nameAt = (at: number) => {
      const { names } = lists.person(Math.min(at, lists.index.personCount - 1)).person;
      return names[number % names.length]?.text ?? '';
    };
    const kind = Math.floor(number / places.length) % 4;
    const [one, other] = [nameAt(start + ahead), nameAt(start + persons - 1 - ahead)];
    if (kind === 3) yield nameOfScript(number);
    else if (kind === 2) yield one;
    else yield `${one.split(' ')[0]} ${other.split(' ').at(-1)}`;
  }
}

/** Where the persons of each list begin, and how many there are. */
function placesOf({
  versions,
}: OpenedLists): readonly (readonly [start: number, persons: number])[] {
  let start = 0;
  return versions.map(({ persons, others }) => {
    const place = [start, persons + others] as const;
    start += persons + others;
    return place;
  });
}

function nameOfScript(number: number): string {
  const turn = Math.floor(number / ofScripts.length);
  const [given, family] = ofScripts[number % ofScripts.length] as (typeof ofScripts)[number];
  const word = (words: string, at: number) => words.split(' ').at(at % words.split(' ').length);
  return `${word(given, turn)} ${word(family, Math.floor(turn / 2))}`;
}
