import { describe, expect, test } from 'vitest';
import { idNumber } from '../../src/cli/commands/option-values.ts';

describe('numbers of webhooks and mail texts', () => {
  test.each(['1', '999999999', '1072533487', '2147483647'])('%s is one', (text) => {
    expect(idNumber(text, 'a webhook')).toBe(Number(text));
  });

  test.each(['', '0', '-1', '01', '1.5', '1e3', '2147483648', '99999999999', 'x', '１'])(
    '"%s" is none',
    (text) => {
      expect(() => idNumber(text, 'a webhook')).toThrow(
        `expected the number of a webhook, found "${text}"`,
      );
    },
  );
});
