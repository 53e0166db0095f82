import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { namespaces, transformUris } from '../../src/formats/xmldsig/index.ts';
import {
  codes,
  dsig,
  failed,
  first,
  host,
  keyInfo,
  passed,
  rsa,
  signed,
  signer,
} from '../unit/verify/xml/sealed-xml.ts';
import {
  boundCertificate,
  check,
  enveloped,
  exclusive,
  propertiesReference,
  type SignXmlParts,
  sha256Uri,
  signXml,
  wholeDocument,
} from '../unit/verify/xml/sign-xml.ts';

const fakeProperties = (id: string) =>
  '<x:SignedProperties xmlns:x="http://uri.etsi.org/01903/v1.3.2#" ' +
  `Id="${id}"><x:SignedSignatureProperties/></x:SignedProperties>`;

describe('signed properties', () => {
  const uncovered: Readonly<Record<string, Partial<SignXmlParts>>> = {
    'the reference leads to different properties in the document': {
      host: [`<inv>${fakeProperties('fake')}`, '</inv>'],
      edit: (text) => text.replace('URI="#props"', 'URI="#fake"'),
    },
    'the reference leads to different properties in an Object': {
      objects: `<ds:Object>${fakeProperties('fake')}</ds:Object>`,
      edit: (text) => text.replace('URI="#props"', 'URI="#fake"'),
    },
    'no reference': { edit: (text) => text.replace(/<ds:Reference URI="#props".*?Reference>/, '') },
    'a second reference to different properties': {
      host: [`<inv>${fakeProperties('fake')}`, '</inv>'],
      references: [wholeDocument, { ...propertiesReference, uri: '#fake' }],
    },
    'the reference to the document has the Type of properties': {
      references: [{ ...wholeDocument, type: propertiesReference.type ?? '' }],
    },
    'properties outside the signature': {
      properties: false,
      references: [propertiesReference],
      host: [`<inv>${fakeProperties('props')}`, '</inv>'],
    },
    'two QualifyingProperties': {
      properties: (text) => text + text.replace('"props"', '"other"'),
    },
    'the signing certificate twice': {
      signed: boundCertificate(signer) + boundCertificate(rsa),
    },
  };
  test.each(Object.entries(uncovered))('fail with FORMAT_FAILURE: %s', (_, parts) => {
    expect(first(signXml({ signer, host, keyInfo, ...parts }))).toMatchObject(
      failed('FORMAT_FAILURE'),
    );
  });

  // EN 319 102-1 §5.2.7.4: data that cannot be obtained refute nothing.
  const away: Readonly<Record<string, Partial<SignXmlParts>>> = {
    'have another Id': { properties: (text) => text.replace('Id="props"', 'Id="other"') },
    'were removed from their position': {
      properties: (text) => text.replace(/<x?[a-z]*:?SignedProperties.*SignedProperties>/s, ''),
    },
    'were removed with their Object': { properties: false, references: [propertiesReference] },
  };
  test.each(Object.entries(away))('that %s leave the signature INDETERMINATE', (_, parts) => {
    const options = { signer, host, keyInfo, ...parts };
    expect(first(signXml(options))).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      intact: false,
    });
  });

  // KeyInfo is unsigned: a damaged certificate there refutes nothing.
  test('with a certificate that is not base64 count as having none', () => {
    const edit = (text: string) => text.replace('<ds:X509Certificate>', '$&*');
    expect(first(signXml({ signer, host, keyInfo, edit }))).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
    });
  });

  // EN 319 102-1 §5.2.3: the bound certificate is the signer's, although the key of another one
  // matches.
  test('that bind a different certificate than that of the key: intact but INDETERMINATE', () => {
    const report = first(signXml({ signer, host, keyInfo, signed: boundCertificate(rsa) }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
      intact: true,
    });
    expect(report?.signer).toBeUndefined();
  });

  // EN 319 132-1 §4.3.1, §4.4.2, §5.2.4: the form deviates, but the digest binds the properties.
  const departures: Readonly<Record<string, readonly [string, Partial<SignXmlParts>]>> = {
    // Target is unsigned: anyone who can change the file can change it, with no further
    // consequence.
    'a Target of another signature': [
      'baseline.target',
      { properties: (text) => text.replace('Target="#s"', 'Target="#t"') },
    ],
    'no Target': ['baseline.target', { properties: (text) => text.replace(' Target="#s"', '') }],
    'an empty Target': ['baseline.target', { properties: (text) => text.replace('"#s"', '""') }],
    'a Target without #': [
      'baseline.target',
      { properties: (text) => text.replace('"#s"', '"s"') },
    ],
    'no ObjectReference': [
      'baseline.data-object-format',
      { properties: (text) => text.replace(' ObjectReference="#r"', '') },
    ],
    'an empty ObjectReference': [
      'baseline.data-object-format',
      { properties: (text) => text.replace('ObjectReference="#r"', 'ObjectReference=""') },
    ],
  };
  test.each(Object.entries(departures))('with %s pass without a level', (_, [code, parts]) => {
    const report = first(signXml({ signer, host, keyInfo, ...parts }));
    expect(report).toMatchObject(passed);
    expect(report).not.toHaveProperty('level');
    expect(codes(report)).toContain(code);
  });

  // EN 319 132-1 §4.4.2: the reference shall have the Type.
  test('referenced without a Type leave the signature INDETERMINATE', () => {
    const edit = (text: string) => text.replace(` Type="${propertiesReference.type}"`, '');
    const report = first(signXml({ signer, host, keyInfo, edit }));
    expect(report).toMatchObject({ subIndication: 'SIG_CONSTRAINTS_FAILURE', intact: true });
    expect(codes(report)).toContain('signature.properties.untyped');
    expect(report).not.toHaveProperty('level');
  });

  // Each version of XAdES has a separate Type; validators of one version do not know the others.
  const types = ['01903/v1.1.1', '01903/v1.2.2', '01903'] as const;
  const versions = [namespaces.xades111, namespaces.xades122, namespaces.xades132];
  const pairs = versions.flatMap((version) => types.map((type) => [version, type] as const));
  test.each(pairs)(
    'of %s referenced with the Type of %s: only a matching Type is accepted',
    (version, type) => {
      const edit = (text: string) =>
        text
          .replaceAll(namespaces.xades132, version)
          .replace('01903#SignedProperties', `${type}#SignedProperties`);
      const report = first(signXml({ signer, host, keyInfo, edit }));
      const isOwn = versions.indexOf(version) === types.indexOf(type);
      expect(codes(report).includes('signature.properties.untyped')).toBe(!isOwn);
    },
  );

  // Both cover the same element: validators in use accept it.
  test('may be referenced twice', () => {
    const references = [wholeDocument, propertiesReference];
    expect(first(signXml({ signer, host, keyInfo, references }))).toMatchObject(passed);
  });

  test('added after signing are none: the signature fails', () => {
    const plain = signXml({ signer, host, keyInfo, properties: false });
    const object = signed.slice(signed.indexOf('<ds:Object>'), signed.indexOf('</ds:Signature>'));
    expect(first(plain.replace('</ds:Signature>', `${object}$&`))).toMatchObject(
      failed('FORMAT_FAILURE'),
    );
  });
});

