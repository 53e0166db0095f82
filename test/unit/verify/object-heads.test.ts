import { expect, test } from 'vitest';
import { objectHeads } from '../../../src/verify/pdf/unlisted-objects.ts';
import { fc } from '../../support/property.ts';

/** The same with one regular expression: short, but slow on the long digit runs of signatures. */
function byExpression(text: string) {
  const heads = text.matchAll(/(?<!\d)(\d+)[\0\t\n\f\r ]+(\d+)[\0\t\n\f\r ]+obj/g);
  return [...heads].map((match) => ({ objectNumber: Number(match[1]), at: match.index }));
}

test.each([
  ['12 0 obj', [{ objectNumber: 12, at: 0 }]],
  [
    'x7 1\r\nobj 8\0 2\f\tobject',
    [
      { objectNumber: 7, at: 1 },
      { objectNumber: 8, at: 10 },
    ],
  ],
  ['endobj 1 obj 1 0obj 10 obj', []],
  ['1 2 3 obj', [{ objectNumber: 2, at: 2 }]],
])('finds the object headers in %j', (text, expected) => {
  expect([...objectHeads(text)]).toEqual(expected);
});

test('agrees with the regular expression on any text', () => {
  const word = fc.constantFrom('0', '17', ' ', '\n', '\0', 'obj', 'endobj', 'o', 'x', '\v');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join('');
      expect([...objectHeads(text)]).toEqual(byExpression(text));
    }),
  );
});
