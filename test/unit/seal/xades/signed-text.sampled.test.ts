import { describe, expect, it } from 'vitest';
import { canonicalBytes, parseXml } from '../../../../src/formats/xml/index.ts';
import { namespaces, parseXmlSignature } from '../../../../src/formats/xmldsig/index.ts';
import {
  documentObject,
  fileObject,
  newSignatureIds,
  signXades,
  type XadesClaims,
  xmlObject,
} from '../../../../src/seal/xades/index.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { anyCharacter, fc } from '../../../support/property.ts';
import { runs } from '../../../support/sample.ts';
import { countingRandom, signerOf } from '../../../support/sealing.ts';

const pki = makeTestPki();
const member = pki.member('signer');
const random = countingRandom();
const host = parseXml(Buffer.from('<doc xmlns:ds="urn:a" xmlns="urn:b"><ds:x Id="i"/></doc>'));

const text = fc.string({ unit: anyCharacter, minLength: 1 }).filter((value) => {
  return !/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(value);
});

const claims: fc.Arbitrary<XadesClaims> = fc.record({
  roles: fc.array(text, { maxLength: 2 }),
  place: fc.record({ city: text, country: text }),
  commitments: fc.array(text, { maxLength: 2 }),
  policy: fc.record({
    id: text,
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    digestAlgorithm: fc.constant('sha256' as const),
    uri: text,
    notice: text,
  }),
});

async function sign(given: XadesClaims) {
  const ids = newSignatureIds(random);
  return signXades({
    ids,
    objects: [
      documentObject(host, 'filter', 'text/xml'),
      fileObject('a%20b?x="1"&y', new Uint8Array(3), 'text/"plain"\n'),
      xmlObject(ids, Buffer.from('<!--c--><a xmlns="urn:c" b=\'1\'/>'), 'text/xml'),
    ],
    claims: given,
    signedAtMs: pki.nowMs,
    signer: signerOf(member),
    certificate: member.certificate,
  });
}

describe('signXades', () => {
  it('writes signed elements in canonical form, whatever the claims', async () => {
    await fc.assert(
      fc.asyncProperty(claims, async (given) => {
        const { bytes, signedBytes } = await sign(given);
        const { root } = parseXml(bytes);
        const { signedInfo } = parseXmlSignature(root);
        const properties = root.document.findAll(namespaces.xades132, 'SignedProperties');
        for (const element of [signedInfo.element, ...properties]) {
          const written = bytes.subarray(element.startOffset, element.endOffset);
          expect(Buffer.compare(canonicalBytes(element, 'exc-c14n'), written)).toBe(0);
        }
        const { startOffset, endOffset } = signedInfo.element;
        expect(Buffer.compare(bytes.subarray(startOffset, endOffset), signedBytes)).toBe(0);
        expect(properties).toHaveLength(1);
      }),
      { numRuns: runs(200) },
    );
  });

  it('yields the same SignedInfo inside any document', async () => {
    const { bytes, signedBytes } = await sign({});
    const around = ['<x xmlns="urn:1" xmlns:ds="urn:2" xmlns:xades="urn:3" xml:lang="is">', '</x>'];
    const placed = parseXml(Buffer.from(around.join(Buffer.from(bytes).toString())));
    const [signedInfo] = placed.findAll(namespaces.dsig, 'SignedInfo');
    expect(signedInfo && Buffer.from(canonicalBytes(signedInfo, 'exc-c14n'))).toEqual(
      Buffer.from(signedBytes),
    );
  });

  it('never uses an Id twice', async () => {
    const made = await Promise.all([sign({}), sign({})]);
    const ids = made.flatMap(({ bytes }) =>
      [
        ...Buffer.from(bytes)
          .toString()
          .matchAll(/ Id="([^"]+)"/g),
      ].map(([, id]) => id),
    );
    expect(ids).toHaveLength(14);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
