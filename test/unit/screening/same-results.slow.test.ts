import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  buildNameIndex,
  engineVersion,
  type ListedIdentity,
  type PersonQuery,
} from '../../../src/domain/screening/index.ts';

const given =
  'Mohammed Muhammad Abdul Anna Jón Ivan Maria Viktor Abdulrahman Kate J Вера محمد'.split(' ');
const syllables = 'ba ko ri mo ta sha len vik dor mar es an il jo ber nik sol hav dar al'.split(
  ' ',
);

/** The same numbers in each run, from 0 up to but not including 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = numbers(7);
const some = (list: readonly string[]) => list[Math.floor(list.length * random() ** 2)] ?? '';
const rare = () =>
  Array.from({ length: 2 + Math.floor(random() * 2.2) }, () => some(syllables)).join('');

function aName(): string {
  const words = [some(given), random() < 0.3 ? some(given) : '', rare()].filter(Boolean);
  return random() < 0.1 ? `${words.slice(-1)}, ${words.slice(0, -1).join(' ')}` : words.join(' ');
}

const persons = Array.from({ length: 6000 }, (): ListedIdentity => {
  const alias = random() < 0.3 ? [{ text: aName(), kind: 'alias' as const }] : [];
  const births = random() < 0.5 ? [{ from: String(1940 + Math.floor(random() * 60)) }] : [];
  return { names: [{ text: aName(), kind: 'primary' }, ...alias], births, countries: ['IS'] };
});
const queries = Array.from({ length: 400 }, (): PersonQuery => {
  const originalName = aName();
  return random() < 0.5 ? { originalName } : { originalName, dateOfBirth: '1970-02-03' };
});

/** SHA-256 of the matches by lowest rate. Changed results require a new engine version. */
const expected = {
  60: '7ddd13e6e3ef7262ea1c51dae7cd3f9dba83ab8c7a98edd11ff8f1d59c711fbe',
  75: '2a63878cd5c5d8059016c431d05707d234d03956cc7f90b9fd4085c7a7f493cc',
};

test.each([60, 75] as const)(
  'an engine version always yields the same results from rate %i',
  (leastRate) => {
    expect(engineVersion).toBe('names-10');
    const index = buildNameIndex(persons);
    const found = queries.map((query) => index.search(query, { leastRate, limit: 500 }));
    expect(found.flat().length).toBeGreaterThan(1000);
    expect(createHash('sha256').update(JSON.stringify(found)).digest('hex')).toBe(
      expected[leastRate],
    );
  },
);
