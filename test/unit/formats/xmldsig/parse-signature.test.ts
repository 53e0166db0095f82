import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import {
  namespaces,
  parseBase64,
  parseManifest,
  parseXmlSignature,
  signedInfoBytes,
} from '../../../../src/formats/xmldsig/index.ts';
import {
  c14n10,
  exclusive,
  parseSigned,
  referenceText,
  signatureText,
  transformText,
} from './signature-text.ts';

const good = signatureText(
  referenceText('#a', transformText(exclusive), ' Id="r" Type="t"'),
  '<ds:KeyInfo Id="k"><ds:KeyName>n</ds:KeyName><ds:X509Data><ds:X509Certificate>\nAQID\n' +
    '</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object Id="o1"/><ds:Object/>',
  ' Id="s"',
);

describe('parseXmlSignature', () => {
  test('returns the parts of a signature as values', () => {
    const { signature } = parseSigned(good);
    const { signedInfo, signatureValue, keyInfo, objects } = signature;
    expect(signature.id).toBe('s');
    expect(signedInfo.canonicalUri).toBe(exclusive);
    expect(signedInfo.signatureMethod.algorithm).toEqual({ scheme: 'rsa-pkcs1', digest: 'sha256' });
    expect(signedInfo.references).toHaveLength(1);
    expect(signedInfo.references[0]).toMatchObject({
      id: 'r',
      uri: '#a',
      type: 't',
      digest: 'sha256',
      digestValue: Buffer.from([0, 0, 0]),
    });
    expect(signedInfo.references[0]?.transforms.map(({ uri }) => uri)).toEqual([exclusive]);
    expect([signatureValue.id, [...signatureValue.bytes]]).toEqual(['v', [0, 0, 0]]);
    expect(keyInfo?.certificates.map((der) => [...der])).toEqual([[1, 2, 3]]);
    expect(keyInfo?.keyValue).toBeUndefined();
    expect(objects.map((object) => object.attribute('Id'))).toEqual(['o1', undefined]);
  });

  test('distinguishes an absent from an empty URI and accepts unknown algorithms', () => {
    const text = signatureText(referenceText(undefined) + referenceText('')).replaceAll(
      /Algorithm="[^"]*(sha256|exc-c14n#)"/g,
      'Algorithm="urn:unknown"',
    );
    const { signedInfo } = parseSigned(text).signature;
    expect(signedInfo.references.map(({ uri, digest }) => [uri, digest])).toEqual([
      [undefined, undefined],
      ['', undefined],
    ]);
    expect(signedInfo.signatureMethod).toEqual({ uri: 'urn:unknown', algorithm: undefined });
    expect(signedInfoBytes(signedInfo)).toBeUndefined();
  });

  test('canonicalises SignedInfo in place, with the prefix list', () => {
    const list = `<e:InclusiveNamespaces xmlns:e="${exclusive}" PrefixList="p #default"/>`;
    const inner = signatureText(referenceText('')).replace(
      `<ds:CanonicalizationMethod Algorithm="${exclusive}"/>`,
      `<ds:CanonicalizationMethod Algorithm="${exclusive}">${list}</ds:CanonicalizationMethod>`,
    );
    const { signedInfo } = parseSigned(`<r xmlns="urn:d" xmlns:p="urn:p">${inner}</r>`).signature;
    expect(signedInfo.prefixList).toEqual(['p', '']);
    const bytes = Buffer.from(signedInfoBytes(signedInfo) ?? []).toString();
    expect(bytes).toMatch(/^<ds:SignedInfo xmlns="urn:d" xmlns:ds="[^"]*" xmlns:p="urn:p">/);
  });

  const faults: readonly (readonly [string, (text: string) => string])[] = [
    ['no SignatureValue', (text) => text.replace(/<ds:SignatureValue.*?<\/ds:SignatureValue>/, '')],
    ['two SignedInfo', (text) => text.replace(/(<ds:SignedInfo>.*<\/ds:SignedInfo>)/, '$1$1')],
    [
      'SignedInfo after the value',
      (text) =>
        text.replace(
          /(<ds:SignedInfo>.*<\/ds:SignedInfo>)(<ds:SignatureValue.*<\/ds:SignatureValue>)/,
          '$2$1',
        ),
    ],
    ['two KeyInfo', (text) => text.replace(/(<ds:KeyInfo.*<\/ds:KeyInfo>)/s, '$1$1')],
    [
      'a wrapped SignedInfo',
      (text) => text.replace(/(<ds:SignedInfo>.*<\/ds:SignedInfo>)/, '<w>$1</w>'),
    ],
    ['an unknown child', (text) => text.replace('</ds:Signature>', '<x/></ds:Signature>')],
    ['text between children', (text) => text.replace('</ds:SignedInfo>', 'x</ds:SignedInfo>')],
    ['text in the signature', (text) => text.replace('<ds:Object/>', 'x')],
    ['no Reference', (text) => text.replace(/<ds:Reference .*<\/ds:Reference>/, '')],
    ['two DigestValues', (text) => text.replace(/(<ds:DigestValue>.*<\/ds:DigestValue>)/, '$1$1')],
    [
      'Transforms without Transform',
      (text) => text.replace(/<ds:Transform A.*?<\/ds:Transform>/, ''),
    ],
    [
      'a Transform without Algorithm',
      (text) => text.replace(/<ds:Transform A[^>]*>/, '<ds:Transform>'),
    ],
    [
      'base64 without padding',
      (text) => text.replace('>AAAA</ds:DigestValue>', '>AAA</ds:DigestValue>'),
    ],
    [
      'base64 with another character',
      (text) => text.replace('>AAAA</ds:SignatureValue>', '>AA-A</ds:SignatureValue>'),
    ],
    [
      'base64 with an element',
      (text) => text.replace('>AAAA</ds:DigestValue>', '>AA<x/>AA</ds:DigestValue>'),
    ],
    ['another namespace', (text) => text.replace(namespaces.dsig, 'urn:other')],
  ];
  test('skips a certificate that is not base64', () => {
    const { root } = parseXml(Buffer.from(good.replace('AQID', 'AQI')));
    const before = parseXmlSignature(parseXml(Buffer.from(good)).root).keyInfo?.certificates ?? [];
    expect(parseXmlSignature(root).keyInfo?.certificates).toHaveLength(before.length - 1);
  });

  test.each(faults)('rejects %s', (_, change) => {
    const text = change(good);
    expect(text).not.toBe(good);
    const { root } = parseXml(Buffer.from(text));
    expect(() => parseXmlSignature(root)).toThrowError(
      expect.objectContaining({ code: 'xml.signature.invalid' }),
    );
  });

  test('rejects references and transforms above the limits', () => {
    const transforms = transformText(c14n10).repeat(17);
    expect(() => parseSigned(signatureText(referenceText('', transforms)))).toThrow(
      /16 Transforms/,
    );
    const references = referenceText('').repeat(10_001);
    expect(() => parseSigned(signatureText(references))).toThrow(/10000 References/);
  });
});

