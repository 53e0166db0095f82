import { oids } from '../../../../src/formats/asn1/index.ts';
import { buildName, buildOcspFailure } from '../../../../src/formats/x509/index.ts';
import {
  type AnswerFaults,
  approval,
  bankidPki,
  issuePerson,
} from '../../../support/eid/bankid-answer.ts';
import {
  type BankidBench,
  bankidPerson,
  sharedBankidPki,
} from '../../../support/eid/bankid-bench.ts';
import type { DriverContract } from '../../../support/eid/driver-contract.ts';
import { memoized } from '../../../support/eid/memoized.ts';
import { makeTestPki } from '../../../support/pki.ts';

/** A response that must be rejected. `faults` are those its approval was created with. */
type Hostile = DriverContract['hostile'][number] & { readonly faults?: () => AnswerFaults };
type Members = Record<string, unknown>;

const DAY_MS = 24 * 3_600_000;
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

const spoil = (name: string, faults: () => AnswerFaults, code?: Hostile['code']): Hostile => ({
  name,
  faults,
  ...(code === undefined ? {} : { code }),
  arrange: (bench) => (bench as BankidBench).server.control.spoil(faults()),
});

const rewrite = (name: string, change: (answer: Members) => Members): Hostile => ({
  name,
  arrange: (bench) => (bench as BankidBench).server.control.rewrite(change),
});

const answer = (name: string, status: number, body: string, headers = {}): Hostile => ({
  name,
  arrange: (bench) =>
    (bench as BankidBench).server.control.answer('collect', { status, body, headers }),
});

const inCompletion = (change: (completion: Members) => Members) => (given: Members) => ({
  ...given,
  ...('completionData' in given
    ? { completionData: change(given['completionData'] as Members) }
    : {}),
});

const certificates = memoized(() => {
  const own = sharedBankidPki();
  const { pki, customers } = own;
  const { number, name } = bankidPerson;
  const ca = { basicConstraints: { ca: true }, keyUsage: 1 << 5 };
  const times = (fromDays: number, toDays: number) => ({
    notBeforeMs: pki.nowMs + fromDays * DAY_MS,
    notAfterMs: pki.nowMs + toDays * DAY_MS,
  });
  const subject = (attributes: Parameters<typeof buildName>[0]) => ({
    subjectDer: buildName(attributes),
  });
  const mint = (more: Parameters<typeof issuePerson>[3]) =>
    issuePerson(pki, customers, bankidPerson, more);
  const strangers = pki.issue({ name: 'Strangers CA', extensions: ca });
  const expiredCa = pki.issue({ name: 'Expired CA', extensions: ca, ...times(-400, -10) });
  return {
    other: own.person({ number: '199003112399', name: 'Annan Person' }),
    expired: mint(times(-400, -1)),
    early: mint(times(1, 400)),
    authority: mint({ extensions: ca }),
    encryption: mint({ extensions: { keyUsage: 1 << 2 } }),
    nameless: mint(subject({ countryName: 'SE', serialNumber: number })),
    numberless: mint(subject({ countryName: 'SE', commonName: name })),
    otherForm: mint(subject({ commonName: name, serialNumber: '900310-2390' })),
    elliptic: mint({ key: 'P-256' }),
    belowExpired: issuePerson(pki, expiredCa, bankidPerson),
    strangers,
    strange: pki.issue({
      name: 'Strange OCSP',
      issuer: strangers,
      extensions: { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true },
    }),
    unauthorised: pki.issue({ name: 'Not for OCSP', issuer: customers }),
  };
});

/** Another BankID with the same names. */
const foreign = memoized(() => bankidPki(makeTestPki()));

const secondReference =
  `<Reference URI="#other"><Transforms><Transform Algorithm="${C14N}"></Transform></Transforms>` +
  '<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>' +
  '<DigestValue>47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=</DigestValue></Reference>';

