import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../src/formats/cms/index.ts';
import { keyUsageBits } from '../../src/formats/x509/index.ts';
import { crlWith, deltaOf, scope, type TestCrl } from '../../test/support/crl.ts';
import type { TestMember, TestOcspOptions } from '../../test/support/pki.ts';
import { tokenOver } from '../../test/unit/verify/xml/extend-xml.ts';
import { pki } from '../../test/unit/verify/xml/sign-xml.ts';
import { extended } from './extend-cms.ts';
import { cms, type OddForm } from './odd-forms.table.ts';

const root = pki.member('root');
const ca = pki.member('ca');
const { nowMs } = pki;
const dayMs = 86_400_000;
const rootCrl = pki.crl(root);
const at = (days: number) => nowMs + days * dayMs;

/**
 * An OCSP response among the CRLs of a SignedData.
 *
 * @spec RFC 5940 §2.1
 */
const asRevocation = (response: Uint8Array) =>
  der.element(0xa1, [der.oid('1.3.6.1.5.5.7.16.2'), response]);

interface Told {
  readonly signer?: TestMember;
  readonly crls?: readonly Uint8Array[];
  readonly ocsp?: readonly Uint8Array[];
  /** Certificates in addition to those of the path. */
  readonly more?: readonly TestMember[];
  /** Time of a time-stamp over the signature value. Default: none. */
  readonly stampedMs?: number;
  /** The authority that issued it. */
  readonly authority?: TestMember;
}

const oldCa = pki.issue({
  name: 'old ca',
  issuer: root,
  notBeforeMs: at(-400),
  extensions: {
    basicConstraints: { ca: true },
    keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
  },
});
const oldTsa = pki.issue({
  name: 'old tsa',
  issuer: oldCa,
  notBeforeMs: at(-400),
  extensions: { extendedKeyUsage: [oids.timeStamping], extendedKeyUsageCritical: true },
});

/** A signature with statements about the status of its certificate. */
function told(name: string, about: Told): OddForm {
  const {
    signer = pki.member('signer'),
    crls = [],
    ocsp = [],
    more = [],
    stampedMs,
    authority = oldTsa,
  } = about;
  const certificates = [signer.der, ...signer.chain, ...more.map((each) => each.der)];
  const all = [rootCrl, ...crls, ...ocsp.map(asRevocation)];
  const form = cms(`status ${name}`, { signer }, { certificates, crls: all });
  if (stampedMs === undefined) return form;
  const stamp = (value: Uint8Array) => [
    buildAttribute(
      oids.signatureTimeStampToken,
      tokenOver(value, { timeMs: stampedMs, authority }),
    ),
  ];
  return { ...form, make: () => extended(form.make() as Uint8Array, stamp) };
}

const fresh = { thisUpdateMs: at(-1), nextUpdateMs: at(7) };
const list = (crl: Partial<TestCrl>, by: TestMember = ca) => crlWith(by, { ...fresh, ...crl });
const entry = (reasonCode: number | undefined, revokedAtMs = at(-5), member?: TestMember) => ({
  member: member ?? pki.member('signer'),
  revokedAtMs,
  ...(reasonCode === undefined ? {} : { reasonCode }),
});
const reasons = [undefined, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10] as const;
const answer = (options: TestOcspOptions = {}, member: TestMember = pki.member('signer')) =>
  pki.ocsp(member.certificate, options);
const responder = (name: string, more: object) =>
  pki.issue({ name, extensions: { extendedKeyUsage: [oids.ocspSigning], ...more } });
const unmarked = responder('ocsp without nocheck', {});
const marked = pki.member('ocsp');

/** A certificate whose CRL is at another location, or by another issuer. */
const placed = (name: string, point: Uint8Array) =>
  pki.issue({
    name,
    extensions: {
      crlUrls: [],
      others: [{ name: oids.crlDistributionPoints, critical: false, value: der.sequence(point) }],
    },
  });
const url = (text: string) =>
  der.element(0xa0, [der.element(0xa0, [der.element(0x86, [Buffer.from(text)])])]);
const crlAuthority = pki.issue({
  name: 'indirect authority',
  issuer: root,
  extensions: { keyUsage: keyUsageBits.cRLSign },
});
const crlSigner = pki.issue({
  name: 'crl signer',
  issuer: root,
  extensions: { keyUsage: keyUsageBits.cRLSign },
});
const directory = (nameDer: Uint8Array) => der.element(0xa4, [nameDer]);
const indirectly = placed(
  'indirectly',
  der.sequence(der.element(0xa2, [directory(crlSigner.certificate.subjectDer)])),
);
const issuerEntry = [
  '2.5.29.29',
  der.sequence(directory(ca.certificate.subjectDer)),
  true,
] as const;
const here = 'http://127.0.0.1:8318/crl/ca.crl';
const at2 = placed('at two', der.sequence(url(here)));
const reasoned = placed(
  'for reasons',
  der.sequence(url(here), der.element(0x81, [Buffer.of(1, 0x7e)])),
);
const only = (tag: number) =>
  [oids.issuingDistributionPoint, der.sequence(der.element(tag, [Buffer.of(0xff)])), true] as const;
