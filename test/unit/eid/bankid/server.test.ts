import { expect, test } from 'vitest';
import { openBankidBench } from '../../../support/eid/bankid-bench.ts';
import type { BankidRequest } from '../../../support/eid/bankid-server.ts';

const endUserIp = '192.0.2.10';
const asked = (path: string, body: object, more: Partial<BankidRequest> = {}): BankidRequest => ({
  method: 'POST',
  path: `/rp/v6.0/${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  client: 'relying party',
  ...more,
});
const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * Requests that the protocol server rejects as the provider does: a driver that passes complies.
 */
test.each([
  ['no certificate', asked('auth', { endUserIp }, { client: '' }), 401, 'unauthorized'],
  ['GET', asked('auth', { endUserIp }, { method: 'GET' }), 405, 'methodNotAllowed'],
  ['an unknown method', asked('payments', { endUserIp }), 404, 'notFound'],
  [
    'a content type with a character set',
    asked(
      'auth',
      { endUserIp },
      { headers: { 'content-type': 'application/json; charset=utf-8' } },
    ),
    415,
    'unsupportedMediaType',
  ],
  ['malformed JSON', asked('auth', {}, { body: '{' }), 400, 'invalidParameters'],
  ['no address', asked('auth', {}), 400, 'invalidParameters'],
  [
    'a host name in place of an IP address',
    asked('auth', { endUserIp: 'host' }),
    400,
    'invalidParameters',
  ],
  ['unknown members', asked('auth', { endUserIp, more: 1 }), 400, 'invalidParameters'],
  ['both web and app', asked('auth', { endUserIp, web: {}, app: {} }), 400, 'invalidParameters'],
  [
    'ten digits',
    asked('auth', { endUserIp, requirement: { personalNumber: '9003102390' } }),
    400,
    'invalidParameters',
  ],
  [
    'a long text',
    asked('auth', { endUserIp, userVisibleData: base64('x'.repeat(1_126)) }),
    400,
    'invalidParameters',
  ],
  [
    'a text with control characters',
    asked('sign', { endUserIp, userVisibleData: base64('a\tb') }),
    400,
    'invalidParameters',
  ],
  ['a signature without a text', asked('sign', { endUserIp }), 400, 'invalidParameters'],
  [
    'a return address without TLS',
    asked('auth', { endUserIp, returnUrl: 'http://a' }),
    400,
    'invalidParameters',
  ],
  ['an unknown order', asked('collect', { orderRef: 'x' }), 400, 'invalidParameters'],
])('the protocol server rejects %s', (_, request, status, errorCode) => {
  const answer = openBankidBench().server.handle(request);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toMatchObject({ errorCode });
});

test('the protocol server counts collects sent too fast, and forgets old orders', () => {
  const bench = openBankidBench();
  const { server } = bench;
  const begun = JSON.parse(server.handle(asked('auth', { endUserIp })).body) as object;
  const collect = asked('collect', { orderRef: (begun as { orderRef: string }).orderRef });
  server.handle(collect);
  bench.advance(1_000);
  server.handle(collect);
  expect(server.tooFast()).toBe(1);
  server.control.fail('userCancel');
  bench.advance(299_000);
  expect(server.handle(collect).body).toContain('userCancel');
  bench.advance(2_000);
  expect(server.handle(collect).status).toBe(400);
});
