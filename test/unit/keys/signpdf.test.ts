import { plainAddPlaceholder } from '@signpdf/placeholder-plain';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf, Signer as SignpdfSigner } from '@signpdf/signpdf';
import forge from 'node-forge';
import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  fromSignpdfSigner,
  keyObjectSigner,
  p12Signer,
  toSignpdfSigner,
} from '../../../src/adapters/keys/index.ts';
import { derOf, oids } from '../../../src/formats/asn1/index.ts';
import {
  parseSignedData,
  readMessageDigest,
  type SignerInfo,
  trimContents,
} from '../../../src/formats/cms/index.ts';
import type { Signer } from '../../../src/seal/ports.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { digestOf, verifySignature } from '../../../src/trust/signature.ts';
import { verifyTimestampToken } from '../../../src/trust/timestamp.ts';
import { makeTestPki, type TestMemberName } from '../../support/pki.ts';
import { testAuthority } from '../../support/tsa.ts';

const pki = makeTestPki();
const signpdf = new SignPdf();

function signerOf(name: TestMemberName): Signer {
  const { privateKey, der: certificate, chain } = pki.member(name);
  return keyObjectSigner({ privateKey, certificate, chain });
}

/** CMS and covered bytes of the only signature. */
function readSignature(pdf: Buffer): { readonly cms: Uint8Array; readonly covered: Buffer } {
  const range = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)/.exec(pdf.toString('latin1'));
  const [start, length, next, rest] = (range ?? []).slice(1).map(Number) as number[];
  const covered = Buffer.concat([
    pdf.subarray(start, start! + length!),
    pdf.subarray(next, next! + rest!),
  ]);
  const digits = pdf.toString('latin1', length! + 1, next! - 1);
  return { cms: trimContents(Buffer.from(digits, 'hex')), covered };
}

function expectHolds(name: TestMemberName, info: SignerInfo, content: Uint8Array): void {
  const digest = digestOf(info.digest!, content);
  expect(Buffer.from(readMessageDigest(info)!)).toEqual(Buffer.from(digest));
  const { certificate } = pki.member(name);
  const { signatureAlgorithm, signedAttributesDer, signature } = info;
  expect(verifySignature(signatureAlgorithm!, certificate, signedAttributesDer!, signature)).toBe(
    true,
  );
}

let placeholder: Buffer;
beforeAll(async () => {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  const pdf = Buffer.from(await document.save({ useObjectStreams: false }));
  placeholder = plainAddPlaceholder({
    pdfBuffer: pdf,
    reason: 'test',
    contactInfo: '',
    name: '',
    location: '',
    signatureLength: 8192,
    subFilter: 'ETSI.CAdES.detached',
  });
});

describe('our signer in @signpdf', () => {
  test.each(['rsa', 'signer', 'pss', 'ed25519', 'ed448'] as const)(
    'signs with %s',
    async (name) => {
      const pdf = await signpdf.sign(placeholder, await toSignpdfSigner(signerOf(name)));
      const { cms, covered } = readSignature(pdf);
      const parsed = parseSignedData(cms);
      expect(parsed.certificates).toHaveLength(3);
      const [info] = parsed.signerInfos;
      expectHolds(name, info!, covered);
      expect(info?.signedAttributes?.has(oids.signingTime)).toBe(false);
      expect(info?.signedAttributes?.has(oids.signingCertificateV2)).toBe(true);
      expect(info?.unsignedAttributes.size).toBe(0);
    },
  );

  test('adds a time-stamp over its signature', async () => {
    const timestampAuthority = testAuthority(pki);
    const signer = await toSignpdfSigner(signerOf('rsa'), { timestampAuthority });
    const [info] = parseSignedData(
      readSignature(await signpdf.sign(placeholder, signer)).cms,
    ).signerInfos;
    const [token] = info?.unsignedAttributes.get(oids.signatureTimeStampToken) ?? [];
    const verdict = verifyTimestampToken({
      token: derOf(token!),
      imprint: info!.signature,
      pool: createCertificatePool(),
      anchors: [pki.member('root').certificate],
    });
    expect(verdict).toMatchObject({ valid: true, trusted: true });
  });

  test.each([
    ['wrongImprint', 'tsa.imprint.mismatch'],
    ['wrongNonce', 'tsa.nonce.mismatch'],
    ['rejection', 'tsa.refused'],
    ['garbage', 'tsa.response.invalid'],
  ] as const)('rejects a time-stamp with the fault %s', async (fault, code) => {
    const timestampAuthority = testAuthority(pki, fault);
    const signer = await toSignpdfSigner(signerOf('signer'), { timestampAuthority });
    await expect(signpdf.sign(placeholder, signer)).rejects.toMatchObject({ code });
  });
});

