import { describe, expect, it } from 'vitest';
import { parseXml, type XmlElement } from '../../../../src/formats/xml/index.ts';
import { namespaces } from '../../../../src/formats/xmldsig/index.ts';
import {
  appendInside,
  appendProperties,
  applyEdits,
  missingData,
  openXades,
  presentData,
  timestampDataText,
  unsignedNames,
  validationValuesText,
} from '../../../../src/seal/xades/index.ts';

const { dsig, xades132, xades141 } = namespaces;

/** A structurally valid signature with the given prefixes and unsigned properties. */
function signature(ds: string, xades: string, declarations: string, unsigned: string): string {
  const d = ds === '' ? '' : `${ds}:`;
  const x = xades === '' ? '' : `${xades}:`;
  const declare = (prefix: string, uri: string) =>
    `xmlns${prefix === '' ? '' : `:${prefix}`}="${uri}"`;
  return `<${d}Signature ${declare(ds, dsig)} Id="s"><${d}SignedInfo>
<${d}CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>
<${d}SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
<${d}Reference URI=""><${d}DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
<${d}DigestValue>AA==</${d}DigestValue></${d}Reference></${d}SignedInfo>
<${d}SignatureValue>AA==</${d}SignatureValue><${d}Object>
<${x}QualifyingProperties ${declare(xades, xades132)} ${declarations} Target="#s">
<${x}SignedProperties Id="p"/>${unsigned}</${x}QualifyingProperties></${d}Object></${d}Signature>`;
}

const shapes: readonly (readonly [string, string])[] = [
  ['the usual prefixes', signature('ds', 'xades', '', '')],
  ['default namespaces', signature('', '', '', '')],
  ['other prefixes', signature('dsig', 'etsi', `xmlns:xades141="${xades141}"`, '')],
  ['prefixes with other namespaces', signature('xades', 'ds', 'xmlns:xades141="urn:x"', '')],
  ['an empty tag', signature('ds', 'xades', '', '<xades:UnsignedProperties/>')],
  [
    'properties of the data only',
    signature(
      'ds',
      'xades',
      '',
      '<xades:UnsignedProperties><xades:UnsignedDataObjectProperties><x/></xades:UnsignedDataObjectProperties></xades:UnsignedProperties>',
    ),
  ],
  [
    'properties',
    signature(
      '',
      'xades',
      '',
      '<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:CertificateValues/></xades:UnsignedSignatureProperties></xades:UnsignedProperties>',
    ),
  ],
];

const data = {
  certificates: [Uint8Array.of(1)],
  crls: [Uint8Array.of(2)],
  ocsp: [Uint8Array.of(3), Uint8Array.of(4)],
};

function open(text: string) {
  const { root } = parseXml(Buffer.from(text));
  return openXades(root, { document: root.document });
}

describe('appendProperties', () => {
  it.each(shapes)('extends a signature with %s', (_name, text) => {
    const state = open(text);
    const names = unsignedNames(state);
    const added = validationValuesText(names, data) + timestampDataText(names, 't', data);
    const bytes = applyEdits(Buffer.from(text), [appendProperties(state, added)]);
    const { properties, ...rest } = open(Buffer.from(bytes).toString());
    const kinds = properties.unsigned.slice(-3).map(({ kind }) => kind);
    expect(kinds).toEqual(['certificateValues', 'revocationValues', 'timestampValidationData']);
    const present = presentData({ properties, ...rest });
    expect(present.certificates.map(([octet]) => octet)).toEqual([1, 1]);
    expect(present.crls.map(([octet]) => octet)).toEqual([2, 2]);
    expect(present.ocsp.map(([octet]) => octet)).toEqual([3, 4, 3, 4]);
  });

  it('adds nothing for no data or data already present', () => {
    const names = unsignedNames(open(signature('ds', 'xades', '', '')));
    const nothing = missingData(data, [...data.certificates, ...data.crls, ...data.ocsp]);
    expect(validationValuesText(names, nothing)).toBe('');
    expect(timestampDataText(names, 't', nothing)).toBe('');
  });
});

describe('openXades', () => {
  it.each([
    ['no properties', signature('ds', 'x', '', '').replace(/<x:Qual.*<\/x:Qual\w+>/s, '')],
    ['an old version', signature('ds', 'x', '', '').replaceAll('v1.3.2', 'v1.2.2')],
    ['two of them', signature('ds', 'x', '', '').replace(/<x:Qual.*<\/x:Qual\w+>/s, '$&$&')],
  ])('refuses %s', (_name, text) => {
    expect(() => open(text)).toThrow(expect.objectContaining({ code: 'xml.signature.invalid' }));
  });
});

describe('applyEdits', () => {
  it('expands empty tags and keeps every other byte, in any order of the edits', () => {
    const text = '<r><a x="1" /><b></b><c/></r>';
    const [a, b, c] = parseXml(Buffer.from(text)).root.children as [
      XmlElement,
      XmlElement,
      XmlElement,
    ];
    const edits = [c, a, b].map((element) => appendInside(element, Buffer.from('+')));
    const result = Buffer.from(applyEdits(Buffer.from(text), edits)).toString();
    expect(result).toBe('<r><a x="1" >+</a><b>+</b><c>+</c></r>');
  });
});
