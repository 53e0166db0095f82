import { describe, expect, test } from 'vitest';
import { bankidDriver } from '../../../../src/adapters/eid/bankid-se/index.ts';
import { qrText } from '../../../../src/adapters/eid/bankid-se/order.ts';
import { EidError, type EidRequest, type EidState } from '../../../../src/app/ports/index.ts';
import {
  type BankidBench,
  bankidLogin,
  bankidPerson,
  bankidSignature,
  openBankidBench,
  sharedBankidPki,
} from '../../../support/eid/bankid-bench.ts';

const start = ({ driver, environment }: BankidBench, request: EidRequest = bankidLogin) =>
  driver.start(request, environment);
const poll = ({ driver, environment }: BankidBench, state: EidState) =>
  driver.poll(state, environment);
const errorOf = async (work: Promise<unknown>): Promise<EidError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EidError);
  return error as EidError;
};
const refusal = (status: number, errorCode: string, headers = {}) => ({
  status,
  headers,
  body: JSON.stringify({ errorCode, details: 'secret details' }),
});
const decoded = (base64: unknown) => Buffer.from(String(base64), 'base64').toString('utf8');

describe('the QR code', () => {
  // Published example from the BankID documentation.
  const tokens = {
    autoStartToken: '',
    qrStartToken: '67df3917-fa0d-44e5-b327-edcc928297f8',
    qrStartSecret: 'd28db9a7-4cde-429e-a983-359be676944c',
  };
  test.each([
    [0, 0, 'dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'],
    [999, 0, 'dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'],
    [1_000, 1, '949d559bf23403952a94d103e67743126381eda00f0b3cbddbf7c96b1adcbce2'],
    [2_400, 2, 'a9e5ec59cb4eee4ef4117150abc58fad7a85439a6a96ccbecc3668b41795b3f3'],
    [-50, 0, 'dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'],
  ])('has the documented value after %d ms', (elapsedMs, seconds, code) => {
    expect(qrText(tokens, elapsedMs)).toBe(`bankid.${tokens.qrStartToken}.${seconds}.${code}`);
  });

  test('can be scanned within its validity only', async () => {
    for (const [waitMs, lateMs, isRead] of [
      [0, 0, true],
      [1_700, 4_000, true],
      [28_000, 0, true],
      [3_000, 7_000, false],
    ] as const) {
      const bench = openBankidBench();
      const { state } = await start(bench);
      bench.advance(waitMs);
      const shown = bench.driver.refresh?.(state, bench.nowMs()).qrData ?? '';
      bench.advance(lateMs);
      expect(bench.server.control.scan(shown)).toBe(isRead);
    }
  });

  test('has a same-device link that opens the order', async () => {
    const bench = openBankidBench();
    const { challenge } = await start(bench);
    const { autoStartToken: token = '', sameDeviceLink } = challenge;
    expect(sameDeviceLink).toBe(`https://app.bankid.com/?autostarttoken=${token}&redirect=null`);
    expect(bench.server.control.open(token)).toBe(true);
  });
});

