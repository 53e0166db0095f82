// Names for measuring screening: real lists and tables of ../shared/corpora, and synthetic ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rawCsvRows } from '../build/base/csv.js';
import { readList } from '../build/domain/screening/lists/read-list.js';

/** Path of the corpora; no test needs them. */
export const corpora = fileURLToPath(new URL('../../shared/corpora/', import.meta.url));

/** Rows of a table of the corpora, by column name. */
export function table(file) {
  const text = readFileSync(join(corpora, 'screening', file), 'utf8').replace(/^\ufeff/, '');
  const [head, ...rows] = rawCsvRows(text, ',', 0).rows;
  return rows.map(({ cells }) =>
    Object.fromEntries(head.cells.map((name, at) => [name, cells[at] ?? ''])),
  );
}

/** The persons of a list of the corpora. */
export function listOf(...names) {
  const files = names.map((name) => {
    return { name, content: readFileSync(join(corpora, 'lists', name)) };
  });
  return readList(files).entries.filter(({ subject }) => subject === 'person');
}

/** The full name of a row. */
export const nameOf = (row) =>
  row.full_name || [row.first_name, row.middle_name, row.last_name].filter(Boolean).join(' ');

/** Synthetic persons with the words of real names, and rare ones. */
export function filler(count) {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const forenames = table('common-forenames-by-country.csv').map((row) => row['Romanized Name']);
  const surnames = table('common-surnames-by-country.csv').map((row) => row['Romanized Name']);
  const syllables = 'ba ko ri mo ta sha len vik dor mar es an il jo ber nik sol hav dar'.split(' ');
  const some = (list) => list[Math.floor(list.length * random() ** 2)] || 'Anna';
  const rare = () =>
    Array.from({ length: 2 + Math.floor(random() * 2.2) }, () => some(syllables)).join('');
  const persons = [];
  for (let names = 0; names < count; ) {
    const [first, last] = [some(forenames), random() < 0.55 ? some(surnames) : rare()];
    const middle = random() < 0.4 ? ` ${some(forenames)}` : '';
    const own = [{ text: `${first}${middle} ${last}`, kind: 'primary' }];
    if (random() < 0.4) own.push({ text: `${last}, ${first}`, kind: 'alias' });
    names += own.length;
    const births = [{ from: String(1940 + Math.floor(random() * 60)) }];
    persons.push({ names: own, births, countries: ['IS'] });
  }
  return persons;
}
