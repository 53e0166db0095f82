import { createCipheriv } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { p12Signer } from '../../../src/adapters/keys/index.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { der } from '../../../src/formats/asn1/index.ts';
import { parseCertificate } from '../../../src/formats/x509/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { hasOpenssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fc } from '../../support/property.ts';
import { type OpensslRoom, openRoom } from '../../support/tsa-openssl.ts';

const { element, explicit, integerFromContent, octetString, oid, sequence, smallInteger } = der;
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const pki = makeTestPki();
const data = Buffer.from('bytes to sign');
const codeIs = (code: string) => expect.objectContaining({ name: 'InnsigliError', code });

async function works(p12: Uint8Array, password?: string): Promise<number> {
  const signer = await p12Signer({ p12, ...(password === undefined ? {} : { password }) });
  const signature = await signer.sign(data);
  const certificate = parseCertificate(signer.certificate);
  expect(verifySignature(signer.algorithm, certificate, data, signature)).toBe(true);
  return signer.chain.length;
}

describe.skipIf(!hasOpenssl)(`PKCS #12 files written by openssl${opensslNote}`, () => {
  let room: OpensslRoom;
  const kinds = ['rsa', 'signer', 'p384', 'ed25519'] as const;
  type Kind = (typeof kinds)[number];

  beforeAll(() => {
    room = openRoom();
    room.put('chain', pem('CERTIFICATE', pki.member('ca').der, pki.member('root').der));
    for (const kind of kinds) {
      const { privateKey, der } = pki.member(kind);
      room.put(`${kind}.key`, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
      room.put(`${kind}.pem`, pem('CERTIFICATE', der));
    }
  });
  afterAll(() => room.clear());

  function write(kind: Kind, flags: readonly string[], password: string): Buffer {
    const parts = ['-in', `${kind}.pem`, '-inkey', `${kind}.key`, '-certfile', 'chain'];
    room.run(
      'pkcs12',
      '-export',
      ...parts,
      ...flags,
      '-passout',
      `pass:${password}`,
      '-out',
      'p12',
    );
    return room.get('p12');
  }

  const old = ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'];
  const forms: readonly (readonly [string, Kind, readonly string[]])[] = [
    ['AES-256, RSA', 'rsa', []],
    ['AES-256, P-256', 'signer', []],
    ['AES-256, P-384, SHA-512', 'p384', ['-macalg', 'sha512']],
    ['AES-128, Ed25519', 'ed25519', ['-certpbe', 'aes-128-cbc', '-keypbe', 'aes-128-cbc']],
    ['RC2-40 and 3DES, RSA', 'rsa', ['-legacy']],
    ['RC2-40 and 3DES, P-256', 'signer', ['-legacy']],
    ['RC2-128', 'rsa', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128']],
    ['3DES', 'rsa', old],
    ['3DES of two keys', 'signer', ['-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-2DES']],
    ['no MAC', 'rsa', ['-nomac']],
    ['bare certificates', 'rsa', ['-certpbe', 'NONE']],
    ['a bare key', 'signer', ['-keypbe', 'NONE']],
    ['many rounds', 'signer', ['-iter', '20000']],
    ['PBES2 with 3DES', 'rsa', ['-certpbe', 'DES-EDE3-CBC', '-keypbe', 'DES-EDE3-CBC']],
    ['AES and RC2-128 in one file', 'signer', ['-legacy', '-keypbe', 'aes-256-cbc']],
    ['a MAC unknown to pkijs', 'rsa', ['-macalg', 'sha224']],
  ];

  test.each(forms)('open with their password only: %s', async (_, kind, flags) => {
    const p12 = write(kind, flags, 'það er leyndó');
    expect(await works(p12, 'það er leyndó')).toBe(2);
    await expect(p12Signer({ p12, password: 'wrong' })).rejects.toEqual(
      codeIs('key.password.wrong'),
    );
    await expect(p12Signer({ p12, password: '' })).rejects.toEqual(codeIs('key.password.wrong'));
    await expect(p12Signer({ p12 })).rejects.toEqual(codeIs('key.password.missing'));
  });

  test.each([
    ['modern', []],
    ['old', ['-legacy']],
  ])('with an empty password open without one: %s', async (_, flags) => {
    const p12 = write('rsa', flags, '');
    expect(await works(p12)).toBe(2);
    expect(await works(p12, '')).toBe(2);
  });

  test('open without the global engine of pkijs', async () => {
    const pkijs = await import('pkijs');
    const usual = pkijs.getEngine();
    const none = new pkijs.CryptoEngine({ crypto: {} as never });
    pkijs.setEngine('none', none);
    try {
      for (const flags of [[], ['-legacy']]) await works(write('rsa', flags, 'x'), 'x');
      expect(pkijs.getEngine().crypto).toBe(none);
    } finally {
      pkijs.setEngine(usual.name, usual.crypto ?? undefined);
    }
  });

  test('use the chosen scheme and digest', async () => {
    const p12 = write('rsa', [], 'x');
    const chosen = { scheme: 'rsa-pss', digest: 'sha512' } as const;
    const { algorithm } = await p12Signer({ p12, password: 'x', ...chosen });
    expect(algorithm).toEqual({ ...chosen, saltLengthBytes: 64 });
  });

  test('are rejected without a key, without a certificate or with another certificate', async () => {
    room.run('pkcs12', '-export', '-nokeys', '-in', 'rsa.pem', '-passout', 'pass:x', '-out', 'p12');
    const read = () => p12Signer({ p12: room.get('p12'), password: 'x' });
    await expect(read()).rejects.toEqual(codeIs('key.unreadable'));
    const key = ['-nocerts', '-inkey', 'rsa.key', '-in', 'rsa.key'];
    room.run('pkcs12', '-export', ...key, '-passout', 'pass:x', '-out', 'p12');
    await expect(read()).rejects.toEqual(codeIs('key.unreadable'));
  });

  test('damaged anywhere fail with an InnsigliError', async () => {
    const samples = [write('signer', [], 'x'), write('signer', ['-nomac', '-legacy'], 'x')];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(255),
        fc.boolean(),
        async (sample, at, octet, cut) => {
          const p12 = Buffer.from(samples[sample] as Buffer);
          const offset = Math.floor(at * (p12.length - 1));
          p12[offset] = octet;
          const bytes = cut ? p12.subarray(0, offset) : p12;
          const error = await p12Signer({ p12: bytes, password: 'x' }).catch((thrown) => thrown);
          if (error instanceof Error) expect(isInnsigliError(error)).toBe(true);
        },
      ),
      { numRuns: 300, seed: 7292 },
    );
  });
});

