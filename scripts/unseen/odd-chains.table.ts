import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildName, keyUsageBits } from '../../src/formats/x509/index.ts';
import { crlsOf } from '../../test/support/crafted-cms.ts';
import type { TestMember, TestRequest } from '../../test/support/pki.ts';
import { pki } from '../../test/unit/verify/xml/sign-xml.ts';
import { cms, type OddForm } from './odd-forms.table.ts';

type Extensions = NonNullable<TestRequest['extensions']>;
const root = pki.member('root');
const { digitalSignature, keyEncipherment, keyCertSign, cRLSign } = keyUsageBits;
const authority = { basicConstraints: { ca: true }, keyUsage: keyCertSign | cRLSign };
const cn = (commonName: string) => buildName({ countryName: 'IS', commonName });

/** Signed with the certificate of `member`; the CMS contains these certificates. */
function by(name: string, member: TestMember, issuer: TestMember, ...more: TestMember[]): OddForm {
  const certificates = [member, ...more].map((each) => each.der);
  const crls = [...crlsOf(pki), pki.crl(issuer)];
  return cms(`chain: ${name}`, { signer: member }, { certificates, crls });
}

/** Signed with a certificate of this profile, issued by an authority with that one. */
function chain(name: string, own: Extensions, request?: Partial<TestRequest>): OddForm {
  const extensions = { ...authority, ...request?.extensions };
  const issuer =
    request === undefined
      ? pki.member('ca')
      : pki.issue({ name: `odd ca ${name}`, issuer: root, ...request, extensions });
  return by(name, pki.issue({ name: `odd ${name}`, issuer, extensions: own }), issuer, issuer);
}

/** An authority whose name is `written`, but `read` in the certificates it issues. */
function renamed(name: string, written: Uint8Array, read: Uint8Array): OddForm {
  const extensions = authority;
  const real = pki.issue({ name: `ca ${name}`, issuer: root, extensions, subjectDer: written });
  const issuer = { ...real, certificate: { ...real.certificate, subjectDer: read } };
  return by(name, pki.issue({ name: `signer ${name}`, issuer }), issuer, real);
}

/** A common name of another string type. */
function named(tag: number, text: Uint8Array): Uint8Array {
  const attribute = (type: string, value: Uint8Array) =>
    der.element(0x31, [der.sequence(der.oid(type), value)]);
  return der.sequence(
    attribute(oids.countryName, der.printableString('IS')),
    attribute(oids.commonName, der.element(tag, [text])),
  );
}

const inBmp = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** The key of `of`, certified by an additional root that is not trusted. */
function crossed(of: TestMember): TestMember {
  const other = pki.issue({ name: 'stranger', keyOf: pki.member('rsa'), extensions: authority });
  const { subjectDer } = of.certificate;
  return pki.issue({ name: 'cross', issuer: other, keyOf: of, subjectDer, extensions: authority });
}

const ca = pki.member('ca');
const signer = pki.member('signer');
const { subjectDer, serialNumber } = signer.certificate;
const twin = pki.issue({ name: 'twin', subjectDer, serialNumber });
const selfIssued = pki.issue({
  name: 'self-issued',
  issuer: pki.issue({
    name: 'ca of length 0',
    issuer: root,
    extensions: { ...authority, basicConstraints: { ca: true, pathLength: 0 } },
    subjectDer: cn('Self-issued'),
  }),
  extensions: authority,
  subjectDer: cn('Self-issued'),
});

/** Unusual certificates and paths. */
export const oddChains: readonly OddForm[] = [
  chain('key usage of encryption', { keyUsage: keyEncipherment }),
  chain('no key usage', { keyUsage: undefined }),
  chain('digital signature alone', { keyUsage: digitalSignature }),
  ...(['serverAuth', 'timeStamping', 'ocspSigning'] as const).map((purpose) =>
    chain(`purpose ${purpose}`, { extendedKeyUsage: [oids[purpose]] }),
  ),
  chain('no identifier of the issuer', { authorityKeyId: undefined }),
  chain('an authority', {}, {}),
  chain(
    'an authority that may not sign certificates',
    {},
    { extensions: { keyUsage: digitalSignature } },
  ),
  chain('an authority without key usage', {}, { extensions: { keyUsage: undefined } }),
  chain('an authority without key identifier', {}, { extensions: { subjectKeyId: undefined } }),
  chain('an authority without constraints', {}, { extensions: { basicConstraints: undefined } }),
  chain('an authority of Ed25519', {}, { key: 'Ed25519' }),
  chain('an authority of P-521', {}, { key: 'P-521' }),
  chain('an authority of RSA-PSS', {}, { key: 'RSA-PSS' }),
  renamed('issued in capitals', cn('Odd Authority'), cn('ODD AUTHORITY')),
  renamed('issued with more spaces', cn('Odd Authority'), cn(' Odd   Authority')),
  renamed('issued in a BMPString', named(0x1e, inBmp('Odd Authority')), cn('Odd Authority')),
  renamed('issued decomposed', cn('Od\u00e9 Authority'), cn('Ode\u0301 Authority')),
  renamed('issued by another name', cn('Odd Authority'), cn('Odd Authorities')),
  by('crosses first', signer, ca, crossed(ca), ca),
  by('has a twin', signer, ca, twin, ca),
  by(
    'self-issued below length 0',
    pki.issue({ name: 'below', issuer: selfIssued }),
    selfIssued,
    selfIssued,
    ...selfIssued.chain.slice(0, 1).map((each) => ({ ...ca, der: each })),
  ),
];
