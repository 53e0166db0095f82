import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { p12Signer } from '../../../src/adapters/keys/index.ts';
import { isCoreError } from '../../../src/base/errors.ts';
import { parseCertificate } from '../../../src/formats/x509/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { hasOpenssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki } from '../../support/pki.ts';
import { type OpensslRoom, openRoom } from '../../support/tsa-openssl.ts';

const pki = makeTestPki();
const data = Buffer.from('octets to sign');
const codeIs = (code: string) => expect.objectContaining({ name: 'CoreError', code });

async function works(p12: Uint8Array, password?: string): Promise<number> {
  const signer = await p12Signer({ p12, ...(password === undefined ? {} : { password }) });
  const signature = await signer.sign(data);
  const certificate = parseCertificate(signer.certificate);
  expect(verifySignature(signer.algorithm, certificate, data, signature)).toBe(true);
  return signer.chain.length;
}

describe.skipIf(!hasOpenssl)(`files that openssl wrote${opensslNote}`, () => {
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
  ])('with an empty password need none: %s', async (_, flags) => {
    const p12 = write('rsa', flags, '');
    expect(await works(p12)).toBe(2);
    expect(await works(p12, '')).toBe(2);
  });

  test('use the scheme and digest that are chosen', async () => {
    const p12 = write('rsa', [], 'x');
    const chosen = { scheme: 'rsa-pss', digest: 'sha512' } as const;
    const { algorithm } = await p12Signer({ p12, password: 'x', ...chosen });
    expect(algorithm).toEqual({ ...chosen, saltLengthBytes: 64 });
  });

  test('without key, without certificate or with another certificate are refused', async () => {
    room.run('pkcs12', '-export', '-nokeys', '-in', 'rsa.pem', '-passout', 'pass:x', '-out', 'p12');
    const read = () => p12Signer({ p12: room.get('p12'), password: 'x' });
    await expect(read()).rejects.toEqual(codeIs('key.unreadable'));
    const key = ['-nocerts', '-inkey', 'rsa.key', '-in', 'rsa.key'];
    room.run('pkcs12', '-export', ...key, '-passout', 'pass:x', '-out', 'p12');
    await expect(read()).rejects.toEqual(codeIs('key.unreadable'));
  });

  test('damaged anywhere end in a plain error', async () => {
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
          if (error instanceof Error) expect(isCoreError(error)).toBe(true);
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
])('%s is no PKCS #12 file', async (_, p12) => {
  await expect(p12Signer({ p12, password: 'x' })).rejects.toEqual(codeIs('key.unreadable'));
});

const corpora = join(import.meta.dirname, '../../../../shared/corpora');
const foreign: readonly (readonly [string, string | undefined])[] = [
  ['node-signpdf/resources/certificate.p12', undefined],
  ['node-signpdf/resources/withpass.p12', 'node-signpdf'],
  ['node-signpdf/resources/bundle.p12', undefined],
];
const missing = existsSync(corpora) ? '' : ' (skipped: ../shared/corpora is not there)';

describe.skipIf(missing !== '')(`foreign files${missing}`, () => {
  test.each(foreign)('%s', async (path, password) => {
    const p12 = readFileSync(join(corpora, path));
    expect(await works(p12, password)).toBeGreaterThanOrEqual(0);
    if (password !== undefined) {
      await expect(p12Signer({ p12 })).rejects.toEqual(codeIs('key.password.missing'));
    }
  });
});
