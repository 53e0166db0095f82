import { defined } from '../../src/base/defined.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../src/formats/cms/index.ts';
import {
  type CraftedCms,
  type CraftedSigner,
  craftCms,
  crlsOf,
  meaningless,
} from '../../test/support/crafted-cms.ts';
import type { TestMember, TestMemberName } from '../../test/support/pki.ts';
import { attribute, bindingValue, instead } from '../../test/support/placed-attributes.ts';
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

/** A file signed in an unusual way, with the trust of `pki`. */
export interface OddForm {
  readonly name: string;
  readonly kind: 'cms' | 'xml' | 'pdf' | 'container';
  make(): Uint8Array | string | Promise<Uint8Array>;
}

const content = Buffer.from('Pay 100 to the bearer.\n');
const signer = pki.member('signer');
const ca = pki.member('ca');
const { notBeforeMs, notAfterMs } = signer.certificate;
const yearMs = 366 * 86_400_000;

/** Returns a CMS file signed in an unusual way. */
export function cms(
  name: string,
  by: Partial<CraftedSigner>,
  more: Partial<CraftedCms> = {},
): OddForm {
  const signers = [{ signer, ...by }];
  const all = { content, embedded: content, signers, crls: crlsOf(pki), ...more };
  return { name: `cms ${name}`, kind: 'cms', make: () => craftCms(all) };
}

const bound = (type: string, digest: 'sha1' | 'sha512' | undefined, ...members: TestMember[]) =>
  attribute(
    type,
    bindingValue(
      type,
      ...members.map(({ certificate }) => ({ certificate, ...defined({ digest }) })),
    ),
  );

const v2 = oids.signingCertificateV2;
const generalized = (text: string) =>
  buildAttribute(oids.signingTime, der.element(0x18, [Buffer.from(text)]));

const cmsForms: readonly OddForm[] = [
  ...(['signer', 'rsa', 'pss', 'p384', 'p521', 'ed25519', 'ed448'] as const).map((name) =>
    cms(`by ${name}`, { signer: pki.member(name) }),
  ),
  cms('claims before its certificate', { signingTimeMs: notBeforeMs - yearMs }),
  cms('claims the first second', { signingTimeMs: notBeforeMs }),
  cms('claims after its certificate', { signingTimeMs: notAfterMs + yearMs }),
  cms('claims nothing', { signingTimeMs: undefined }),
  cms('claims in GeneralizedTime', {
    attributes: instead(oids.signingTime, generalized('20260601110000Z')),
  }),
  cms('binds nothing', { attributes: instead(v2) }),
  cms('binds another', { attributes: instead(v2, bound(v2, undefined, ca)) }),
  cms('binds itself first', { attributes: instead(v2, bound(v2, undefined, signer, ca)) }),
  cms('binds itself second', { attributes: instead(v2, bound(v2, undefined, ca, signer)) }),
  cms('binds by SHA-512', { attributes: instead(v2, bound(v2, 'sha512', signer)) }),
  cms('binds by SHA-1 in v2', { attributes: instead(v2, bound(v2, 'sha1', signer)) }),
  cms('binds twice', {
    attributes: instead('2.999', bound(oids.signingCertificate, undefined, signer)),
  }),
  cms('has an attribute nobody knows', { attributes: instead('2.999', meaningless()) }),
  cms('has no content-type', { attributes: instead(oids.contentType) }),
  cms('has no message-digest', { attributes: instead(oids.messageDigest) }),
  cms('has no attributes', { attributes: () => undefined }),
  cms('has no certificates', {}, { certificates: [] }),
  cms('has no issuer', {}, { certificates: [signer.der] }),
  cms('has certificates twice', {}, { certificates: [signer.der, ca.der, signer.der, ca.der] }),
  cms('is of another type', {}, { contentType: '1.2.3.4' }),
  cms('has no CRLs', {}, { crls: [] }),
  cms('is revoked', { signer: pki.member('revoked') }),
];

const keyInfo = certificateInfo(signer, ca);
const host = ['<inv xmlns="urn:x"><sum Id="sum">10</sum><!-- c -->', '</inv>'] as const;
function xml(name: string, parts: Partial<SignXmlParts>): OddForm {
  return {
    name: `xml ${name}`,
    kind: 'xml',
    make: () => signXml({ signer, host, keyInfo, ...parts }),
  };
}

const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const c14n = '<ds:Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>';
const xpath = (expression: string) =>
  '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">' +
  `<ds:XPath>${expression}</ds:XPath></ds:Transform>`;
const over = (name: string, reference: Partial<ReferenceParts>, objects?: string): OddForm => {
  const references = [{ ...wholeDocument, ...reference }];
  return xml(name, { references, ...(objects === undefined ? {} : { objects }) });
};
const cert = (member: TestMember) => /<x:Cert>.*<\/x:Cert>/.exec(boundCertificate(member))?.[0];
const list = (...members: readonly TestMember[]) =>
  `<x:SigningCertificateV2>${members.map(cert).join('')}</x:SigningCertificateV2>`;
const at = (timeMs: number) => new Date(timeMs).toISOString();
const padded = (value: Uint8Array) =>
  Buffer.concat([Buffer.alloc(4), value.subarray(0, 32), Buffer.alloc(4), value.subarray(32)]);
const inAsn1 = (value: Uint8Array) =>
  der.sequence(der.unsignedInteger(value.subarray(0, 32)), der.unsignedInteger(value.subarray(32)));

const xmlForms: readonly OddForm[] = [
  xml('in order', {}),
  xml('claims before its certificate', { claimedTime: at(notBeforeMs - yearMs) }),
  xml('claims after its certificate', { claimedTime: at(notAfterMs + yearMs) }),
  xml('claims in another zone', { claimedTime: '2026-06-01T13:00:00+02:00' }),
  xml('claims a day', { claimedTime: '2026-06-01' }),
  xml('binds nothing', { signed: '' }),
  xml('binds another', { signed: list(ca) }),
  xml('binds itself first', { signed: list(signer, ca) }),
  xml('binds itself second', { signed: list(ca, signer) }),
  xml('has another certificate', { keyInfo: certificateInfo(pki.member('rsa'), ca) }),
  xml('has its issuer first', { keyInfo: certificateInfo(ca, signer) }),
  xml('has no KeyInfo', { keyInfo: '' }),
  xml('is no XAdES', { properties: false }),
  xml('has a padded value', { signatureValue: padded }),
  xml('has a value in ASN.1', { signatureValue: inAsn1 }),
  xml('has an object besides', { objects: '<ds:Object>seen</ds:Object>' }),
  over('is over an element', { uri: '#sum', transforms: exclusive }),
  over('is over an element by XPointer', { uri: "#xpointer(id('sum'))", transforms: exclusive }),
  over('is over nothing that is there', {
    uri: '#none',
    transforms: exclusive,
    digestValue: 'AAAA',
  }),
  over('has comments in it', { uri: '#xpointer(/)', transforms: `${enveloped}` }),
  over('is in inclusive form', { transforms: enveloped.replace(exclusive, c14n) }),
  over('leaves all signatures out', { transforms: xpath('not(ancestor-or-self::ds:Signature)') }),
  over(
    'is over its own object',
    { uri: '#o', transforms: exclusive, type: `${dsig}Object` },
    '<ds:Object Id="o">seen</ds:Object>',
  ),
];

/** Each row represents all forms of its kind. */
export const oddForms: readonly OddForm[] = [...cmsForms, ...xmlForms];

/** The anchor of all rows, and their time of verification. */
export const oddTrust = { root: pki.member('root' satisfies TestMemberName).der, atMs: pki.nowMs };
