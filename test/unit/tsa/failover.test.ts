import { describe, expect, test } from 'vitest';
import { failoverTimestampAuthority } from '../../../src/adapters/tsa/index.ts';
import { type ErrorCode, InnsigliError } from '../../../src/base/errors.ts';
import {
  buildTimestampRequest,
  parseTimestampRequest,
  requireToken,
} from '../../../src/formats/tsp/index.ts';
import type { TimestampAuthority } from '../../../src/seal/ports.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { requireTimestamp } from '../../../src/trust/timestamp.ts';
import { makeTestPki } from '../../support/pki.ts';
import { testAuthority, testPolicy, tsaFaults } from '../../support/tsa.ts';

const pki = makeTestPki();
const request = buildTimestampRequest({
  digest: 'sha256',
  imprint: new Uint8Array(32).fill(3),
  nonce: Uint8Array.of(0x41, 2, 3),
  policy: testPolicy,
});

function failing(code: ErrorCode): TimestampAuthority {
  return {
    name: code,
    timestamp: () => Promise.reject(new InnsigliError(code, `${code} happened`)),
  };
}

/** The checks of sealing, from request and response alone. */
function accept(sent: Uint8Array, response: Uint8Array, { name }: TimestampAuthority): void {
  const { digest, imprint, nonce } = parseTimestampRequest(sent);
  requireTimestamp({
    token: requireToken(response, name),
    imprint: { digest: digest!, value: imprint },
    nonce: nonce!,
    policy: testPolicy,
    pool: createCertificatePool(),
    anchors: [pki.member('root').certificate],
    nowMs: pki.nowMs,
    authority: name,
  });
}

describe('failover between time-stamp authorities', () => {
  test('supports instances with private members', async () => {
    class Own implements TimestampAuthority {
      readonly #inner = testAuthority(pki);
      get name() {
        return this.#inner.name;
      }
      timestamp(sent: Uint8Array) {
        return this.#inner.timestamp(sent);
      }
    }
    const checked: TimestampAuthority[] = [];
    const one = failoverTimestampAuthority([new Own()], {
      accept: (_request, _response, authority) => void checked.push(authority),
    });
    expect(requireToken(await one.timestamp(request), one.name)).toBeDefined();
    expect(checked.map(({ name }) => name)).toEqual(['honest']);
  });

  test.each(['tsa.unreachable', 'tsa.timeout', 'tsa.http.status', 'tsa.credentials'] as const)(
    'asks the next one after %s',
    async (code) => {
      const both = failoverTimestampAuthority([failing(code), testAuthority(pki)]);
      expect(requireToken(await both.timestamp(request), both.name)).toBeDefined();
      expect(both.name).toBe(`${code}, honest`);
    },
  );

  test.each(Object.keys(tsaFaults) as (keyof typeof tsaFaults)[])(
    'asks the next one after a response with the fault %s, if responses are checked',
    async (fault) => {
      const both = [testAuthority(pki, fault), testAuthority(pki)];
      const authority = failoverTimestampAuthority(both, { accept });
      const response = await authority.timestamp(request);
      expect(() => accept(request, response, authority)).not.toThrow();
    },
  );

  test('asks no further one after a response', async () => {
    let asked = 0;
    const spare = { ...testAuthority(pki), timestamp: async () => new Uint8Array(++asked) };
    await failoverTimestampAuthority([testAuthority(pki), spare]).timestamp(request);
    expect(asked).toBe(0);
  });

  test('names all that failed, with the code of the last', async () => {
    const all = [
      failing('tsa.unreachable'),
      testAuthority(pki, 'rejection'),
      failing('tsa.timeout'),
    ];
    await expect(failoverTimestampAuthority(all).timestamp(request)).rejects.toMatchObject({
      code: 'tsa.timeout',
      message: expect.stringMatching(/unreachable happened.*no more today.*timeout happened/),
      details: { tried: 3 },
    });
  });

  test('rejects a malformed response', async () => {
    const authority = failoverTimestampAuthority([testAuthority(pki, 'garbage')]);
    await expect(authority.timestamp(request)).rejects.toMatchObject({
      code: 'tsa.response.invalid',
    });
  });

  test('stops if the network is forbidden', async () => {
    const both = failoverTimestampAuthority([failing('network.offline'), testAuthority(pki)]);
    await expect(both.timestamp(request)).rejects.toMatchObject({ code: 'network.offline' });
  });

  test('has a token length only if each authority has one', () => {
    const known = (tokenLengthBytes: number) => ({ ...testAuthority(pki), tokenLengthBytes });
    expect(failoverTimestampAuthority([known(5), known(9)]).tokenLengthBytes).toBe(9);
    const mixed = failoverTimestampAuthority([known(5), testAuthority(pki)]);
    expect(mixed.tokenLengthBytes).toBeUndefined();
  });

  test('needs at least one authority', () => {
    expect(() => failoverTimestampAuthority([])).toThrow(InnsigliError);
  });
});