describe('a signer of @signpdf used here', () => {
  const content = Buffer.from('covered bytes');
  let p12: Buffer;

  beforeAll(() => {
    const { privateKey, der: certificate, chain } = pki.member('rsa');
    const key = forge.pki.privateKeyFromPem(
      privateKey.export({ format: 'pem', type: 'pkcs1' }).toString(),
    );
    // Self-signed by forge, which cannot read EC issuers; only the key matters.
    const own = forge.pki.createCertificate();
    own.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
    own.serialNumber = '01';
    own.setSubject([{ name: 'commonName', value: 'rsa' }]);
    own.setIssuer([{ name: 'commonName', value: 'rsa' }]);
    own.validity.notBefore = new Date(pki.nowMs);
    own.validity.notAfter = new Date(pki.nowMs);
    own.sign(key, forge.md.sha256.create());
    const asn1 = forge.pkcs12.toPkcs12Asn1(key, [own], 'secret', { algorithm: '3des' });
    p12 = Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
    expect(certificate.length + chain.length).toBeGreaterThan(0);
  });

  test('uses a PKCS #12 file written by node-forge that opens here too', async () => {
    const signer = await p12Signer({ p12, password: 'secret' });
    expect(signer.algorithm).toEqual({ scheme: 'rsa-pkcs1', digest: 'sha256' });
  });

  test('makes the CMS with a new P12Signer for each signature', async () => {
    const signer = fromSignpdfSigner(() => new P12Signer(p12, { passphrase: 'secret' }), {
      signedAt: new Date(pki.nowMs),
    });
    expect(signer.estimatedLengthBytes).toBe(8192);
    for (let i = 0; i < 2; i++) {
      const cms = await signer.signContent(content);
      const [info] = parseSignedData(cms).signerInfos;
      expectHolds('rsa', info!, content);
      expect(info?.signedAttributes?.has(oids.signingTime)).toBe(true);
    }
  });

  test('fails with a reason if a P12Signer is used twice', async () => {
    const signer = fromSignpdfSigner(new P12Signer(p12, { passphrase: 'secret' }));
    await signer.signContent(content);
    await expect(signer.signContent(content)).rejects.toMatchObject({ code: 'key.sign.failed' });
  });

  test.each(['p384', 'ed448'] as const)('may be our own signer wrapped twice: %s', async (name) => {
    const ours = await toSignpdfSigner(signerOf(name));
    const cms = await fromSignpdfSigner(ours, { estimatedLengthBytes: 99 }).signContent(content);
    expectHolds(name, parseSignedData(cms).signerInfos[0]!, content);
  });

  test.each<[string, (bytes: Buffer) => Promise<Buffer>, string]>([
    [
      'signs other bytes',
      async () => (await toSignpdfSigner(signerOf('rsa'))).sign(Buffer.of(1)),
      'key.sign.failed',
    ],
    ['returns garbage', async () => Buffer.from('not a CMS'), 'cms.invalid'],
    ['throws', () => Promise.reject(new Error('no card in the reader')), 'key.sign.failed'],
  ])('is rejected if it %s', async (_, sign, code) => {
    const foreign = new SignpdfSigner();
    foreign.sign = sign;
    await expect(fromSignpdfSigner(foreign).signContent(content)).rejects.toMatchObject({ code });
  });
});