/** Moves the signed data out of the object, puts forged data there, and hides the original. */
function wrapped(hide: (data: string) => string, forgedId = 'bidSignedData') {
  return (xml: string): string => {
    const [data = ''] = /<bankIdSignedData.*<\/bankIdSignedData>/.exec(xml) ?? [];
    const forged = data
      .replace('Id="bidSignedData"', `Id="${forgedId}"`)
      .replace(/<srvInfo>.*<\/srvInfo>/, '');
    return hide(data).length === 0
      ? xml
      : xml
          .replace(data, forged)
          .replace('</Object></Signature>', `</Object>${hide(data)}</Signature>`);
  };
}

const inSignedInfo = (from: string | RegExp, to: string): AnswerFaults => ({
  signedInfo: (xml) => {
    const changed = xml.replace(from, to);
    if (changed === xml) throw new Error('the fault changes nothing');
    return changed;
  },
});
const inSignedData = (from: string | RegExp, to: string): AnswerFaults => ({
  signedData: (xml) => {
    const changed = xml.replace(from, to);
    if (changed === xml) throw new Error('the fault changes nothing');
    return changed;
  },
});
const afterSigning = (change: (xml: string) => string): AnswerFaults => ({
  document: (xml) => {
    const changed = change(xml);
    if (changed === xml) throw new Error('the fault changes nothing');
    return changed;
  },
});

const ofXml: readonly Hostile[] = [
  spoil('an incorrect digest of the data', () =>
    inSignedInfo(/<DigestValue>[^<]+/, '<DigestValue>47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='),
  ),
  spoil('a third reference', () =>
    inSignedInfo('</SignedInfo>', `${secondReference}</SignedInfo>`),
  ),
  spoil('a single reference', () =>
    inSignedInfo(/<Reference URI="#bidKeyInfo">.*<\/Reference>/, ''),
  ),
  spoil('two references to the data', () =>
    inSignedInfo(/(<Reference Type.*?<\/Reference>)<Reference URI.*<\/Reference>/, '$1$1'),
  ),
  spoil('a reference of another type', () =>
    inSignedInfo('Type="http://www.bankid.com/signature/v1.0.0/types" ', ''),
  ),
  spoil('a reference to the whole document', () => inSignedInfo('"#bidKeyInfo"', '""')),
  spoil('another canonicalisation', () =>
    inSignedInfo(
      `CanonicalizationMethod Algorithm="${C14N}"`,
      `CanonicalizationMethod Algorithm="${C14N}#WithComments"`,
    ),
  ),
  spoil('another transform', () =>
    inSignedInfo(
      `Transform Algorithm="${C14N}"`,
      'Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"',
    ),
  ),
  spoil('two transforms', () =>
    inSignedInfo('</Transforms>', `<Transform Algorithm="${C14N}"></Transform></Transforms>`),
  ),
  spoil('a SHA-1 digest', () =>
    inSignedInfo(
      'http://www.w3.org/2001/04/xmlenc#sha256',
      'http://www.w3.org/2000/09/xmldsig#sha1',
    ),
  ),
  spoil('RSA with SHA-1', () =>
    inSignedInfo(
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    ),
  ),
  spoil('HMAC', () =>
    inSignedInfo(
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
    ),
  ),
  spoil('another text', () => inSignedData(/(<usrVisibleData[^>]*>)[^<]+/, '$1UGF5IDEwMDA=')),
  spoil('no text', () => inSignedData(/<usrVisibleData.*<\/usrVisibleData>/, '')),
  spoil('the text as markup', () =>
    inSignedData(' visible="wysiwys"', ' format="simpleMarkdownV1" visible="wysiwys"'),
  ),
  spoil('the text in another character set', () => inSignedData('UTF-8', 'ISO-8859-1')),
  spoil('two texts', () => inSignedData(/(<usrVisibleData.*<\/usrVisibleData>)/, '$1$1')),
  spoil('other hidden data', () =>
    inSignedData(/<usrNonVisibleData>[^<]+/, '<usrNonVisibleData>eyJub25jZSI6IngifQ=='),
  ),
  spoil('no hidden data', () => inSignedData(/<usrNonVisibleData>.*<\/usrNonVisibleData>/, '')),
  spoil('hidden data of another namespace', () =>
    inSignedData('<usrNonVisibleData>', '<usrNonVisibleData xmlns="urn:other">'),
  ),
  spoil('another function', () => ({ funcId: 'Payment' })),
  spoil('no function', () => inSignedData(/<funcId>.*<\/funcId>/, '')),
  spoil('a KeyInfo without issuer certificates', () => ({ issuers: [] })),
  spoil('too many certificates', () => ({
    issuers: new Array<Uint8Array>(9).fill(sharedBankidPki().customers.der),
  })),
  spoil('a malformed certificate', () => ({ issuers: [new Uint8Array(40)] })),
  spoil('a signature by another key', () => ({ signer: certificates().other })),
  spoil('another certificate before that of the signer', () => ({
    keyInfo: (xml) =>
      xml.replace(
        '<X509Certificate>',
        `<X509Certificate>${Buffer.from(certificates().other.der).toString('base64')}</X509Certificate><X509Certificate>`,
      ),
  })),
  spoil('an elliptic curve key', () => ({ person: certificates().elliptic })),
];

