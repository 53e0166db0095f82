import { expect, test } from 'vitest';
import { errorBody, failureOf } from '../../../src/api/failure.ts';
import { type ErrorCode, InnsigliError } from '../../../src/base/errors.ts';

const bodyOf = (code: ErrorCode, details: Readonly<Record<string, string | number>>) => {
  const failure = failureOf(new InnsigliError(code, 'it failed', { details }));
  return errorBody(failure.code, failure.message, failure);
};

test.each([
  'authentication.error.forbidden',
  'authentication.error.idp.start',
  'eid.provider.error',
] as const)('%s returns the error code of the provider unchanged', (code) => {
  expect(bodyOf(code, { providerCode: 'mssp_105' })).toMatchObject({
    responseStatus: { errorCode: code, meta: { providerCode: 'mssp_105' } },
  });
  expect(bodyOf(code, {})).not.toHaveProperty('responseStatus.meta');
  expect(bodyOf(code, { providerCode: 105 })).not.toHaveProperty('responseStatus.meta');
});

test('no other code reveals its details', () => {
  const details = { providerCode: 'mssp_105', secret: 'x' };
  expect(JSON.stringify(bodyOf('flow.not_found', details))).not.toMatch(/mssp_105|secret/);
});
