import { describe, expect, test } from 'vitest';
import { parseXml } from '../../src/formats/xml/index.ts';
import { namespaces, transformUris } from '../../src/formats/xmldsig/index.ts';
import type { XmlVerificationReport } from '../../src/verify/report/report.ts';
import { verifyXmlDocument } from '../../src/verify/xml/index.ts';
import { goodData, validationValues } from '../unit/verify/xml/extend-xml.ts';
import { keyInfo, signer } from '../unit/verify/xml/sealed-xml.ts';
import { enveloped, pki, type SignXmlParts, signXml } from '../unit/verify/xml/sign-xml.ts';

// Content added to a signature, or the signature moved into a text: the digests still match, since
// the signature excludes itself, but a program that looks for an element or its text finds
// something else.

const { dsig, filter2 } = namespaces;
const evil = '<Amount>999</Amount>';
const unsigned = validationValues(goodData);
const host = ['<inv xmlns="urn:x"><sum><Amount>100</Amount></sum>', '</inv>'] as const;

const allSignatures =
  `<ds:Transform Algorithm="${transformUris.filter2}">` +
  `<f:XPath xmlns:f="${filter2}" Filter="subtract">/descendant::ds:Signature</f:XPath>` +
  '</ds:Transform>';

const makers: Readonly<Record<string, Partial<SignXmlParts>>> = {
  'only its own signature excluded': { references: [{ id: 'r', uri: '', transforms: enveloped }] },
  'all signatures excluded': { references: [{ id: 'r', uri: '', transforms: allSignatures }] },
};

function verify(text: string): XmlVerificationReport & { readonly codes: readonly string[] } {
  const report = verifyXmlDocument(parseXml(Buffer.from(text)), {
    anchors: [pki.member('root').certificate],
    nowMs: pki.nowMs,
  });
  const findings = report.signatures.flatMap((each) => each.findings);
  return { ...report, codes: findings.map(({ code }) => code) };
}

const inside = (end: string, put: string) => (text: string) => text.replace(end, () => put + end);
const dirty = 'signature.object.uncovered';

/** Each keeps every digest intact; the second value is the relevant finding. */
const put: Readonly<Record<string, (text: string) => string>> = {
  'element in X509Data': inside('</ds:X509Data>', evil),
  'element in KeyInfo': inside('</ds:KeyInfo>', evil),
  'element nested in KeyInfo': inside(
    '</ds:X509Data>',
    `<ds:X509IssuerSerial><ds:X509IssuerName>x${evil}</ds:X509IssuerName></ds:X509IssuerSerial>`,
  ),
  'element in KeyValue': inside('</ds:KeyInfo>', `<ds:KeyValue>${evil}</ds:KeyValue>`),
  'element with the namespace of XML signatures': inside(
    '</ds:X509Data>',
    '<ds:Amount>999</ds:Amount>',
  ),
  'element with the namespace of XAdES': inside(
    '</x:UnsignedSignatureProperties>',
    '<x:Amount>999</x:Amount>',
  ),
  'element without a namespace': inside('</ds:X509Data>', '<Amount xmlns="">999</Amount>'),
  'element among the unsigned properties': inside('</x:UnsignedSignatureProperties>', evil),
  'element next to the unsigned properties': inside('</x:UnsignedProperties>', evil),
  'data element among the unsigned properties': inside(
    '</x:UnsignedProperties>',
    '<x:UnsignedDataObjectProperties><x:UnsignedDataObjectProperty>' +
      `${evil}</x:UnsignedDataObjectProperty></x:UnsignedDataObjectProperties>`,
  ),
  'element in QualifyingProperties': inside('</x:QualifyingProperties>', evil),
  'element in the values of certificates': inside('</x:CertificateValues>', evil),
  'element as another kind of certificate': inside(
    '</x:CertificateValues>',
    `<x:OtherCertificate>${evil}</x:OtherCertificate>`,
  ),
  'element in the Object of the properties': inside('</ds:Object>', evil),
  'element in a separate Object': inside('</ds:Signature>', `<ds:Object>${evil}</ds:Object>`),
  'text in an Object': inside('</ds:Signature>', '<ds:Object>999</ds:Object>'),
  'CDATA in an Object': inside('</ds:Signature>', '<ds:Object><![CDATA[999]]></ds:Object>'),
  'Manifest in an Object': inside(
    '</ds:Signature>',
    `<ds:Object><ds:Manifest>${evil}</ds:Manifest></ds:Object>`,
  ),
  'SignatureProperties in an Object': inside(
    '</ds:Signature>',
    '<ds:Object><ds:SignatureProperties><ds:SignatureProperty Target="#s">' +
      `${evil}</ds:SignatureProperty></ds:SignatureProperties></ds:Object>`,
  ),
  'text in X509Data': inside('</ds:X509Data>', '999'),
  'text in KeyInfo': inside('</ds:KeyInfo>', '999'),
  'text in UnsignedProperties': inside('</x:UnsignedProperties>', '999'),
  'text in QualifyingProperties': inside('</x:QualifyingProperties>', '999'),
  'signature in an Object': inside(
    '</ds:Signature>',
    `<ds:Object><ds:Signature>${evil}</ds:Signature></ds:Object>`,
  ),
  'element in a countersignature': inside(
    '</x:UnsignedSignatureProperties>',
    `<x:CounterSignature><ds:Signature>${evil}</ds:Signature></x:CounterSignature>`,
  ),
  'Object of a countersignature': inside(
    '</x:UnsignedSignatureProperties>',
    `<x:CounterSignature><ds:Signature><ds:Object>${evil}</ds:Object></ds:Signature>` +
      '</x:CounterSignature>',
  ),
};

