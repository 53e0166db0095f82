import { expect, test } from 'vitest';
import { selectInputs } from '../../src/cli/batch/plan/selection.ts';

test.each([
  ['one name repeated', () => 'x.pdf', 1],
  ['distinct names', (index: number) => `x${index}.pdf`, 150_000],
])('a list of 150,000 names yields each name once: %s', async (_, nameOf, expected) => {
  const listed = Array.from({ length: 150_000 }, (__, index) => nameOf(index));
  const request = { command: 'seal', cwd: '/nowhere', inputs: [], listed, suffix: '' } as const;
  expect(await selectInputs(request)).toHaveLength(expected);
});
