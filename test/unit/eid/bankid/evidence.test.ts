import { describe, expect, test } from 'vitest';
import {
  type BankidExpected,
  verifyBankidEvidence,
} from '../../../../src/adapters/eid/bankid-se/index.ts';
import { eidTrust } from '../../../../src/app/eid/eid-trust.ts';
import { EidError, type EidEvidence } from '../../../../src/app/ports/index.ts';
import { oids } from '../../../../src/formats/asn1/index.ts';
import { type AnswerFaults, approval } from '../../../support/eid/bankid-answer.ts';
import { bankidPerson, sharedBankidPki } from '../../../support/eid/bankid-bench.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { bankidHostile } from './hostile.ts';

const own = sharedBankidPki();
const { nowMs } = own.pki;
const trust = { checks: eidTrust(), anchors: [own.root.der] };
const digest = 'd1'.repeat(32);
const nonce = 'n'.repeat(43);
const text = 'Sign Agreement.pdf\r\nof 2026';
const expected: BankidExpected = {
  purpose: 'sign',
  text,
  digest,
  nonce,
  personalNumber: bankidPerson.number,
  fromMs: nowMs,
  untilMs: nowMs,
};

const base64 = (value: string) => Buffer.from(value, 'utf8').toString('base64');

function evidenceOf(faults: AnswerFaults = {}): EidEvidence {
  const order = {
    purpose: 'sign',
    visible: base64('Sign Agreement.pdf\nof 2026'),
    hidden: base64(`{"algorithm":"SHA-256","digest":"${digest}","nonce":"${nonce}"}`),
  } as const;
  const proof = approval(own, order, own.person(bankidPerson), nowMs, faults);
  const data = Buffer.from(proof.signature, 'base64').toString('utf8');
  return { scheme: 'bankid-se', format: 'xmldsig', data, ocsp: proof.ocspResponse };
}

function refusalOf(work: () => unknown): EidError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(EidError);
    return error as EidError;
  }
  throw new Error('the evidence was accepted');
}

/** The reason reported for each fault, so that no fault hides behind another. */
const reasons: Readonly<Record<string, string>> = {
  'an incorrect digest of the data': 'a digest does not match the signed data',
  'a third reference': 'expected two references',
  'a single reference': 'expected two references',
  'two references to the data': 'no reference to bidSignedData',
  'a reference of another type': 'the reference to bidSignedData has a different type',
  'a reference to the whole document': 'no reference to bidKeyInfo',
  'another canonicalisation': 'the canonicalisation is different',
  'another transform': 'other transforms',
  'two transforms': 'other transforms',
  'a SHA-1 digest': 'a different digest algorithm',
  'RSA with SHA-1': 'the signature algorithm is different',
  HMAC: 'the signature algorithm is different',
  'another text': 'the signed text is not the one that was sent',
  'no text': 'the signed text is not the one that was sent',
  'the text as markup': 'the text was shown in a different form',
  'the text in another character set': 'the text was shown in a different form',
  'two texts': 'more than one usrVisibleData',
  'other hidden data': 'the signed digest or nonce is not the one that was sent',
  'no hidden data': 'the signed digest or nonce is not the one that was sent',
  'hidden data of another namespace': 'usrNonVisibleData, or one of another namespace',
  'another function': 'it was created for a different purpose',
  'no function': 'no funcId',
  'a KeyInfo without issuer certificates': 'the certificates do not form a chain',
  'too many certificates': 'the certificates do not form a chain',
  'a malformed certificate': 'a certificate in the response cannot be read',
  'a signature by another key': 'the signature value does not belong to the certificate',
  'another certificate before that of the signer':
    'the signature value does not belong to the certificate',
  'an elliptic curve key': 'the key is not RSA of 2048 bits or more',
  'a document type declaration': 'a part of it is malformed',
  'data moved into a second object': 'the signature has no key or no data',
  'data moved into a second object under its Id': 'the signature has no key or no data',
  'a forged element before the data': 'the signed object contains something other than the data',
  'another element with the Id of the keys': 'bidKeyInfo is a different element',
  'a signature inside another signature': 'a part of it is malformed',
  'text between the elements': 'a part of it is malformed',
  'changed content': 'a digest does not match the signed data',
  'a long document': 'the signature is too long',
  'deep elements': 'a part of it is malformed',
  'another person': 'a different person answered than requested',
  'a certificate that has expired': 'no valid path',
  'a certificate that is not valid yet': 'no valid path',
  'a certificate of an authority': 'not for signatures of persons',
  'a certificate for encryption': 'not for signatures of persons',
  'a certificate without a name': 'does not name one person',
  'a certificate without a number': 'does not name one person',
  'a number of another form': 'the certificate has no personal number',
  'a chain that has expired': 'no valid path',
  'a chain with a gap': 'no valid path',
  'a chain to another root of the same name': 'no valid path',
  'a revoked certificate': 'the certificate was revoked',
  'a certificate unknown to the responder': 'does not know the certificate',
  'an OCSP response with the nonce of another signature': 'belongs to a different signature',
  'an OCSP response without nonce': 'belongs to a different signature',
  'a nonce that is the digest alone': 'belongs to a different signature',
  'a nonce that ends in the digest': 'belongs to a different signature',
  'a responder of another authority': 'the OCSP responder is not authorised',
  'a responder without the purpose': 'the OCSP responder is not allowed to respond',
  'an OCSP response about another certificate': 'no revocation data covers this certificate',
  'an OCSP response dated another day': 'the OCSP response is from a different time',
  'an OCSP response dated tomorrow': 'the OCSP response is from a different time',
  'an OCSP response with a broken signature': 'the signature of the OCSP response is invalid',
  'a responder that is busy': 'the OCSP responder returned no status',
  'a malformed OCSP response': 'a part of it is malformed',
};

