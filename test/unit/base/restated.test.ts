import { expect, test } from 'vitest';
import { InnsigliError, restated } from '../../../src/base/errors.ts';

const context = {
  details: { field: 'signees[0].email' },
  hint: 'name another one',
  findings: [{ name: 'row 2', message: 'expected an address' }],
  cause: new Error('underneath'),
};
const error = new InnsigliError('validation.error', 'signees[0].email: taken', context);
const members = ({ code, message, details, hint, findings, cause }: InnsigliError) => {
  return { code, message, details, hint, findings, cause };
};

test.each([
  { message: 'signee 1, email: taken' },
  { hint: 'none' },
  { details: { field: 'email' } },
  { findings: [] },
])('restating an error as %j keeps the rest', (change) => {
  expect(members(restated(error, change))).toEqual({ ...members(error), ...change });
});

test('restating an error without a hint adds none', () => {
  const bare = new InnsigliError('validation.error', 'taken');
  expect(members(restated(bare, { message: 'gone' }))).toEqual({
    ...members(bare),
    message: 'gone',
  });
});
