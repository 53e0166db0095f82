import { expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, derOf, oids } from '../../src/formats/asn1/index.ts';
import { parseSignedData } from '../../src/formats/cms/index.ts';
import {
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import { verifyCades } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import {
  type CraftedSigner,
  craftCms,
  crlsOf,
  meaningless,
  withoutType,
} from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';

const pki = makeTestPki();
const content = Buffer.from('Pay 100 to the bearer.\n');
const signer = pki.member('signer');

function check(by: Partial<CraftedSigner>) {
  const cms = craftCms({ content, signers: [{ signer, ...by }], crls: crlsOf(pki) });
  const [report] = verifyCades(cms, memorySource(content), cadesContext(pki));
  return { ...report, codes: report?.findings.map(({ code }) => code) };
}

const attribute = (type: string, ...values: readonly Uint8Array[]) =>
  der.sequence(der.oid(type), der.setOf(...values));
const time = (text: string) => der.element(0x17, [Buffer.from(text)]);
const [first, second] = [time('260601110000Z'), time('260601120000Z')];
const digest = der.octetString(Buffer.alloc(32));
const protection = der.sequence(
  serializeDigestAlgorithm('sha256'),
  Buffer.concat([Buffer.of(0xa1), serializeSignatureAlgorithm(signer.algorithm).subarray(1)]),
);
const counter = (): Uint8Array => {
  const [info] = parseSignedData(craftCms({ content, signers: [{ signer }] })).signerInfos;
  if (info === undefined) throw new Error('no signer');
  return derOf(info.node);
};
const instead =
  (type: string, ...more: readonly Uint8Array[]): NonNullable<CraftedSigner['attributes']> =>
  (list) =>
    der.sortedSet([...withoutType(list, type), ...more]);

test.each<[string, Partial<CraftedSigner>]>([
  [
    'one signing-time',
    { attributes: instead(oids.signingTime, attribute(oids.signingTime, first)) },
  ],
  ['an unsigned attribute that nobody knows', { unsigned: [meaningless()] }],
  ['an unsigned countersignature', { unsigned: [attribute(oids.counterSignature, counter())] }],
  [
    'a signed CMSAlgorithmProtection',
    { attributes: instead('2.999', attribute(oids.algorithmProtection, protection)) },
  ],
])('a signature with %s passes', (_, by) => {
  expect(check(by)).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
});

// RFC 5652 §11.1 to §11.4, RFC 6211 §2
test.each<[string, Partial<CraftedSigner>]>([
  [
    'two values of signing-time',
    { attributes: instead(oids.signingTime, attribute(oids.signingTime, first, second)) },
  ],
  [
    'no value of signing-time',
    { attributes: instead(oids.signingTime, attribute(oids.signingTime)) },
  ],
  [
    'no value of CMSAlgorithmProtection',
    { attributes: instead('2.999', attribute(oids.algorithmProtection)) },
  ],
  ['an unsigned content-type', { unsigned: [attribute(oids.contentType, der.oid(oids.data))] }],
  ['an unsigned message-digest', { unsigned: [attribute(oids.messageDigest, digest)] }],
  ['an unsigned signing-time', { unsigned: [attribute(oids.signingTime, first)] }],
  [
    'an unsigned CMSAlgorithmProtection',
    { unsigned: [attribute(oids.algorithmProtection, protection)] },
  ],
  [
    'a signed countersignature',
    { attributes: instead('2.999', attribute(oids.counterSignature, counter())) },
  ],
])('a signature with %s is not intact', (_, by) => {
  const report = check(by);
  expect(report).toMatchObject({
    indication: 'TOTAL-FAILED',
    subIndication: 'FORMAT_FAILURE',
    intact: false,
  });
  expect(report.codes).toContain('signature.attributes.invalid');
});
