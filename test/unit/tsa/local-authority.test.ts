import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  answerTimestampRequest,
  localTimestampAuthority,
  timestampIssuer,
} from '../../../src/adapters/tsa/index.ts';
import { der } from '../../../src/formats/asn1/index.ts';
import {
  buildMessageImprint,
  buildTimestampRequest,
  parseTimestampResponse,
  parseTimestampToken,
  requireToken,
} from '../../../src/formats/tsp/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { requireTimestamp } from '../../../src/trust/timestamp.ts';
import { makeTestPki, type TestKeyKind } from '../../support/pki.ts';
import { issuerOf } from '../../support/tsa.ts';

const pki = makeTestPki();
const imprint = new Uint8Array(32);
const nonce = new Uint8Array(8).fill(0x41);
const request = buildTimestampRequest({ digest: 'sha256', imprint, nonce });

function memberWith(key: TestKeyKind) {
  return pki.issue({
    name: `tsa ${key}`,
    key,
    extensions: {
      keyUsage: 1,
      extendedKeyUsage: ['1.3.6.1.5.5.7.3.8'],
      extendedKeyUsageCritical: true,
    },
  });
}

function authorityWith(key: TestKeyKind, nowMs = pki.nowMs) {
  const member = memberWith(key);
  let count = 0;
  return localTimestampAuthority({
    certificate: member.der,
    chain: member.chain,
    privateKey: member.privateKey,
    now: () => nowMs,
    random: (lengthBytes) =>
      createHash('sha256').update(`${count++}`).digest().subarray(0, lengthBytes),
  });
}

describe.each(['P-256', 'P-384', 'P-521', 'RSA-2048', 'Ed25519'] as const)(
  'a local authority with %s',
  (key) => {
    test('issues valid tokens of almost constant length', async () => {
      const authority = authorityWith(key);
      const lengths: number[] = [];
      for (let i = 0; i < 20; i++) {
        const token = requireToken(await authority.timestamp(request), authority.name);
        lengths.push(token.length);
        const verdict = requireTimestamp({
          token,
          imprint: { digest: 'sha256', value: imprint },
          nonce,
          pool: createCertificatePool(),
          anchors: [pki.member('root').certificate],
          nowMs: pki.nowMs,
        });
        expect(verdict.trusted).toBe(true);
        expect(verdict.info?.serialNumber).toHaveLength(8);
      }
      const spread = key.startsWith('P-') ? 4 : 0;
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(spread);
      expect(authority.tokenLengthBytes).toBeGreaterThanOrEqual(Math.max(...lengths));
      expect(authority.tokenLengthBytes! - Math.max(...lengths)).toBeLessThan(64);
    });
  },
);

describe('a response of the local authority', () => {
  const issuer = issuerOf(pki, pki.member('tsa'));

  test('states whole seconds, rounded down', () => {
    const now = () => pki.nowMs + 999;
    const token = requireToken(answerTimestampRequest(request, { ...issuer, now }), 'x');
    expect(parseTimestampToken(token).info.genTimeMs).toBe(pki.nowMs);
  });

  test('contains certificates only if requested', () => {
    const bare = buildTimestampRequest({ digest: 'sha256', imprint, certReq: false });
    const certificates = (bytes: Uint8Array) =>
      parseTimestampToken(requireToken(answerTimestampRequest(bytes, issuer), 'x')).signedData
        .certificates.length;
    expect(certificates(request)).toBe(3);
    expect(certificates(bare)).toBe(0);
  });

  const version1 = der.smallInteger(1);
  const sha256 = buildMessageImprint('sha256', imprint);
  const oid = der.oid('2.16.840.1.101.3.4.2.1');
  const bytes = der.octetString(imprint);
  const withAlgorithm = (...parts: Uint8Array[]) =>
    der.sequence(version1, der.sequence(der.sequence(oid, ...parts), bytes));
  const withNonce = (...content: number[]) =>
    der.sequence(version1, sha256, Uint8Array.of(0x02, content.length, ...content));
  const constructed = Buffer.concat([Buffer.of(0x24, bytes.length), bytes]);
  const endless = Buffer.concat([Buffer.of(0x30, 0x80), oid, Buffer.of(0, 0)]);
  const strange = der.sequence(der.sequence(der.oid('2.999.5')), der.octetString(imprint));
  test.each([
    ['garbage', Buffer.from('GET / HTTP/1.1'), 'badDataFormat'],
    ['nothing', new Uint8Array(0), 'badDataFormat'],
    ['version 2', der.sequence(der.smallInteger(2), sha256), 'badRequest'],
    ['SHA-1', buildTimestampRequest({ digest: 'sha1', imprint: new Uint8Array(20) }), 'badAlg'],
    ['an unknown digest', der.sequence(version1, strange), 'badAlg'],
    [
      'a digest that is too short',
      buildTimestampRequest({ digest: 'sha256', imprint: new Uint8Array(31) }),
      'badDataFormat',
    ],
    [
      'another policy',
      buildTimestampRequest({ digest: 'sha256', imprint, policy: '2.999.9' }),
      'unacceptedPolicy',
    ],
    [
      'an extension',
      der.sequence(version1, sha256, der.explicit(0, der.sequence())),
      'unacceptedExtension',
    ],
    ['an excess part of the algorithm', withAlgorithm(der.nil(), der.nil()), 'badAlg'],
    ['other parameters', withAlgorithm(der.octetString(new Uint8Array(50))), 'badDataFormat'],
    [
      'a constructed string',
      der.sequence(version1, der.sequence(der.sequence(oid), constructed)),
      'badDataFormat',
    ],
    ['an indefinite length', der.sequence(version1, der.sequence(endless, bytes)), 'badDataFormat'],
    ['a padded nonce', withNonce(0, 1), 'badDataFormat'],
    ['a padded negative nonce', withNonce(0xff, 0x80), 'badDataFormat'],
    ['a nonce of 65 bytes', withNonce(...new Array(65).fill(1)), 'badDataFormat'],
  ])('to %s is a rejection', (_, bytes, failure) => {
    const answer = parseTimestampResponse(answerTimestampRequest(bytes, issuer));
    expect(answer).toMatchObject({ status: 'rejection', failure, token: undefined });
    expect(answer.statusText).not.toBe('');
  });

  test.each([
    ['NULL as parameters', withAlgorithm(der.nil())],
    ['no parameters', withAlgorithm()],
    ['a nonce of zero', withNonce(0)],
    ['a nonce with a high first bit', withNonce(0, 0x80)],
    ['a nonce of 64 bytes', withNonce(...new Array(64).fill(1))],
  ])('to %s contains a token', (_, bytes) => {
    const answer = parseTimestampResponse(answerTimestampRequest(bytes, issuer));
    expect(answer.status).toBe('granted');
  });

  test('is a rejection if the key cannot sign', () => {
    const { privateKey } = memberWith('RSA-PSS');
    const answer = parseTimestampResponse(
      answerTimestampRequest(request, { ...issuer, privateKey }),
    );
    expect(answer).toMatchObject({ status: 'rejection', failure: 'systemFailure' });
  });
});

test('a key that does not match the certificate is rejected immediately', () => {
  const { der: certificate, chain } = pki.member('tsa');
  const { privateKey } = pki.member('signer');
  const random = (count: number) => new Uint8Array(count);
  expect(() => timestampIssuer({ certificate, chain, privateKey, now: () => 0, random })).toThrow(
    expect.objectContaining({ code: 'key.mismatch' }),
  );
});