describe('references of an XML signature', () => {
  const xslt = '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>';
  const xpath =
    '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">' +
    '<ds:XPath>not(self::sum) or $x</ds:XPath></ds:Transform>';
  const base64 = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>';
  // EN 319 102-1 §5.2.7.4: data that cannot be obtained refute nothing.
  const unsupported: Readonly<Record<string, Partial<SignXmlParts>>> = {
    'an unsupported transform': { references: [{ ...wholeDocument, transforms: xslt }] },
    'an XPath with a variable': {
      references: [{ ...wholeDocument, transforms: enveloped.replace(exclusive, xpath) }],
    },
    'an XPointer': { references: [{ uri: '#xpointer(//sum)' }] },
  };
  test.each(Object.entries(unsupported))('%s leaves the signature INDETERMINATE', (_, parts) => {
    const report = first(signXml({ signer, host, keyInfo, ...parts }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      intact: false,
      coverage: 'none',
    });
    expect(codes(report)).toContain('signature.reference.refused');
  });

  const refused: Readonly<Record<string, Partial<SignXmlParts>>> = {
    'a Type of Manifest on something else': {
      references: [{ ...wholeDocument, type: `${dsig}Manifest` }],
    },
    'an element within the removed signature': {
      references: [{ uri: '#o', transforms: enveloped }],
      objects: '<ds:Object Id="o">x</ds:Object>',
    },
    'the removed signature itself': { references: [{ uri: '#s', transforms: enveloped }] },
    'an enveloped signature that is the whole document': {
      host: ['', ''],
      references: [{ uri: '', transforms: enveloped }],
    },
    'no bytes': {
      host: ['<inv><sum Id="e"/>', '</inv>'],
      references: [{ uri: '#e', transforms: base64 }],
    },
    'a duplicate Id': {
      host: ['<inv><sum Id="e">1</sum><sum Id="e">2</sum>', '</inv>'],
      references: [{ uri: '#e' }],
    },
    'a manifest by text alone': {
      references: [{ uri: '#m', type: `${dsig}Manifest`, transforms: base64 }],
      objects: '<ds:Object><ds:Manifest Id="m">QUJD</ds:Manifest></ds:Object>',
    },
  };
  test.each(Object.entries(refused))('fail with FORMAT_FAILURE: %s', (_, parts) => {
    expect(first(signXml({ signer, host, keyInfo, ...parts }))).toMatchObject(
      failed('FORMAT_FAILURE'),
    );
  });

  // Digests are cached by their input: a different form of the same element is a different input.
  test('a PrefixList of #default alone changes the canonical form', () => {
    const list = (prefixes: string) =>
      exclusive.replace(
        '/>',
        '><ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" ' +
          `PrefixList="${prefixes}"/></ds:Transform>`,
      );
    const prefixed = ['<p:inv xmlns:p="urn:p" xmlns="urn:x"><p:sum>1</p:sum>', '</p:inv>'] as const;
    const references = [
      { id: 'r', uri: '', transforms: enveloped },
      { id: 'd', uri: '', transforms: enveloped.replace(exclusive, list('#default')) },
    ];
    const report = first(signXml({ signer, host: prefixed, keyInfo, references }));
    expect(report).toMatchObject({ ...passed, coverage: 'document' });
  });

  test('an unknown digest algorithm is INDETERMINATE', () => {
    const references = [{ ...wholeDocument, digestUri: 'urn:nobody' }];
    const report = first(signXml({ signer, host, keyInfo, references }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    });
    expect(report).not.toHaveProperty('intact');
  });

  test.each(['http://example.com/a', 'file:///etc/passwd', '../a', undefined])(
    'external references are not resolved: %s',
    (uri) => {
      const references = [uri === undefined ? { id: 'r' } : { id: 'r', uri }];
      expect(first(signXml({ signer, host, keyInfo, references }))).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication: 'SIGNED_DATA_NOT_FOUND',
        intact: false,
        trusted: false,
      });
    },
  );
});

