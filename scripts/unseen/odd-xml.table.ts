import { namespaces } from '../../src/formats/xmldsig/index.ts';
import { append, stamp, validationValues } from '../../test/unit/verify/xml/extend-xml.ts';
import {
  boundCertificate,
  certificateInfo,
  enveloped,
  exclusive,
  pki,
  type ReferenceParts,
  type SignXmlParts,
  signXml,
  wholeDocument,
} from '../../test/unit/verify/xml/sign-xml.ts';
import type { OddForm } from './odd-forms.table.ts';

const [signer, rsa, ca, p384] = (['signer', 'rsa', 'ca', 'p384'] as const).map((name) =>
  pki.member(name),
) as [
  ReturnType<typeof pki.member>,
  ReturnType<typeof pki.member>,
  ReturnType<typeof pki.member>,
  ReturnType<typeof pki.member>,
];
const keyInfo = certificateInfo(signer, ca);
const host = ['<inv xmlns="urn:x"><sum Id="sum">10</sum>', '</inv>'] as const;
const values = validationValues({
  certificates: [ca.der, pki.member('root').der],
  crls: [pki.crl(), pki.crl(pki.member('root'))],
});
const usual = { signer, host, keyInfo, unsigned: values };
const bare = () => append(signXml({ signer, host, keyInfo }), values);
const form = (name: string, make: () => string): OddForm => ({
  name: `xml ${name}`,
  kind: 'xml',
  make,
});
const xml = (name: string, parts: Partial<SignXmlParts>): OddForm =>
  form(name, () => signXml({ ...usual, ...parts }));

const { dsig, xades132, xades122, xades111 } = namespaces;
const typeOf = (uri: string): ReferenceParts => ({ uri: '#props', type: uri });

/** Properties of an older namespace, and the type of the reference to them. */
const older = (namespace: string, type: string): OddForm => {
  const version = /v[\d.]+/.exec(namespace)?.[0];
  return xml(`in ${version} with the type ${type}`, {
    unsigned: undefined as never,
    properties: (text) =>
      text
        .replace(xades132, namespace)
        .replace(/<x:SigningCertificateV2>.*<\/x:SigningCertificateV2>/, v1(signer)),
    edit: (text) => text.replace('http://uri.etsi.org/01903#SignedProperties', type),
  });
};

function v1(member: typeof signer, issuer = 'CN=ca,C=IS', serial?: string): string {
  const hash = /<ds:DigestValue>.*<\/ds:DigestValue>/.exec(boundCertificate(member))?.[0];
  const number =
    serial ??
    BigInt(`0x${Buffer.from(member.certificate.serialNumber).toString('hex')}`).toString();
  return (
    '<x:SigningCertificate><x:Cert><x:CertDigest>' +
    `<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>${hash}</x:CertDigest>` +
    `<x:IssuerSerial><ds:X509IssuerName>${issuer}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${number}</ds:X509SerialNumber></x:IssuerSerial></x:Cert></x:SigningCertificate>`
  );
}

/** A signature with countersignatures, each over the previous one or the first one. */
function countersigned(
  name: string,
  by: readonly (typeof signer)[],
  isChain: boolean,
  uri?: string,
): OddForm {
  return form(name, () => {
    const place = (mark: string) => `<x:CounterSignature>${mark}</x:CounterSignature>`;
    const marks = isChain ? ['@1'] : by.map((_, index) => `@${index + 1}`);
    let text = signXml({ ...usual, unsigned: values + marks.map(place).join('') });
    for (const [index, member] of by.entries()) {
      const suffix = String(index + 2);
      const over = isChain && index > 0 ? `#v${index + 1}` : '#v';
      const [before = '', after = ''] = text.split(`@${index + 1}`);
      const isLast = index === by.length - 1;
      text = signXml({
        signer: member,
        suffix,
        host: [before, after],
        references: [
          {
            id: `r${suffix}`,
            uri: uri ?? over,
            type: 'http://uri.etsi.org/01903#CountersignedSignature',
          },
        ],
        keyInfo: certificateInfo(member),
        ...(isChain && !isLast ? { unsigned: place(`@${index + 2}`) } : {}),
      });
    }
    return text;
  });
}

