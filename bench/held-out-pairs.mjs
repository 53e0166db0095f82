// Pairs of names by classes, made by rules of transliteration and custom and of lists; the same in
// each run. They are for measuring alone: nothing is to be tuned to one of them.
import {
  anybody,
  arab,
  arabFamily,
  arabGiven,
  arabWays,
  bare,
  below,
  capital,
  han,
  hypocorisms,
  koreanFamilies,
  koreanSyllables,
  latin,
  localized,
  men,
  nordic,
  nordicWays,
  person,
  pick,
  plain,
  rewritten,
  russian,
  some,
  spanish,
  spanishFamilies,
  syllables,
  titles,
  two,
  ukrainian,
  ukrainianFamilies,
  viet,
  wade,
  west,
  westFamilies,
  words,
} from './held-out-words.mjs';

/** The classes of one person's names, by what parts them. */
export function samePerson({ givens, surnames, aliases }) {
  const tables = Object.values(russian);
  const ofScript = (script) =>
    some(() => {
      const family = pick(localized(surnames, script));
      const given = pick(
        localized(givens, script).filter(({ country }) => country === family?.country),
      );
      return given && [`${given.local} ${family.local}`, `${given.roman} ${family.roman}`];
    });
  const halves = (list) => pick(list).split('/');
  return {
    'aliases of a record, Latin': aliases.latin,
    'aliases of a record, two scripts': aliases.scripts,
    'Cyrillic and romanized': ofScript(/\p{Script=Cyrillic}/u),
    'Greek and romanized': ofScript(/\p{Script=Greek}/u),
    'Georgian and romanized': ofScript(/\p{Script=Georgian}/u),
    'Hangul and romanized': some(() => {
      const f = pick(localized(surnames, /\p{Script=Hangul}/u));
      const g = pick(localized(givens, /\p{Script=Hangul}/u));
      return [f.local + g.local, `${f.roman} ${g.roman}`];
    }),
    'Han and romanized': some(() => {
      const f = pick(
        localized(surnames, /\p{Script=Han}/u).filter((each) => each.country === 'CN'),
      );
      const g = pick(localized(givens, /\p{Script=Han}/u).filter((each) => each.country === 'CN'));
      return [f.local + g.local, `${f.roman} ${g.roman}`];
    }),
    'Russian, two romanizations': some(() => {
      const [a, b] = two(tables);
      const [given, , family] = person();
      return [latin(`${given} ${family}`, a), latin(`${given} ${family}`, b)];
    }),
    'Russian, Cyrillic and any romanization': some(() => {
      const [given, , family] = person();
      return [`${given} ${family}`, latin(`${given} ${family}`, pick(tables))];
    }),
    'Russian, patronymic left out': some(() => {
      const [given, father, family] = person();
      return [
        latin(`${given} ${family}`, russian.icao),
        latin(`${given} ${father} ${family}`, russian.bgn),
      ];
    }),
    'Russian, family name first, initials': some(() => {
      const [given, father, family] = person();
      return [
        latin(`${family} ${given.charAt(0)}. ${father.charAt(0)}.`, russian.bgn),
        latin(`${given} ${father} ${family}`, russian.bgn),
      ];
    }),
    'Ukrainian and Russian form': some(() => {
      const [a, b] = halves(ukrainian);
      const [c, d] = halves(ukrainianFamilies);
      return [`${a} ${c}`, `${b} ${d}`];
    }),
    'Arabic, two ways to write': some(() => {
      const name = arab();
      return [rewritten(name, arabWays, 2), name];
    }),
    'Arabic, four ways to write': some(() => {
      const name = arab();
      return [rewritten(name, arabWays, 4), name];
    }),
    'Chinese, given name parted or joined': some(() => {
      const [f, a, b] = han().map(capital);
      const way = pick([
        `${f} ${a} ${b}`,
        `${f} ${a}-${b.toLowerCase()}`,
        `${a}${b.toLowerCase()} ${f}`,
      ]);
      return [way, `${f} ${a}${b.toLowerCase()}`];
    }),
    'Chinese, Wade-Giles and pinyin': some(() => {
      const [f, a, b] = han();
      return [
        `${capital(wade(f))} ${capital(wade(a))}-${wade(b)}`,
        `${capital(f)} ${capital(a + b)}`,
      ];
    }),
    'Korean, two romanizations': some(() => {
      const [f, g] = halves(koreanFamilies);
      const [a, b] = halves(koreanSyllables);
      const [c, d] = halves(koreanSyllables);
      return [`${f} ${capital(a)}-${c}`, `${g} ${capital(b)} ${capital(d)}`];
    }),
    'Vietnamese, bare and turned': some(() => {
      const [f, m, g] = viet();
      return [bare(pick([`${f} ${m} ${g}`, `${g} ${m} ${f}`, `${g} ${f}`])), `${f} ${m} ${g}`];
    }),
    'Nordic and German letters': some(() => {
      const name = pick(nordic);
      return [plain(name, pick(nordicWays)), name];
    }, 70),
    'middle name an initial or left out': some(() => {
      const [a, m, f] = anybody();
      return [
        pick([`${a} ${m.charAt(0)}. ${f}`, `${a} ${f}`, `${f}, ${a} ${m.charAt(0)}`]),
        `${a} ${m} ${f}`,
      ];
    }),
    'given names as initials': some(() => {
      const [a, m, f] = anybody();
      return [`${a.charAt(0)}. ${m.charAt(0)}. ${f}`, `${a} ${m} ${f}`];
    }),
    titles: some(() => {
      const [a, , f] = anybody();
      return [`${pick(titles)} ${a} ${f}`, `${a} ${f}`];
    }),
    'pet names': some(() => {
      const [a, b] = halves(hypocorisms);
      const f = pick(westFamilies);
      return [`${b} ${f}`, `${a} ${f}`];
    }),
    'double family name, one left out': some(() => {
      const [a, b] = two(spanishFamilies);
      const g = pick(spanish);
      return [bare(`${g} ${pick([a, a, b])}`), `${g} ${a} ${b}`];
    }),
    'married name added': some(() => {
      const [a, b] = two(westFamilies);
      const g = pick(west);
      return [`${g} ${a}-${b}`, `${g} ${a}`];
    }),
    'one letter wrong': some(() => {
      const [a, , f] = anybody();
      const name = `${a} ${f}`;
      const at = 1 + below(name.length - 2);
      const other = pick('abcdefghijklmnoprstuvwyz');
      return name.charAt(at) === ' '
        ? undefined
        : [
            pick([
              name.slice(0, at) + other + name.slice(at + 1),
              name.slice(0, at) + name.slice(at + 1),
              name.slice(0, at) + other + name.slice(at),
            ]),
            name,
          ];
    }),
  };
}

