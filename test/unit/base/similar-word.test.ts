import { describe, expect, test } from 'vitest';
import { findSimilar, meantHint } from '../../../src/base/text/index.ts';

const columns = ['kind', 'name', 'risk_evaluated', 'risk_level', 'risk_date', 'risk_until'];

describe('the suggestion for a misspelt word', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['naem', columns, 'did you mean name?'],
    ['risk_levle', columns, 'did you mean risk_level?'],
    ['Risk_Date', columns, 'did you mean risk_date?'],
    // Which of the completions is meant cannot be known.
    ['risk', columns, 'did you mean risk_evaluated, risk_level, risk_date or risk_until?'],
    ['at', ['flow', 'atMs'], 'did you mean atMs?'],
    ['nameOfPerson', ['nam', 'name'], 'did you mean nam?'],
    ['address', ['address1', 'address2'], 'did you mean address1?'],
    ['a', ['abc', 'abd'], undefined],
    ['it', ['item1', 'item2', 'item3', 'item4', 'item5'], undefined],
    ['xyzzy', columns, undefined],
  ])('%s', (word, words, hint) => expect(meantHint(word, words)).toBe(hint));

  test('without a hint is the first word with that prefix', () => {
    expect(findSimilar('risk', columns)).toBe('risk_evaluated');
    expect(findSimilar('xyzzy', columns)).toBeUndefined();
  });
});
