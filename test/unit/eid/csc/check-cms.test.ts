import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { requireCms } from '../../../../src/adapters/eid/csc/signature/check-signature.ts';
import type { SignatureChoice } from '../../../../src/adapters/eid/csc/signature/signature-choice.ts';
import { childrenOf, der, derOf, oids, readDer } from '../../../../src/formats/asn1/index.ts';
import {
  buildSignedAttributes,
  buildSignedData,
  type SignedDataInput,
} from '../../../../src/formats/cms/index.ts';
import { craftCms } from '../../../support/crafted-cms.ts';
import { cscPeople } from '../../../support/eid/csc/csc-bench.ts';
import { signWith } from '../../../support/pki.ts';

const { member, stranger } = cscPeople('P-256');
const messageDigest = createHash('sha256').update('the document').digest();
const choice: SignatureChoice = {
  name: 'ecdsa',
  digest: 'sha256',
  hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
  signAlgo: '1.2.840.10045.4.3.2',
};
const attributesOf = (contentType: string) =>
  buildSignedAttributes({
    contentType,
    messageDigest,
    certificate: member.certificate,
    certificateDigest: 'sha256',
  });

/** A valid CMS except for `changes`, with a valid signature over its attributes. */
function cmsWith(changes: Partial<SignedDataInput> = {}): Uint8Array {
  const { signedAttributes = attributesOf(oids.data) } = changes;
  return buildSignedData({
    digest: 'sha256',
    signedAttributes,
    signatureAlgorithm: member.algorithm,
    signature: signWith(member, signedAttributes),
    certificate: member.certificate,
    certificates: [member.der],
    ...changes,
  });
}

/** The CMS with `count` copies of its signer. */
function withSigners(cms: Uint8Array, count: number): Uint8Array {
  const [, wrapped] = childrenOf(readDer(cms));
  const [signedData] = childrenOf(wrapped as never);
  const fields = childrenOf(signedData as never).map(derOf);
  const [signer] = childrenOf(readDer(fields.at(-1) as Uint8Array)).map(derOf);
  const signers = der.setOf(...Array(count).fill(signer));
  const rebuilt = der.sequence(...fields.slice(0, -1), signers);
  return der.sequence(der.oid(oids.signedData), der.explicit(0, rebuilt));
}

/** The attributes in reverse order: a SET OF that is not DER. */
function reversed(attributes: Uint8Array): Uint8Array {
  const parts = childrenOf(readDer(attributes)).map(derOf).reverse();
  const header = attributes.length - parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([attributes.subarray(0, header), ...parts]);
}

const check = (cms: Uint8Array) => requireCms(cms, choice, member.certificate, messageDigest);

describe('a CMS of signDoc', () => {
  test('is accepted if it is valid', () => {
    expect(check(cmsWith())).toBeUndefined();
    expect(check(withSigners(cmsWith(), 1))).toBeUndefined();
  });

  test('whose digest algorithm is a signature algorithm is rejected', () => {
    const crafted = (more: object) =>
      craftCms({
        content: Buffer.from('the document'),
        signers: [{ signer: member, signingTimeMs: undefined, ...more }],
      });
    expect(check(crafted({}))).toBeUndefined();
    const digestDer = der.sequence(der.oid('1.2.840.10045.4.3.2'));
    expect(() => check(crafted({ digestDer }))).toThrow('a different algorithm than requested');
  });

  test.each([
    ['no certificate', () => cmsWith({ certificates: [] })],
    [
      'a signer that names another certificate',
      () => cmsWith({ certificate: stranger.certificate }),
    ],
    ['no signer', () => withSigners(cmsWith(), 0)],
    ['two signers', () => withSigners(cmsWith(), 2)],
    ['a different digest', () => cmsWith({ digest: 'sha512' })],
    [
      'another algorithm',
      () => cmsWith({ signatureAlgorithm: { scheme: 'ecdsa', digest: 'sha384' } }),
    ],
    [
      'attributes that are not DER',
      () => cmsWith({ signedAttributes: reversed(attributesOf(oids.data)) }),
    ],
    ['another type of content', () => cmsWith({ signedAttributes: attributesOf(oids.signedData) })],
    ['a byte after it', () => Buffer.concat([cmsWith(), Buffer.of(0)])],
    ['nothing', () => new Uint8Array(0)],
  ])('with %s is rejected', (_, make) => {
    expect(() => check(make())).toThrow(expect.objectContaining({ code: 'invalidResponse' }));
  });
});