const expired = pki.issue({
  name: 'expired once',
  issuer: oldCa,
  notBeforeMs: at(-390),
  notAfterMs: at(-30),
});
const ofOld = (crl: Partial<TestCrl>) => list(crl, oldCa);
const old = { thisUpdateMs: at(-40), nextUpdateMs: at(-33) };

/** Unusual statements about the status of a certificate. */
export const oddStatuses: readonly OddForm[] = [
  ...reasons.map((reason) =>
    told(`revoked for ${reason ?? 'nothing'}`, { crls: [list({ entries: [entry(reason)] })] }),
  ),
  ...reasons.map((reason) =>
    told(`revoked for ${reason ?? 'nothing'} after a time-stamp`, {
      crls: [list({ entries: [entry(reason)] })],
      stampedMs: at(-10),
    }),
  ),
  told('revoked later than now', { crls: [list({ entries: [entry(1, at(2))] })] }),
  told('revoked before its certificate', { crls: [list({ entries: [entry(1, at(-60))] })] }),
  told('hold, and a delta that lifts it', {
    crls: [
      list({ entries: [entry(6)], crlNumber: 5 }),
      list({ entries: [entry(8)], crlNumber: 6, extensions: [deltaOf(5)], thisUpdateMs: at(0) }),
    ],
  }),
  told('hold, and a newer CRL without it', {
    crls: [
      list({ entries: [entry(6)], crlNumber: 5, thisUpdateMs: at(-3), nextUpdateMs: at(-1) }),
      list({ crlNumber: 6 }),
    ],
  }),
  told('hold, and a newer CRL without it, both fresh', {
    crls: [
      list({ entries: [entry(6)], crlNumber: 5, thisUpdateMs: at(-3) }),
      list({ crlNumber: 6 }),
    ],
  }),
  told('hold in CRL, good in OCSP later', {
    crls: [list({ entries: [entry(6)], thisUpdateMs: at(-3) })],
    ocsp: [answer()],
  }),
  told('revoked in CRL, good in OCSP later', {
    crls: [list({ entries: [entry(1)], thisUpdateMs: at(-3) })],
    ocsp: [answer()],
  }),
  told('good in CRL, revoked in OCSP', { crls: [list({})], ocsp: [answer({ status: 'revoked' })] }),
  told('good in CRL, unknown in OCSP', { crls: [list({})], ocsp: [answer({ status: 'unknown' })] }),
  told('unknown in OCSP', { ocsp: [answer({ status: 'unknown' })] }),
  told('good and revoked in one OCSP', { ocsp: [answer({ also: ['revoked'] })] }),
  told('delegated with nocheck', { ocsp: [answer()] }),
  told('delegated without nocheck, good', {
    ocsp: [answer({ responder: unmarked }), answer({}, unmarked)],
  }),
  told('delegated without nocheck, good by CRL', {
    ocsp: [answer({ responder: unmarked })],
    crls: [list({})],
  }),
  told('delegated without nocheck, unknown', { ocsp: [answer({ responder: unmarked })] }),
  told('delegated without nocheck, revoked', {
    ocsp: [answer({ responder: unmarked }), answer({ status: 'revoked' }, unmarked)],
  }),
  told('by its issuer', { ocsp: [answer({ responder: ca, certificates: [] })] }),
  told('by a responder that is beside', {
    ocsp: [answer({ certificates: [] })],
    more: [marked],
  }),
  told('by a responder that is nowhere', { ocsp: [answer({ certificates: [] })] }),
  told('by a responder without the purpose', {
    ocsp: [answer({ responder: pki.member('rsa'), certificates: [pki.member('rsa').der] })],
  }),
  told('by a responder of the root', {
    ocsp: [
      answer({
        responder: pki.issue({
          name: 'responder of the root',
          issuer: root,
          extensions: { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true },
        }),
      }),
    ],
  }),
  told('of a certificate by SHA-256', { ocsp: [answer({ digest: 'sha256' })] }),
  told('stale OCSP', { ocsp: [answer({ thisUpdateMs: at(-9), nextUpdateMs: at(-2) })] }),
  told('OCSP without an end', {
    ocsp: [answer({ thisUpdateMs: at(-9), nextUpdateMs: undefined })],
  }),
  told('OCSP without an end of now', { ocsp: [answer({ nextUpdateMs: undefined })] }),
  told('OCSP of tomorrow', { ocsp: [answer({ thisUpdateMs: at(1) })] }),
  told('OCSP older than the certificate', {
    ocsp: [answer({ thisUpdateMs: at(-31), nextUpdateMs: at(9) })],
  }),
  told('stale CRL', { crls: [list({ thisUpdateMs: at(-9), nextUpdateMs: at(-2) })] }),
  told('stale CRL after the time-stamp', {
    crls: [list({ thisUpdateMs: at(-9), nextUpdateMs: at(-2) })],
    stampedMs: at(-10),
  }),
  told('stale CRL that revokes', {
    crls: [list({ entries: [entry(1, at(-12))], thisUpdateMs: at(-9), nextUpdateMs: at(-2) })],
  }),
  told('CRL without an end', { crls: [crlWith(ca, { thisUpdateMs: at(0) })] }),
  told('CRL of tomorrow', { crls: [list({ thisUpdateMs: at(1) })] }),
  told('CRL older than the certificate', { crls: [list({ thisUpdateMs: at(-31) })] }),
  told('CRL with a critical extension nobody knows', {
    crls: [list({ extensions: [['2.999.7', der.nil(), true]] })],
  }),
  told('CRL with a critical extension of an entry', {
    crls: [
      list({
        entries: [
          { ...entry(1, at(-5), pki.member('rsa')), extensions: [['2.999.7', der.nil(), true]] },
        ],
      }),
    ],
  }),
  told('CRL for users only', { crls: [list({ extensions: [only(0x81)] })] }),
  told('CRL for authorities only', { crls: [list({ extensions: [only(0x82)] })] }),
  told('CRL for attribute certificates only', { crls: [list({ extensions: [only(0x85)] })] }),
  told('CRL of its distribution point', {
    signer: at2,
    crls: [list({ extensions: [scope({ url: here })] })],
  }),
  told('CRL of another distribution point', {
    signer: at2,
    crls: [list({ extensions: [scope({ url: `${here}2` })] })],
  }),
  told('CRL of another distribution point that revokes', {
    signer: at2,
    crls: [list({ extensions: [scope({ url: `${here}2` })], entries: [entry(1, at(-5), at2)] })],
  }),
  told('CRL for some reasons', {
    crls: [list({ extensions: [scope({ reasons: 0x02 })] })],
  }),
  told('CRL for some reasons, and one for the others', {
    crls: [
      list({ extensions: [scope({ reasons: 0x02 })] }),
      list({ extensions: [scope({ reasons: 0x1fc })] }),
    ],
  }),
  told('a distribution point for some reasons', { signer: reasoned, crls: [list({})] }),
  told('indirect CRL', {
    signer: indirectly,
    crls: [list({ extensions: [scope({ isIndirect: true })] }, crlSigner)],
    more: [crlSigner],
  }),
  told('indirect CRL that revokes', {
    signer: indirectly,
    crls: [
      list(
        {
          extensions: [scope({ isIndirect: true })],
          entries: [{ ...entry(1, at(-5), indirectly), extensions: [issuerEntry] }],
        },
        crlSigner,
      ),
    ],
    more: [crlSigner],
  }),
  told('indirect CRL with the serial number of another issuer', {
    signer: indirectly,
    crls: [
      list(
        { extensions: [scope({ isIndirect: true })], entries: [entry(1, at(-5), indirectly)] },
        crlSigner,
      ),
    ],
    more: [crlSigner],
  }),
  told('CRL of somebody else', {
    crls: [list({ issuerDer: ca.certificate.subjectDer }, crlAuthority)],
    more: [crlAuthority],
  }),
  told('expired', { signer: expired, crls: [ofOld(old)] }),
  told('expired, and a time-stamp before', {
    signer: expired,
    crls: [ofOld(old)],
    stampedMs: at(-60),
  }),
  told('expired, a time-stamp before, and a CRL of before', {
    signer: expired,
    crls: [ofOld({ thisUpdateMs: at(-90), nextUpdateMs: at(-83) })],
    stampedMs: at(-60),
  }),
  told('expired, a time-stamp before, and a CRL of now', {
    signer: expired,
    crls: [ofOld({})],
    stampedMs: at(-60),
  }),
  told('expired, and a time-stamp before, by an authority of later', {
    signer: expired,
    crls: [ofOld(old)],
    stampedMs: at(-60),
    authority: pki.member('tsa'),
  }),
  told('expired, and a time-stamp after', {
    signer: expired,
    crls: [ofOld(old)],
    stampedMs: at(-10),
  }),
  told('stamped before its certificate', {
    signer: pki.issue({ name: 'young', notBeforeMs: at(-5) }),
    crls: [list({})],
    stampedMs: at(-10),
  }),
  told('not yet valid', { signer: pki.member('notYetValid'), crls: [list({})] }),
];
