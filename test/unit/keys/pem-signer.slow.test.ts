import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  keyObjectSigner,
  type PemSignerOptions,
  pemSigner,
} from '../../../src/adapters/keys/index.ts';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import {
  assembleCertificate,
  buildCertificateTbs,
  parseCertificate,
} from '../../../src/formats/x509/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { hasOpenssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { type OpensslRoom, openRoom } from '../../support/tsa-openssl.ts';

const pki = makeTestPki();
const data = Buffer.from('bytes to sign');
const certificates = (...members: readonly TestMember[]) =>
  pem('CERTIFICATE', ...members.map((member) => member.der));
const keyPem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const codeIs = (code: string) => expect.objectContaining({ name: 'InnsigliError', code });

async function signsFor(member: TestMember, signer: ReturnType<typeof pemSigner>) {
  const signature = await signer.sign(data);
  return verifySignature(signer.algorithm, member.certificate, data, signature);
}

describe('a signer with a private key', () => {
  test.each([
    ['signer', {}, { scheme: 'ecdsa', digest: 'sha256' }],
    ['signer', { digest: 'sha512' }, { scheme: 'ecdsa', digest: 'sha512' }],
    ['p384', {}, { scheme: 'ecdsa', digest: 'sha384' }],
    ['p521', {}, { scheme: 'ecdsa', digest: 'sha512' }],
    ['rsa', {}, { scheme: 'rsa-pkcs1', digest: 'sha256' }],
    ['rsa', { digest: 'sha384' }, { scheme: 'rsa-pkcs1', digest: 'sha384' }],
    ['rsa', { scheme: 'rsa-pss' }, { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 }],
    [
      'rsa',
      { scheme: 'rsa-pss', digest: 'sha512' },
      { scheme: 'rsa-pss', digest: 'sha512', saltLengthBytes: 64 },
    ],
    ['pss', {}, { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 }],
    ['ed25519', {}, { scheme: 'ed25519', digest: 'sha512' }],
    ['ed448', {}, { scheme: 'ed448', digest: 'shake256' }],
  ] as const)(
    'derives its algorithm from key and options: %s %o',
    async (kind, choice, algorithm) => {
      const member = pki.member(kind);
      const signer = pemSigner({
        key: keyPem(member.privateKey),
        certificate: certificates(member),
        ...choice,
      });
      expect(signer.algorithm).toEqual(algorithm);
      expect(await signsFor(member, signer)).toBe(true);
    },
  );

  test.each([
    ['rsa', { scheme: 'ecdsa' }],
    ['signer', { scheme: 'rsa-pss' }],
    ['pss', { scheme: 'rsa-pkcs1' }],
    ['ed25519', { scheme: 'ecdsa' }],
  ] as const)('rejects unsuitable options: %s %o', (kind, choice) => {
    const { privateKey, der: certificate } = pki.member(kind);
    expect(() => keyObjectSigner({ privateKey, certificate, ...choice })).toThrow(
      codeIs('algorithm.unsupported'),
    );
  });

  /** A certificate for a public key in the given encoding. Its signature is never verified. */
  function certificateFor(spkiDer: Uint8Array): Uint8Array {
    const { certificate, algorithm } = pki.member('ca');
    const tbs = buildCertificateTbs({
      serialNumber: Uint8Array.of(1),
      issuerDer: certificate.subjectDer,
      subjectDer: certificate.subjectDer,
      notBeforeMs: pki.nowMs,
      notAfterMs: pki.nowMs,
      spkiDer,
      algorithm,
      extensions: {},
    });
    return assembleCertificate(tbs, algorithm, new Uint8Array(8));
  }

  test('uses only the digest that its PSS key is restricted to', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: 'sha384',
      mgf1HashAlgorithm: 'sha384',
      // The type requires a string; documentation and implementation use a number.
      saltLength: 48 as never,
    });
    const certificate = certificateFor(publicKey.export({ format: 'der', type: 'spki' }));
    const make = (digest?: 'sha256') =>
      keyObjectSigner({ privateKey, certificate, ...(digest === undefined ? {} : { digest }) });
    expect(make().algorithm).toEqual({ scheme: 'rsa-pss', digest: 'sha384', saltLengthBytes: 48 });
    expect(() => make('sha256')).toThrow(codeIs('algorithm.unsupported'));
  });

  test('uses only PSS for an RSA key with a PSS certificate', async () => {
    const { privateKey, certificate } = pki.member('rsa');
    const bits = der.bitString(certificate.publicKeyBits);
    const pss = certificateFor(der.sequence(der.sequence(der.oid(oids.rsassaPss)), bits));
    const signer = keyObjectSigner({ privateKey, certificate: pss });
    expect(signer.algorithm).toMatchObject({ scheme: 'rsa-pss', digest: 'sha256' });
    const signature = await signer.sign(data);
    expect(verifySignature(signer.algorithm, parseCertificate(pss), data, signature)).toBe(true);
    expect(() => keyObjectSigner({ privateKey, certificate: pss, scheme: 'rsa-pkcs1' })).toThrow(
      codeIs('algorithm.unsupported'),
    );
  });

  test('reports a failing key without details of the key', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const member = pki.member('signer');
    const signer = keyObjectSigner({ privateKey: member.privateKey, certificate: member.der });
    await expect(signer.sign(publicKey as never)).rejects.toEqual(codeIs('key.sign.failed'));
  });
});

