import type { FoldedWord } from './fold.ts';

/** Parts of compounds of Arabic in one spelling: `Abd al-Rahman`, `Abdurrahman`; `Nureddin`. */
export const SERVANT = 'abdul';
export const FATHER = 'abu';
export const OF_GOD = 'ullah';
export const OF_FAITH = 'uddin';
const SERVANT_OF_GOD = 'abdullah';

/** Weight of what many compounds share: the other part tells them apart. */
export const COMPOUND_WEIGHT = 0.3;

const servants = wordSet(
  'abd abdel abdal abdol abdoul abdu abdur abdir abdul abder abdar abdus abdes abdas abdush abdesh',
  'abdun abden abduz abdez abdud abdi abdou abdil',
);
const fathers = wordSet('abu abou aboo ebu abul aboul abil abi');
const gods = wordSet('allah ullah illah ollah oullah alla ulla');
const faiths = wordSet(
  'uddin uddeen udeen udin uddine oudine eddin eddine eddeen edine addin addine aldin aldeen',
  'eldin eldeen eldine iddin ettin uttin',
);
const articles = wordSet('al el ul ol il ar er ur as es us ad ed ud an en un az ez uz ash esh ush');
const beforeFaith = wordSet('din deen dine dien');

/** Begins like a compound, or ends like one: most words do neither. */
const anyCompound =
  /^abd[aeiou]|^ab[ou]u?[b-df-hj-np-tvwxz][a-z]{3}|^[ae]b[duio]|[aeiou]ll?ah?$|[aeiou][dt]{1,2}[ei]{1,2}ne?$|^d[ie]+ne?$/;

/** True when {@link withCompounds} may change a word. */
export function mayBeCompound(text: string): boolean {
  return anyCompound.test(text);
}

/** Compounds of Arabic names as their parts, however they are written together. */
export function withCompounds(words: readonly FoldedWord[]): readonly FoldedWord[] {
  if (!words.some(({ text }) => anyCompound.test(text))) return words;
  const found: FoldedWord[] = [];
  for (const word of words.flatMap(partsOf)) {
    const { text } = word;
    const last = found[found.length - 1];
    const before = last?.text;
    if (text === OF_GOD && before === SERVANT) found[found.length - 1] = { ...word, text: SERVANT_OF_GOD };
    else if (beforeFaith.has(text) && before !== undefined && articles.has(before) && found.length > 1)
      found[found.length - 1] = { ...word, text: OF_FAITH };
    else if (articles.has(text) && (before === SERVANT || before === FATHER)) continue;
    else found.push(word);
  }
  return found;
}

function partsOf(word: FoldedWord): readonly FoldedWord[] {
  const { text } = word;
  const as = (...texts: readonly string[]) => texts.map((each) => ({ ...word, text: each }));
  if (servants.has(text)) return as(SERVANT);
  if (fathers.has(text)) return as(FATHER);
  if (gods.has(text)) return as(OF_GOD);
  if (faiths.has(text)) return as(OF_FAITH);
  const servant = /^abd(?:ou|[aeiou])/.exec(text)?.[0];
  if (servant !== undefined) {
    const rest = afterArticle(text.slice(servant.length));
    const isWhole = rest.length < 4 || /^l?[aou](?:h|y|ev)/.test(rest);
    return isWhole ? [word] : [...as(SERVANT), ...ending({ ...word, text: rest })];
  }
  const son = /^ab(?:u|ou)(?:l(?=[^aeiouy]))?([^aeiouy].{3,})$/.exec(text)?.[1];
  return son === undefined ? ending(word) : [...as(FATHER), ...ending({ ...word, text: son })];
}

/** What follows `abdu` without the article: `lrahman`, `rrahman` and `rahman` are the same. */
function afterArticle(rest: string): string {
  const [first = '', second = ''] = rest;
  if (first === 'l' || (first === second && !'aeiou'.includes(first))) return rest.slice(1);
  return 'rsdzn'.includes(first) && !'aeiouhy'.includes(second) ? rest.slice(1) : rest;
}

/** `hidayatullah` and `najmuddin` as two words. */
function ending(word: FoldedWord): readonly FoldedWord[] {
  const { text } = word;
  const found =
    /^(.{3,}?)((?:ou|[aiou])llah|o?ulah)$/.exec(text) ??
    /^(.{2,}[^aeiou])(ulla)$/.exec(text) ??
    /^(.{2,}?)((?:[aeiou]|ou)dd(?:i|ee|ei)ne?|(?:u|ou|al|el)d(?:i|ee)ne?|[eu]ttin)$/.exec(text);
  if (found === null) return [word];
  const [, first = '', last = ''] = found;
  return [
    { ...word, text: first },
    { ...word, text: last.includes('l') && !/d/.test(last) ? OF_GOD : OF_FAITH },
  ];
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