test.each<[string, Uint8Array]>([
  ['nothing', new Uint8Array(0)],
  ['text', Buffer.from('-----BEGIN CERTIFICATE-----')],
  ['an empty sequence', Buffer.of(0x30, 0)],
  ['version 1', Buffer.of(0x30, 3, 2, 1, 1)],
  ['a certificate', pki.member('rsa').der],
])('%s is rejected as a PKCS #12 file', async (_, p12) => {
  await expect(p12Signer({ p12, password: 'x' })).rejects.toEqual(codeIs('key.unreadable'));
});

test('a PKCS #12 file whose password was hashed as empty opens without one', async () => {
  const { privateKey, der: certificate } = pki.member('signer');
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
  const salt = Buffer.from('saltsalt');
  const derive = (purpose: number, lengthBytes: number) =>
    forge.pkcs12
      .generateKey(null, forge.util.createBuffer(salt.toString('latin1')), purpose, 9, lengthBytes)
      .getBytes();
  const [key, iv] = [derive(1, 24), derive(2, 8)].map((text) => Buffer.from(text, 'latin1'));
  const cipher = createCipheriv('des-ede3-cbc', key as Buffer, iv as Buffer);
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const scheme = sequence(
    oid('1.2.840.113549.1.12.1.3'),
    sequence(octetString(salt), smallInteger(9)),
  );
  const p12 = buildP12(
    bag(2, sequence(scheme, octetString(encrypted))),
    bag(3, sequence(oid(X509_CERTIFICATE), explicit(0, octetString(certificate)))),
  );
  expect(await works(p12)).toBe(0);
  expect(await works(p12, '')).toBe(0);
  await expect(p12Signer({ p12, password: 'x' })).rejects.toEqual(codeIs('key.password.wrong'));
});

