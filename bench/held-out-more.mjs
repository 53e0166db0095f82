// More classes of pairs for `held-out-names.mjs`, by published transliteration rules and by custom.
// They are the same in each run, and are drawn after those of `held-out-pairs.mjs`.
import { bare, capital, lists, pick, rewritten, some, two } from './held-out-words.mjs';

const letters = (table) =>
  new Map(
    table
      .trim()
      .split(/\s+/)
      .map((each) => each.split('=')),
  );
const written = (text, table) =>
  text.replace(/\S+/g, (word) =>
    capital(Array.from(word.toLowerCase(), (each) => table.get(each) ?? each).join('')),
  );
const halves = (list) => pick(list).split('/');
/** Two different spellings from a line with several. */
const ways = (list) => two(halves(list));

/** The national system of Georgia, and ISO 9984 without diacritics. */
const georgian = [
  `ა=a ბ=b გ=g დ=d ე=e ვ=v ზ=z თ=t ი=i კ=k ლ=l მ=m ნ=n ო=o პ=p ჟ=zh რ=r ს=s ტ=t უ=u ფ=p ქ=k ღ=gh
   ყ=q შ=sh ჩ=ch ც=ts ძ=dz წ=ts ჭ=ch ხ=kh ჯ=j ჰ=h`,
  `ა=a ბ=b გ=g დ=d ე=e ვ=v ზ=z თ=t ი=i კ=k ლ=l მ=m ნ=n ო=o პ=p ჟ=z რ=r ს=s ტ=t უ=u ფ=p ქ=k ღ=g
   ყ=q შ=s ჩ=c ც=c ძ=j წ=c ჭ=c ხ=x ჯ=j ჰ=h`,
].map(letters);
/** Eastern Armenian by BGN/PCGN, Hübschmann–Meillet without diacritics, and Western Armenian. */
const armenian = [
  `ա=a բ=b գ=g դ=d ե=e զ=z է=e ը=y թ=t ժ=zh ի=i լ=l խ=kh ծ=ts կ=k հ=h ձ=dz ղ=gh ճ=ch մ=m յ=y ն=n
   շ=sh ո=o չ=ch պ=p ջ=j ռ=r ս=s վ=v տ=t ր=r ց=ts ւ=v փ=p ք=k և=ev օ=o ֆ=f`,
  `ա=a բ=b գ=g դ=d ե=e զ=z է=e ը=e թ=t ժ=z ի=i լ=l խ=x ծ=c կ=k հ=h ձ=j ղ=l ճ=c մ=m յ=y ն=n
   շ=s ո=o չ=c պ=p ջ=j ռ=r ս=s վ=v տ=t ր=r ց=c ւ=w փ=p ք=k և=ew օ=o ֆ=f`,
  `ա=a բ=p գ=k դ=t ե=e զ=z է=e ը=e թ=t ժ=zh ի=i լ=l խ=kh ծ=dz կ=g հ=h ձ=ts ղ=gh ճ=j մ=m յ=y ն=n
   շ=sh ո=o չ=ch պ=b ջ=ch ռ=r ս=s վ=v տ=d ր=r ց=ts ւ=v փ=p ք=k և=ev օ=o ֆ=f`,
].map(letters);
const armenianText = (text, table) => written(text.toLowerCase().replace(/ու/g, 'u'), table);
/** ELOT 743, and informal spelling. */
const greekElot = `α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t
  υ=y φ=f χ=ch ψ=ps ω=o`;
const greek = [
  {
    table: letters(greekElot),
    pairs: { μπ: 'b', ντ: 'nt', γκ: 'gk', γγ: 'ng', ου: 'ou', ευ: 'ef', αυ: 'af', τζ: 'tz' },
  },
  {
    table: letters(greekElot.replace('χ=ch', 'χ=h').replace('η=i', 'η=e').replace('υ=y', 'υ=i')),
    pairs: { μπ: 'b', ντ: 'd', γκ: 'g', γγ: 'g', ου: 'u', ευ: 'ev', αυ: 'av', τζ: 'j' },
  },
];
const greekText = (text, { table, pairs }) =>
  written(
    Object.entries(pairs).reduce(
      (all, [from, to]) => all.replaceAll(from, to),
      text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    ),
    table,
  );
