import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { equalBytes } from '../../../src/base/bytes.ts';
import { oids } from '../../../src/formats/asn1/index.ts';
import {
  addUnsignedAttribute,
  buildAttribute,
  buildSignedAttributes,
  buildSignedData,
  canonicalSignedAttributes,
  parseSignedData,
  readMessageDigest,
  readSigningCertificate,
} from '../../../src/formats/cms/index.ts';
import { parseCertificate } from '../../../src/formats/x509/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { hasOpenssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki, signWith } from '../../support/pki.ts';
import { type OpensslRoom, openRoom } from '../../support/tsa-openssl.ts';

const content = Buffer.from('bytes that two programs agree on\n');

describe.skipIf(!hasOpenssl)(`openssl${opensslNote}`, () => {
  const pki = makeTestPki();
  const atTime = String(pki.nowMs / 1000);
  let room: OpensslRoom;

  beforeAll(() => {
    room = openRoom();
    room.put('root.pem', pem('CERTIFICATE', pki.member('root').der));
    room.put('ca.pem', pem('CERTIFICATE', pki.member('ca').der));
    room.put('content', content);
  });
  afterAll(() => room.clear());

  // OpenSSL 3.0 cannot verify Ed25519 in CMS; pkijs verifies it below.
  test.each(['signer', 'rsa', 'pss', 'p384', 'p521'] as const)(
    'accepts our CAdES signature with the key %s',
    (kind) => {
      const member = pki.member(kind);
      const { algorithm, certificate } = member;
      const signedAttributes = buildSignedAttributes({
        contentType: oids.data,
        messageDigest: createHash(algorithm.digest).update(content).digest(),
        certificate,
        certificateDigest: 'sha256',
      });
      const cms = buildSignedData({
        digest: algorithm.digest,
        signedAttributes,
        signatureAlgorithm: algorithm,
        signature: signWith(member, signedAttributes),
        certificate,
        certificates: member.chain,
      });
      room.put('plain.cms', cms);
      room.put('more.cms', addUnsignedAttribute(cms, buildAttribute('2.999.1')));
      for (const file of ['plain.cms', 'more.cms']) {
        const where = ['-inform', 'DER', '-in', file, '-content', 'content', '-binary'];
        const trust = ['-CAfile', 'root.pem', '-purpose', 'any', '-attime', atTime, '-out', 'out'];
        room.run('cms', '-verify', '-cades', ...where, ...trust);
        expect(room.get('out').equals(content)).toBe(true);
      }
    },
  );

  const variants: readonly (readonly [string, 'signer' | 'rsa', readonly string[]])[] = [
    ['CAdES', 'rsa', ['-cades']],
    ['CAdES with SHA-512', 'signer', ['-cades', '-md', 'sha512']],
    ['key identifier', 'rsa', ['-keyid']],
    ['streamed, BER', 'signer', ['-stream', '-nodetach']],
    ['streamed, BER, CAdES', 'rsa', ['-stream', '-nodetach', '-cades']],
    ['PSS', 'rsa', ['-keyopt', 'rsa_padding_mode:pss']],
    [
      'PSS with a short salt',
      'rsa',
      ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:8'],
    ],
    ['no certificates', 'signer', ['-nocerts']],
  ];

  test.each(variants)('creates signatures that we verify: %s', (_, kind, flags) => {
    const member = pki.member(kind);
    const key = member.privateKey.export({ format: 'pem', type: 'pkcs8' });
    room.put('key.pem', key.toString());
    room.put('cert.pem', pem('CERTIFICATE', member.der));
    const signer = ['-signer', 'cert.pem', '-inkey', 'key.pem', ...flags];
    room.run(
      'cms',
      '-sign',
      '-binary',
      '-in',
      'content',
      ...signer,
      '-outform',
      'DER',
      '-out',
      'o',
    );
    const parsed = parseSignedData(room.get('o'));
    const [info, ...others] = parsed.signerInfos;
    expect(others).toEqual([]);
    expect(info?.signatureAlgorithm).toBeDefined();
    if (flags.includes('-nodetach')) expect(Buffer.from(parsed.content!)).toEqual(content);
    else expect(parsed.content).toBeUndefined();
    expect(parsed.certificates).toHaveLength(flags.includes('-nocerts') ? 0 : 1);
    for (const one of parsed.certificates)
      expect(parseCertificate(one).der).toHaveLength(one.length);
    const digest = createHash(info!.digest!).update(content).digest();
    expect(equalBytes(readMessageDigest(info!)!, digest)).toBe(true);
    const { signatureAlgorithm, signedAttributesDer, signature } = info!;
    const holds = (signed: Uint8Array | undefined) =>
      signed !== undefined &&
      verifySignature(signatureAlgorithm!, member.certificate, signed, signature);
    expect(holds(signedAttributesDer) || holds(canonicalSignedAttributes(info!))).toBe(true);
    const references = readSigningCertificate(info!);
    expect(references).toHaveLength(flags.includes('-cades') ? 1 : 0);
    for (const { digest: name, certificateHash } of references) {
      const hash = createHash(name!).update(member.der).digest();
      expect(equalBytes(certificateHash, hash)).toBe(true);
    }
    const { extensions, issuerDer } = member.certificate;
    if (flags.includes('-keyid')) {
      expect(equalBytes(info!.subjectKeyId!, extensions.subjectKeyId!)).toBe(true);
    } else expect(equalBytes(info!.issuerDer!, issuerDer)).toBe(true);
  });
});

describe('pkijs', () => {
  test('verifies our Ed25519 signature', async () => {
    const { ContentInfo, SignedData } = await import('pkijs');
    const pki = makeTestPki();
    const member = pki.member('ed25519');
    const signedAttributes = buildSignedAttributes({
      contentType: oids.data,
      messageDigest: createHash('sha512').update(content).digest(),
      certificate: member.certificate,
      certificateDigest: 'sha512',
    });
    const cms = buildSignedData({
      digest: 'sha512',
      signedAttributes,
      signatureAlgorithm: member.algorithm,
      signature: signWith(member, signedAttributes),
      certificate: member.certificate,
      certificates: member.chain,
    });
    const contentInfo = ContentInfo.fromBER(cms);
    expect(contentInfo.contentType).toBe(oids.signedData);
    const signedData = new SignedData({ schema: contentInfo.content });
    expect(signedData.certificates).toHaveLength(3);
    const [info] = signedData.signerInfos;
    expect(info?.signatureAlgorithm.algorithmId).toBe(oids.ed25519);
    expect(info?.digestAlgorithm.algorithmId).toBe(oids.sha512);
    const signed = Buffer.from(info!.signedAttrs!.encodedValue);
    expect(signed.equals(signedAttributes)).toBe(true);
    expect(Buffer.from(new Uint8Array(signedData.toSchema(true).toBER())).length).toBeGreaterThan(
      0,
    );
    const signature = new Uint8Array(info!.signature.valueBlock.valueHexView);
    expect(verifySignature(member.algorithm, member.certificate, signed, signature)).toBe(true);
  });
});
