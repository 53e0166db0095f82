// Recall and false alerts of person search at 75 on pairs of names that are in no corpus, by class,
// compared with logic-v2 of nomenklatura: `npm run build && node bench/held-out-names.mjs [CLASS]`
// shows the pairs of a class that are missed, or that cause an alert.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNameIndex } from '../build/domain/screening/index.js';
import { moreOfOne, moreOfTwo } from './held-out-more.mjs';
import { samePerson, twoPersons } from './held-out-pairs.mjs';
import { nomenklaturaRates } from './name-peers.mjs';
import { corpora, listOf, table } from './screening-names.mjs';

const CUT = 75;

/** Rates of a search for the first name of each pair in an index of all second names and lists. */
function ratesOf(pairs, lists) {
  const own = [...new Set(pairs.map(([, listed]) => listed))];
  const numbers = new Map(own.map((text, at) => [text, at]));
  const made = own.map((text) => ({
    names: [{ text, kind: 'primary' }],
    births: [],
    countries: [],
  }));
  const index = buildNameIndex([...made, ...lists]);
  return pairs.map(([originalName, listed]) => {
    const found = index.search({ originalName }, { leastRate: CUT, limit: 1000 });
    return found.find(({ number }) => number === numbers.get(listed))?.rate ?? 0;
  });
}

/** Names from tables of the corpora with their country: as written there, and in Latin script. */
function namesOf(file) {
  return table(file)
    .map((row) => ({
      country: row.Country,
      gender: row.Gender,
      local: row['Localized Name'],
      roman: row['Romanized Name'],
    }))
    .filter(({ local, roman }) => local && roman && !/[/()]/.test(local + roman));
}

/** Pairs of names of one record that are not in the file of aliases; every third of them. */
function aliasesOf(lists) {
  const file = readFileSync(join(corpora, 'screening/alias_leave_one_out.jsonl'), 'utf8');
  const known = new Set(
    file
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => {
        const { query, names } = JSON.parse(line);
        return [query, ...names].map((each) => each.toLowerCase());
      }),
  );
  const isLatin = (text) => !/[^\p{Script=Latin}\p{Script=Common}\p{M}]/u.test(text);
  const pairs = lists.flatMap(({ names }) => {
    const [first, ...others] = names.filter(({ isWeak }) => !isWeak).map(({ text }) => text);
    return others.filter((each) => each !== first).map((each) => [each, first]);
  });
  const isNew = ([alias]) => !known.has(alias.toLowerCase());
  const thinned = (all) => all.filter((_, at) => at % Math.ceil(all.length / 400) === 0);
  return {
    latin: thinned(pairs.filter((pair) => isNew(pair) && pair.every(isLatin))),
    scripts: thinned(pairs.filter((pair) => !isLatin(pair[0]) && isLatin(pair[1]))),
  };
}

function print(title, classes, lists) {
  console.log(`${title.padEnd(44)} pairs  innsigli  logic-v2`);
  const all = Object.values(classes).flat();
  const rates = ratesOf(all, lists);
  const peer = nomenklaturaRates(all)?.rates;
  const share = (values) =>
    `${((100 * values.filter((each) => Math.round(each) >= CUT).length) / values.length).toFixed(1)} %`;
  const row = (name, from, to) =>
    console.log(
      name.padEnd(44),
      String(to - from).padStart(5),
      share(rates.slice(from, to)).padStart(9),
      (peer === undefined ? '' : share(peer.slice(from, to))).padStart(9),
    );
  let from = 0;
  for (const [name, pairs] of Object.entries(classes)) {
    row(name, from, from + pairs.length);
    if (name === process.argv[2]) {
      const isSame = title.startsWith('recall');
      pairs.forEach((pair, at) => {
        if (rates[from + at] >= CUT !== isSame)
          console.log('   ', pair.join(' | '), rates[from + at], peer?.[from + at].toFixed(0));
      });
    }
    from += pairs.length;
  }
  row('all', 0, all.length);
}

if (!existsSync(join(corpora, 'screening'))) {
  console.log('skipped: ../shared/corpora/screening does not exist');
  process.exit(0);
}
const lists = [
  ...listOf('un/UN_consolidated.2025-04-19.xml'),
  ...listOf('ofac/sdn.csv', 'ofac/alt.csv', 'ofac/sdn_comments.csv'),
];
const names = {
  givens: namesOf('common-forenames-by-country.csv'),
  surnames: namesOf('common-surnames-by-country.csv'),
  aliases: aliasesOf(lists),
  listed: lists.map(({ names: [{ text }] }) => text),
};
print('recall of one person at 75', samePerson(names), lists);
print('alerts of two persons at 75', twoPersons(names), lists);
print('recall of one person at 75, more', moreOfOne(), lists);
print('alerts of two persons at 75, more', moreOfTwo(), lists);