describe('parseManifest', () => {
  test('returns the references', () => {
    const text = `<ds:Manifest xmlns:ds="${namespaces.dsig}">${referenceText('a.txt')}</ds:Manifest>`;
    const manifest = parseManifest(parseXml(Buffer.from(text)).root);
    expect(manifest.references.map(({ uri }) => uri)).toEqual(['a.txt']);
  });

  test.each([
    `<ds:Manifest xmlns:ds="${namespaces.dsig}"/>`,
    `<ds:Object xmlns:ds="${namespaces.dsig}">${referenceText('a.txt')}</ds:Object>`,
    `<ds:Manifest xmlns:ds="${namespaces.dsig}">${referenceText('a.txt')}<x/></ds:Manifest>`,
  ])('rejects %s', (text) => {
    expect(() => parseManifest(parseXml(Buffer.from(text)).root)).toThrowError(
      expect.objectContaining({ code: 'xml.signature.invalid' }),
    );
  });
});

describe('parseBase64', () => {
  test.each([
    ['', ''],
    ['AQID', '010203'],
    [' A\tQ\r\nI D ', '010203'],
    ['AQ==', '01'],
  ])('accepts %j', (text, hex) => {
    expect(Buffer.from(parseBase64(text) ?? [9]).toString('hex')).toBe(hex);
  });

  test.each(['A', 'AQ', 'AQ=', 'AR==', 'AQID=', 'A=QI', 'AQ\u00a0ID', 'AQ_-', '=', 'AQ==AQ=='])(
    'rejects %j',
    (text) => {
      expect(parseBase64(text)).toBeUndefined();
    },
  );
});
