import { describe, expect, test } from 'vitest';
import { idNumber } from '../../src/cli/command/index.ts';
import type { CommandContext } from '../../src/cli/context.ts';

const read = (text: string) => idNumber('a webhook').read(text, '--webhook', {} as CommandContext);

describe('numeric IDs of webhooks and mail texts', () => {
  test.each(['1', '999999999', '1072533487', '2147483647'])('%s is valid', (text) => {
    expect(read(text)).toBe(Number(text));
  });

  test.each(['', '0', '-1', '01', '1.5', '1e3', '2147483648', '99999999999', 'x', '１'])(
    '"%s" is invalid',
    (text) => {
      expect(() => read(text)).toThrow(`expected the number of a webhook, found "${text}"`);
    },
  );
});