describe('the cost of a PKCS #12 file', () => {
  const oldScheme = (rounds: Uint8Array) =>
    sequence(oid('1.2.840.113549.1.12.1.3'), sequence(octetString(Buffer.of(1)), rounds));
  const pbes2 = (rounds: Uint8Array) =>
    sequence(
      oid('1.2.840.113549.1.5.13'),
      sequence(
        sequence(oid('1.2.840.113549.1.5.12'), sequence(octetString(Buffer.of(1)), rounds)),
        sequence(oid('2.16.840.1.101.3.4.1.42'), octetString(Buffer.alloc(16))),
      ),
    );
  const macData = (rounds: Uint8Array) =>
    sequence(
      sequence(sequence(oid('2.16.840.1.101.3.4.2.1')), octetString(Buffer.alloc(32))),
      octetString(Buffer.of(1)),
      rounds,
    );
  const shrouded = (scheme: Uint8Array) => bag(2, sequence(scheme, octetString(Buffer.alloc(32))));

  test.each<[string, (rounds: Uint8Array) => Uint8Array]>([
    ['a key under PBES2', (rounds) => buildP12(shrouded(pbes2(rounds)))],
    ['a key under an old scheme', (rounds) => buildP12(shrouded(oldScheme(rounds)))],
    ['a key in nested bags', (rounds) => buildP12(bag(6, sequence(shrouded(pbes2(rounds)))))],
    ['the MAC', (rounds) => buildPfx([], macData(rounds))],
  ])('is limited before any hashing, by its iteration count: %s', async (_, make) => {
    // 10,000,001; 2^40; 0; -1
    for (const content of ['00989681', '010000000000', '00', 'ff']) {
      const p12 = make(integerFromContent(Buffer.from(content, 'hex')));
      const error = await p12Signer({ p12, password: 'x' }).catch((thrown) => thrown);
      expect([content, error]).toEqual([content, codeIs('key.unreadable')]);
    }
  });

  test.each<[string, Uint8Array]>([
    ['bytes', Buffer.alloc(16 * 1024 * 1024 + 1, Buffer.of(0x30, 0x80))],
    ['elements', element(0x30, [Buffer.alloc(4 * 1024 * 1024, Buffer.of(5, 0))])],
    ['depth', Buffer.alloc(100_000, Buffer.of(0x30, 0x80))],
  ])('is limited by its size and structure: %s', async (_, p12) => {
    await expect(p12Signer({ p12, password: 'x' })).rejects.toEqual(codeIs('key.unreadable'));
  });
});

/** A file without a MAC and with unencrypted bags. */
function buildP12(...bags: Uint8Array[]): Uint8Array {
  return buildPfx(bags);
}

function buildPfx(bags: Uint8Array[], ...macData: Uint8Array[]): Uint8Array {
  const data = (content: Uint8Array) =>
    sequence(oid('1.2.840.113549.1.7.1'), explicit(0, octetString(content)));
  return sequence(smallInteger(3), data(sequence(data(sequence(...bags)))), ...macData);
}

function bag(kind: number, value: Uint8Array): Uint8Array {
  return sequence(oid(`1.2.840.113549.1.12.10.1.${kind}`), explicit(0, value));
}

const corpora = join(import.meta.dirname, '../../../../shared/corpora');
const foreign: readonly (readonly [string, string | undefined])[] = [
  ['node-signpdf/resources/certificate.p12', undefined],
  ['node-signpdf/resources/withpass.p12', 'node-signpdf'],
  ['node-signpdf/resources/bundle.p12', undefined],
];
const missing = existsSync(corpora) ? '' : ' (skipped: ../shared/corpora is not there)';

describe.skipIf(missing !== '')(`PKCS #12 files of other projects${missing}`, () => {
  test.each(foreign)('open within the limits: %s', async (path, password) => {
    const p12 = readFileSync(join(corpora, path));
    expect(await works(p12, password)).toBeGreaterThanOrEqual(0);
    if (password !== undefined) {
      await expect(p12Signer({ p12 })).rejects.toEqual(codeIs('key.password.missing'));
    }
  });
});
