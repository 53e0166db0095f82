import { describe, expect, test } from 'vitest';
import { readTokens } from '../../../../../src/formats/xml/xpath/tokens.ts';
import { expressionRows } from './expressions.table.ts';

const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));

/** The tokens, or the error message. */
function tokensOf(expression: string): readonly (readonly [kind: string, text: string])[] | string {
  try {
    return readTokens(expression).map(({ kind, text }) => [kind, text] as const);
  } catch (error) {
    return String(error);
  }
}

const names = Array.from(ascii, (character) => [`a${character}b`, `${character}b`]).flat();
const odd = ['p:*', 'p:', ':b', 'p::b', 'a:b:c', '1.', '.5', '5.5.5', "'open", '""', '$a', 'a!b'];
const expressions = [...expressionRows.map(([expression]) => expression), ...names, ...odd];

describe('XPath tokens', () => {
  // ASCII input gives the same tokens when a non-ASCII character requires the Unicode classes.
  test.each(expressions)(
    'of %j are independent of non-ASCII characters beside them',
    (expression) => {
      const other = tokensOf(`'é', ${expression}`);
      const alone = tokensOf(`'e', ${expression}`);
      if (typeof other === 'string') expect(alone).toBe(other);
      else expect(alone).toEqual(other.map(([kind, text], i) => [kind, i === 0 ? 'e' : text]));
    },
  );

  test('of names may contain letters and digits of all scripts', () => {
    expect(tokensOf('þ:ä\u0301٣|ⅷ·x')).toEqual([
      ['name', 'þ:ä\u0301٣'],
      ['operator', '|'],
      ['name', 'ⅷ·x'],
      ['end', 'the end'],
    ]);
    expect(tokensOf('٣a')).toContain('unexpected');
  });
});