const turkishPlain = (text) => bare(text.replace(/ı/g, 'i').replace(/İ/g, 'I'));
const turkishAscii = [
  turkishPlain,
  (text) => turkishPlain(text.replace(/ö/g, 'oe').replace(/ü/g, 'ue').replace(/ş/g, 'sh')),
  (text) => turkishPlain(text.replace(/ğ/g, '').replace(/ç/g, 'ch').replace(/Ş/g, 'Sh')),
];

/** Classes of pairs of one person's names, by their difference. */
export function moreOfOne() {
  const twoOf = (texts, tables, make) =>
    some(() => {
      const [a, b] = two(tables);
      const [x, y] = two(texts).map((each) => each.split(' '));
      const text = `${x[0]} ${y.at(-1)}`;
      return [make(text, a), make(text, b)];
    }, 100);
  const joined = (names, families) =>
    some(() => {
      const [a, b] = ways(names);
      const [c, d] = ways(families);
      return [`${a} ${c}`, `${b} ${d}`];
    }, 100);
  return {
    'Burmese, honorifics': some(() => {
      const name = pick(lists.burmese);
      return [`${pick(lists.burmeseTitles)} ${name}`, name];
    }, 60),
    'Indonesian, one word, old spelling': some(() => {
      const name = pick(lists.indonesian);
      return [rewritten(name, lists.indonesianWays, 2), name];
    }, 30),
    'Portuguese, dos and da, names left out': some(() => {
      const [a, b] = two(lists.portugueseFamilies);
      const [g, h] = two(lists.portuguese);
      const de = pick(['dos', 'da', 'de', 'do']);
      const way = pick([
        `${g} ${b}`,
        `${g} ${h} ${b}`,
        `${g} ${h} ${a} ${b}`,
        `${b}, ${g} ${h} ${a}`,
      ]);
      return [bare(way), `${g} ${h} ${a} ${de} ${b}`];
    }, 100),
    'Turkish, letters of others': some(() => {
      const [x, y] = two(lists.turkish).map((each) => each.split(' '));
      const name = `${x[0]} ${y[1]}`;
      return [pick(turkishAscii)(name), name];
    }, 100),
    'Georgian, two systems': twoOf(lists.georgian, georgian, written),
    'Armenian, two systems': twoOf(lists.armenian, armenian, armenianText),
    'Greek, two systems': twoOf(lists.greek, greek, greekText),
    'Greek, letters and common spelling': some(() => {
      const [x, y] = two(lists.greek).map((each) => each.split(' '));
      return [`${x[0]} ${y[1]}`, greekText(`${x[0]} ${y[1]}`, greek[1])];
    }, 100),
    'Hebrew names, two spellings': joined(lists.hebrew, lists.hebrewFamilies),
    'Thai, two systems': some(() => {
      const [x, y] = two(lists.thai).map((each) => each.split('/').map((way) => way.split(' ')));
      return [`${x[0][0]} ${y[0][1]}`, `${x[1][0]} ${y[1][1]}`];
    }, 80),
    'Indian, two spellings': joined(lists.indian, lists.indian),
    'Urdu and Bengali, two spellings': joined(lists.urdu, lists.urdu),
    'Pashto, -zai and -zada joined or not': some(() => {
      const [g, f] = [pick(lists.dari), pick(lists.pashto)];
      const [one, other] = two(pick(['zai/zay/ zai/-zai', 'zada/zadah/ zada/-zadeh']).split('/'));
      return [`${g} ${f}${one}`, `${g} ${f}${other}`];
    }, 100),
    'Somali and English letters': some(() => {
      const [x, y] = two(lists.somali).map((each) => each.split('/').map((way) => way.split(' ')));
      return [`${x[0][0]} ${y[0][1]}`, `${x[1][0]} ${y[1][1]}`];
    }, 80),
    'Hungarian, family name first': some(() => {
      const [f, g] = [pick(lists.hungarian), pick(lists.hungarianGivens)];
      return [pick([bare(`${f} ${g}`), `${f} ${g}`, `dr. ${bare(f)} ${g}`]), `${g} ${f}`];
    }, 100),
    'Baltic endings': some(() => {
      const [x, y] = two(lists.baltic).map((each) => each.split('/').map((way) => way.split(' ')));
      return [`${x[0][0]} ${y[0][1]}`, `${x[1][0]} ${y[1][1]}`];
    }, 80),
    'Bulgarian, patronymic and initials': some(() => {
      const g = pick(lists.bulgarianGivens);
      const [p, f] = [pick(lists.bulgarianFathers), pick(lists.bulgarianFamilies)];
      return [pick([`${g} ${f}`, `${g} ${p.charAt(0)}. ${f}`, `${f} ${g}`]), `${g} ${p} ${f}`];
    }, 100),
    'Mohd, Md and Mohammed': some(() => {
      const [g, f] = [pick(lists.malay), pick(lists.malayFathers)];
      const bin = pick(['', 'bin ', 'b. ']);
      return [`${pick(lists.mohammed)} ${g} ${bin}${f}`, `Mohammed ${g} bin ${f}`];
    }, 100),
    'Japanese, long vowels and two systems': some(() => {
      const [x, y] = two(lists.japanese).map((each) =>
        each.split('/').map((way) => way.split(' ')),
      );
      const [a, b] = two([0, 1, 2, 3]);
      return [`${x[a][0]} ${y[a][1]}`, `${x[b][0]} ${y[b][1]}`];
    }, 80),
    'Ethiopian, two spellings': joined(lists.ethiopian, lists.ethiopian),
  };
}

