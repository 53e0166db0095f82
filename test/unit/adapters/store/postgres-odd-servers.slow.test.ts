import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../../src/adapters/store/index.ts';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import {
  beginTls,
  type FakeAnswer,
  message,
  startFakePostgres,
  welcome,
} from '../../../support/fake-postgres.ts';
import { selfSigned } from '../../../support/smtp-server.ts';
import { testVault } from '../../../support/store.ts';

const identity = selfSigned();
const text = (words: string) => [...Buffer.from(`${words}\0`)];

/** A server that requires a password and would continue the exchange. */
const wantsPassword: FakeAnswer = (turn) =>
  turn === 0
    ? message('R', 0, 0, 0, 10, ...text('SCRAM-SHA-256'), 0)
    : message('R', 0, 0, 0, 11, ...Buffer.from('r=x,s=QUFB,i=4096'));

async function refusal(answer: FakeAnswer, parameters?: string) {
  const server = await startFakePostgres(answer, parameters);
  const begun = performance.now();
  const error = await openPostgresStore({
    dsn: server.dsn,
    vault: testVault,
    now: () => 0,
    connectTimeoutMs: 1500,
    queryTimeoutMs: 1500,
  }).then(
    (store) => store.close(),
    (caught: unknown) => caught,
  );
  if (!isInnsigliError(error)) throw new Error(`expected a InnsigliError, found ${String(error)}`);
  return { error, server, tookMs: performance.now() - begun };
}

describe('unexpected responses to a connection attempt', () => {
  test.each<[string, FakeAnswer, string | undefined, RegExp]>([
    ['asks for a password that is not configured', wantsPassword, undefined, /28P01/],
    ['asks for an unknown authentication method', () => message('R', 0, 0, 0, 7), undefined, /08P/],
    [
      'returns SQLSTATE 42704',
      () => message('E', ...text('SFATAL'), ...text('C42704'), 0),
      undefined,
      /42704/,
    ],
    ['has no TLS', () => Buffer.from('N'), 'sslmode=verify-full', /08001/],
    [
      'has an untrusted certificate',
      (_turn, socket) => void beginTls(socket, identity),
      'sslmode=verify-full',
      /DEPTH_ZERO_SELF_SIGNED_CERT/,
    ],
  ])(
    'a server that %s is unavailable and the connection is closed',
    async (_, answer, how, says) => {
      const { error, server, tookMs } = await refusal(answer, how);
      expect(error.code).toBe('store.unavailable');
      expect(error.message).toMatch(says);
      expect(error.hint).toBeDefined();
      expect(tookMs).toBeLessThan(1000);
      await expect.poll(server.open).toBe(0);
    },
  );
});

describe('unexpected responses to a statement', () => {
  test.each([
    ['42P01', 'store.unavailable'],
    ['42703', 'store.unavailable'],
    ['3F000', 'store.unavailable'],
    ['XX000', 'store.unavailable'],
    ['25P03', 'store.busy'],
    ['25P04', 'store.busy'],
  ])('SQLSTATE %s becomes %s', async (state, code) => {
    const refused = message('E', ...text('SERROR'), ...text(`C${state}`), 0);
    const idle = message('Z', 0x49);
    const said = Buffer.concat([refused, idle]);
    const { error } = await refusal((turn) => (turn === 0 ? welcome : said));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(state)]);
  });

  test.each<[string, Uint8Array]>([
    ['a malformed row', message('D', 0, 9)],
    ['a repeated authentication request', message('R', 0, 0, 0, 7)],
    [
      'a response to no request',
      Buffer.concat([message('C', ...text('SELECT 1')), message('D', 0, 9)]),
    ],
  ])('%s fails only the statement and its connection', async (_, said) => {
    const { error, server } = await refusal((turn) => (turn === 0 ? welcome : said));
    expect(error.code).toBe('store.unavailable');
    await expect.poll(server.open).toBe(0);
  });
});
