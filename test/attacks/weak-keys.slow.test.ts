import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import {
  augmentPdf,
  keyObjectSigner,
  p12Signer,
  type SealPdfOptions,
  type Signer,
  sealContainer,
  sealPdf,
  sealPdfWithCms,
  sealXml,
  type TimestampAuthority,
  toSignpdfSigner,
} from '../../src/index.ts';
import { openTestService } from '../service/open-service.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { cmsBy, signedFile, tsaExtensions } from '../support/hand-signed.ts';
import { pem } from '../support/openssl.ts';
import { makeTestPki, type TestMember } from '../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../support/sealing.ts';
import { answerBy } from '../support/tsa.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';
import { type Weakness, weakMember, weaknesses } from '../support/weak-keys.ts';

const pki = makeTestPki();
const trust = [pki.member('root').der];
const pdf = fixture('agreement.pdf');
const files = [{ name: 'a.txt', content: Buffer.from('hello') }];
const xml = Buffer.from('<a>1</a>');
const members = new Map(
  (Object.keys(weaknesses) as Weakness[]).map((name) => [name, weakMember(pki, name)]),
);
const rows = [...members].map(([name, member]) => [name, member, weaknesses[name]] as const);

/** A CMS by the key, as a third-party library would create it. */
const foreign = (member: TestMember) => ({
  estimatedLengthBytes: 8192,
  signContent: async (content: Uint8Array) => cmsBy(member)(content),
});

const faces: Readonly<
  Record<string, (signer: Signer, member: TestMember, how: SealPdfOptions) => Promise<unknown>>
> = {
  sealPdf: (_, __, how) => sealPdf(pdf, how),
  'sealPdf without trust anchors': (_, __, how) =>
    sealPdf(pdf, { ...how, level: 'B-B', trust: [] }),
  sealXml: (_, __, how) => sealXml(xml, how),
  'sealContainer with XAdES': (_, __, how) => sealContainer(files, how),
  'sealContainer with CAdES': (_, __, how) => sealContainer(files, { ...how, format: 'cades' }),
  sealPdfWithCms: (_, member, { now }) =>
    sealPdfWithCms(pdf, { signer: foreign(member), trust, ...(now && { now }) }),
  toSignpdfSigner: (signer) => toSignpdfSigner(signer),
};

