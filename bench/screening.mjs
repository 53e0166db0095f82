// Accuracy and speed of screening on real lists and labelled names: `npm run bench:screening`.
// Reads ../shared/corpora and prints the results; writes nothing.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildArrays } from '../build/domain/screening/index/build.js';
import {
  buildNameIndex,
  comparePerson,
  parseNameIndex,
  serializeNames,
} from '../build/domain/screening/index/name-index.js';
import { NameSearch } from '../build/domain/screening/index/search/search.js';
import { Vocabulary } from '../build/domain/screening/index/vocabulary.js';
import { besideLatin, compareWords, isLatin } from '../build/domain/screening/names/compare.js';
import { wordsOf } from '../build/domain/screening/names/words.js';
import { nearTo } from '../build/domain/screening/near-persons.js';
import { misspeltNames } from './misspelt-names.mjs';
import { nomenklaturaRates } from './name-peers.mjs';
import { corpora, filler, listOf, nameOf, table } from './screening-names.mjs';

const NAMES = 500_000;

/** CPU milliseconds of this process. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A person of a table as a query, with the known data in addition to the name. */
function queryOf(row) {
  const born = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(row.date_of_birth ?? '');
  const gender = { male: 'Male', female: 'Female' }[row.gender];
  return {
    originalName: nameOf(row),
    ...(born === null
      ? {}
      : { dateOfBirth: `${born[1]}-${born[2].padStart(2, '0')}-${born[3].padStart(2, '0')}` }),
    ...(gender === undefined ? {} : { gender }),
  };
}

function areaUnder(scored) {
  const yes = scored.filter(({ isMatch }) => isMatch);
  const no = scored.filter(({ isMatch }) => !isMatch);
  let sum = 0;
  for (const a of yes) {
    for (const b of no) sum += a.rate > b.rate ? 1 : a.rate === b.rate ? 0.5 : 0;
  }
  return sum / (yes.length * no.length);
}

