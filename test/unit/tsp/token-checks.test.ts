import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData } from '../../../src/formats/cms/index.ts';
import {
  buildMessageImprint,
  buildTimestampRequest,
  requireToken,
} from '../../../src/formats/tsp/index.ts';
import { buildName } from '../../../src/formats/x509/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { requireTimestamp, verifyTimestampToken } from '../../../src/trust/timestamp.ts';
import { makeTestPki, signWith } from '../../support/pki.ts';
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
  test('is accepted from a correct authority', () => {
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

  test.each(Object.entries(tsaFaults))('with the fault %s is rejected: %s', (fault, code) => {
    let thrown: unknown;
    try {
      sealWith(fault as TsaFault);
    } catch (error) {
      thrown = error;
    }
    expect(isInnsigliError(thrown) && thrown.code).toBe(code);
    expect((thrown as Error).message).toMatch(/^test/);
  });

  test('is accepted only within the permitted clock skew', () => {
    const ask = (nowMs: number) => {
      const token = requireToken(answerWithFault(pki, request), 'test');
      const pool = createCertificatePool();
      return verifyTimestampToken({ token, imprint: data, pool, nowMs, maxSkewMs: 60_000 }).problem;
    };
    // The token itself states an accuracy of one second.
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

  test('is valid but untrusted without anchors', () => {
    expect(ask({})).toMatchObject({ valid: true, trusted: false, message: '' });
  });

  test('is untrusted with unrelated anchors, and its path is reported', () => {
    const stranger = pki.issue({ name: 'another root' }).certificate;
    const verdict = ask({ anchors: [stranger] });
    expect(verdict).toMatchObject({ valid: true, trusted: false });
    expect(verdict.problem).toBe('tsa.certificate.untrusted');
    expect(verdict.path[0]?.der).toEqual(pki.member('tsa').der);
  });

  test('is verified against data, a digest or a function', () => {
    expect(ask({ imprint: data }).valid).toBe(true);
    expect(ask({ imprint: { digest: 'sha256', value: imprint } }).valid).toBe(true);
    expect(ask({ imprint: () => imprint }).valid).toBe(true);
    expect(ask({ imprint: () => undefined }).problem).toBe('tsa.imprint.mismatch');
    expect(ask({ imprint: Buffer.from('changed') }).problem).toBe('tsa.imprint.mismatch');
  });

  test('is expired at a time outside the validity of its certificate', () => {
    const at = (atMs: number) => ask({ atMs }).problem;
    const { notAfterMs, notBeforeMs } = pki.member('tsa').certificate;
    expect(at(notAfterMs)).toBeUndefined();
    expect(at(notAfterMs + 1000)).toBe('tsa.certificate.expired');
    expect(at(notBeforeMs - 1)).toBe('tsa.certificate.expired');
  });
});

describe('a token with optional fields', () => {
  const tsa = pki.member('tsa');
  const name = (nameDer: Uint8Array) => der.explicit(0, der.element(0xa4, [nameDer]));
  const extensions = (isCritical: boolean) => {
    const flag = isCritical ? [der.element(0x01, [Uint8Array.of(0xff)])] : [];
    const extension = der.sequence(der.oid('1.2.3.4'), ...flag, der.octetString(der.nil()));
    return der.element(0xa1, [extension]);
  };
  const stating = (...fields: readonly Uint8Array[]) => {
    const content = der.sequence(
      der.smallInteger(1),
      der.oid(testPolicy),
      buildMessageImprint('sha256', imprint),
      der.smallInteger(7),
      der.generalizedTime(pki.nowMs),
      ...fields,
    );
    const signedAttributes = buildSignedAttributes({
      contentType: oids.tstInfo,
      messageDigest: createHash('sha256').update(content).digest(),
      certificate: tsa.certificate,
      certificateDigest: 'sha256',
    });
    const token = buildSignedData({
      digest: 'sha256',
      signedAttributes,
      signatureAlgorithm: tsa.algorithm,
      signature: signWith(tsa, signedAttributes),
      certificate: tsa.certificate,
      certificates: [tsa.der, ...tsa.chain],
      encapsulated: { type: oids.tstInfo, content },
    });
    return verifyTimestampToken({ token, imprint: data, pool: createCertificatePool(), anchors });
  };
  const backwards = buildName({ commonName: 'tsa', countryName: 'IS' });

  test.each<[string, readonly Uint8Array[], string | undefined]>([
    ['no optional field', [], undefined],
    ['its name', [name(tsa.certificate.subjectDer)], undefined],
    ['its name in reverse order', [name(backwards)], undefined],
    ['another name', [name(pki.member('ca').certificate.subjectDer)], 'tsa.certificate.invalid'],
    ['an extension', [extensions(false)], undefined],
    ['an unknown critical extension', [extensions(true)], 'tsa.response.invalid'],
    ['an accuracy of an hour', [der.sequence(der.smallInteger(3600))], undefined],
    ['an accuracy of years', [der.sequence(der.smallInteger(63_072_000))], 'tsa.response.invalid'],
  ])('is verified with %s', (_, fields, problem) => {
    const verdict = stating(...fields);
    expect(verdict).toMatchObject({ valid: true, trusted: true });
    expect(verdict.problem).toBe(problem);
  });
});