describe('an order', () => {
  test('for a login names the person and signs a nonce', async () => {
    const bench = openBankidBench();
    const returnUrl = 'https://sign.example/back?n=1';
    await start(bench, { ...bankidLogin, loginHint: '900310-2390', returnUrl });
    const [{ method, body } = { method: '', body: {} }] = bench.server.log;
    expect(method).toBe('auth');
    expect(body).toEqual({
      endUserIp: '192.0.2.10',
      requirement: { personalNumber: bankidPerson.number },
      userVisibleData: Buffer.from('Log in at Example').toString('base64'),
      userNonVisibleData: expect.any(String),
      returnUrl,
    });
    expect(decoded(body['userNonVisibleData'])).toMatch(/^\{"nonce":"[\w-]{43}"\}$/);
  });

  test('for a login of anyone has no person and no text', async () => {
    const bench = openBankidBench();
    await start(bench, { ...bankidLogin, loginHint: ' ', text: '' });
    expect(Object.keys(bench.server.log[0]?.body ?? {})).toEqual([
      'endUserIp',
      'userNonVisibleData',
    ]);
  });

  test('for a signature covers text, algorithm and digest', async () => {
    const bench = openBankidBench();
    await start(bench, { ...bankidSignature, text: 'Read this:\r\n\tno\u0007w ' });
    const [{ method, body } = { method: '', body: {} }] = bench.server.log;
    expect(method).toBe('sign');
    expect(decoded(body['userVisibleData'])).toBe('Read this:\n no w');
    const hidden = JSON.parse(decoded(body['userNonVisibleData'])) as object;
    expect(hidden).toEqual({
      algorithm: 'SHA-256',
      digest: 'd1'.repeat(32),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('for a signature without a text shows the name of the document', async () => {
    const bench = openBankidBench();
    await start(bench, { ...bankidSignature, text: '' });
    expect(decoded(bench.server.log[0]?.body['userVisibleData'])).toBe('Agreement.pdf');
  });

  test('contains the requirements of the operator', async () => {
    const certificatePolicies = ['1.2.752.78.1.5'];
    const options = { certificatePolicies, requiresPin: true, requiresDocument: true };
    const bench = openBankidBench(options);
    await start(bench, { ...bankidLogin, loginHint: '' });
    expect(bench.server.log[0]?.body['requirement']).toEqual({
      certificatePolicies,
      pinCode: true,
      mrtd: true,
    });
  });

  test.each([
    ['another country', { loginHint: '0103901099x' }, 'notAUser'],
    ['an impossible date', { loginHint: '199013102390' }, 'notAUser'],
    ['no address of the user', { endUserIp: '' }, 'internalError'],
    ['a text that is too long', { text: 'x'.repeat(1_126) }, 'internalError'],
    ['a certificate', { purpose: 'certificate' as const }, 'internalError'],
    ['an unsupported level', { minAssurance: 'high' as const }, 'assuranceTooLow'],
    ['a signature without an order', { purpose: 'sign' as const }, 'internalError'],
    [
      'a digest of another algorithm',
      { purpose: 'sign' as const, order: { digest: new Uint8Array(64), label: 'x' } },
      'internalError',
    ],
    [
      'a signature without a text',
      { purpose: 'sign' as const, text: ' ', order: { digest: new Uint8Array(32), label: '' } },
      'internalError',
    ],
  ])('for %s is rejected without a request', async (_, change, code) => {
    const bench = openBankidBench();
    const error = await errorOf(start(bench, { ...bankidLogin, ...change }));
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/\d{9}/);
    expect(bench.requestCount()).toBe(0);
  });

  test('accepts the longest permitted text', async () => {
    const bench = openBankidBench();
    await start(bench, { ...bankidLogin, text: 'x'.repeat(1_125) });
    await start(openBankidBench(), { ...bankidSignature, text: 'é'.repeat(15_000) });
    expect(bench.requestCount()).toBe(1);
  });

  test('for a person with a pending order ends both', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    const error = await errorOf(start(bench));
    expect(error).toMatchObject({ code: 'alreadyInProgress', providerCode: 'alreadyInProgress' });
    bench.advance(2_000);
    expect(await poll(bench, state)).toMatchObject({ status: 'failed', code: 'cancelled' });
  });
});

/** HTTP status and error code of the provider, and the resulting codes at start and poll. */
const errors = [
  [400, 'alreadyInProgress', 'alreadyInProgress', 'alreadyInProgress'],
  [400, 'invalidParameters', 'internalError', 'expiredTransaction'],
  [401, 'unauthorized', 'internalError', 'internalError'],
  [403, 'unauthorized', 'internalError', 'internalError'],
  [404, 'notFound', 'internalError', 'internalError'],
  [405, 'methodNotAllowed', 'internalError', 'internalError'],
  [408, 'requestTimeout', 'providerUnavailable', 'providerUnavailable'],
  [415, 'unsupportedMediaType', 'internalError', 'internalError'],
  [500, 'internalError', 'providerUnavailable', 'providerUnavailable'],
  [503, 'Maintenance', 'providerUnavailable', 'providerUnavailable'],
  [400, 'somethingNew', 'internalError', 'internalError'],
  [502, '', 'providerUnavailable', 'providerUnavailable'],
  [301, '', 'invalidResponse', 'invalidResponse'],
  [400, '199003102390', 'internalError', 'internalError'],
] as const;

/** An unknown code is never passed on. */
const told = (errorCode: string) =>
  /^[A-Za-z]+$/.test(errorCode) ? { providerCode: errorCode } : {};

describe.each(errors)('the error %d %s', (status, errorCode, atStart, atPoll) => {
  test('is mapped when an order starts', async () => {
    const bench = openBankidBench();
    bench.server.control.answer('auth', refusal(status, errorCode));
    const error = await errorOf(start(bench));
    expect(error).toMatchObject({ code: atStart, ...told(errorCode) });
    expect(`${error.message} ${error.providerCode}`).not.toContain('1990');
    expect(error.message).not.toContain('details');
  });

  test('is mapped when an order is polled', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    bench.server.control.answer('collect', refusal(status, errorCode));
    const polled = poll(bench, state);
    if (atPoll === 'providerUnavailable') {
      expect(await errorOf(polled)).toMatchObject({ code: atPoll });
      return;
    }
    expect(await polled).toEqual({ status: 'failed', code: atPoll, ...told(errorCode) });
  });
});

describe('a pending order', () => {
  test.each([
    ['outstandingTransaction', 'outstandingTransaction', true],
    ['noClient', 'noClient', true],
    ['started', 'started', false],
    ['userMrtd', 'userMrtd', false],
    ['userCallConfirm', 'userCallConfirm', false],
    ['userSign', 'userSign', false],
    ['processing', 'processing', false],
    ['<b>199003102390</b>', 'unknown', false],
  ])('with the hint %s stays pending', async (given, hint, hasCode) => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    bench.server.control.pend(given);
    bench.advance(3_000);
    const answer = await poll(bench, state);
    expect(answer).toMatchObject({ status: 'pending', hint });
    const shown = answer.status === 'pending' ? answer.challenge : undefined;
    expect(shown).toEqual(hasCode ? bench.driver.refresh?.(state, bench.nowMs()) : undefined);
  });

  test('goes through the steps of the app at the polling rate of the provider', async () => {
    const bench = openBankidBench();
    const { state, challenge, pollingMs } = await start(bench);
    const hints: string[] = [];
    const next = async () => {
      const answer = await poll(bench, state);
      hints.push(answer.status === 'pending' ? answer.hint : answer.status);
      bench.advance(pollingMs);
    };
    await next();
    bench.server.control.scan(challenge.qrData ?? '');
    await next();
    await next();
    bench.server.control.approve();
    await next();
    expect(hints).toEqual(['outstandingTransaction', 'started', 'userSign', 'complete']);
    expect(bench.server.tooFast()).toBe(0);
  });

  test('fails after half a minute if the app is not opened', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    bench.advance(31_000);
    expect(await poll(bench, state)).toEqual({
      status: 'failed',
      code: 'startFailed',
      providerCode: 'startFailed',
    });
  });

  test.each([
    ['7', 7_000],
    ['0', 2_000],
    ['100000', 60_000],
    ['soon', 60_000],
    [undefined, 5_000],
  ])('honours ratelimit-reset: %s s', async (seconds, pollingMs) => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    const headers = seconds === undefined ? {} : { 'ratelimit-reset': seconds };
    bench.server.control.answer('collect', refusal(429, 'tooManyRequests', headers));
    const answer = await poll(bench, state);
    expect(answer).toEqual({ status: 'pending', hint: 'tooManyRequests', pollingMs });
  });

  test('is not polled with a foreign or incomplete state', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    const { qrStartSecret: _, ...lacking } = state;
    for (const other of [{}, { session: 'x' }, lacking, { ...state, nonce: 7 }]) {
      expect(await errorOf(poll(bench, other))).toMatchObject({ code: 'internalError' });
    }
    expect(bench.requestCount()).toBe(1);
  });
});