/** The signature at a different position within a text. */
function moved(text: string, from: string, to: (signature: string) => string): string {
  const start = text.indexOf('<ds:Signature ');
  const end = text.lastIndexOf('</ds:Signature>') + '</ds:Signature>'.length;
  const rest = text.slice(0, start) + text.slice(end);
  return rest.replace(from, () => to(text.slice(start, end)));
}

const amount = '<Amount>100</Amount>';
const places: Readonly<Record<string, (signature: string) => string>> = {
  'inside the digits': (s) => `<Amount>1${s}00</Amount>`,
  'inside, with space around it': (s) => `<Amount>1${s}00</Amount>`,
  'before all of the text': (s) => `<Amount>${s}100</Amount>`,
  'after all of the text': (s) => `<Amount>100${s}</Amount>`,
};

describe.each(Object.entries(makers))('XML with %s', (name, parts) => {
  const sealed = signXml({ signer, host, keyInfo, unsigned, ...parts });

  test('is covered in full without foreign content', () => {
    expect(verify(sealed)).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
    expect(verify(sealed).codes).not.toContain(dirty);
  });

  test.each(Object.entries(put))('foreign %s makes the coverage partial', (_, edit) => {
    const text = edit(sealed);
    expect(text).not.toBe(sealed);
    const report = verify(text);
    expect(report.signatures[0]?.intact).toBe(true);
    expect(report.codes).toContain(dirty);
    expect(report.coverage).toBe('partial');
  });

  test.each(Object.entries(put))(
    'foreign %s, with the signature moved before the signed content, makes the coverage partial',
    (_, edit) => {
      const text = moved(edit(sealed), '<sum>', (signature) => `${signature}<sum>`);
      const report = verify(text);
      expect(report.signatures[0]?.intact).toBe(true);
      expect(report).toMatchObject({ coverage: 'partial' });
      expect(report.codes).toContain(dirty);
    },
  );

  test.each(Object.entries(places))(
    'the signature %s of a text makes the coverage partial',
    (_, to) => {
      const report = verify(moved(sealed, amount, to));
      expect(report.signatures[0]?.intact).toBe(true);
      expect(report.coverage).toBe('partial');
      expect(report.codes).toContain('signature.text.split');
    },
  );

  test('the signature between elements splits no text', () => {
    const report = verify(moved(sealed, '<sum>', (signature) => ` ${signature}\n<sum>`));
    // White space is signed: without it the text differs.
    expect(report.signatures[0]?.intact).toBe(false);
    const beside = verify(moved(sealed, '<sum>', (signature) => `${signature}<sum>`));
    expect(beside).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
    expect(beside.codes).not.toContain('signature.text.split');
  });

  test('adjacent comments and processing instructions do not hide a split text', () => {
    for (const [before, after] of [
      ['1<!-- a -->', '<!-- b -->00'],
      ['1', '<!-- b --><!-- c -->00'],
    ]) {
      const text = moved(sealed, amount, (s) => `<Amount>${before}${s}${after}</Amount>`);
      expect(verify(text).codes, `${name} ${before}`).toContain('signature.text.split');
    }
  });
});

