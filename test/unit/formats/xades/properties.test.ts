import { describe, expect, test } from 'vitest';
import {
  findQualifyingProperties,
  parseQualifyingProperties,
} from '../../../../src/formats/xades/index.ts';
import { namespaces } from '../../../../src/formats/xmldsig/index.ts';
import { parseSigned, referenceText, signatureText } from '../xmldsig/signature-text.ts';
import { digestText, parseXades, xadesText } from './xades-text.ts';

const tagged = (name: string, inside: string) => `<x:${name}>${inside}</x:${name}>`;
const identifier = (value: string) => tagged('Identifier', value);
const bytes = (...values: number[]) => Buffer.from(values);

describe('signed properties', () => {
  const full = xadesText({
    signed:
      tagged('SigningTime', '2026-05-01T12:30:00.250+02:00') +
      tagged(
        'SigningCertificateV2',
        tagged('Cert', tagged('CertDigest', digestText()) + tagged('IssuerSerialV2', 'MAA=')),
      ) +
      tagged(
        'SignaturePolicyIdentifier',
        tagged(
          'SignaturePolicyId',
          tagged('SigPolicyId', identifier(' urn:oid:1.2.3 ')) +
            tagged('SigPolicyHash', digestText('BAUG')) +
            tagged(
              'SigPolicyQualifiers',
              tagged('SigPolicyQualifier', tagged('SPURI', 'http://p')),
            ),
        ),
      ) +
      tagged(
        'SignatureProductionPlaceV2',
        tagged('City', 'Reykjavík') +
          tagged('StreetAddress', 'Gata 1') +
          tagged('CountryName', 'IS'),
      ) +
      tagged(
        'SignerRoleV2',
        tagged('ClaimedRoles', tagged('ClaimedRole', 'clerk') + tagged('ClaimedRole', 'b')),
      ) +
      '<z:Other xmlns:z="urn:z"/>',
    data:
      `<x:DataObjectFormat ObjectReference="#r1">${tagged('Description', 'd')}${tagged('ObjectIdentifier', identifier('i'))}${tagged('MimeType', 'text/xml')}${tagged('Encoding', 'e')}</x:DataObjectFormat>` +
      tagged(
        'CommitmentTypeIndication',
        tagged('CommitmentTypeId', identifier('urn:c')) + tagged('ObjectReference', '#r1'),
      ) +
      tagged('AllDataObjectsTimeStamp', tagged('EncapsulatedTimeStamp', 'AQ==')) +
      tagged(
        'CommitmentTypeIndication',
        `${tagged('CommitmentTypeId', identifier('urn:d'))}<x:AllSignedDataObjects/>`,
      ),
  });

  test('are parsed to values', () => {
    const { properties } = parseXades(full);
    expect([properties.target, properties.namespaceUri]).toEqual(['#s', namespaces.xades132]);
    expect(properties.unsignedElement).toBeUndefined();
    expect(properties.unsigned).toEqual([]);
    const {
      element: _,
      signingCertificates,
      signerReferences,
      contentTimestamps,
      dataObjectFormats,
      ...signed
    } = properties.signed ?? expect.fail('signed properties');
    expect(signed).toEqual({
      id: 'p',
      isBindingEmpty: false,
      signingTimeMs: Date.UTC(2026, 4, 1, 10, 30, 0, 250),
      policy: {
        identifier: 'urn:oid:1.2.3',
        hash: {
          digest: 'sha256',
          digestValue: bytes(4, 5, 6),
        },
      },
      productionPlace: {
        city: 'Reykjavík',
        streetAddress: 'Gata 1',
        stateOrProvince: undefined,
        postalCode: undefined,
        countryName: 'IS',
      },
      claimedRoles: ['clerk', 'b'],
      commitments: ['urn:c', 'urn:d'],
      unknown: ['z:Other'],
    });
    expect(signingCertificates).toHaveLength(1);
    expect(signerReferences).toEqual(signingCertificates);
    expect(signingCertificates[0]).toMatchObject({
      digest: 'sha256',
      digestValue: bytes(1, 2, 3),
      issuerSerialDer: bytes(0x30, 0),
    });
    expect(dataObjectFormats[0]).toMatchObject({
      objectReference: '#r1',
      mimeType: 'text/xml',
    });
    expect(contentTimestamps[0]).toMatchObject({ kind: 'allDataObjects', tokens: [bytes(1)] });
  });

  test('may have the first version of the certificate, an implied policy and other roles', () => {
    const issuer =
      `<ds:X509IssuerName xmlns:ds="${namespaces.dsig}">CN=a</ds:X509IssuerName>` +
      `<ds:X509SerialNumber xmlns:ds="${namespaces.dsig}"> 77 </ds:X509SerialNumber>`;
    const { signed } = parseXades(
      xadesText({
        signed:
          tagged(
            'SigningCertificate',
            tagged('Cert', tagged('CertDigest', digestText()) + tagged('IssuerSerial', issuer)),
          ) +
          tagged('SignaturePolicyIdentifier', '<x:SignaturePolicyImplied/>') +
          tagged('SignerRole', '<x:CertifiedRoles/>'),
      }),
    ).properties;
    expect(signed?.signingCertificates[0]).toMatchObject({
      serialNumber: '77',
    });
    expect(signed?.policy).toEqual({ identifier: undefined, hash: undefined });
    expect(signed?.claimedRoles).toEqual([]);
    expect(signed?.signingTimeMs).toBeUndefined();
  });

  test('prefer the second version of the certificate to the first', () => {
    const cert = (value: string) => tagged('Cert', tagged('CertDigest', digestText(value)));
    const signed =
      tagged('SigningCertificate', cert('AQID')) + tagged('SigningCertificateV2', cert('BAUG'));
    const [certificate, ...more] =
      parseXades(xadesText({ signed })).properties.signed?.signingCertificates ?? [];
    expect([certificate?.digestValue, more]).toEqual([bytes(4, 5, 6), []]);
  });

  test.each([
    ['2026-05-01T12:30:00Z', Date.UTC(2026, 4, 1, 12, 30)],
    ['2026-05-01T12:30:00', Date.UTC(2026, 4, 1, 12, 30)],
    ['2024-02-29T23:59:59-01:30', Date.UTC(2024, 2, 1, 1, 29, 59)],
    ['2023-02-29T00:00:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-05-01T24:01:00Z', undefined],
    ['2026-05-01', undefined],
    ['soon', undefined],
  ])('parse the signing time %s', (text, expected) => {
    const { signed } = parseXades(xadesText({ signed: tagged('SigningTime', text) })).properties;
    expect(signed?.signingTimeMs).toBe(expected);
  });

  test.each([
    ['a duplicate property', tagged('SigningTime', 'x').repeat(2)],
    ['a certificate without digest', tagged('SigningCertificate', '<x:Cert/>')],
    ['another element in place of a certificate', tagged('SigningCertificateV2', '<x:Crt/>')],
    ['a digest without value', tagged('SigningCertificate', tagged('Cert', '<x:CertDigest/>'))],
    [
      'two digests',
      tagged(
        'SigningCertificate',
        tagged('Cert', tagged('CertDigest', digestText() + digestText())),
      ),
    ],
  ])('are rejected with %s', (_, signed) => {
    expect(() => parseXades(xadesText({ signed }))).toThrowError(
      expect.objectContaining({ code: 'xml.signature.invalid' }),
    );
  });

  test('are rejected if they occur twice or are another element', () => {
    const twice = xadesText().replace(/(<x:SignedProperties.*<\/x:SignedProperties>)/, '$1$1');
    expect(() => parseXades(twice)).toThrow(/SignedProperties occurs twice/);
    const { signature } = parseSigned(xadesText());
    expect(() => parseQualifyingProperties(signature.element)).toThrow(/not QualifyingProperties/);
  });

  test('are found in ds:Object only, in every version', () => {
    const found = [namespaces.xades132, namespaces.xades122, namespaces.xades111, 'urn:x'].map(
      (version) => findQualifyingProperties(parseSigned(xadesText({ version })).signature).length,
    );
    expect(found).toEqual([1, 1, 1, 0]);
    const deeper = xadesText().replace(
      /<ds:Object>(.*)<\/ds:Object>/,
      '<ds:Object><d>$1</d></ds:Object>',
    );
    expect(findQualifyingProperties(parseSigned(deeper).signature)).toEqual([]);
    const none = signatureText(referenceText(''));
    expect(findQualifyingProperties(parseSigned(none).signature)).toEqual([]);
  });
});