const manifest = (digest?: string) => ({
  references: [{ id: 'r', uri: '#m', type: `${dsig}Manifest` }],
  objects:
    `<ds:Object><ds:Manifest Id="m"><ds:Reference URI="#sum"><ds:Transforms>${exclusive}</ds:Transforms>` +
    '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>' +
    `<ds:DigestValue>${digest ?? Buffer.alloc(32).toString('base64')}</ds:DigestValue></ds:Reference></ds:Manifest></ds:Object>`,
});
const over = (name: string, ...references: readonly ReferenceParts[]) => xml(name, { references });
const filter2 = (kind: string, expression: string) =>
  '<ds:Transform Algorithm="http://www.w3.org/2002/06/xmldsig-filter2">' +
  `<f:XPath xmlns:f="http://www.w3.org/2002/06/xmldsig-filter2" Filter="${kind}">${expression}</f:XPath></ds:Transform>`;
const c14n = (uri: string) => `<ds:Transform Algorithm="${uri}"/>`;
const base64 = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>';
const object = (text: string) => `<ds:Object Id="o">${text}</ds:Object>`;
const policy = (inner: string) =>
  `${boundCertificate(signer)}<x:SignaturePolicyIdentifier>${inner}</x:SignaturePolicyIdentifier>`;

/** The signed document with a second signature by another signer. */
function signedAgain(one: string, reference: ReferenceParts): string {
  const at = one.lastIndexOf('</inv>');
  return signXml({
    ...usual,
    signer: rsa,
    keyInfo: certificateInfo(rsa, ca),
    suffix: '2',
    host: [one.slice(0, at), '</inv>'],
    references: [reference],
  });
}