describe('a completed order', () => {
  test('has level, evidence and path; a signature proves approval', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench, bankidSignature);
    await bench.approve();
    const answer = await poll(bench, state);
    if (answer.status !== 'complete') throw new Error(answer.status);
    expect(answer.identity).toMatchObject({ assurance: 'substantial', country: 'SE' });
    expect(answer.signature).toEqual({ delivery: 'evidence' });
    expect(answer.evidence).toMatchObject({ scheme: 'bankid-se', format: 'xmldsig' });
    expect(answer.evidence.certificates).toHaveLength(4);
    expect(answer.evidence.data).toContain('<funcId>Signing</funcId>');
  });

  test('for a login has no signature', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench, { ...bankidLogin, loginHint: '' });
    await bench.approve();
    expect(await poll(bench, state)).not.toHaveProperty('signature');
  });

  test('fails if the required document was not read', async () => {
    for (const [mrtd, outcome] of [
      [true, 'complete'],
      [false, 'assuranceTooLow'],
    ] as const) {
      const bench = openBankidBench({ requiresDocument: true });
      const { state } = await start(bench);
      await bench.approve();
      bench.server.control.rewrite((answer) => ({
        ...answer,
        completionData: { ...(answer['completionData'] as object), stepUp: { mrtd } },
      }));
      const answer = await poll(bench, state);
      expect(answer.status === 'failed' ? answer.code : answer.status).toBe(outcome);
    }
  });
});

