import { createHash, generateKeyPairSync, privateEncrypt, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  requireCms,
  requireRawSignature,
} from '../../../../src/adapters/eid/audkenni/person/verify-signature.ts';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import {
  buildSignedAttributes,
  buildSignedData,
  joinSignedData,
  splitSignedData,
} from '../../../../src/formats/cms/index.ts';
import { serializeDigestAlgorithm } from '../../../../src/formats/x509/index.ts';
import { craftCms } from '../../../support/crafted-cms.ts';
import { makeTestPki, signWith, type TestMember } from '../../../support/pki.ts';
import { placedAttributes } from '../../../support/placed-attributes.ts';

const pki = makeTestPki();
const rsa = pki.member('rsa');
const data = Buffer.from('what was sent');
const digestOf = (name: string) => new Uint8Array(createHash(name).update(data).digest());
const sha256 = { digest: 'sha256', value: digestOf('sha256') } as const;
const sha512 = { digest: 'sha512', value: digestOf('sha512') } as const;

describe('raw signature values', () => {
  const { privateKey, certificate } = rsa;

  test.each([sha256, sha512])('verify: $digest', (hash) => {
    const value = sign(hash.digest, data, privateKey);
    expect(() => requireRawSignature(value, certificate, hash)).not.toThrow();
  });

  test('may omit the NULL parameter of the digest algorithm', () => {
    const algorithm = serializeDigestAlgorithm('sha512');
    const info = der.sequence(algorithm, der.octetString(sha512.value));
    const value = privateEncrypt(privateKey, Buffer.from(info));
    expect(() => requireRawSignature(value, certificate, sha512)).not.toThrow();
  });

  const padding = { key: privateKey, padding: 6, saltLength: 64 };
  test.each([
    ['over another hash', sign('sha512', Buffer.from('x'), privateKey)],
    ['of another algorithm', sign('sha256', data, privateKey)],
    ['with PSS', sign('sha512', data, padding)],
    ['of the hash alone', privateEncrypt(privateKey, Buffer.from(sha512.value))],
    ['that is empty', Buffer.alloc(0)],
    ['of another length', Buffer.alloc(255, 1)],
  ])('%s are rejected', (_, value) => {
    expect(() => requireRawSignature(value, certificate, sha512)).toThrow(/not match the/);
  });

  test('without their leading zero byte are rejected', () => {
    const digest = 'sha256';
    const signed = signatureOf((value) => value[0] === 0);
    const short = signed.signature.subarray(1);
    expect(() => requireRawSignature(signed.signature, certificate, signed.hash)).not.toThrow();
    expect(() => requireRawSignature(short, certificate, signed.hash)).toThrow(/not match the/);

    function signatureOf(isWanted: (value: Uint8Array) => boolean) {
      for (let number = 0; ; number += 1) {
        const message = Buffer.from(`message ${String(number)}`);
        const signature = sign(digest, message, privateKey);
        if (!isWanted(signature)) continue;
        const value = new Uint8Array(createHash(digest).update(message).digest());
        return { signature, hash: { digest, value } as const };
      }
    }
  });

  test('of other keys are rejected', () => {
    const value = sign('sha512', data, pki.member('signer').privateKey);
    const { certificate: holder } = pki.member('signer');
    expect(() => requireRawSignature(value, holder, sha512)).toThrow(/not match the/);
  });
});

interface CmsChange {
  readonly member?: TestMember;
  readonly digest?: 'sha1' | 'sha256';
  readonly signature?: Uint8Array;
  readonly messageDigest?: Uint8Array;
  readonly attributeType?: string;
  readonly outerType?: string;
}

function cms(change: CmsChange = {}): Uint8Array {
  const { member = rsa, digest = 'sha256' } = change;
  const signedAttributes = buildSignedAttributes({
    contentType: change.attributeType ?? oids.data,
    messageDigest: change.messageDigest ?? sha256.value,
    certificate: member.certificate,
    certificateDigest: 'sha256',
  });
  return buildSignedData({
    digest,
    signedAttributes,
    signatureAlgorithm: member.algorithm,
    signature: change.signature ?? signWith(member, signedAttributes),
    certificate: member.certificate,
    certificates: [member.der, ...member.chain],
    ...(change.outerType === undefined
      ? {}
      : { encapsulated: { type: change.outerType, content: data } }),
  });
}

describe('a CMS', () => {
  test.each(['rsa', 'signer', 'p384', 'pss'] as const)(
    'by the key %s verifies, unless it uses RSASSA-PSS',
    (name) => {
      const member = pki.member(name);
      if (member.privateKey.asymmetricKeyType === 'rsa-pss') {
        expect(() => requireCms(cms({ member }), sha256)).toThrow(/signature/);
        return;
      }
      const [first] = requireCms(cms({ member }), sha256);
      expect(first).toEqual(member.der);
    },
  );

  test.each([
    ['another content type among the attributes', { attributeType: oids.tstInfo }],
    ['another content type outside', { outerType: oids.tstInfo }],
    ['another message digest', { messageDigest: new Uint8Array(32) }],
    ['another digest algorithm', { digest: 'sha1' }],
    ['no signature', { signature: new Uint8Array(256) }],
    ['a signature over the data', { signature: sign('sha256', data, rsa.privateKey) }],
    ['an unsuitable key', { member: pki.member('ed25519') }],
  ] as const)('with %s is rejected', (_, change) => {
    expect(() => requireCms(cms(change), sha256)).toThrow(/the CMS/);
  });

  const signer = pki.member('signer');
  const crafted = (by: object) => craftCms({ content: data, signers: [{ signer, ...by }] });
  const open = placedAttributes(pki).filter(({ isOpen }) => isOpen);

  test.each(open)('with $name is rejected', ({ by }) => {
    expect(() => requireCms(crafted({}), sha256)).not.toThrow();
    expect(() => requireCms(crafted(by), sha256)).toThrow(/the CMS/);
  });

  test('whose digest algorithm is a signature algorithm is rejected', () => {
    const digestDer = der.sequence(der.oid('1.2.840.10045.4.3.2'));
    expect(() => requireCms(crafted({ digestDer }), sha256)).toThrow(/expected plain data with/);
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['not a CMS', Buffer.from('3003020101', 'hex')],
    ['truncated', cms().subarray(0, 400)],
  ])('that is %s is rejected', (_, bytes) => {
    expect(() => requireCms(bytes, sha256)).toThrow(/the CMS cannot be read/);
  });

  test('with two signers or none is rejected', () => {
    const parts = splitSignedData(cms());
    const { signers } = parts;
    const both = [...signers, ...splitSignedData(cms({ member: pki.member('signer') })).signers];
    for (const list of [both, []]) {
      const joined = joinSignedData({ ...parts, signers: list });
      expect(() => requireCms(joined, sha256)).toThrow('expected one signer');
    }
  });

  test('signed with a short key is rejected', () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const short: TestMember = { ...rsa, privateKey: pair.privateKey };
    const member = pki.issue({ name: 'short', keyOf: short });
    expect(() => requireCms(cms({ member }), sha256)).toThrow(/too short/);
  });
});