test('a root that holds only text may have its signature at its end, not within the text', () => {
  const sealed = signXml({ signer, host: ['<note>some text', '</note>'], keyInfo, unsigned });
  expect(verify(sealed)).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
  const split = moved(sealed, 'some text', (signature) => `some${signature} text`);
  expect(verify(split)).toMatchObject({ coverage: 'partial' });
});

test('a second element named Signature is left out of the digest, and reported', () => {
  const transforms = allSignatures;
  const references = [{ id: 'r', uri: '', transforms }];
  const sealed = signXml({ signer, host, keyInfo, unsigned, references });
  const fake = `<f:Signature xmlns:f="${dsig}">${evil}</f:Signature>`;
  const report = verify(sealed.replace('<sum>', `${fake}<sum>`));
  expect(report).toMatchObject({ indication: 'TOTAL-FAILED', coverage: 'partial' });
  expect(report.codes).toContain(dirty);
  const text = `1<f:Signature xmlns:f="${dsig}"/>00`;
  const split = verify(sealed.replace('>100<', `>${text}<`));
  expect(split.codes).toContain('signature.text.split');
});

describe('a signature that is the document element', () => {
  const references = [{ id: 'r', uri: '#o' }];
  const objects = `<ds:Object Id="o">${amount}</ds:Object>`;
  const sealed = signXml({ signer, keyInfo, unsigned, references, objects });

  test('covers its content', () => {
    expect(verify(sealed)).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
  });

  test.each(Object.entries(put))(
    'foreign %s makes the coverage partial, if the signature is still intact',
    (_, edit) => {
      const report = verify(edit(sealed));
      if (report.signatures[0]?.intact !== true) return;
      expect(report.coverage).toBe('partial');
      expect(report.codes).toContain(dirty);
    },
  );
});

describe('a reference of the type Object', () => {
  const type = 'http://www.w3.org/2000/09/xmldsig#Object';
  const objects = `<ds:Object Id="o">${amount}</ds:Object>`;

  test('may refer to an Object', () => {
    const text = signXml({ signer, keyInfo, references: [{ id: 'r', uri: '#o', type }], objects });
    expect(verify(text).signatures[0]?.intact).toBe(true);
  });

  // Spanish invoices use this Type for a reference to the whole document.
  test('may refer to the document, as some products write it', () => {
    const references = [{ id: 'r', uri: '', type, transforms: enveloped }];
    const report = verify(signXml({ signer, host, keyInfo, unsigned, references }));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
  });

  test.each([
    ['a different element', '<a Id="o">1</a>'],
    ['an Object outside the signature', `<ds:Object xmlns:ds="${dsig}" Id="o">1</ds:Object>`],
  ])('must not refer to %s', (_, element) => {
    const references = [{ id: 'r', uri: '#o', type }];
    const parts = { signer, keyInfo, unsigned, references };
    const report = verify(signXml({ ...parts, host: [`<inv>${element}`, '</inv>'] }));
    expect(report.signatures).toMatchObject([
      { intact: true, indication: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND' },
    ]);
    expect(report.codes).toContain('signature.object.elsewhere');
  });
});
