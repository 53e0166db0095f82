import { createHash, randomBytes, sign } from 'node:crypto';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { buildName, keyUsageBits } from '../../../src/formats/x509/index.ts';
import type { TestMember, TestOcspOptions, TestPki } from '../pki.ts';

/** Certificates of a BankID for tests. */
export interface BankidPki {
  readonly pki: TestPki;
  readonly root: TestMember;
  /** Issues certificates of persons, below the bank, below the root. */
  readonly customers: TestMember;
  /** Answers for {@link BankidPki.customers}. */
  readonly responder: TestMember;
  /** The BankID of a person: the same each time. */
  person(of: { readonly number: string; readonly name: string }): TestMember;
}

/** A BankID with a root, a bank and its customers. */
export function bankidPki(pki: TestPki): BankidPki {
  const ca = {
    basicConstraints: { ca: true },
    keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
  };
  const customers = pki.issue({ name: 'Test Customer CA', extensions: ca });
  const responder = pki.issue({
    name: 'Test OCSP',
    issuer: customers,
    extensions: { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true },
  });
  const persons = new Map<string, TestMember>();
  return {
    pki,
    root: pki.member('root'),
    customers,
    responder,
    person(of) {
      const member = persons.get(of.number) ?? issuePerson(pki, customers, of);
      persons.set(of.number, member);
      return member;
    },
  };
}

/** A certificate of a person by an arbitrary issuer. */
export function issuePerson(
  pki: TestPki,
  issuer: TestMember,
  { number, name }: { readonly number: string; readonly name: string },
  more: Partial<Parameters<TestPki['issue']>[0]> = {},
): TestMember {
  const [givenName = '', ...family] = name.split(' ');
  return pki.issue({
    name: `person ${number}`,
    key: 'RSA-2048',
    issuer,
    subjectDer: buildName({
      countryName: 'SE',
      organizationName: 'Testbank A AB (publ)',
      surname: family.join(' '),
      givenName,
      serialNumber: number,
      commonName: name,
    }),
    ...more,
  });
}

/** Faults of a response; each is applied before the following parts are computed. */
export interface AnswerFaults {
  readonly person?: TestMember;
  /** Replaces the issuers of the person. */
  readonly issuers?: readonly Uint8Array[];
  readonly funcId?: string;
  /** Changes bankIdSignedData before it is digested. */
  readonly signedData?: (xml: string) => string;
  /** Changes KeyInfo before it is digested. */
  readonly keyInfo?: (xml: string) => string;
  /** Changes SignedInfo before it is signed. */
  readonly signedInfo?: (xml: string) => string;
  /** Key that signs instead of the person's. */
  readonly signer?: TestMember;
  /** Changes the whole document. */
  readonly document?: (xml: string) => string;
  /** Changes the base64 of the document before the OCSP responder sees it. */
  readonly encoded?: (base64: string) => string;
  readonly ocsp?: TestOcspOptions & { readonly about?: TestMember };
  /** Replaces digest and random bytes. */
  readonly nonce?: (right: Buffer) => Uint8Array | undefined;
  /** Changes the OCSP response. */
  readonly response?: (der: Uint8Array) => Uint8Array;
}

