import { constants, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { der, oids, readDer } from '../../../src/formats/asn1/index.ts';
import {
  parseSignatureAlgorithm,
  serializeDigestAlgorithm,
} from '../../../src/formats/x509/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { makeTestPki } from '../../support/pki.ts';

const { privateKey, certificate } = makeTestPki().member('rsa');
const data = Buffer.from('signed');
const padding = constants.RSA_PKCS1_PSS_PADDING;
const digest = der.explicit(0, serializeDigestAlgorithm('sha256'));
const mask = der.explicit(1, der.sequence(der.oid(oids.mgf1), serializeDigestAlgorithm('sha256')));
const salt = (...octets: readonly number[]) =>
  der.explicit(2, der.element(0x02, [Uint8Array.from(octets)]));
const trailer = (value: number) => der.explicit(3, der.smallInteger(value));

function isSound(saltLength: number, ...parameters: readonly Uint8Array[]): boolean {
  const value = sign('sha256', data, { key: privateKey, padding, saltLength });
  const identifier = der.sequence(der.oid(oids.rsassaPss), der.sequence(...parameters));
  return verifySignature(parseSignatureAlgorithm(readDer(identifier)), certificate, data, value);
}

test('a salt is verified with exactly the stated length', () => {
  for (const length of [0, 20, 32, 64])
    expect(isSound(length, digest, mask, salt(length))).toBe(true);
  expect(isSound(20, digest, mask, salt(32))).toBe(false);
  expect(isSound(32, digest, mask, salt(32), trailer(1))).toBe(true);
});

// RFC 4055 §3.1: the salt length is not negative, the trailer is 1, the fields are ordered.
test.each<[string, readonly Uint8Array[]]>([
  ['a salt length of −1, which means the digest length to OpenSSL', [digest, mask, salt(0xff)]],
  ['a salt length of −2, which means any length to OpenSSL', [digest, mask, salt(0xfe)]],
  ['an unknown trailer field', [digest, mask, salt(32), trailer(2)]],
  ['an unknown field', [digest, mask, salt(32), der.explicit(4, der.smallInteger(1))]],
  ['two salt lengths', [digest, mask, salt(20), salt(32)]],
  ['a salt length with a leading zero', [digest, mask, salt(0, 32)]],
  [
    'a mask generation with excess parameters',
    [
      digest,
      der.explicit(
        1,
        der.sequence(der.oid(oids.mgf1), serializeDigestAlgorithm('sha256'), der.nil()),
      ),
      salt(32),
    ],
  ],
  [
    'a digest with excess parameters',
    [der.explicit(0, der.sequence(der.oid(oids.sha256), der.nil(), der.nil())), mask, salt(32)],
  ],
  ['fields in another order', [salt(32), mask, digest]],
])('%s is rejected', (_, parameters) => {
  expect(() => isSound(32, ...parameters)).toThrowError(/algorithm/);
});

test('an algorithm identifier with excess fields is rejected', () => {
  const of =
    (...more: readonly Uint8Array[]) =>
    () =>
      parseSignatureAlgorithm(
        readDer(der.sequence(der.oid('1.2.840.113549.1.1.11'), der.nil(), ...more)),
      );
  expect(of()()).toEqual({ scheme: 'rsa-pkcs1', digest: 'sha256' });
  expect(of(der.nil())).toThrowError(/algorithm/);
});
