import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../src/base/errors.ts';
import { type FileObject, type VerificationReport, verifyDocument } from '../../src/index.ts';
import { containerBy, contentOf, withFiles } from '../support/containers.ts';
import { craftCms, crlsOf } from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';
import { goodData, validationValues } from '../unit/verify/xml/extend-xml.ts';
import { keyInfo, signer as xmlSigner } from '../unit/verify/xml/sealed-xml.ts';
import { signXml, pki as xmlPki } from '../unit/verify/xml/sign-xml.ts';

// The invariant of all formats: with one bit of the covered data flipped, nothing passes.

const pki = makeTestPki();
const content = Buffer.from('Pay 100 to the bearer, on demand.\n');
const signers = [{ signer: pki.member('signer') }];
const crls = crlsOf(pki);

type Verify = (bytes: Uint8Array) => Promise<VerificationReport>;

const verifier =
  (trust: Uint8Array, nowMs: number, detached: readonly FileObject[] = []): Verify =>
  (bytes) =>
    verifyDocument(bytes, { trust: [trust], at: new Date(nowMs), detached });

const root = pki.member('root').der;
const inPki = verifier(root, pki.nowMs);

/** A signed file, its covered part, and functions to assemble and verify it. */
interface Sample {
  readonly covered: Uint8Array;
  verify(covered: Uint8Array): Promise<VerificationReport>;
}

function within(file: Uint8Array, from: number, lengthBytes: number, verify: Verify): Sample {
  return {
    covered: file.subarray(from, from + lengthBytes),
    verify(covered) {
      const changed = Buffer.from(file);
      changed.set(covered, from);
      return verify(changed);
    },
  };
}

async function containerSample(
  container: 'asic-s' | 'asic-e',
  format: 'xades' | 'cades',
  name: string,
): Promise<Sample> {
  const made = await containerBy(pki, { container, format, level: 'B-LT' });
  return {
    covered: contentOf(made, name),
    verify: (covered) => inPki(withFiles(made, { [name]: covered })),
  };
}

const enveloping = craftCms({ content, embedded: content, signers, crls });
const detached = craftCms({ content, signers, crls });
const host = [
  '<inv xmlns="urn:x" a="b"><sum>100</sum><to>bearer &amp; sons</to>',
  '</inv>',
] as const;
const xml = Buffer.from(
  signXml({ signer: xmlSigner, host, keyInfo, unsigned: validationValues(goodData) }),
);
const propertiesAt = xml.indexOf('<x:SignedProperties');
const inXml = verifier(xmlPki.member('root').der, xmlPki.nowMs);

const samples: Readonly<Record<string, Sample | Promise<Sample>>> = {
  'content inside CMS': within(
    enveloping,
    Buffer.from(enveloping).indexOf(content),
    content.length,
    inPki,
  ),
  'content beside CMS': {
    covered: content,
    verify: (bytes) => verifier(root, pki.nowMs, [{ name: 'a', content: bytes }])(detached),
  },
  'signed attributes and signature value of CMS': within(
    enveloping,
    Buffer.from(enveloping).lastIndexOf(Buffer.of(0xa0, 0x81)),
    enveloping.length - Buffer.from(enveloping).lastIndexOf(Buffer.of(0xa0, 0x81)),
    inPki,
  ),
  'a document of XML': within(xml, 0, host[0].length, inXml),
  'signed properties of XAdES': within(
    xml,
    propertiesAt,
    xml.indexOf('</x:SignedProperties>') - propertiesAt,
    inXml,
  ),
  SignedInfo: within(
    xml,
    xml.indexOf('<ds:SignedInfo>'),
    xml.indexOf('</ds:SignedInfo>') - xml.indexOf('<ds:SignedInfo>'),
    inXml,
  ),
  'the file of an ASiC-S with XAdES': containerSample('asic-s', 'xades', 'a.txt'),
  'the file of an ASiC-S with CAdES': containerSample('asic-s', 'cades', 'a.txt'),
  'a file of an ASiC-E with XAdES': containerSample('asic-e', 'xades', 'd/é b.xml'),
  'a file of an ASiC-E with CAdES': containerSample('asic-e', 'cades', 'd/é b.xml'),
  'the manifest of an ASiC-E with CAdES': containerSample(
    'asic-e',
    'cades',
    'META-INF/ASiCManifest001.xml',
  ),
};

describe.each(Object.entries(samples))('%s', (_, made) => {
  test('passes unchanged', async () => {
    const sample = await made;
    expect(await sample.verify(sample.covered)).toMatchObject({ indication: 'TOTAL-PASSED' });
  });

  test('does not pass with any bit flipped', async () => {
    const { covered, verify } = await made;
    const bit = fc.nat({ max: covered.length * 8 - 1 });
    const property = fc.asyncProperty(bit, async (at) => {
      const changed = new Uint8Array(covered);
      changed[at >> 3] = (changed[at >> 3] as number) ^ (1 << (at & 7));
      const report = await verify(changed).catch((error: unknown) => {
        if (isInnsigliError(error)) return undefined;
        throw error;
      });
      expect(report?.indication).not.toBe('TOTAL-PASSED');
      expect(report?.coverage ?? 'none').toBe('none');
    });
    await fc.assert(property, { numRuns: runs(120) });
  });
});