/** Faults of the encoding, which stored evidence cannot have. */
const encodings = /^(base64 with|a signature that is no)/;

describe('stored evidence', () => {
  test('proves person, text and document, even years later', () => {
    const evidence = evidenceOf();
    const stored = JSON.parse(JSON.stringify({ evidence, expected })) as {
      evidence: EidEvidence;
      expected: BankidExpected;
    };
    const proof = verifyBankidEvidence(stored.evidence, stored.expected, trust);
    expect(proof.identity).toEqual({
      ssn: '199003102390',
      name: 'Testa Exempelsson',
      country: 'SE',
      subject: '199003102390',
      birthDate: '1990-03-10',
    });
    expect(proof.checkedAtMs).toBe(nowMs);
    expect(proof.path).toHaveLength(4);
  });

  test('is verified without nonce, person and times if those are unknown', () => {
    const { purpose } = expected;
    const proof = verifyBankidEvidence(evidenceOf(), { purpose, text, digest }, trust);
    expect(proof.identity.ssn).toBe(bankidPerson.number);
  });

  test.each([
    ['the digest of another document', { digest: 'd2'.repeat(32) }, 'digest or nonce'],
    ['no digest', { digest: '' }, 'no document digest was requested'],
    ['the nonce of another order', { nonce: 'm'.repeat(43) }, 'belongs to a different order'],
    ['another text', { text: 'Sign Will.pdf' }, 'the signed text'],
    ['no text', { text: '' }, 'the signed text'],
    ['a login', { purpose: 'auth' as const }, 'a different purpose'],
    ['an earlier order', { untilMs: nowMs - 10 * 60_000 }, 'a different time'],
    ['a later order', { fromMs: nowMs + 10 * 60_000 }, 'a different time'],
    ['a policy that is absent', { certificatePolicies: ['1.2.752.78.1.5'] }, 'policies'],
  ])('does not prove %s', (_, other, why) => {
    const evidence = evidenceOf();
    const refusal = refusalOf(() =>
      verifyBankidEvidence(evidence, { ...expected, ...other }, trust),
    );
    expect(refusal.message).toContain(why);
  });

  test('is verified without a status of the OCSP responder', () => {
    const responder = own.pki.issue({
      name: 'OCSP of an hour',
      issuer: own.customers,
      extensions: { extendedKeyUsage: [oids.ocspSigning] },
    });
    const evidence = evidenceOf({ ocsp: { responder } });
    expect(verifyBankidEvidence(evidence, expected, trust).checkedAtMs).toBe(nowMs);
  });

  test('has a certificate policy if one is required', () => {
    const person = own.pki.issue({
      name: 'with policy',
      key: 'RSA-2048',
      issuer: own.customers,
      subjectDer: own.person(bankidPerson).certificate.subjectDer,
      extensions: { policies: ['1.2.752.78.1.1', '1.2.752.78.1.5'] },
    });
    const asked = { ...expected, certificatePolicies: ['1.2.752.78.1.5'] };
    const proof = verifyBankidEvidence(evidenceOf({ person }), asked, trust);
    expect(proof.identity.ssn).toBe(bankidPerson.number);
  });

  test('is rejected under another trust anchor or in another format', () => {
    const other = makeTestPki().member('root').der;
    const evidence = evidenceOf();
    for (const [given, anchors] of [
      [evidence, [other]],
      [{ ...evidence, format: 'jwt' as const }, trust.anchors],
      [{ ...evidence, ocsp: '' }, trust.anchors],
      [{ ...evidence, certificates: ['AAAA'] }, trust.anchors],
      [{ ...evidence, data: '' }, trust.anchors],
    ] as const) {
      const refusal = refusalOf(() => verifyBankidEvidence(given, expected, { ...trust, anchors }));
      expect(refusal.code).toBe('invalidResponse');
    }
  });
});

const spoiled = bankidHostile.filter(({ name, faults }) => faults && !encodings.test(name));

test('every fault of an approval has a reason', () => {
  expect(spoiled.map(({ name }) => name).sort()).toEqual(Object.keys(reasons).sort());
});

describe.each(spoiled)('evidence with $name', ({ name, faults, code = 'invalidResponse' }) => {
  test('is rejected for that reason, in a message without personal data', () => {
    const evidence = evidenceOf(faults?.());
    const refusal = refusalOf(() => verifyBankidEvidence(evidence, expected, trust));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(reasons[name]);
    expect(refusal.message).not.toMatch(/\d{6}|Exempelsson|Person/);
  });
});