/** The classes of names of two persons, by what they have in common. */
export function twoPersons({ givens, surnames, listed }) {
  const people = (country) =>
    givens.filter((each) => each.country === country && each.gender === 'M');
  const countries = [...new Set(surnames.map(({ country }) => country))].filter(
    (each) => people(each).length > 4,
  );
  const own = (country) => surnames.filter((each) => each.country === country);
  const shared = (make) =>
    some(() => {
      const country = pick(countries);
      return make(people(country), own(country));
    }, 400);
  return {
    'one family name, two given names': shared((men, families) => {
      const [a, b] = two(men);
      const { roman } = pick(families);
      return [`${a.roman} ${roman}`, `${b.roman} ${roman}`];
    }),
    'one given name, two family names': shared((men, families) => {
      const [a, b] = two(families);
      const { roman } = pick(men);
      return [`${roman} ${a.roman}`, `${roman} ${b.roman}`];
    }),
    'brothers, Russian': some(() => {
      const [a, b] = two(men);
      const [, father, family] = person();
      return [
        latin(`${a} ${father} ${family}`, russian.bgn),
        latin(`${b} ${father} ${family}`, russian.bgn),
      ];
    }, 300),
    'brothers, Arabic': some(() => {
      const [a, b] = two(arabGiven);
      const rest = `${pick(arabGiven)} ${pick(arabFamily)}`;
      return [`${a} ${rest}`, `${b} ${rest}`];
    }, 300),
    'frequent Muslim names': some(() => {
      const [a, b] = [arab(), arab()];
      return words(a)[0] === words(b)[0] && a.split(' ').at(-1) !== b.split(' ').at(-1)
        ? [a, b]
        : undefined;
    }, 300),
    'brothers, Chinese': some(() => {
      const [a, b] = two(syllables);
      const [f, c] = han();
      return [`${capital(f)} ${capital(c + a)}`, `${capital(f)} ${capital(c + b)}`];
    }, 300),
    'brothers, Korean': some(() => {
      const [a, b] = two(koreanSyllables.map((each) => each.split('/')[0]));
      const c = pick(koreanSyllables).split('/')[0];
      const f = pick(koreanFamilies).split('/')[0];
      return [`${f} ${capital(c)}-${a}`, `${f} ${capital(c)}-${b}`];
    }, 300),
    'brothers, Chinese, parted': some(() => {
      const [a, b] = two(syllables);
      const [f, c] = han();
      return [
        `${capital(f)} ${capital(c)} ${capital(a)}`,
        `${capital(f)} ${capital(c)} ${capital(b)}`,
      ];
    }, 300),
    'brothers, Korean, two romanizations': some(() => {
      const [a, b] = two(koreanSyllables);
      const [c, d] = pick(koreanSyllables).split('/');
      const [f, g] = pick(koreanFamilies).split('/');
      return [
        `${f} ${capital(c)}-${a.split('/')[0]}`,
        `${g} ${capital(d)} ${capital(b.split('/')[1])}`,
      ];
    }, 300),
    'brothers, one letter in the middle': some(() => {
      const [a, b] = two(west);
      const f = pick(westFamilies);
      const m = pick(west).charAt(0);
      return [`${a} ${m}. ${f}`, `${b} ${m}. ${f}`];
    }, 300),
    'two scripts, one family name': some(() => {
      const country = pick(['RU', 'UA', 'BG', 'GR', 'GE', 'KR', 'RS']);
      const f = pick(own(country).filter(({ local, roman }) => local !== roman));
      const g = people(country).filter(({ local, roman }) => local !== roman);
      if (f === undefined || g.length < 2) return;
      const [a, b] = two(g);
      return [`${a.local} ${f.local}`, `${b.roman} ${f.roman}`];
    }, 300),
    'two records of the lists': some(() => {
      const [a, b] = two(listed);
      return [a, b];
    }, 400),
    'two records with a word in common': some(() => {
      const a = pick(listed);
      const long = a
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((each) => each.length > 3);
      const word = pick(long.length > 0 ? long : ['-']);
      const other = listed.filter(
        (each) =>
          each !== a &&
          each
            .toLowerCase()
            .split(/[\s,]+/)
            .includes(word),
      );
      // Two lists name one person in the same words, more or fewer of them.
      const texts = (name) => new Set(name.toLowerCase().match(/\p{L}+/gu));
      const own = texts(a);
      const isOther = (each) =>
        [...own].some((word) => !texts(each).has(word)) &&
        [...texts(each)].some((word) => !own.has(word));
      const others = other.filter(isOther);
      return others.length === 0 ? undefined : [a, pick(others)];
    }, 400),
  };
}