const ofDocument: readonly Hostile[] = [
  spoil('a document type declaration', () =>
    afterSigning((xml) => xml.replace('?>', '?><!DOCTYPE a [<!ENTITY e "x">]>')),
  ),
  spoil('data moved into a second object', () =>
    afterSigning(wrapped((data) => `<Object>${data}</Object>`)),
  ),
  spoil('data moved into a second object under its Id', () =>
    afterSigning(wrapped((data) => `<Object>${data}</Object>`, 'other')),
  ),
  spoil('a forged element before the data', () =>
    afterSigning((xml) => xml.replace('<Object>', '<Object><x xmlns="" Id="bidSignedData"></x>')),
  ),
  spoil('another element with the Id of the keys', () =>
    afterSigning((xml) => xml.replace('<Object>', '<Object Id="bidKeyInfo">')),
  ),
  spoil('a signature inside another signature', () =>
    afterSigning((xml) => {
      const [head = '', body = ''] = xml.split(/(?<=\?>)/);
      return `${head}<Envelope xmlns="">${body}</Envelope>`;
    }),
  ),
  spoil('text between the elements', () =>
    afterSigning((xml) => xml.replace('<Object>', 'x<Object>')),
  ),
  spoil('changed content', () => afterSigning((xml) => xml.replace(/(<funcId>)\w+/, '$1Payment'))),
  spoil('a long document', () =>
    afterSigning((xml) => xml.replace('<Object>', `<!--${'x'.repeat(500_000)}--><Object>`)),
  ),
  spoil('deep elements', () =>
    afterSigning((xml) =>
      xml.replace('<Object>', `<Object>${'<a>'.repeat(10_500)}${'</a>'.repeat(10_500)}`),
    ),
  ),
  spoil('base64 with line ends', () => ({
    encoded: (base64) => base64.replace(/.{76}/g, '$&\n'),
  })),
  spoil('a signature that is not base64', () => ({ encoded: (base64) => `${base64}!` })),
  spoil('a signature that is not UTF-8', () => ({
    encoded: (base64) => Buffer.from(base64, 'base64').fill(0xff, 0, 4).toString('base64'),
  })),
];

const ofCertificates: readonly Hostile[] = [
  spoil('another person', () => ({ person: certificates().other }), 'identityMismatch'),
  spoil('a certificate that has expired', () => ({ person: certificates().expired })),
  spoil('a certificate that is not valid yet', () => ({ person: certificates().early })),
  spoil('a certificate of an authority', () => ({ person: certificates().authority })),
  spoil('a certificate for encryption', () => ({ person: certificates().encryption })),
  spoil('a certificate without a name', () => ({ person: certificates().nameless })),
  spoil('a certificate without a number', () => ({ person: certificates().numberless })),
  spoil('a number of another form', () => ({ person: certificates().otherForm })),
  spoil('a chain that has expired', () => ({ person: certificates().belowExpired })),
  spoil('a chain with a gap', () => ({ issuers: [sharedBankidPki().root.der] })),
  spoil('a chain to another root of the same name', () => {
    const { pki, customers, root, person } = foreign();
    const issuers = [customers.der, pki.member('ca').der, root.der];
    return { person: person(bankidPerson), issuers };
  }),
];

