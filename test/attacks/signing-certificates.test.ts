import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildMessageImprint, buildTstInfo } from '../../src/formats/tsp/index.ts';
import { verifyCades, verifyTimestampFile } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedSigner, craftCms, crlsOf } from '../support/crafted-cms.ts';
import type { TestMember } from '../support/pki.ts';
import { attribute, bindingValue, instead } from '../support/placed-attributes.ts';
import {
  boundCertificate,
  certificateInfo,
  check as checkXml,
  pki,
  signXml,
} from '../unit/verify/xml/sign-xml.ts';

// The binding of the signer's certificate by a digest: of several references the first counts, for
// each attribute separately. RFC 5035 §2, §3, §5; RFC 5816 §2.2; EN 319 102-1 §5.2.3
const content = Buffer.from('Pay 100 to the bearer.\n');
const tstInfo = buildTstInfo({
  policy: '2.999.1',
  imprintDer: buildMessageImprint('sha256', createHash('sha256').update(content).digest()),
  serialNumber: Uint8Array.of(1, 2, 3),
  genTimeMs: pki.nowMs - 60_000,
});
const { signingCertificate: v1, signingCertificateV2: v2 } = oids;
const ca = pki.member('ca').certificate;

interface Row {
  readonly name: string;
  readonly attributes: (by: TestMember) => NonNullable<CraftedSigner['attributes']>;
  readonly is: 'bound' | 'misnamed' | 'unbound';
}

const both = (one: Uint8Array, other: Uint8Array) =>
  instead(v2, attribute(v2, one), attribute(v1, other));
const only = (value: Uint8Array) => instead(v2, attribute(v2, value));
const rows: readonly Row[] = [
  {
    name: 'its certificate in both attributes',
    attributes: ({ certificate }) =>
      both(bindingValue(v2, { certificate }), bindingValue(v1, { certificate })),
    is: 'bound',
  },
  {
    name: 'a different certificate in the older attribute',
    attributes: ({ certificate }) =>
      both(bindingValue(v2, { certificate }), bindingValue(v1, { certificate: ca })),
    is: 'unbound',
  },
  {
    name: 'a different certificate in the newer attribute',
    attributes: ({ certificate }) =>
      both(bindingValue(v2, { certificate: ca }), bindingValue(v1, { certificate })),
    is: 'unbound',
  },
  {
    name: 'no certificate in the older attribute',
    attributes: ({ certificate }) => both(bindingValue(v2, { certificate }), bindingValue(v1)),
    is: 'unbound',
  },
  {
    name: 'its certificate before its issuer',
    attributes: ({ certificate }) =>
      only(bindingValue(v2, { certificate }, { certificate: ca, digest: 'sha512' })),
    is: 'bound',
  },
  {
    name: 'its issuer before its certificate',
    attributes: ({ certificate }) => only(bindingValue(v2, { certificate: ca }, { certificate })),
    is: 'unbound',
  },
  { name: 'no certificate', attributes: () => only(bindingValue(v2)), is: 'unbound' },
  {
    name: 'the digest algorithm that may be omitted',
    attributes: ({ certificate }) => only(bindingValue(v2, { certificate, digest: 'sha256' })),
    is: 'bound',
  },
  {
    name: 'a digest by SHA-512',
    attributes: ({ certificate }) => only(bindingValue(v2, { certificate, digest: 'sha512' })),
    is: 'bound',
  },
  {
    name: 'a digest without issuer and serial number',
    attributes: ({ certificate }) => only(bindingValue(v2, { certificate })),
    is: 'bound',
  },
  {
    name: 'its own issuer and serial number',
    attributes: ({ certificate }) => only(bindingValue(v2, { certificate, named: certificate })),
    is: 'bound',
  },
  {
    name: 'issuer and serial number of another certificate',
    attributes: ({ certificate }) => only(bindingValue(v2, { certificate, named: ca })),
    is: 'misnamed',
  },
  {
    name: 'issuer and serial number of another certificate in the older attribute',
    attributes: ({ certificate }) =>
      both(bindingValue(v2, { certificate }), bindingValue(v1, { certificate, named: ca })),
    is: 'misnamed',
  },
];

describe('the signing certificate of a CMS signature', () => {
  const signer = pki.member('signer');
  test.each(rows)('$name: $is', ({ attributes, is }) => {
    const signers = [{ signer, attributes: attributes(signer) }];
    const cms = craftCms({ content, signers, crls: crlsOf(pki) });
    const [report] = verifyCades(cms, memorySource(content), cadesContext(pki));
    const codes = report?.findings.map(({ code }) => code);
    expect(codes?.includes('signature.certificate.misfit')).toBe(is === 'misnamed');
    expect(report).toMatchObject(
      is === 'unbound'
        ? {
            indication: 'INDETERMINATE',
            subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
            intact: true,
            trusted: false,
          }
        : { indication: 'TOTAL-PASSED', trusted: true },
    );
  });
});