describe('the certificates of a signer', () => {
  const member = pki.member('signer');
  const [ca, root] = [pki.member('ca'), pki.member('root')];
  const key = keyPem(member.privateKey);

  test.each<[string, Omit<PemSignerOptions, 'key'>]>([
    ['one after another', { certificate: certificates(member, ca, root) }],
    ['in any order', { certificate: certificates(root, member, ca) }],
    ['in two files', { certificate: certificates(member), chain: certificates(ca, root) }],
    ['in DER', { certificate: member.der, chain: [ca.der, root.der] }],
    ['mixed, with repeats', { certificate: certificates(member, ca, member), chain: [root.der] }],
    ['beside the key', { certificate: `${key}${certificates(member, ca, root)}` }],
    [
      'with text around them',
      { certificate: `Bag Attributes\n${certificates(ca, root, member)}bye` },
    ],
  ])('are found %s', (_, options) => {
    const signer = pemSigner({ key, ...options });
    expect(Buffer.from(signer.certificate).equals(member.der)).toBe(true);
    const sorted = (ders: readonly Uint8Array[]) =>
      ders.map((one) => Buffer.from(one).toString('hex')).sort();
    expect(sorted(signer.chain)).toEqual(sorted([ca.der, root.der]));
  });

  test.each<[string, Omit<PemSignerOptions, 'key'>, string]>([
    ['of another key', { certificate: certificates(pki.member('rsa')) }, 'key.mismatch'],
    ['of issuers only', { certificate: certificates(ca, root) }, 'key.mismatch'],
    ['that are malformed', { certificate: 'nothing here' }, 'key.unreadable'],
    ['that are empty', { certificate: '' }, 'key.unreadable'],
    ['that are a key', { certificate: key }, 'key.unreadable'],
    [
      'that are damaged',
      { certificate: pem('CERTIFICATE', member.der.subarray(9)) },
      'key.unreadable',
    ],
    [
      'with a damaged chain',
      { certificate: certificates(member), chain: [member.der.subarray(0, 99)] },
      'key.unreadable',
    ],
  ])('%s are rejected', (_, options, code) => {
    expect(() => pemSigner({ key, ...options })).toThrow(codeIs(code));
  });
});