/** Classes of pairs of two persons, by what their names have in common. */
export function moreOfTwo() {
  const sharing = (givens, families, make = (g, f) => `${g} ${f}`) =>
    some(() => {
      const [a, b] = two(givens);
      const f = pick(families);
      return [make(a, f), make(b, f)];
    }, 60);
  const first = (list) => list.map((each) => each.split('/')[0]);
  const firstWord = (list) => first(list).map((each) => each.split(' ')[0]);
  const lastWord = (list) => first(list).map((each) => each.split(' ').at(-1));
  return {
    'Portuguese, one family name': sharing(lists.portuguese, lists.portugueseFamilies),
    'Turkish, one family name': sharing(firstWord(lists.turkish), lastWord(lists.turkish)),
    'Indian, one family name': sharing(first(lists.indian), first(lists.indian)),
    'Urdu, one family name': sharing(first(lists.urdu), first(lists.urdu)),
    'Pashto, one given name': sharing(lists.pashto, lists.dari, (f, g) => `${g} ${f}zai`),
    'Somali, one family name': sharing(firstWord(lists.somali), lastWord(lists.somali)),
    'Malay, one father': sharing(lists.malay, lists.malayFathers, (g, f) => `Mohd ${g} bin ${f}`),
    'Hungarian, one family name': sharing(lists.hungarianGivens, lists.hungarian),
    'Ethiopian, one father': sharing(first(lists.ethiopian), first(lists.ethiopian)),
    'Japanese, one family name': sharing(firstWord(lists.japanese), lastWord(lists.japanese)),
    'Burmese, a word in common': some(() => {
      const [x, y] = two(lists.burmese).map((each) => each.split(' '));
      return [x.join(' '), [x[0], ...y.slice(1)].join(' ')];
    }, 60),
  };
}