describe('unsigned properties', () => {
  const values = (name: string) =>
    tagged(
      name,
      '<x:EncapsulatedX509Certificate>AQ==</x:EncapsulatedX509Certificate><x:OtherCertificate/>',
    );
  const revocation = (name: string) =>
    tagged(
      name,
      tagged('CRLValues', tagged('EncapsulatedCRLValue', 'Ag==')) +
        tagged('OCSPValues', tagged('EncapsulatedOCSPValue', 'Aw==').repeat(2)),
    );
  const refs = tagged('CertRefs', tagged('Cert', tagged('CertDigest', digestText())));
  const revocationRefs =
    tagged('CRLRefs', tagged('CRLRef', tagged('DigestAlgAndValue', digestText()))) +
    tagged('OCSPRefs', tagged('OCSPRef', '<x:OCSPIdentifier/>'));

  test('are parsed in their order, each with its values', () => {
    const unsigned =
      `<x:SignatureTimeStamp Id="t">${tagged('EncapsulatedTimeStamp', ' AQ== ')}</x:SignatureTimeStamp>` +
      values('CertificateValues') +
      revocation('RevocationValues') +
      values('AttrAuthoritiesCertValues') +
      revocation('AttributeRevocationValues') +
      `<y:TimeStampValidationData URI="#t">${values('CertificateValues')}${revocation('RevocationValues')}</y:TimeStampValidationData>` +
      `<y:AnyValidationData/>` +
      tagged('CompleteCertificateRefs', refs) +
      `<y:CompleteCertificateRefsV2>${refs.replaceAll('x:CertRefs', 'y:CertRefs')}</y:CompleteCertificateRefsV2>` +
      tagged('CompleteRevocationRefs', revocationRefs) +
      tagged('CounterSignature', signatureText(referenceText('#v'))) +
      '<y:SignaturePolicyStore/><y:RenewedDigests/><y:ArchiveTimeStampV9/><x:constructor/>' +
      '<e:SealingEvidenceRecords xmlns:e="http://uri.etsi.org/19132/v1.1.1#"/><z xmlns="urn:z"/>' +
      '<y:ArchiveTimeStamp/>';
    const { unsigned: found, unsignedElement } = parseXades(xadesText({ unsigned })).properties;
    expect(unsignedElement?.localName).toBe('UnsignedSignatureProperties');
    const both = { crls: [bytes(2)], ocsps: [bytes(3), bytes(3)] };
    expect(found.map(({ element: _, ...rest }) => rest)).toMatchObject([
      {
        kind: 'timestamp',
        id: 't',
        timestamp: { kind: 'signature', tokens: [bytes(1)], includes: [] },
      },
      { kind: 'certificateValues', certificates: [bytes(1)] },
      { kind: 'revocationValues', ...both },
      { kind: 'attributeCertificateValues', certificates: [bytes(1)] },
      { kind: 'attributeRevocationValues', ...both },
      { kind: 'timestampValidationData', certificates: [bytes(1)], ...both },
      { kind: 'anyValidationData', certificates: [], crls: [], ocsps: [] },
      { kind: 'certificateRefs', references: [{ digest: 'sha256' }] },
      { kind: 'certificateRefs', references: [{ digestValue: bytes(1, 2, 3) }] },
      { kind: 'revocationRefs', crls: [{ digestValue: bytes(1, 2, 3) }], ocsps: [] },
      { kind: 'counterSignature', signature: { localName: 'Signature' } },
      { kind: 'signaturePolicyStore' },
      { kind: 'renewedDigests' },
      { kind: 'unknown' },
      { kind: 'unknown' },
      { kind: 'sealingEvidenceRecords' },
      { kind: 'unknown' },
      { kind: 'timestamp', timestamp: { kind: 'archive141' } },
    ]);
  });

  test.each([
    ['SignatureTimeStamp', 'signature'],
    ['ArchiveTimeStamp', 'archive132'],
    ['SigAndRefsTimeStamp', 'sigAndRefs'],
    ['RefsOnlyTimeStamp', 'refsOnly'],
  ])('include the time-stamp %s, in old versions too', (name, kind) => {
    for (const version of [namespaces.xades132, namespaces.xades122, namespaces.xades111]) {
      const { unsigned } = parseXades(xadesText({ version, unsigned: `<x:${name}/>` })).properties;
      expect(unsigned[0]).toMatchObject({ kind: 'timestamp', timestamp: { kind } });
    }
  });

  test('describe how a time-stamp was computed', () => {
    const [property] = parseXades(
      xadesText({
        unsigned:
          '<y:SigAndRefsTimeStampV2><x:Include URI="#a" referencedData="true"/><x:Include URI="#b"/>' +
          `<ds:CanonicalizationMethod Algorithm="urn:c"><e:InclusiveNamespaces xmlns:e="${namespaces.excC14n}" PrefixList="a b"/></ds:CanonicalizationMethod>` +
          '<x:EncapsulatedTimeStamp>AQ==</x:EncapsulatedTimeStamp><x:EncapsulatedTimeStamp>Ag==</x:EncapsulatedTimeStamp><x:XMLTimeStamp/></y:SigAndRefsTimeStampV2>',
      }),
    ).properties.unsigned;
    expect(property).toMatchObject({
      timestamp: {
        kind: 'sigAndRefsV2',
        canonicalUri: 'urn:c',
        prefixList: ['a', 'b'],
        includes: [
          { uri: '#a', isReferencedData: true },
          { uri: '#b', isReferencedData: false },
        ],
        tokens: [bytes(1), bytes(2)],
        hasXmlTokens: true,
      },
    });
  });

  test.each([
    [
      'a token that is not base64',
      '<x:SignatureTimeStamp><x:EncapsulatedTimeStamp>!</x:EncapsulatedTimeStamp></x:SignatureTimeStamp>',
    ],
    ['an include without URI', '<x:ArchiveTimeStamp><x:Include/></x:ArchiveTimeStamp>'],
    ['a countersignature without signature', '<x:CounterSignature/>'],
    [
      'a certificate that is not base64',
      tagged('CertificateValues', tagged('EncapsulatedX509Certificate', 'A')),
    ],
  ])('with %s are malformed without affecting others', (_, text) => {
    const { unsigned } = parseXades(
      xadesText({ unsigned: `${text}<y:ArchiveTimeStamp/>` }),
    ).properties;
    expect(unsigned.map(({ kind }) => kind)).toEqual(['malformed', 'timestamp']);
    expect(unsigned[0]).toMatchObject({ fault: expect.stringMatching(/ at byte \d+: /) });
  });

  test('above the limit are rejected', () => {
    const unsigned = '<x:z/>'.repeat(4097);
    expect(() => parseXades(xadesText({ unsigned }))).toThrow(/more than 4096 properties/);
  });
});