const ofOcsp: readonly Hostile[] = [
  spoil('a revoked certificate', () => ({ ocsp: { status: 'revoked' } }), 'certificateErr'),
  spoil('a certificate unknown to the responder', () => ({ ocsp: { status: 'unknown' } })),
  spoil('an OCSP response with the nonce of another signature', () => ({
    nonce: () => Buffer.alloc(32, 7),
  })),
  spoil('an OCSP response without nonce', () => ({ nonce: () => undefined })),
  spoil('a nonce that is the digest alone', () => ({ nonce: (right) => right.subarray(0, 20) })),
  spoil('a nonce that ends in the digest', () => ({
    nonce: (right) => Buffer.concat([right.subarray(20), right.subarray(0, 20)]),
  })),
  spoil('a responder of another authority', () => ({
    ocsp: { responder: certificates().strange },
  })),
  spoil('a responder without the purpose', () => ({
    ocsp: { responder: certificates().unauthorised },
  })),
  spoil('an OCSP response about another certificate', () => ({
    ocsp: { about: certificates().other },
  })),
  spoil('an OCSP response dated another day', () => ({
    ocsp: { thisUpdateMs: sharedBankidPki().pki.nowMs - DAY_MS },
  })),
  spoil('an OCSP response dated tomorrow', () => ({
    ocsp: { thisUpdateMs: sharedBankidPki().pki.nowMs + DAY_MS },
  })),
  spoil('an OCSP response with a broken signature', () => ({
    ocsp: { sign: () => new Uint8Array(70) },
  })),
  spoil('a responder that is busy', () => ({ response: () => buildOcspFailure('tryLater') })),
  spoil('a malformed OCSP response', () => ({ response: () => new Uint8Array(9) })),
];

const ofAnswer: readonly Hostile[] = [
  rewrite('an answer for another order', (given) => ({ ...given, orderRef: 'b2cd0000-other' })),
  rewrite('an unknown status', (given) => ({ ...given, status: 'done' })),
  rewrite('a status that is no text', (given) => ({ ...given, status: { complete: true } })),
  rewrite('a completion without its data', ({ completionData: _, ...given }) => given),
  rewrite(
    'a completion that names another person',
    inCompletion((given) => ({ ...given, user: { personalNumber: '199003112399' } })),
  ),
  rewrite(
    'a completion without a person',
    inCompletion(({ user: _, ...given }) => given),
  ),
  rewrite(
    'a completion without a signature',
    inCompletion(({ signature: _, ...given }) => given),
  ),
  rewrite(
    'a completion without OCSP',
    inCompletion(({ ocspResponse: _, ...given }) => given),
  ),
  rewrite(
    'numbers for texts',
    inCompletion((given) => ({ ...given, signature: 7 })),
  ),
  {
    name: 'the replay of the answer to another order',
    arrange: (bench) => {
      const { certificates: own, nowMs, server } = bench as BankidBench;
      const nonce = 'A'.repeat(43);
      const of = (text: string) => Buffer.from(text).toString('base64');
      const purpose = server.log[0]?.method === 'sign' ? 'sign' : 'auth';
      const digest = 'd1'.repeat(32);
      const hidden = purpose === 'sign' ? { algorithm: 'SHA-256', digest, nonce } : { nonce };
      const order = {
        purpose,
        visible: of(purpose === 'sign' ? 'Sign Agreement.pdf' : 'Log in at Example'),
        hidden: of(JSON.stringify(hidden)),
      } as const;
      const replayed = approval(own, order, own.person(bankidPerson), nowMs());
      server.control.rewrite(inCompletion((given) => ({ ...given, ...replayed })));
    },
  },
  answer('a redirect', 302, '', { location: 'https://elsewhere.example/' }),
  answer('success of another kind', 201, '{"status":"complete"}'),
  answer('an answer of more than a megabyte', 200, `{"a":"${'x'.repeat(1024 * 1024)}"}`),
];

/** Responses that must be rejected. */
export const bankidHostile: readonly Hostile[] = [
  ...ofXml,
  ...ofDocument,
  ...ofCertificates,
  ...ofOcsp,
  ...ofAnswer,
];
