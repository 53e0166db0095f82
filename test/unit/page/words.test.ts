import { describe, expect, test } from 'vitest';
import { filled, pageWords } from '../../../src/api/pages/index.ts';
import { languages } from '../../../src/domain/message/index.ts';

const english = Object.entries(pageWords('En'));
/** Texts that are the same in English and the other language. */
const same: Readonly<Record<string, readonly string[]>> = {
  // "Document" is French.
  Fr: ['readerLabel'],
  // "No" is Spanish.
  Es: ['formNo'],
};
const handlesOf = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

describe('texts of the pages', () => {
  test.each(languages)('in %s are complete and have the same placeholders', (language) => {
    const words = Object.entries(pageWords(language));
    expect(words.map(([name]) => name)).toEqual(english.map(([name]) => name));
    for (const [at, [name, text]] of words.entries()) {
      expect(text.trim(), name).toBe(text);
      expect(text, name).not.toBe('');
      expect(handlesOf(text), name).toEqual(handlesOf(english[at]?.[1] ?? ''));
    }
  });

  test.each(languages.filter((each) => each !== 'En'))('in %s are not English', (language) => {
    const words = pageWords(language) as unknown as Readonly<Record<string, string>>;
    const equal = english.filter(([name, text]) => words[name] === text).map(([name]) => name);
    expect(equal).toEqual(same[language] ?? []);
  });
});

test('a value that ends with a full stop also ends the sentence', () => {
  expect(filled('Ask {{who}}.', { who: 'Acme ehf.' })).toBe('Ask Acme ehf.');
  expect(filled('{{a}} of {{b}} {{c}}', { a: 1, b: 2 })).toBe('1 of 2 {{c}}');
});
