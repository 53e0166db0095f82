import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { buildTimestampRequest } from '../../../src/formats/tsp/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import {
  requireTimestamp,
  requireToken,
  verifyTimestampToken,
} from '../../../src/trust/timestamp.ts';
import { makeTestPki } from '../../support/pki.ts';
import { answerWithFault, type TsaFault, testPolicy, tsaFaults } from '../../support/tsa.ts';

const pki = makeTestPki();
const data = Buffer.from('the signature value');
const imprint = createHash('sha256').update(data).digest();
const nonce = Buffer.from('8123456789abcdef', 'hex');
const request = buildTimestampRequest({ digest: 'sha256', imprint, nonce, policy: testPolicy });
const anchors = [pki.member('root').certificate];

function sealWith(fault?: TsaFault) {
  const token = requireToken(answerWithFault(pki, request, fault), 'test');
  return requireTimestamp({
    token,
    imprint: { digest: 'sha256', value: imprint },
    nonce,
    policy: testPolicy,
    pool: createCertificatePool(),
    anchors,
    nowMs: pki.nowMs,
    authority: 'test',
  });
}

describe('a fresh token', () => {
  test('is accepted from an authority that does everything right', () => {
    const verdict = sealWith();
    expect(verdict).toMatchObject({ valid: true, trusted: true, message: '' });
    expect(verdict.path.map(({ der }) => der)).toEqual([
      pki.member('tsa').der,
      pki.member('ca').der,
      pki.member('root').der,
    ]);
    expect(verdict.info).toMatchObject({
      policy: testPolicy,
      digest: 'sha256',
      genTimeMs: pki.nowMs,
      accuracyMs: 1000,
      ordering: false,
      tsa: undefined,
    });
  });

  test.each(Object.entries(tsaFaults))('with the fault %s is refused: %s', (fault, code) => {
    let thrown: unknown;
    try {
      sealWith(fault as TsaFault);
    } catch (error) {
      thrown = error;
    }
    expect(isInnsigliError(thrown) && thrown.code).toBe(code);
    expect((thrown as Error).message).toMatch(/^test/);
  });

  test('within the allowed distance to the clock is accepted, outside not', () => {
    const ask = (nowMs: number) => {
      const token = requireToken(answerWithFault(pki, request), 'test');
      const pool = createCertificatePool();
      return verifyTimestampToken({ token, imprint: data, pool, nowMs, maxSkewMs: 60_000 }).problem;
    };
    // The token itself claims an accuracy of one second.
    expect(ask(pki.nowMs + 61_000)).toBeUndefined();
    expect(ask(pki.nowMs + 61_001)).toBe('tsa.time.skewed');
    expect(ask(pki.nowMs - 61_000)).toBeUndefined();
    expect(ask(pki.nowMs - 61_001)).toBe('tsa.time.skewed');
  });
});

describe('a token found in a file', () => {
  const token = requireToken(answerWithFault(pki, request), 'test');
  const ask = (more: object) =>
    verifyTimestampToken({ token, imprint: data, pool: createCertificatePool(), ...more });

  test('may be old, but not from the future', () => {
    const year = 365 * 24 * 3_600_000;
    expect(ask({ anchors, nowMs: pki.nowMs + 9 * year })).toMatchObject({ trusted: true });
    expect(ask({ anchors, nowMs: pki.nowMs - year }).problem).toBe('tsa.time.skewed');
  });

  test('without anchors is valid and not trusted', () => {
    expect(ask({})).toMatchObject({ valid: true, trusted: false, message: '' });
  });

  test('with strange anchors says so and shows how far the path went', () => {
    const stranger = pki.issue({ name: 'another root' }).certificate;
    const verdict = ask({ anchors: [stranger] });
    expect(verdict).toMatchObject({ valid: true, trusted: false });
    expect(verdict.problem).toBe('tsa.certificate.untrusted');
    expect(verdict.path[0]?.der).toEqual(pki.member('tsa').der);
  });

  test('is checked by the data, by its digest or by a function', () => {
    expect(ask({ imprint: data }).valid).toBe(true);
    expect(ask({ imprint: { digest: 'sha256', value: imprint } }).valid).toBe(true);
    expect(ask({ imprint: () => imprint }).valid).toBe(true);
    expect(ask({ imprint: () => undefined }).problem).toBe('tsa.imprint.mismatch');
    expect(ask({ imprint: Buffer.from('changed') }).problem).toBe('tsa.imprint.mismatch');
  });

  test('at a time outside of the validity of its certificate is expired', () => {
    const at = (atMs: number) => ask({ atMs }).problem;
    const { notAfterMs, notBeforeMs } = pki.member('tsa').certificate;
    expect(at(notAfterMs)).toBeUndefined();
    expect(at(notAfterMs + 1000)).toBe('tsa.certificate.expired');
    expect(at(notBeforeMs - 1)).toBe('tsa.certificate.expired');
  });
});
