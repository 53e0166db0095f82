/** Mandarin syllables in pinyin without tones: each initial with its finals. */
export const pinyinFinals: readonly (readonly [initial: string, finals: string])[] = [
  ['', 'a ai an ang ao e en er ou'],
  ['b', 'a ai an ang ao ei en eng i ian iao ie in ing o u'],
  ['p', 'a ai an ang ao ei en eng i ian iao ie in ing o ou u'],
  ['m', 'a ai an ang ao ei en eng i ian iao ie in ing iu o ou u'],
  ['f', 'a an ang ei en eng o ou u'],
  ['d', 'a ai an ang ao e ei eng i ian iao ie ing iu ong ou u uan ui un uo'],
  ['t', 'a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo'],
  ['n', 'a ai an ang ao ei en eng i ian iang iao ie in ing iu ong ou u uan uo'],
  ['l', 'a ai an ang ao e ei eng i ia ian iang iao ie in ing iu ong ou u uan un uo'],
  ['g', 'a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo'],
  ['k', 'a ai an ang ao e en eng ong ou u ua uai uan uang ui un uo'],
  ['h', 'a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo'],
  ['j', 'i ia ian iang iao ie in ing iong iu u uan ue un'],
  ['q', 'i ia ian iang iao ie in ing iong iu u uan ue un'],
  ['x', 'i ia ian iang iao ie in ing iong iu u uan ue un'],
  ['zh', 'a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo'],
  ['ch', 'a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo'],
  ['sh', 'a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo'],
  ['r', 'an ang ao e en eng i ong ou u ua uan ui un uo'],
  ['z', 'a ai an ang ao e en eng i ong ou u uan ui un uo'],
  ['c', 'a ai an ang ao e en eng i ong ou u uan ui un uo'],
  ['s', 'a ai an ang ao e en eng i ong ou u uan ui un uo'],
  ['y', 'a an ang ao e i in ing ong ou u uan ue un'],
  ['w', 'a ai an ang ei en eng o u'],
];

/** Wade–Giles spellings of pinyin initials, without apostrophes; the rest are the same. */
export const wadeInitials: ReadonlyMap<string, string> = new Map([
  ['b', 'p'],
  ['d', 't'],
  ['g', 'k'],
  ['j', 'ch'],
  ['q', 'ch'],
  ['x', 'hs'],
  ['zh', 'ch'],
  ['r', 'j'],
  ['z', 'ts'],
  ['c', 'ts'],
]);

/** Irregular Wade–Giles syllables that do not follow from initial and {@link wadeFinals}. */
export const wadeSyllables: ReadonlyMap<string, readonly string[]> = new Map([
  ['zhi', ['chih']],
  ['chi', ['chih']],
  ['shi', ['shih']],
  ['ri', ['jih']],
  ['zi', ['tzu', 'tsu']],
  ['ci', ['tzu', 'tsu']],
  ['si', ['szu', 'ssu']],
  ['er', ['erh']],
  ['e', ['o']],
  ['ge', ['ko']],
  ['ke', ['ko']],
  ['he', ['ho']],
  ['guo', ['kuo']],
  ['kuo', ['kuo']],
  ['huo', ['huo']],
  ['shuo', ['shuo']],
  ['gui', ['kuei', 'kui']],
  ['kui', ['kuei', 'kui']],
  ['yan', ['yen']],
  ['ye', ['yeh']],
  ['yi', ['i', 'yi']],
  ['you', ['yu']],
  ['yue', ['yueh']],
  ['yong', ['yung']],
]);

/** Wade–Giles spellings of pinyin finals, without diacritics; the rest are the same. */
export const wadeFinals: ReadonlyMap<string, string> = new Map([
  ['ong', 'ung'],
  ['iong', 'iung'],
  ['ian', 'ien'],
  ['ie', 'ieh'],
  ['ue', 'ueh'],
  ['uo', 'o'],
]);

/** Chinese family names in pinyin: first those rarely part of given names, then those often so. */
export const mandarinFamilies: readonly [sure: readonly string[], other: readonly string[]] = [
  (
    'wang zhang liu chen zhao huang zhou wu xu sun zhu hu ma gao luo zheng liang xie tang deng ' +
    'han cao zeng peng cai pan tian du ding shen ren yao lu cui tan liao fan jia xia fu zou ' +
    'xiong meng qin qiu hou shao duan lei qian dai mo shi gu pang xue su tong zhuang'
  ).split(' '),
  (
    'li yang guo lin song feng dong xiao cheng yu yuan jiang jin hong long he ye wei fang bai ' +
    'kang mao wan yin yi wen lan an tao hai ning xing mei jian yan zhong'
  ).split(' '),
];
