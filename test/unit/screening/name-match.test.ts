import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/base/csv.ts';
import {
  fictionalList,
  fullNameOf,
  matchEntries,
  nameWords,
  prepareEntries,
  wordLikeness,
} from '../../../src/domain/screening/index.ts';
import { fc } from '../../support/property.ts';

const prepared = prepareEntries(fictionalList);

describe('names', () => {
  test.each([
    ['Þórður Ægisson', ['thordur', 'aegisson']],
    ["O'Brien, J.R.", ['obrien', 'jr']],
    ['ŁUCJA Żółkiewska', ['lucja', 'zolkiewska']],
    ['  ', []],
  ])('%j → %j', (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });

  test('likeness is between 0 and 1, the same both ways, and 1 for equal words', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const value = wordLikeness(a, b);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(wordLikeness(a, a)).toBe(1);
      }),
    );
  });

  // The published examples of the measure.
  test.each([
    ['martha', 'marhta', 0.961],
    ['dixon', 'dicksonx', 0.813],
    ['dwayne', 'duane', 0.84],
  ])('%s and %s: %d', (a, b, value) => {
    expect(wordLikeness(a, b)).toBeCloseTo(value, 3);
  });
});

describe('matches', () => {
  test('everybody on the list is found by the whole name, in any order and case', () => {
    for (const entry of fictionalList) {
      const words = fullNameOf(entry).toUpperCase().split(' ');
      const found = matchEntries(prepared, { name: words.reverse().join(' ') }, 95);
      expect(found[0]).toMatchObject({ entry, rate: 100 });
    }
  });

  test('any text gives an ordered list with rates from the least one to 100', () => {
    const rate = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), rate, (name, least) => {
        const rates = matchEntries(prepared, { name }, least).map((each) => each.rate);
        expect(rates).toEqual([...rates].sort((a, b) => b - a));
        for (const each of rates) {
          expect(each).toBeGreaterThanOrEqual(least);
          expect(each).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

describe('CSV', () => {
  test('cells in quotes come back as they were', () => {
    // U+FFFD is what a wrong encoding leaves behind: refused, see below.
    const cell = fc
      .string({ unit: 'grapheme' })
      .map((text) => text.replaceAll('\ufffd', '').trim());
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 10 }), (rows) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = rows.map((row) => row.map(quoted).join(','));
        const found = readCsv(['a,b', ...lines].join('\r\n')).rows;
        const wanted = rows.filter((row) => row.some((text) => text !== ''));
        expect(found.map(({ cells }) => [cells.get('a'), cells.get('b')])).toEqual(wanted);
      }),
    );
  });

  test('a file of another encoding is refused with its row and what to do', () => {
    const latin1 = new TextDecoder().decode(Buffer.from('name\nJóhann', 'latin1'));
    expect(() => readCsv(latin1)).toThrow(
      expect.objectContaining({
        code: 'validation.error',
        message: 'row 2: expected UTF-8 text, found another encoding',
        hint: 'save it as «CSV UTF-8»',
      }),
    );
  });

  test('any text is read or refused, never worse', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' ') }), (text) => {
        try {
          expect(Array.isArray(readCsv(text).rows)).toBe(true);
        } catch (error) {
          expect((error as { code?: string }).code).toBe('validation.error');
        }
      }),
    );
  });
});