describe.each(rows)('%s', (_, member, reason) => {
  const signer = signerOf(member);

  test('verification reports that it proves nothing', async () => {
    const { signatures } = await verifyPdfDocument(await signedFile(cmsBy(member)), {
      trust,
      at: new Date(pki.nowMs),
    });
    expect(signatures[0]).toMatchObject({ subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' });
    const finding = signatures[0]?.findings.find(({ code }) => code === 'algorithm.weak');
    expect(finding?.message).toMatch(reason);
  });

  test.each(Object.entries(faces))('%s rejects it', async (__, face) => {
    const refusal = {
      name: 'InnsigliError',
      code: 'key.weak',
      message: expect.stringMatching(reason),
    };
    const how = sealOptions(pki, { signer });
    await expect(face(signer, member, how)).rejects.toMatchObject(refusal);
  });
});

test.each(Object.entries(faces))('%s accepts a strong key', async (_, face) => {
  const member = pki.member('signer');
  const signer = signerOf(member);
  await expect(face(signer, member, sealOptions(pki, { signer }))).resolves.toBeDefined();
});

test.each(['signer', 'rsa', 'ed25519'] as const)(
  'SHA-1 of a custom signer is rejected: %s',
  async (name) => {
    const { algorithm, ...honest } = signerOf(pki.member(name));
    const signer: Signer = { ...honest, algorithm: { ...algorithm, digest: 'sha1' } };
    const refusal = { code: 'key.weak', message: expect.stringContaining('sha1') };
    const how = sealOptions(pki, { signer });
    await expect(sealPdf(pdf, how)).rejects.toMatchObject(refusal);
    await expect(sealXml(xml, how)).rejects.toMatchObject(refusal);
    await expect(toSignpdfSigner(signer)).rejects.toMatchObject(refusal);
  },
);

test('a DSA key is rejected when the signer is created', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const { privateKey } = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
  const algorithm = { scheme: 'ecdsa', digest: 'sha256' } as const;
  const { der: certificate } = pki.issue({
    name: 'dsa',
    keyOf: { privateKey, algorithm } as TestMember,
  });
  expect(() => keyObjectSigner({ privateKey, certificate })).toThrow(
    expect.objectContaining({ code: 'algorithm.unsupported' }),
  );
});

test('a weak key from PKCS #12 is rejected, too', async () => {
  const keys = forge.pki.rsa.generateKeyPair(1024);
  const own = forge.pki.createCertificate();
  own.publicKey = keys.publicKey;
  own.validity.notBefore = new Date(pki.nowMs - 1000);
  own.validity.notAfter = new Date(pki.nowMs + 86_400_000);
  own.sign(keys.privateKey, forge.md.sha256.create());
  const asn1 = forge.pkcs12.toPkcs12Asn1(keys.privateKey, [own], 'pass', { algorithm: '3des' });
  const p12 = Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
  const signer = await p12Signer({ p12, password: 'pass' });
  await expect(sealPdf(pdf, sealOptions(pki, { signer, level: 'B-B' }))).rejects.toMatchObject({
    code: 'key.weak',
    hint: expect.stringContaining('3072'),
  });
});

test('a trusted CA needs no strong signature above it', async () => {
  const member = members.get('a CA that was signed with SHA-1') as TestMember;
  const issuer = member.chain[0] as Uint8Array;
  const signer = { ...signerOf(member), chain: [issuer] };
  const how = sealOptions(pki, { level: 'B-B', signer, trust: [issuer] });
  await expect(sealPdf(pdf, how)).resolves.toMatchObject({ level: 'B-B' });
});

describe('weak time-stamps', () => {
  const weakStamps: readonly (readonly [string, TimestampAuthority, RegExp])[] = [
    // The test authority does not sign with PSS.
    ...(Object.keys(weaknesses).filter((name) => !name.includes('PSS')) as Weakness[]).map(
      (name) => {
        const member = weakMember(pki, name, tsaExtensions);
        return [name, authorityBy(member), weaknesses[name]] as const;
      },
    ),
    ['a SHA-1 digest', authorityBy(pki.member('tsa'), 'sha1'), /sha1/] as const,
  ];

  function authorityBy(member: TestMember, digest: 'sha1' | 'sha256' = 'sha256') {
    return {
      name: 'weak authority',
      timestamp: async (request: Uint8Array) => answerBy(pki, member, request, digest),
    };
  }

  const refusal = (reason: RegExp) => ({
    code: 'tsa.algorithm.weak',
    message: expect.stringMatching(reason),
    details: { authority: 'weak authority' },
  });

  test.each(weakStamps)('%s: rejected for a seal, an archive and a container', async (...row) => {
    const [, timestampAuthority, reason] = row;
    const how = sealOptions(pki, { timestampAuthority });
    const { signer: _signer, ...long } = how;
    const expected = refusal(reason);
    await expect(sealPdf(pdf, { ...how, level: 'B-T' })).rejects.toMatchObject(expected);
    await expect(sealXml(xml, how)).rejects.toMatchObject(expected);
    await expect(sealContainer(files, { ...how, format: 'cades' })).rejects.toMatchObject(expected);
    const { bytes } = await sealPdf(pdf, sealOptions(pki, { level: 'B-B' }));
    await expect(augmentPdf(bytes, long)).rejects.toMatchObject(expected);
  });

  test.each(['an RSA key of 1024 bits', 'P-192'] as const)(
    '%s: rejected for @signpdf',
    async (name) => {
      const timestampAuthority = authorityBy(weakMember(pki, name, tsaExtensions));
      const signer = await toSignpdfSigner(signerOf(pki.member('rsa')), { timestampAuthority });
      await expect(signer.sign(Buffer.of(1))).rejects.toMatchObject(refusal(weaknesses[name]));
    },
  );
});

describe('the service with a weak seal key', () => {
  const folder = newTemporaryFolder('weak');

  test('rejects documents that it could not seal', async () => {
    const own = makeTestPki({ nowMs: Date.now() });
    const { privateKey, der, chain } = weakMember(own, 'an RSA key of 1024 bits');
    writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(folder, 'cert.pem'), pem('CERTIFICATE', der, ...chain));
    const service = await openTestService({
      INNSIGLI_KEY: join(folder, 'key.pem'),
      INNSIGLI_CERT: join(folder, 'cert.pem'),
    });
    try {
      const creating = service.toolkit.processes.create({
        flowKey: service.flowKey,
        pdf,
        signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      });
      await expect(creating).rejects.toMatchObject({ code: 'key.weak' });
    } finally {
      await service.close();
    }
  });
});
