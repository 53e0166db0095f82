import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import { keyObjectSigner, p12Signer, pemSigner } from '../../../src/adapters/keys/index.ts';
import { keyHolder } from '../../support/hand-signed.ts';
import { makeTestPki } from '../../support/pki.ts';

const pki = makeTestPki();
const refusal = expect.objectContaining({
  name: 'InnsigliError',
  code: 'algorithm.unsupported',
  message: expect.stringContaining('SHA-1'),
  hint: expect.stringContaining('sha256'),
});

describe('a signer with SHA-1 is rejected when it is created', () => {
  test.each([
    ['rsa', {}],
    ['rsa', { scheme: 'rsa-pss' }],
    ['pss', {}],
    ['signer', {}],
    ['p384', {}],
  ] as const)('for %s with %o', (name, choice) => {
    const { privateKey, der: certificate } = pki.member(name);
    const chosen = { ...choice, digest: 'sha1' } as const;
    expect(() => keyObjectSigner({ privateKey, certificate, ...chosen })).toThrow(refusal);
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' });
    expect(() => pemSigner({ key, certificate, ...chosen })).toThrow(refusal);
  });

  test('from PKCS #12', async () => {
    const { privateKey } = pki.member('rsa');
    const key = forge.pki.privateKeyFromPem(
      privateKey.export({ format: 'pem', type: 'pkcs1' }).toString(),
    );
    // forge supports only RSA, so the file gets a self-made certificate.
    const own = forge.pki.createCertificate();
    own.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
    own.validity.notAfter = new Date(pki.nowMs);
    own.sign(key, forge.md.sha256.create());
    const asn1 = forge.pkcs12.toPkcs12Asn1(key, [own], 'pass', { algorithm: '3des' });
    const p12 = Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
    await expect(p12Signer({ p12, password: 'pass', digest: 'sha1' })).rejects.toEqual(refusal);
    expect((await p12Signer({ p12, password: 'pass' })).algorithm.digest).toBe('sha256');
  });

  test('even if a PSS key is restricted to SHA-1', () => {
    const { privateKey } = generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: 'sha1',
      mgf1HashAlgorithm: 'sha1',
      saltLength: 20 as never,
    });
    const pss = { scheme: 'rsa-pss', digest: 'sha1', saltLengthBytes: 20 } as const;
    const { der: certificate } = pki.issue({ name: 'bound', keyOf: keyHolder(privateKey, pss) });
    expect(() => keyObjectSigner({ privateKey, certificate })).toThrow(refusal);
  });

  test('unless it is Ed25519, which always has its own digest', () => {
    const { privateKey, der: certificate } = pki.member('ed25519');
    const signer = keyObjectSigner({ privateKey, certificate, digest: 'sha1' });
    expect(signer.algorithm).toEqual({ scheme: 'ed25519', digest: 'sha512' });
  });
});