function f1(scored, least) {
  const found = scored.filter(({ rate }) => rate >= least);
  const right = found.filter(({ isMatch }) => isMatch).length;
  const all = scored.filter(({ isMatch }) => isMatch).length;
  return (2 * right) / (found.length + all);
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
const line = (...cells) => console.log(cells.join('  '));

function pairs() {
  const rows = table('name_pairs.csv').filter(({ schema }) => schema === 'Person');
  const names = (text) => ({ names: [{ text, kind: 'primary' }], births: [], countries: [] });
  const rated = (rates) =>
    rows.map((row, at) => ({ isMatch: row.is_match === 'true', ...rates(row, at) }));
  const compared = (row) => comparePerson({ originalName: row.name1 }, names(row.name2));
  const ours = rated((row) => ({ rate: compared(row) }));
  line(`person pairs: ${rows.length}  (goal: AUC .90, F1@75 .80, both ahead of logic-v2)`);
  line(
    '  innsigli',
    quality(ours),
    `${costOf(() => rows.map(compared)).toFixed(3)} CPU ms per pair`,
  );
  const peer = nomenklaturaRates(rows.map(({ name1, name2 }) => [name1, name2]));
  const theirs = rated((row, at) => ({
    rate: peer?.rates[at] ?? 100 * Number(row.logic_v2_score),
  }));
  const source =
    peer === undefined
      ? 'scores of its authors, in the file'
      : `nomenklatura ${peer.version}, in this run`;
  line(
    `  logic-v2 (${source})`,
    quality(theirs),
    `F1@70 ${f1(theirs, 70).toFixed(3)}`,
    peer === undefined ? '' : `${peer.eachMs.toFixed(3)} CPU ms per pair`,
  );
  for (const least of [90, 99.9]) {
    const top = [...rows.keys()].filter((at) => theirs[at].rate >= least);
    const yes = top.filter((at) => ours[at].isMatch).length;
    const [our, their] = [ours, theirs].map((all) =>
      areaUnder(top.map((at) => all[at])).toFixed(3),
    );
    line(
      `  pairs that logic-v2 rates ${least} or more: ${top.length}, ${yes} of them the same person;`,
      `order among these (AUC): innsigli ${our}, logic-v2 ${their}`,
    );
  }
}

const quality = (scored) =>
  `AUC ${areaUnder(scored).toFixed(3)}  F1@75 ${f1(scored, 75).toFixed(3)}`;

/** CPU milliseconds of one operation of `run`, after warm-up. */
function costOf(run) {
  for (let round = 0; round < 20; round++) run();
  const at = cpuMs();
  let count = 0;
  for (let round = 0; round < 20; round++) count += run().length;
  return (cpuMs() - at) / count;
}

function retrieval(index) {
  const options = { leastRate: 75, limit: 20 };
  for (const file of ['positives_un_untreated.csv', 'positives_un_treated.csv']) {
    const rows = table(file);
    const hits = rows.filter((row) => index.search(queryOf(row), options).length > 0).length;
    line(`${file}: recall@75 ${percent(hits, rows.length)} of ${rows.length}  (goal 99.5 %)`);
  }
  for (const file of ['negatives_global.csv', 'negatives_us.csv']) {
    const rows = table(file);
    const alerts = (queries) =>
      queries.filter((query) => index.search(query, options).length > 0).length;
    const whole = alerts(rows.map(queryOf));
    const bare = alerts(rows.map((row) => ({ originalName: nameOf(row) })));
    line(
      `${file}: alerts@75 ${percent(whole, rows.length)} with birth and gender (goal 0.5 %),`,
      `${percent(bare, rows.length)} by name only, of ${rows.length}`,
    );
  }
}

/** Share of names found by comparison with every name that the index finds as well. */
function candidates(listed) {
  const text = readFileSync(join(corpora, 'screening/alias_leave_one_out.jsonl'), 'utf8');
  const rows = text.split('\n').filter(Boolean).map(JSON.parse);
  const all = [
    ...listed.flatMap((person) => person.names.map((each) => each.text)),
    ...rows.flatMap(({ query, names }) => [query, ...names]),
  ];
  const names = [...new Set(all)].filter((name) => wordsOf(name).length > 0);
  const index = buildNameIndex(
    names.map((name) => ({
      names: [{ text: name, kind: 'primary' }],
      births: [],
      countries: [],
    })),
  );
  const words = names.map(wordsOf);
  const known = new Map();
  const rarity = ({ text: word }) => {
    if (!known.has(word)) known.set(word, index.rarity.ofQuery(word));
    return known.get(word);
  };
  let [hits, missed, queries] = [0, 0, 0];
  for (const query of misspeltNames(names, 300)) {
    const matches = index.search({ originalName: query }, { leastRate: 75, limit: names.length });
    const found = new Set(matches.map(({ number }) => number));
    const asked = wordsOf(query);
    const before = missed;
    for (let at = 0; at < names.length; at++) {
      if (Math.round(100 * compareWords(asked, words[at], rarity)) < 75) continue;
      hits += 1;
      if (!found.has(at)) missed += 1;
    }
    if (missed > before) queries += 1;
  }
  line(
    `retrieval: 300 misspelt names against ${names.length}: missed ${missed} of ${hits} names`,
    `with a similarity of 75 or more (${percent(missed, hits)}), in ${queries} queries`,
  );
}

const goals = {
  'ofac-sdn strong Latin': 82,
  'un strong Latin': 73,
  'un original-script Arabic': 90,
  'everypolitician multilingual Cyrillic': 85,
  'everypolitician multilingual Hangul': 70,
  'everypolitician multilingual Latin': 82,
};

function leaveOneOut() {
  const text = readFileSync(join(corpora, 'screening/alias_leave_one_out.jsonl'), 'utf8');
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((each) => JSON.parse(each));
  const entities = new Map();
  for (const { list, entity, query, names } of rows) {
    const known = entities.get(`${list}/${entity}`) ?? new Set();
    for (const name of [query, ...names]) known.add(name);
    entities.set(`${list}/${entity}`, known);
  }
  const persons = [...entities.values()].map((names) => ({
    names: [...names].map((each) => ({ text: each, kind: 'alias' })),
    births: [],
    countries: [],
  }));
  const arrays = buildArrays(persons);
  const vocabulary = new Vocabulary(arrays);
  const search = new NameSearch(arrays, vocabulary);
  const index = buildNameIndex(persons);
  const negatives = table('negatives_global.csv')
    .slice(0, 2000)
    .map((row) => {
      const query = { originalName: nameOf(row) };
      return index.search(query, { leastRate: 40, limit: 1 })[0]?.rate ?? 0;
    })
    .sort((a, b) => b - a);
  const least = negatives[Math.floor(negatives.length / 100)];
  const known = new Map();
  const rarity = ({ text: word }) => {
    if (!known.has(word)) known.set(word, index.rarity.ofQuery(word));
    return known.get(word);
  };
  const owners = [...entities].flatMap(([id, names]) => [...names].map((name) => ({ id, name })));
  const groups = new Map();
  for (const { list, entity, quality, script, query, names } of rows) {
    const words = wordsOf(query);
    const others = names.map(wordsOf);
    const isDoubted = isLatin(words) && others.some(isLatin);
    const rates = others.map((listed) => {
      const alike = compareWords(words, listed, rarity);
      return isDoubted && !isLatin(listed) ? besideLatin(alike) : alike;
    });
    const matches = search.find(query, (least + 0.5) / 100).map(({ name }) => owners[name]);
    const isFound = ({ id, name }) => id === `${list}/${entity}` && names.includes(name);
    const group = `${list.replace(/-20.*/, '')} ${quality} ${script}`;
    const found = groups.get(group) ?? [];
    const rate = Math.round(100 * Math.max(...rates));
    found.push({ isAlike: rate > least, isFound: matches.some(isFound) });
    groups.set(group, found);
  }
  line(`one alias left out, at 1 % alerts (rates above ${least}):`);
  for (const [group, found] of [...groups].sort()) {
    if (found.length < 20) continue;
    const goal = goals[group] === undefined ? '' : `goal ${goals[group]} %`;
    line(
      `  ${group.padEnd(42)}`,
      `compared with every name ${shareOf(found, 'isAlike')}, found by the index`,
      `${shareOf(found, 'isFound')} of ${found.length}`,
      goal,
    );
  }
  line('  published: UN strong 59.8–67.7, OFAC strong 72.5–77.1, Latin 66.7–76.2 %');
}

const shareOf = (found, key) =>
  percent(found.filter((each) => each[key]).length, found.length).padStart(8);

/** RSA-2048 signatures per CPU second of this machine. */
function signaturesOfSecond() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const at = cpuMs();
  let signatures = 0;
  while (cpuMs() - at < 1000) {
    sign('sha256', Buffer.from('speed'), privateKey);
    signatures += 1;
  }
  return signatures;
}

