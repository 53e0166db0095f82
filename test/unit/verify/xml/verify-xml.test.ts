import { describe, expect, test } from 'vitest';
import { namespaces } from '../../../../src/formats/xmldsig/index.ts';
import { createCertificatePool } from '../../../../src/trust/pool.ts';
import type { XmlSignatureReport } from '../../../../src/verify/report/report.ts';
import {
  certificateInfo,
  check,
  pki,
  type ReferenceParts,
  type SignXmlParts,
  signXml,
} from './sign-xml.ts';

// The documents do not contain the issuers, which come from the pool through KeyInfo.
const members = ['signer', 'rsa', 'pss', 'p384', 'p521', 'ed25519'] as const;
const signer = pki.member('signer');
const ca = pki.member('ca');
const host = ['<inv xmlns="urn:x"><sum>10</sum>', '</inv>'] as const;
const keyInfo = certificateInfo(signer, ca);
const element: ReferenceParts = { id: 'r', uri: '#part' };

function only(reports: readonly XmlSignatureReport[]): XmlSignatureReport {
  expect(reports).toHaveLength(1);
  return reports[0] as XmlSignatureReport;
}

const sound = { indication: 'TOTAL-PASSED', level: 'B-B', intact: true, trusted: true } as const;

describe('a valid XML signature', () => {
  test.each(members)('%s: an enveloped signature passes', (name) => {
    const member = pki.member(name);
    const report = only(
      check(signXml({ signer: member, host, keyInfo: certificateInfo(member, ca) })),
    );
    expect(report).toMatchObject({ ...sound, form: 'xades', coverage: 'document', id: 's' });
    expect(report.references.map(({ scope, status }) => [scope, status])).toEqual([
      ['document', 'valid'],
      ['properties', 'valid'],
    ]);
  });

  const files = new Map([['a%20b.bin', Buffer.from('data')]]);
  const findFile = (uri: string) => files.get(uri);
  const cases: readonly (readonly [string, Partial<SignXmlParts>, object])[] = [
    [
      'the root by its Id',
      {
        host: ['<inv Id="root"><a/>', '</inv>'],
        references: [
          {
            id: 'r',
            uri: '#root',
            transforms:
              '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>',
          },
        ],
      },
      { coverage: 'document' },
    ],
    [
      'an element by its Id',
      { host: ['<a><b><part Id="part">1</part></b>', '</a>'], references: [element] },
      {
        coverage: 'partial',
        references: [{ scope: 'element', target: '/a/b/part' }, { scope: 'properties' }],
        findings: expect.arrayContaining([
          expect.objectContaining({ code: 'signature.coverage.partial' }),
        ]),
      },
    ],
    [
      'enveloping',
      { host: ['', ''], references: [element], objects: '<ds:Object Id="part">x</ds:Object>' },
      { coverage: 'none', references: [{ scope: 'signature' }, { scope: 'properties' }] },
    ],
    [
      'detached',
      { host: ['', ''], references: [{ id: 'r', uri: 'a%20b.bin', transforms: '' }], findFile },
      {
        coverage: 'none',
        references: [{ scope: 'file', target: 'a%20b.bin' }, { scope: 'properties' }],
      },
    ],
    [
      'a manifest of files',
      {
        host: ['', ''],
        references: [{ uri: '#m', type: 'http://www.w3.org/2000/09/xmldsig#Manifest' }],
        findFile,
        objects:
          '<ds:Object><ds:Manifest Id="m"><ds:Reference URI="a%20b.bin"><ds:DigestMethod ' +
          'Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>' +
          `${Buffer.alloc(32).toString('base64')}</ds:DigestValue></ds:Reference></ds:Manifest>` +
          '</ds:Object>',
      },
      {
        references: [
          { scope: 'manifest' },
          { scope: 'file', listedBy: '#m', status: 'valid' },
          { scope: 'properties' },
        ],
      },
    ],
  ];
  test.each(cases)('passes: %s', (_, parts, expected) => {
    const { findFile: find } = parts;
    const text = signXml({ signer, host, keyInfo, ...parts });
    const report = only(check(text, find === undefined ? {} : { findFile: find }));
    expect(report).toMatchObject({ ...sound, ...expected });
  });

  test('returns the signed bytes on request', () => {
    const text = signXml({ signer, host, keyInfo });
    const [first] = only(check(text, { includeSignedData: true })).references;
    expect(Buffer.from(first?.bytes ?? []).toString()).toBe(host.join(''));
    expect(only(check(text)).references[0]).not.toHaveProperty('bytes');
  });

  test('returns the claims of the signer', () => {
    const signed =
      '<x:SignaturePolicyIdentifier><x:SignaturePolicyId><x:SigPolicyId><x:Identifier>urn:oid:1.2' +
      '</x:Identifier></x:SigPolicyId><x:SigPolicyHash><ds:DigestMethod Algorithm="a"/>' +
      '<ds:DigestValue>AAAA</ds:DigestValue></x:SigPolicyHash></x:SignaturePolicyId>' +
      '</x:SignaturePolicyIdentifier><x:SignatureProductionPlaceV2><x:City>Reykjavík</x:City>' +
      '<x:CountryName>IS</x:CountryName></x:SignatureProductionPlaceV2><x:SignerRoleV2>' +
      '<x:ClaimedRoles><x:ClaimedRole>clerk</x:ClaimedRole></x:ClaimedRoles></x:SignerRoleV2>';
    const data =
      '<x:CommitmentTypeIndication><x:CommitmentTypeId><x:Identifier>urn:origin</x:Identifier>' +
      '</x:CommitmentTypeId><x:AllSignedDataObjects/></x:CommitmentTypeIndication>';
    const report = only(
      check(
        signXml({
          signer,
          host,
          keyInfo,
          properties: (text) => text.replace('</x:SignedSignatureProperties>', `${signed}$&`),
          data,
        }),
      ),
    );
    expect(report).toMatchObject({
      ...sound,
      claimedTime: '2026-06-01T11:00:00.000Z',
      location: 'Reykjavík, IS',
      roles: ['clerk'],
      commitments: ['urn:origin'],
      policy: 'urn:oid:1.2',
    });
  });

  test('among several is verified on its own, and a nested one is reported', () => {
    const first = signXml({ signer, host, keyInfo });
    const inner = signXml({ signer, host: ['<w>', '</w>'], keyInfo }).replaceAll('"s"', '"t"');
    const text = first.replace('</inv>', `${inner}</inv>`);
    expect(check(text).map(({ id, intact }) => [id, intact])).toEqual([
      ['s', false],
      ['t', false],
    ]);
    const around = signXml({
      signer,
      keyInfo,
      references: [element],
      objects: `<ds:Object Id="part">${inner.replaceAll('"props"', '"other"')}</ds:Object>`,
    });
    const report = only(check(around));
    expect(report.findings.map(({ code }) => code)).toContain('signature.nested');
    expect(report.coverage).toBe('none');
  });
});

