/**
 * A romanisation of a letter in a Hangul syllable, and its rarity in hundredths. The Revised
 * Romanisation and McCune–Reischauer come first, then spellings found in passports. Letters are in
 * Unicode order.
 */
export type Spelling = readonly [text: string, rareness: number];

/** Initial consonants. */
export const initials: readonly (readonly Spelling[])[] = [
  ...['g k gh:3', 'kk gg:1 k:1 g:1', 'n', 'd t', 'tt dd:1 t:1 d:1', 'r l n:1', 'm', 'b p'],
  ...['pp bb:1 p:1 b:1', 's', 'ss s:1', '', 'j ch z:3', 'jj tch:1 j:1 ch:1', 'ch j:2 c:4 tch:3'],
  ...['k kh:1', 't th:1', 'p ph:1', 'h'],
].map(spellingsOf);

/** Vowels. An h lengthens them, as does an r that is not pronounced. */
export const medials: readonly (readonly Spelling[])[] = [
  'a ah:1 ar:2 aa:3',
  'ae ai:1 e:2 ay:2 eh:3 a:4',
  'ya ia:2 yah:3',
  'yae ye:2 yai:3',
  'eo o u uh:1 ou:2 ur:2 er:3 oh:3 e:4',
  'e ae:2 ay:2 eh:2 ei:3 ye:4 ai:4',
  'yeo yo yu you:1 yuh:2 yea:2 io:3 yeu:3 ye:4 eo:4',
  'ye yae:2 yea:2 e:2 ae:3 ea:3 ie:3',
  'o oh:1 oe:3 ou:3 oo:4 oa:4',
  'wa oa:2 ua:2 wah:3',
  'wae oae:2 wai:2 we:3',
  'oe oi oy:2 woe:2 we:3 oei:3 wae:4',
  'yo yoh:3 io:3 you:4',
  'u oo ou:2 uh:2 ew:4 o:4',
  'wo weo wu:3 uo:3 wou:3 o:4',
  'we wei:3 wae:3',
  'wi wee:1 ui:2 uy:3 wie:3',
  'yu yoo you:1 iu:2 yew:3 ew:3 ue:4',
  'eu u uh:2 e:3 oo:4 o:4',
  'ui eui i:2 ee:1 euy:3 e:4',
  'i ee:1 ie:3 ih:2 ey:3 y:4',
].map(spellingsOf);

const stop = 't d:2 s:3';
/** Final consonants. */
export const finals: readonly (readonly Spelling[])[] = [
  ...['', 'k g:1 ck:1 c:2 q:4', 'k', 'k', 'n nn:2 ne:4', 'n', 'n', stop],
  ...['l r:2 ll:2 le:4', 'k', 'm', 'l', 'l', 'l', 'p', 'l', 'm mm:2', 'p b:1', 'p', stop, stop],
  ...['ng n:7', stop, stop, 'k', stop, 'p', stop],
].map(spellingsOf);

/**
 * What is written before a vowel without an initial consonant: names retain a silent l or r before
 * i and y (`Lee`, `Ryu`), or write the initial glide of the vowel.
 */
export const unwritten = {
  i: spellingsOf(' y l r rh:2'),
  y: spellingsOf(' r l rh:2'),
  ui: spellingsOf(' y:1'),
  u: spellingsOf(' w'),
  other: spellingsOf(''),
} as const;

/** An n at the start of a family name can also be l or r: `Noh`, `Roh`. */
export const nasal: readonly Spelling[] = spellingsOf('n r:1 l:2 rh:1');
/** An r before i and y can be silent, or n. */
export const liquid: readonly Spelling[] = spellingsOf('r l n:1 rh:2 :2');
/** S before i, sometimes written with h. */
export const hushed: readonly Spelling[] = spellingsOf('s sh');

function spellingsOf(line: string): readonly Spelling[] {
  return line.split(' ').map((each) => {
    const [text = '', rareness = '0'] = each.split(':');
    return [text, Number(rareness)];
  });
}

/** Korean family names in both the northern and southern spelling. */
export const families: ReadonlySet<string> = new Set(
  [
    '김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구나민진지엄채원',
    '천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국어은편용예경봉사부가복',
    '태목형피계두감음빈동온호범좌팽승간상시갈단견당류림리로량려렴련룡륙',
  ]
    .join('')
    .split('')
    .concat('남궁 황보 제갈 사공 선우 서문 독고 동방'.split(' ')),
);

/** Syllables of Korean given names in the Revised Romanisation. */
export const givenSyllables: readonly string[] = (
  'a ae ban beom bin bo bok bong byeong byeol cha chae chan chang cheol cheon choe chun dae ' +
  'dal de deok do dong du eon eun eung eul ga gang geon geum geun gi gil gu guk gun gwan ' +
  'gwang gwi gyeong gyo gyu ha hae hak han hang heon hoe hong hu hui hun hwa hwan hwang hwi ' +
  'hye hyeok hyeon hyeong hyo hyang i il im in ja jae je jeom jeong ji jik jin jo jong ju ' +
  'jun jung man mi min mo mu mun myeong na nak nam ok pil pung pyo rae ran rim rin rok ryeo ' +
  'ryeol ryong ryun sam san sang se seo seok seol seon seong seop seung si sik sin so sol ' +
  'song su suk sun ta tae taek tak u uk un wan won ya yang ye yeol yeon yeong yeop yo yong ' +
  'yu yul yun'
).split(' ');