function speed(listed) {
  const signatures = signaturesOfSecond();
  const factor = 3500 / signatures;
  line(`RSA-2048 signatures per CPU second: ${signatures}; time goals × ${factor.toFixed(2)}`);
  const bytes = bytesOfNames(listed);
  const { length: size } = bytes;
  const before = usedBytes();
  let at = performance.now();
  const index = parseNameIndex(bytes);
  // The first search builds tables.
  index.search({ originalName: 'Ready' }, { leastRate: 75, limit: 20 });
  line(
    `ready in ${(performance.now() - at).toFixed(0)} ms (goal 2000), ${(size / 2 ** 20).toFixed(0)} MiB`,
  );
  const queries = [
    ...table('negatives_global.csv').slice(0, 2500),
    ...table('negatives_us.csv').slice(0, 2500),
    ...table('positives_un_treated.csv'),
  ].map(queryOf);
  for (const round of ['names seen the first time', 'names seen before']) {
    const times = [];
    at = cpuMs();
    for (const query of queries) {
      const from = performance.now();
      index.search(query, { leastRate: 75, limit: 20 });
      times.push(performance.now() - from);
    }
    const each = (cpuMs() - at) / queries.length;
    times.sort((a, b) => a - b);
    const p99 = times[Math.floor(times.length * 0.99)];
    line(
      `${round}: ${each.toFixed(3)} CPU ms per screening (goal ${(0.4 * factor).toFixed(2)}),`,
      `p99 ${p99.toFixed(2)} ms (goal ${(3 * factor).toFixed(1)}), ${(1000 / each).toFixed(0)} per CPU s`,
    );
  }
  const more = usedBytes() - before + size;
  line(`heap and buffers: ${(more / 2 ** 20).toFixed(0)} MiB (goal 300), ${index.nameCount} names`);
}

/** The index of all names. The persons are garbage afterwards, so that they are not counted. */
function bytesOfNames(listed) {
  const names = listed.reduce((sum, person) => sum + person.names.length, 0);
  const persons = [...listed, ...filler(NAMES - names)];
  const at = cpuMs();
  const bytes = serializeNames(persons);
  line(`index of ${NAMES} names: ${((cpuMs() - at) / 1000).toFixed(1)} CPU s to build`);
  return bytes;
}

/**
 * Bytes of heap and buffers without garbage. Buffers are freed by the collection after that of
 * their objects.
 */
function usedBytes() {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Persons who may be affected by a change of a list; goals are scaled as in `speed`. */
function delta(lists) {
  const factor = 3500 / signaturesOfSecond();
  const all = Object.values(lists).flat();
  const among = buildNameIndex(all).rarity;
  const customers = filler(130_000)
    .slice(0, 100_000)
    .map(({ names: [{ text }] }) => ({ originalName: text }));
  for (const [list, listed] of Object.entries(lists)) {
    const changed = listed.slice(0, 150);
    const at = cpuMs();
    const isNear = nearTo(changed, among);
    const near = customers.filter((query) => isNear(query)).length;
    line(
      `150 persons of ${list} changed, 100,000 customers: ${(cpuMs() - at).toFixed(0)} CPU ms`,
      `(goal ${(1000 * factor).toFixed(0)}), ${near} to rescreen`,
    );
  }
}

if (!existsSync(join(corpora, 'screening'))) {
  console.log('skipped: ../shared/corpora/screening does not exist');
  process.exit(0);
}
// When Node first creates bytes outside of JavaScript, functions that read typed arrays are
// deoptimised and compiled again. In a service this happens long before its searches; here it would
// be the first signature, between the warm-up searches and the timed ones.
createHash('sha256').digest();
const un = listOf('un/UN_consolidated.2025-04-19.xml');
const ofac = listOf('ofac/sdn.csv', 'ofac/alt.csv', 'ofac/sdn_comments.csv');
line(`lists: UN ${un.length} persons, OFAC ${ofac.length}`);
pairs();
const screened = buildNameIndex([...un, ...ofac]);
retrieval(screened);
leaveOneOut();
speed([...un, ...ofac]);
// A service keeps a list open while it searches: V8 discards the code of all searches when the last
// index is collected, and `speed` collects garbage before it measures.
screened.search({ originalName: 'Ready' }, { leastRate: 75, limit: 1 });
delta({ UN: un, OFAC: ofac });
candidates([...un, ...ofac]);