describe('cancelling an order', () => {
  test('reaches the provider, which may be unavailable', async () => {
    const bench = openBankidBench();
    const { state } = await start(bench);
    bench.server.control.answer('cancel', refusal(503, 'maintenance'));
    const cancelled = bench.driver.cancel(state, bench.environment);
    expect(await errorOf(cancelled)).toMatchObject({ code: 'providerUnavailable' });
    await bench.driver.cancel(state, bench.environment);
    expect(bench.server.control.open(String(state['autoStartToken']))).toBe(false);
  });
});

describe('findings for the operator', () => {
  const findings = async (bench: BankidBench) => {
    const found = await bench.driver.check(bench.environment);
    return Object.fromEntries(found.map(({ name, isOk }) => [name, isOk]));
  };

  test('report success, with the certificate of the relying party', async () => {
    const clientCertificate = sharedBankidPki().pki.member('signer').der;
    const bench = openBankidBench({ clientCertificate });
    expect(await findings(bench)).toEqual({
      anchor: true,
      certificate: true,
      reachable: true,
      clock: true,
    });
  });

  test('report certificates that have expired or are unreadable', async () => {
    const expired = sharedBankidPki().pki.member('expired').der;
    const bench = openBankidBench({ anchors: [expired], clientCertificate: new Uint8Array(3) });
    expect(await findings(bench)).toMatchObject({ anchor: false, certificate: false });
  });

  test('report a certificate rejected by the provider, and a wrong clock', async () => {
    const bench = openBankidBench();
    bench.server.control.answer('collect', {
      ...refusal(401, 'unauthorized'),
      headers: { date: new Date(bench.nowMs() - 60_000).toUTCString() },
    });
    expect(await findings(bench)).toMatchObject({ reachable: false, clock: false });
  });
});

describe('options', () => {
  const anchors = [new Uint8Array(1)];
  test('promise advanced signatures for the live service and none for the test service', () => {
    const url = 'https://appapi2.test.bankid.com/rp/v6.0';
    expect(bankidDriver({ anchors }).signing).toEqual({
      delivery: 'evidence',
      level: 'advanced',
      digest: 'sha256',
      certificate: 'none',
    });
    expect(bankidDriver({ anchors, url }).signing?.level).toBe('test');
    expect(bankidDriver({ anchors, url, isTest: false }).signing?.level).toBe('advanced');
  });

  test.each([
    ['no anchor', { anchors: [] }],
    ['an address without TLS', { anchors, url: 'http://appapi2.bankid.com/rp/v6.0/' }],
    ['no address', { anchors, url: 'bankid' }],
    ['an address with a query', { anchors, url: 'https://bankid.example/?x' }],
  ])('with %s are rejected', (_, options) => {
    expect(() => bankidDriver(options)).toThrow(EidError);
  });
});
