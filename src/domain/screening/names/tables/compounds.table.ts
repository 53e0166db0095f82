/** `Abd al-Rahman`, `Abdurrahman`, `عبدالرحمن`: servant of; one spelling for all. */
export const SERVANT = 'abdul';
/** `Abu Bakr`, `Aboubacar`: father of. */
export const FATHER = 'abu';
/** `Hidayat Ullah`, `Hidayatullah`: of God. */
export const OF_GOD = 'ullah';
/** `Nur al-Din`, `Nureddin`: of the faith. */
export const OF_FAITH = 'uddin';
/** One name, however often it is written as two. */
export const SERVANT_OF_GOD = 'abdullah';

/** What many compounds share. */
export const compoundParts: ReadonlySet<string> = new Set([SERVANT, FATHER, OF_GOD, OF_FAITH]);

/** Spellings of words that are parts of compounds. */
export const spellings: ReadonlyMap<string, string> = new Map([
  ...spelt(
    SERVANT,
    'abd abdel abdal abdol abdoul abdu abdur abdir abder abdar abdus abdes abdas abdush abdesh ' +
      'abdun abden abduz abdez abdud abdi abdou abdil',
  ),
  ...spelt(FATHER, 'abou aboo ebu abul aboul abil abi'),
  ...spelt(OF_GOD, 'allah illah ollah oullah alla ulla'),
  ...spelt(
    OF_FAITH,
    'uddeen udeen udin uddine oudine eddin eddine eddeen edine addin addine aldin aldeen eldin ' +
      'eldeen eldine iddin ettin uttin',
  ),
]);

/** The article, with the letters that it takes on before others. */
export const articles: ReadonlySet<string> = wordSet(
  'al el ul ol il ar er ur as es us ad ed ud an en un az ez uz ash esh ush',
);

/** What stands after the article in {@link OF_FAITH}. */
export const faith: ReadonlySet<string> = wordSet('din deen dine dien');

function spelt(as: string, words: string): [string, string][] {
  return words.split(' ').map((word) => [word, as]);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