/** Unusual XML signatures. */
export const oddXml: readonly OddForm[] = [
  older(xades122, 'http://uri.etsi.org/01903/v1.2.2#SignedProperties'),
  older(xades122, 'http://uri.etsi.org/01903#SignedProperties'),
  older(xades111, 'http://uri.etsi.org/01903/v1.1.1#SignedProperties'),
  older(xades111, 'http://uri.etsi.org/01903#SignedProperties'),
  older(xades111, 'http://uri.etsi.org/01903/v1.2.2#SignedProperties'),
  ...['/v1.3.2', '/v1.2.2', '/v1.4.1'].map((version) =>
    xml(`with the type of ${version.slice(1)}`, {
      edit: (text) => text.replace('01903#SignedProperties', `01903${version}#SignedProperties`),
    }),
  ),
  countersigned('countersigned', [rsa], false),
  countersigned('countersigned twice', [rsa, p384], false),
  countersigned('countersigned in a chain of two', [rsa, p384], true),
  countersigned('countersigned in a chain of three', [rsa, p384, pki.member('p521')], true),
  countersigned('countersigned over the content', [rsa], false, '#sum'),
  countersigned('countersigned over nothing', [rsa], false, '#none'),
  xml('binds by v1', { signed: v1(signer) }),
  xml('binds by v1 with another name', { signed: v1(signer, 'CN=other,C=IS') }),
  xml('binds by v1 with another serial number', { signed: v1(signer, undefined, '7') }),
  xml('binds by v1 with the name reversed', { signed: v1(signer, 'C=IS,CN=ca') }),
  xml('binds by v1 with spaces in the name', { signed: v1(signer, 'CN=ca, C=IS') }),
  xml('binds by v1 and v2', { signed: v1(signer) + boundCertificate(signer) }),
  xml('has an implied policy', { signed: policy('<x:SignaturePolicyImplied/>') }),
  xml('has a policy', {
    signed: policy(
      '<x:SignaturePolicyId><x:SigPolicyId><x:Identifier Qualifier="OIDAsURN">urn:oid:1.2.3.4</x:Identifier></x:SigPolicyId>' +
        '<x:SigPolicyHash><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue></x:SigPolicyHash></x:SignaturePolicyId>',
    ),
  }),
  xml('has a manifest', manifest()),
  xml('has a manifest with a wrong digest', manifest('AAAA')),
  over('is over its KeyInfo too', wholeDocument, { uri: '#k' }),
  over('is over the element and the document', wholeDocument, { id: 'r2', uri: '#sum' }),
  over('is over the element twice', { id: 'r', uri: '#sum' }, { id: 'r2', uri: '#sum' }),
  over('subtracts signatures', {
    id: 'r',
    uri: '',
    transforms: filter2('subtract', '/descendant::ds:Signature') + exclusive,
  }),
  over('subtracts itself', {
    id: 'r',
    uri: '',
    transforms: filter2('subtract', 'here()/ancestor::ds:Signature[1]') + exclusive,
  }),
  over('intersects an element', {
    id: 'r',
    uri: '',
    transforms: filter2('intersect', "//*[local-name()='sum']") + exclusive,
  }),
  over('is in C14N 1.1', {
    ...wholeDocument,
    transforms: enveloped.replace(exclusive, c14n('http://www.w3.org/2006/12/xml-c14n11')),
  }),
  over('is in C14N with comments', {
    ...wholeDocument,
    transforms: enveloped.replace(
      exclusive,
      c14n('http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments'),
    ),
  }),
  over('has no transforms but enveloped', {
    ...wholeDocument,
    transforms: enveloped.replace(exclusive, ''),
  }),
  over('is canonical twice', { ...wholeDocument, transforms: enveloped + exclusive }),
  over('is canonical before it is enveloped', {
    ...wholeDocument,
    transforms: exclusive + enveloped.replace(exclusive, ''),
  }),
  over('has no transforms', { id: 'r', uri: '#sum', transforms: '' }),
  xml('is over text in base64', {
    references: [{ id: 'r', uri: '#o', transforms: base64 }],
    objects: object(Buffer.from('seen').toString('base64')),
  }),
  xml('is over a broken text in base64', {
    references: [{ id: 'r', uri: '#o', transforms: base64 }],
    objects: object('c2V l*bg=='),
  }),
  xml('is over nothing but its properties', { references: [] }),
  xml('is canonical in C14N 1.1', { canonicalUri: 'http://www.w3.org/2006/12/xml-c14n11' }),
  xml('is canonical with comments', {
    canonicalUri: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
  }),
  xml('has a comment in SignedInfo', {
    edit: (text) => text.replace('<ds:SignedInfo>', '<ds:SignedInfo><!-- c -->'),
  }),
  xml('by P-384', { signer: p384, keyInfo: certificateInfo(p384, ca) }),
  xml('by P-521', { signer: pki.member('p521'), keyInfo: certificateInfo(pki.member('p521'), ca) }),
  xml('by RSA', { signer: rsa, keyInfo: certificateInfo(rsa, ca) }),
  xml('by RSA-PSS', { signer: pki.member('pss'), keyInfo: certificateInfo(pki.member('pss'), ca) }),
  xml('by RSA with SHA-3', {
    signer: { ...rsa, algorithm: { scheme: 'rsa-pss', digest: 'sha3-256', saltLengthBytes: 32 } },
    keyInfo: certificateInfo(rsa, ca),
  }),
  xml('by P-256 with SHA-3', {
    signer: { ...signer, algorithm: { scheme: 'ecdsa', digest: 'sha3-256' } },
  }),
  form('is stamped', () => stamp(bare(), 'signature')),
  form('is stamped twice', () => stamp(stamp(bare(), 'signature'), 'signature')),
  form('is stamped over other bytes', () =>
    stamp(bare(), 'signature', { bytes: Buffer.from('other') }),
  ),
  form('is archived', () => stamp(stamp(bare(), 'signature'), 'archive141')),
  form('is archived in the old form', () => stamp(stamp(bare(), 'signature'), 'archive132')),
  form('is archived twice', () =>
    stamp(stamp(stamp(bare(), 'signature'), 'archive141'), 'archive141'),
  ),
  form('is archived without a signature time-stamp', () => stamp(bare(), 'archive141')),
  form('is archived, and values are added', () =>
    append(stamp(stamp(bare(), 'signature'), 'archive141'), values),
  ),
  form('has two signatures side by side', () => {
    const transforms =
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">' +
      `<ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>${exclusive}`;
    const one = signXml({ ...usual, references: [{ id: 'r', uri: '', transforms }] });
    return signedAgain(one, { id: 'r2', uri: '', transforms });
  }),
  form('has a signature over a signature', () =>
    signedAgain(signXml(usual), { ...wholeDocument, id: 'r2' }),
  ),
  xml('has a type without a version', { references: [{ ...wholeDocument, type: 'urn:x' }] }),
  over(
    'names its properties twice',
    wholeDocument,
    typeOf('http://uri.etsi.org/01903#SignedProperties'),
  ),
];