// RFC 3161 §2.4.2 and RFC 5816 §2.2 require a match, so a wrong name is more than a warning.
describe('the signing certificate of a time-stamp token', () => {
  const signer = pki.member('tsa');
  test.each(rows)('$name: $is', ({ attributes, is }) => {
    const token = craftCms({
      content: tstInfo,
      embedded: tstInfo,
      contentType: oids.tstInfo,
      signers: [{ signer, attributes: attributes(signer) }],
      crls: crlsOf(pki),
    });
    const { report } = verifyTimestampFile(token, memorySource(content), cadesContext(pki));
    expect(report.indication === 'TOTAL-PASSED').toBe(is === 'bound');
  });
});

describe('the signing certificate of an XML signature', () => {
  const signer = pki.member('signer');
  const host = ['<invoice>', '</invoice>'] as const;
  const keyInfo = certificateInfo(signer, pki.member('ca'));
  const whole = { signer, host, keyInfo };
  const newer = boundCertificate(signer);
  const older = (member: TestMember) =>
    boundCertificate(member).replaceAll('SigningCertificateV2', 'SigningCertificate');
  const serialOf = (member: TestMember) => {
    const [issuer, serial] = [member.certificate.issuerDer, member.certificate.serialNumber];
    const names = der.sequence(der.explicit(4, issuer));
    const value = der.sequence(names, der.integerFromContent(serial));
    return `<x:IssuerSerialV2>${Buffer.from(value).toString('base64')}</x:IssuerSerialV2>`;
  };
  const named = (text: string) => newer.replace('</x:Cert>', `${text}</x:Cert>`);
  const [own, other] = [serialOf(signer), serialOf(pki.member('ca'))];
  const ofOtherIssuer = serialOf({
    ...signer,
    certificate: { ...signer.certificate, issuerDer: pki.member('tsa').certificate.subjectDer },
  });

  test.each<[string, Row['is'], string]>([
    ['the newer property', 'bound', newer],
    ['its certificate in both properties', 'bound', newer + older(signer)],
    ['a different certificate in the older', 'unbound', newer + older(pki.member('ca'))],
    [
      'a different certificate in the newer',
      'unbound',
      boundCertificate(pki.member('ca')) + older(signer),
    ],
    ['its own issuer and serial number', 'bound', named(own)],
    ['issuer and serial number of a different certificate', 'misnamed', named(other)],
    ['a different issuer', 'misnamed', named(ofOtherIssuer)],
  ])('%s: %s', (_, is, signed) => {
    const [report] = checkXml(signXml({ ...whole, signed }));
    const codes = report?.findings.map(({ code }) => code);
    expect(codes?.includes('signature.certificate.misfit')).toBe(is === 'misnamed');
    expect(report).toMatchObject(
      is === 'unbound'
        ? { indication: 'INDETERMINATE', subIndication: 'NO_SIGNING_CERTIFICATE_FOUND' }
        : { indication: 'TOTAL-PASSED' },
    );
  });

  test.each([
    ['occurs twice', newer + newer],
    ['has no digest', '<x:SigningCertificateV2><x:Cert/></x:SigningCertificateV2>'],
  ])('a property that %s fails', (_, signed) => {
    const [report] = checkXml(signXml({ ...whole, signed }));
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' });
  });

  test.each([
    ['is empty', { signed: '<x:SigningCertificateV2></x:SigningCertificateV2>' }],
    ['is empty in the older form', { signed: `${newer}<x:SigningCertificate/>` }],
    ['is empty in the newer form', { signed: `${older(signer)}<x:SigningCertificateV2/>` }],
    ['is among the unsigned properties only', { signed: '', unsigned: newer }],
  ])('a property that %s binds nothing', (_, parts) => {
    const [report] = checkXml(signXml({ ...whole, ...parts }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
    });
  });

  test.each([
    ['SigningCertificateV2', newer],
    ['SigningTime', '<x:SigningTime>2020-01-01T00:00:00Z</x:SigningTime>'],
    ['SignerRole', '<x:SignerRole><x:ClaimedRoles/></x:SignerRole>'],
  ])('%s among the unsigned properties is reported as not covered', (_, unsigned) => {
    const [control] = checkXml(signXml(whole));
    expect(control).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'document' });
    expect(control?.findings.map(({ code }) => code)).not.toContain('signature.object.uncovered');
    const [report] = checkXml(signXml({ ...whole, unsigned }));
    expect(report?.findings.map(({ code }) => code)).toContain('signature.object.uncovered');
  });
});