/** The request. */
export interface AnsweredOrder {
  readonly purpose: 'auth' | 'sign';
  /** Base64 as sent. */
  readonly visible?: string | undefined;
  readonly hidden?: string | undefined;
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const TYPES = 'http://www.bankid.com/signature/v1.0.0/types';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest('base64');

/**
 * The XML of an approval. Every part is written in canonical form, so that its text is digested
 * directly without canonicalisation.
 */
export function approvalXml(
  order: AnsweredOrder,
  person: TestMember,
  faults: AnswerFaults = {},
): string {
  const same = (xml: string) => xml;
  const { signedData = same, keyInfo = same, signedInfo = same, document = same } = faults;
  const { signer = person, issuers = person.chain.slice(0, -1) } = faults;
  const data = signedData(signedDataXml(order, faults.funcId));
  const certificates = [person.der, ...issuers]
    .map((each) => `<X509Certificate>${Buffer.from(each).toString('base64')}</X509Certificate>`)
    .join('');
  const keys = keyInfo(
    `<KeyInfo xmlns="${DSIG}" Id="bidKeyInfo"><X509Data>${certificates}</X509Data></KeyInfo>`,
  );
  const transforms = `<Transforms><Transform Algorithm="${C14N}"></Transform></Transforms>`;
  const reference = (attributes: string, of: string) =>
    `<Reference ${attributes}>${transforms}` +
    '<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>' +
    `<DigestValue>${digest(of)}</DigestValue></Reference>`;
  const info = signedInfo(
    `<SignedInfo xmlns="${DSIG}">` +
      `<CanonicalizationMethod Algorithm="${C14N}"></CanonicalizationMethod>` +
      '<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256">' +
      '</SignatureMethod>' +
      reference(`Type="${TYPES}" URI="#bidSignedData"`, data) +
      reference('URI="#bidKeyInfo"', keys) +
      '</SignedInfo>',
  );
  const value = sign('sha256', Buffer.from(info), signer.privateKey).toString('base64');
  return document(
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>' +
      `<Signature xmlns="${DSIG}">${info}<SignatureValue>${value}</SignatureValue>${keys}` +
      `<Object>${data}</Object></Signature>`,
  );
}

function signedDataXml({ purpose, visible, hidden }: AnsweredOrder, funcId?: string): string {
  const shown =
    visible === undefined
      ? ''
      : `<usrVisibleData charset="UTF-8" visible="wysiwys">${visible}</usrVisibleData>`;
  const kept = hidden === undefined ? '' : `<usrNonVisibleData>${hidden}</usrNonVisibleData>`;
  const does = funcId ?? (purpose === 'auth' ? 'Identification' : 'Signing');
  return (
    `<bankIdSignedData xmlns="${TYPES}" Id="bidSignedData">${shown}${kept}` +
    `<srvInfo><name>${base64('cn=Relying Party,c=SE')}</name>` +
    `<nonce>${randomBytes(20).toString('base64')}</nonce>` +
    `<displayName>${base64('Relying Party')}</displayName></srvInfo>` +
    `<clientInfo><funcId>${does}</funcId><version>${base64('7.60.0')}</version><env><ai>` +
    `<type>${base64('IOS')}</type><deviceInfo>${base64('18.1')}</deviceInfo>` +
    `<uhi>${randomBytes(21).toString('base64')}</uhi><fsib>0</fsib><utb>cs1</utb>` +
    '<uauth>pw</uauth></ai></env></clientInfo></bankIdSignedData>'
  );
}

/** The members `signature` and `ocspResponse` of a completion. */
export function approval(
  { pki, customers, responder }: BankidPki,
  order: AnsweredOrder,
  usual: TestMember,
  atMs: number,
  faults: AnswerFaults = {},
): { readonly signature: string; readonly ocspResponse: string } {
  const person = faults.person ?? usual;
  const xml = approvalXml(order, person, faults);
  const encoded = Buffer.from(xml, 'utf8').toString('base64');
  const signature = faults.encoded?.(encoded) ?? encoded;
  const right = Buffer.concat([createHash('sha1').update(signature).digest(), randomBytes(12)]);
  const nonce = faults.nonce === undefined ? right : faults.nonce(right);
  const { about = person, ...said } = faults.ocsp ?? {};
  const response = pki.ocsp(about.certificate, {
    issuer: customers,
    responder,
    thisUpdateMs: atMs,
    nextUpdateMs: undefined,
    ...(nonce === undefined ? {} : { nonce: der.octetString(nonce) }),
    ...said,
  });
  const sent = faults.response?.(response) ?? response;
  return { signature, ocspResponse: Buffer.from(sent).toString('base64') };
}
