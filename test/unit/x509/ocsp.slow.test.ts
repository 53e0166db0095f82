import { describe, expect, test } from 'vitest';
import {
  type DerNode,
  der,
  derOf,
  readDer,
  readSequence,
} from '../../../src/formats/asn1/index.ts';
import {
  buildOcspFailure,
  buildOcspRequest,
  parseOcspRequest,
  parseOcspResponse,
} from '../../../src/formats/x509/index.ts';
import { hasOpenssl, openssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki, ocspId } from '../../support/pki.ts';

const pki = makeTestPki();
const ca = pki.member('ca');
const signer = pki.member('signer');

describe('OCSP responses', () => {
  test('parse to the values they were built from', () => {
    const nonce = der.octetString(Uint8Array.of(1, 2, 3));
    const { status, basic } = parseOcspResponse(
      pki.ocsp(pki.member('revoked').certificate, { nonce, digest: 'sha256' }),
    );
    expect(status).toBe('successful');
    expect(basic).toMatchObject({
      producedAtMs: pki.nowMs,
      nonce,
      unknownCritical: [],
      responses: [
        {
          status: 'revoked',
          reason: 'keyCompromise',
          thisUpdateMs: pki.nowMs,
          certificateId: { digest: 'sha256' },
        },
      ],
    });
    expect(basic?.certificates).toHaveLength(1);
  });

  test.each([
    'malformedRequest',
    'internalError',
    'tryLater',
    'sigRequired',
    'unauthorized',
  ] as const)('can have the status %s', (status) => {
    expect(parseOcspResponse(buildOcspFailure(status))).toEqual({ status });
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a certificate', ca.der],
    ['an unknown status', der.sequence(der.enumerated(9))],
    ['success without a body', der.sequence(der.enumerated(0))],
  ])('are rejected: %s', (_title, bytes) => {
    expect(() => parseOcspResponse(bytes)).toThrow(
      expect.objectContaining({ code: 'x509.invalid' }),
    );
  });
});

describe('OCSP requests', () => {
  test('parse to the values they were built from', () => {
    const ids = (['sha1', 'sha256'] as const).map((name) =>
      ocspId(signer.certificate, ca.certificate, name),
    );
    const nonce = der.octetString(Uint8Array.of(7));
    const request = parseOcspRequest(buildOcspRequest(ids, nonce));
    expect(request.certificateIds.map(({ digest }) => digest)).toEqual(['sha1', 'sha256']);
    expect(Buffer.from(request.nonce ?? [])).toEqual(Buffer.from(nonce));
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['an empty list', der.sequence(der.sequence(der.sequence()))],
    ['an extension whose value is not an octet string', withExtension(der.smallInteger(1))],
  ])('are rejected: %s', (_title, bytes) => {
    expect(() => parseOcspRequest(bytes)).toThrow(
      expect.objectContaining({ code: 'x509.invalid' }),
    );
  });
});

/** A request with an unknown extension. */
function withExtension(value: Uint8Array): Uint8Array {
  const request = buildOcspRequest([ocspId(signer.certificate, ca.certificate)]);
  const [tbs] = readSequence(readDer(request), 'request');
  const [list] = readSequence(tbs, 'TBSRequest');
  const extension = der.sequence(der.oid('1.2.3.4'), value);
  return der.sequence(
    der.sequence(derOf(list as DerNode), der.explicit(2, der.sequence(extension))),
  );
}

test('OCSP requests may contain unknown extensions', () => {
  const { certificateIds } = parseOcspRequest(withExtension(der.octetString(Uint8Array.of(5))));
  expect(certificateIds).toHaveLength(1);
});

describe.skipIf(!hasOpenssl)(`openssl${opensslNote}`, () => {
  const files = {
    'root.pem': pem('CERTIFICATE', pki.member('root').der),
    'ca.pem': pem('CERTIFICATE', ca.der),
    'signer.pem': pem('CERTIFICATE', signer.der),
    'revoked.pem': pem('CERTIFICATE', pki.member('revoked').der),
  };

  test.each([
    ['signer', 'sha1', /signer\.pem: good/],
    ['signer', 'sha256', /signer\.pem: good/],
    ['revoked', 'sha1', /revoked\.pem: revoked/],
  ] as const)('verifies the response about %s with %s', (name, digest, expected) => {
    const { text } = openssl(
      [
        'ocsp',
        `-${digest}`,
        '-issuer',
        '{ca.pem}',
        '-cert',
        `{${name}.pem}`,
        '-respin',
        '{answer.der}',
        '-CAfile',
        '{root.pem}',
        '-verify_other',
        '{ca.pem}',
        '-no_nonce',
        '-validity_period',
        '999999999',
        '-attime',
        String(pki.nowMs / 1000),
      ],
      { ...files, 'answer.der': pki.ocsp(pki.member(name).certificate, { digest }) },
    );
    expect(text).toMatch(/Response verify OK/);
    expect(text).toMatch(expected);
  });

  test('understands our request', () => {
    const { text } = openssl(['ocsp', '-reqin', '{request.der}', '-req_text'], {
      'request.der': buildOcspRequest([ocspId(signer.certificate, ca.certificate)]),
    });
    const serial = Buffer.from(signer.certificate.serialNumber).toString('hex').toUpperCase();
    expect(text).toContain(serial);
  });
});