describe('a plain XML signature', () => {
  test('takes the signer from KeyInfo and has no level', () => {
    const report = only(check(signXml({ signer, host, keyInfo, properties: false })));
    // Not an AdES signature: EN 319 132-1 §5.2 requires signed properties, EN 319 102-1 §5.2.8
    // decides.
    expect(report).toMatchObject({
      form: 'xmldsig',
      indication: 'INDETERMINATE',
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      intact: true,
      coverage: 'document',
    });
    expect(report).not.toHaveProperty('level');
    expect(report.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['signature.properties.none', 'signature.certificate.unbound']),
    );
  });

  test.each(['rsa', 'signer', 'ed25519'] as const)(
    'with only a bare key of %s has no signer',
    (name) => {
      const member = pki.member(name);
      const keyValue =
        '<ds:KeyInfo><k:DEREncodedKeyValue xmlns:k="http://www.w3.org/2009/xmldsig11#">' +
        `${Buffer.from(member.certificate.spkiDer).toString('base64')}` +
        '</k:DEREncodedKeyValue></ds:KeyInfo>';
      const report = only(
        check(signXml({ signer: member, host, keyInfo: keyValue, properties: false })),
      );
      expect(report).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
        intact: true,
        trusted: false,
      });
      expect(report).not.toHaveProperty('signer');
    },
  );
});

describe('a deviation from the baseline form', () => {
  const cases: readonly (readonly [string, Partial<SignXmlParts>])[] = [
    [
      'baseline.namespace',
      { edit: (text) => text.replaceAll(namespaces.xades132, namespaces.xades122) },
    ],
    [
      'baseline.namespace',
      { edit: (text) => text.replaceAll(namespaces.xades132, namespaces.xades111) },
    ],
    ['baseline.signing-time', { claimedTime: 'yesterday' }],
    ['baseline.signing-certificate', { signed: '' }],
    [
      'baseline.data-object-format',
      { properties: (text) => text.replace(/<x:DataObj.*Format>/, '') },
    ],
    ['baseline.mime-type', { properties: (text) => text.replace(/<x:MimeType>.*MimeType>/, '') }],
    ['baseline.certificates', { keyInfo: '' }],
    ['baseline.namespace', { properties: (text) => text.replace('/v1.3.2#', '/v1.2.2#') }],
  ];
  test.each(cases)('is reported: %s', (code, parts) => {
    const pool = poolWith();
    const report = only(check(signXml({ signer, host, keyInfo, ...parts }), { pool }));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
    expect(report).not.toHaveProperty('level');
    expect(report.intact).toBe(true);
  });
});

function poolWith() {
  return createCertificatePool([signer.der, ca.der]);
}

describe('a digest mismatch', () => {
  const start = '<SignedDoc xmlns="http://www.sk.ee/DigiDoc/v1.3.0#"><DataFile Id="part">a';
  const digestValue = Buffer.alloc(32, 1).toString('base64');
  const made = (before: string) =>
    only(
      check(
        signXml({
          signer,
          host: [`${before}</DataFile>`, '</SignedDoc>'],
          keyInfo,
          references: [{ ...element, digestValue }],
        }),
      ),
    );

  test('is INDETERMINATE in DigiDoc XML, which is named', () => {
    const report = made(start);
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      intact: false,
    });
    expect(report.findings[0]?.message).toMatch(/DigiDoc/);
  });

  test('is HASH_FAILURE in any other document', () => {
    expect(made(start.replace('sk.ee/DigiDoc', 'sk.ee/Other'))).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'HASH_FAILURE',
    });
  });
});
