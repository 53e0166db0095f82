import { expect, test } from 'vitest';
import { withWireNames } from '../../../src/api/wire-names.ts';
import { InnsigliError } from '../../../src/base/errors.ts';

const names = { signees: 'CreateSignees', 'signees.email': 'EMail', values: '' };
const context = {
  hint: 'give one',
  findings: [{ name: 'row 2', message: 'expected an address' }],
  cause: new Error('underneath'),
};
const told = (field: string) =>
  withWireNames(names, async () => {
    const details = { field, found: 3 };
    throw new InnsigliError('validation.error', `${field}: taken`, { ...context, details });
  }).catch((error: unknown) => error as InnsigliError);

test.each([
  ['signees[0].email', 'CreateSignees[0].EMail'],
  ['values.name', 'name'],
  ['other', 'other'],
])(
  'an error about %s is reported as %s and keeps hint, findings and cause',
  async (field, wire) => {
    const error = await told(field);
    expect(error).toMatchObject({
      ...{ message: `${wire}: taken`, details: { field: wire, found: 3 } },
      ...{ hint: context.hint, findings: context.findings, cause: context.cause },
    });
  },
);
