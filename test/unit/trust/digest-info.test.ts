import { constants, createHash, privateEncrypt } from 'node:crypto';
import { expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { makeTestPki } from '../../support/pki.ts';

const { certificate, privateKey, algorithm } = makeTestPki().member('rsa');
const data = Buffer.from('some data');
const hash = der.octetString(createHash('sha256').update(data).digest());
const identifier = der.oid(oids.sha256);

/** A signature value over any bytes, with PKCS #1 padding. */
const valueOver = (bytes: Uint8Array): Uint8Array =>
  privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, bytes);

// RFC 4055 §2.1: absent parameters and NULL are equivalent.
test.each([
  ['with NULL', der.sequence(der.sequence(identifier, der.nil()), hash), true],
  ['without parameters', der.sequence(der.sequence(identifier), hash), true],
  [
    'with other parameters',
    der.sequence(der.sequence(identifier, der.smallInteger(1)), hash),
    false,
  ],
  ['with another digest', der.sequence(der.sequence(der.oid(oids.sha512)), hash), false],
  [
    'with a byte after it',
    Buffer.concat([der.sequence(der.sequence(identifier), hash), Buffer.of(0)]),
    false,
  ],
  ['of the digest alone', hash, false],
])('a DigestInfo %s is accepted or rejected', (_, bytes, expected) => {
  expect(verifySignature(algorithm, certificate, data, valueOver(bytes))).toBe(expected);
  expect(verifySignature(algorithm, certificate, Buffer.from('other'), valueOver(bytes))).toBe(
    false,
  );
});
