/** "Servant of": one spelling for `Abd al-Rahman`, `Abdurrahman`, `عبدالرحمن` and similar. */
export const SERVANT = 'abdul';
/** "Father of": `Abu Bakr`, `Aboubacar`. */
export const FATHER = 'abu';
/** "Of God": `Hidayat Ullah`, `Hidayatullah`. */
export const OF_GOD = 'ullah';
/** "Of the faith": `Nur al-Din`, `Nureddin`. */
export const OF_FAITH = 'uddin';
/** A single name, even if written as two words. */
export const SERVANT_OF_GOD = 'abdullah';

/** Parts shared by many compounds. */
export const compoundParts: ReadonlySet<string> = new Set([SERVANT, FATHER, OF_GOD, OF_FAITH]);

/** Spellings of parts of compounds. */
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

/** The Arabic article, including its assimilated forms. */
export const articles: ReadonlySet<string> = wordSet(
  'al el ul ol il ar er ur as es us ad ed ud an en un az ez uz ash esh ush',
);

/** The second part of {@link OF_FAITH}, after the article. */
export const faith: ReadonlySet<string> = wordSet('din deen dine dien');

function spelt(as: string, words: string): [string, string][] {
  return words.split(' ').map((word) => [word, as]);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