describe('manifests', () => {
  const listed = (uri: string, digestValue: string) =>
    `<ds:Reference URI="${uri}"><ds:DigestMethod Algorithm="${sha256Uri}"/>` +
    `<ds:DigestValue>${digestValue}</ds:DigestValue></ds:Reference>`;
  const right = createHash('sha256').update('a').digest('base64');
  const wrong = createHash('sha256').update('b').digest('base64');
  const findFile = (uri: string) => (uri === 'a' ? Buffer.from('a') : undefined);
  const manifest = (inside: string, type = `${dsig}Manifest`) => {
    const objects = `<ds:Object><ds:Manifest Id="m">${inside}</ds:Manifest></ds:Object>`;
    return signXml({ signer, host, keyInfo, objects, references: [{ uri: '#m', type }] });
  };

  test.each([`${dsig}Manifest`, `${dsig}Object`])('are followed, type %s', (type) => {
    const [good] = check(manifest(listed('a', right), type), { findFile });
    expect(good).toMatchObject(passed);
    expect(good?.references[1]).toMatchObject({ listedBy: '#m', target: 'a', status: 'valid' });
    const [bad] = check(manifest(listed('a', wrong), type), { findFile });
    expect(bad).toMatchObject(failed('HASH_FAILURE'));
    expect(bad?.references[1]).toMatchObject({ listedBy: '#m', status: 'changed' });
  });

  test('with a missing file are INDETERMINATE, and the file is reported as missing', () => {
    const [report] = check(manifest(listed('a', right) + listed('gone', right)), { findFile });
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
    });
    expect(report?.references.map(({ status }) => status)).toEqual([
      'valid',
      'valid',
      'missing',
      'valid',
    ]);
  });

  test('without a reference to them are reported as not covered', () => {
    const object = `<ds:Object><ds:Manifest>${listed('a', right)}</ds:Manifest></ds:Object>`;
    const report = first(signed.replace('</ds:Signature>', `${object}$&`));
    expect(codes(report)).toContain('signature.object.uncovered');
  });

  test('nested deeply come to an end, and the signature is not intact', () => {
    const deep = (depth: number): string =>
      depth === 0
        ? ''
        : `<ds:Manifest Id="m${depth}">${listed(`#m${depth - 1}`, right)}</ds:Manifest>${deep(depth - 1)}`;
    const text = signXml({
      signer,
      host,
      keyInfo,
      references: [{ uri: '#m12', type: `${dsig}Manifest` }],
      objects: `<ds:Object>${deep(12)}<ds:Manifest Id="m0">${listed('a', right)}</ds:Manifest></ds:Object>`,
    });
    expect(check(text, { findFile })[0]?.intact).toBe(false);
  });
});

test('data above a limit are INDETERMINATE, not failed', () => {
  const deep = limits.xmlDepth + 1;
  const data = '<a>'.repeat(deep) + '</a>'.repeat(deep);
  const text = `<d Id="d">${Buffer.from(data).toString('base64')}</d>`;
  const digestValue = createHash('sha256').update(data).digest('base64');
  const transforms = `<ds:Transform Algorithm="${transformUris.base64}"/>${exclusive}`;
  const references = [wholeDocument, { uri: '#d', transforms, digestValue }];
  const report = first(signXml({ signer, host: [`<inv>${text}`, '</inv>'], keyInfo, references }));
  expect(report.references[1]).toMatchObject({ status: 'refused' });
  expect(report).toMatchObject({ indication: 'INDETERMINATE', intact: false });
});