describe('private keys', () => {
  const forms: readonly (readonly [
    string,
    'signer' | 'rsa',
    'pem' | 'der',
    'pkcs8' | 'pkcs1' | 'sec1',
  ])[] = [
    ['PKCS #8', 'rsa', 'pem', 'pkcs8'],
    ['PKCS #8', 'signer', 'der', 'pkcs8'],
    ['PKCS #1', 'rsa', 'pem', 'pkcs1'],
    ['PKCS #1', 'rsa', 'der', 'pkcs1'],
    ['SEC 1', 'signer', 'pem', 'sec1'],
    ['SEC 1', 'signer', 'der', 'sec1'],
  ];
  test.each(forms)('in %s of %s as %s are read', async (_, kind, format, type) => {
    const member = pki.member(kind);
    const key = member.privateKey.export({ format, type } as never) as string | Buffer;
    expect(await signsFor(member, pemSigner({ key, certificate: member.der }))).toBe(true);
  });

  const { privateKey, der: certificate } = pki.member('signer');
  const locked = { cipher: 'aes-256-cbc', passphrase: 'secret word' };
  const encrypted = {
    pem: privateKey.export({ format: 'pem', type: 'pkcs8', ...locked }),
    der: privateKey.export({ format: 'der', type: 'pkcs8', ...locked }),
  };

  test.each(['pem', 'der'] as const)('encrypted in %s need the correct password', (format) => {
    const open = (password?: string) =>
      pemSigner({
        key: encrypted[format],
        certificate,
        ...(password === undefined ? {} : { password }),
      });
    expect(open('secret word').algorithm.scheme).toBe('ecdsa');
    expect(() => open()).toThrow(codeIs('key.password.missing'));
    expect(() => open('')).toThrow(codeIs('key.password.wrong'));
    // One wrong password in 256 leaves correct padding.
    for (let i = 0; i < 300; i++) {
      expect(() => open(`wrong ${i}`)).toThrow(codeIs('key.password.wrong'));
    }
  });

  test('without encryption ignore a password', () => {
    const key = keyPem(privateKey);
    expect(pemSigner({ key, certificate, password: 'x' }).algorithm.scheme).toBe('ecdsa');
  });

  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['text', 'hello'],
    ['a certificate', certificates(pki.member('signer'))],
    ['a certificate in DER', certificate],
    ['truncated', keyPem(privateKey).slice(0, 80)],
    ['a damaged key', pem('PRIVATE KEY', Buffer.alloc(60, 0x30))],
    ['a damaged encrypted key', pem('ENCRYPTED PRIVATE KEY', Buffer.alloc(60, 0x30))],
    ['a public key', pem('PUBLIC KEY', Buffer.alloc(60))],
    ['bytes', Buffer.of(0x30)],
    ['too large', Buffer.alloc(5 * 1024 * 1024, 0x41)],
  ])('that are %s are rejected as unreadable', (_, key) => {
    expect(() => pemSigner({ key, certificate, password: 'x' })).toThrow(codeIs('key.unreadable'));
  });

  test('of a type that signs no documents are rejected', () => {
    const key = keyPem(generateKeyPairSync('x25519').privateKey);
    expect(() => pemSigner({ key, certificate })).toThrow(codeIs('key.mismatch'));
    // No trace of that failure remains.
    expect(createPrivateKey(key).asymmetricKeyType).toBe('x25519');
  });
});

describe.skipIf(!hasOpenssl)(`private keys written by openssl${opensslNote}`, () => {
  let room: OpensslRoom;
  beforeAll(() => {
    room = openRoom();
    for (const kind of ['rsa', 'signer'] as const) {
      room.put(kind, keyPem(pki.member(kind).privateKey));
    }
  });
  afterAll(() => room.clear());
  const out = ['-passout', 'pass:þ', '-out', 'out'];

  test.each<[string, 'rsa' | 'signer', readonly string[]]>([
    ['PBES2 with AES-256', 'rsa', ['pkcs8', '-topk8', '-v2', 'aes256']],
    [
      'PBES2 with 3DES and SHA-1',
      'signer',
      ['pkcs8', '-topk8', '-v2', 'des3', '-v2prf', 'hmacWithSHA1'],
    ],
    ['scrypt', 'signer', ['pkcs8', '-topk8', '-scrypt', '-scrypt_N', '1024']],
    ['PKCS #12 with 3DES', 'rsa', ['pkcs8', '-topk8', '-v1', 'PBE-SHA1-3DES']],
    ['the traditional encryption around PKCS #1', 'rsa', ['rsa', '-traditional', '-aes128']],
    ['the traditional encryption around SEC 1', 'signer', ['ec', '-aes256']],
  ])('open with their password and sign: %s', async (_, kind, command) => {
    const [program, ...flags] = command as readonly [string, ...string[]];
    room.run(program, ...flags, '-in', kind, ...out);
    const member = pki.member(kind);
    const key = room.get('out');
    const open = (password?: string) =>
      pemSigner({
        key,
        certificate: member.der,
        ...(password === undefined ? {} : { password }),
      });
    expect(await signsFor(member, open('þ'))).toBe(true);
    expect(() => open('other')).toThrow(codeIs('key.password.wrong'));
    expect(() => open()).toThrow(codeIs('key.password.missing'));
  });
});
