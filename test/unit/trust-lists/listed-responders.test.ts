import { describe, expect, test } from 'vitest';
import { verifyDocument } from '../../../src/app/documents/verify-document.ts';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { oids } from '../../../src/formats/asn1/index.ts';
import { parseTrustedList } from '../../../src/formats/tsl/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { createQualifier, type ListEvidence } from '../../../src/verify/qualification/index.ts';
import { makeTestPki, type TestMember, type TestOcspOptions } from '../../support/pki.ts';
import { countingRandom, signerOf } from '../../support/sealing.ts';
import { listNowMs, listXml, type TestService } from '../../support/trusted-lists.ts';

const pki = makeTestPki({ nowMs: listNowMs });
const foreign = makeTestPki({ nowMs: listNowMs });
const DAY_MS = 86_400_000;
const iso = (days: number) => new Date(listNowMs + days * DAY_MS).toISOString().slice(0, 19);
const [ca, signer] = [pki.member('ca'), pki.member('signer')];
const responding = { extendedKeyUsage: [oids.ocspSigning] };
/** Issued by another authority, like the responder of a whole provider. */
const responder = foreign.issue({ name: 'responder', extensions: responding });

const issuing = (changes: Partial<TestService> = {}): TestService => ({
  certificates: [ca.der],
  ...changes,
});
const answering = (changes: Partial<TestService> = {}): TestService => ({
  type: 'Certstatus/OCSP/QC',
  information: [],
  certificates: [responder.der],
  ...changes,
});

function listOf(services: readonly TestService[], changes: Partial<ListEvidence> = {}) {
  const list = parseTrustedList(parseXml(Buffer.from(listXml({ services }))));
  const { territory, sequenceNumber } = list;
  return { territory, sequenceNumber, services: list.services, ...changes };
}

const sealed = sealXml(
  { source: Buffer.from('<a/>'), level: 'B-B', packaging: 'enveloped' },
  {
    ...{ signer: signerOf(signer), anchors: [ca.certificate] },
    ...{ now: () => listNowMs - 3_600_000, random: countingRandom() },
  },
);

/** The conclusion about the signature with a response of the responder. */
async function conclude(
  lists: readonly ListEvidence[] | undefined,
  options: TestOcspOptions = {},
  nowMs = listNowMs,
) {
  const ocsp = pki.ocsp(signer.certificate, { responder, ...options });
  const { signatures } = await verifyDocument({
    source: memorySource((await sealed).bytes),
    anchors: [ca.certificate],
    nowMs,
    validationData: { ocsp: [ocsp], crls: [] },
    ...(lists === undefined ? {} : { qualifier: createQualifier(lists) }),
  });
  const { indication, subIndication, findings } = signatures[0] as (typeof signatures)[0];
  const said = findings.map(({ code, message }) => `${code} ${message}`).join('\n');
  return { verdict: [indication, subIndication].filter(Boolean).join(' '), said };
}

const both = [issuing(), answering()];

describe('a responder in a trusted list (RFC 6960 §4.2.2.2)', () => {
  test.each<[string, readonly TestService[]]>([
    ['is authorised for the authorities of its provider', both],
    ['whatever the type of the authority', [issuing({ type: 'CA/PKC' }), answering()]],
    ['of services that are not qualified', [issuing(), answering({ type: 'Certstatus/OCSP' })]],
    ['under supervision', [issuing(), answering({ status: 'undersupervision' })]],
    ['accredited', [issuing(), answering({ status: 'accredited' })]],
    [
      'of national law',
      [issuing(), answering({ type: 'Certstatus/OCSP', status: 'recognisedatnationallevel' })],
    ],
    ['although the authority was withdrawn', [issuing({ status: 'withdrawn' }), answering()]],
  ])('is accepted: %s', async (_, services) => {
    expect((await conclude([listOf(services)])).verdict).toBe('TOTAL-PASSED');
  });

  test('can report a revocation too', async () => {
    const { verdict } = await conclude([listOf(both)], { status: 'revoked' });
    expect(verdict).toBe('INDETERMINATE REVOKED_NO_POE');
  });

  test('is recognised by name and key, so that a renewed certificate counts', async () => {
    const renewed = foreign.issue({
      ...{ name: 'responder', extensions: responding, keyOf: responder },
      subjectDer: responder.certificate.subjectDer,
    });
    expect((await conclude([listOf(both)], { responder: renewed })).verdict).toBe('TOTAL-PASSED');
  });

  const unknown = /revocation.unknown .*the OCSP responder is not authorised by the issuer/;
  const withdrawn = { status: 'withdrawn', from: iso(-2) };
  const history = [{ type: 'Certstatus/OCSP/QC', information: [], from: iso(-300) }];
  test.each<[string, readonly ListEvidence[] | undefined]>([
    ['without lists', undefined],
    ['of another provider', [listOf([issuing(), answering({ provider: 'Other' })])]],
    [
      'of another provider with that name',
      [listOf([issuing(), answering({ provider: 'Provider ' })])],
    ],
    ['of a provider in another list', [listOf([issuing()]), listOf([answering()])]],
    ['whose provider has no such authority', [listOf([answering()])]],
    ['withdrawn', [listOf([issuing(), answering({ status: 'withdrawn' })])]],
    ['withdrawn before the response', [listOf([issuing(), answering({ ...withdrawn, history })])]],
    ['deprecated', [listOf([issuing(), answering({ status: 'deprecatedatnationallevel' })])]],
    ['listed after the response', [listOf([issuing(), answering({ from: iso(1) })])]],
    ['listed for another service type', [listOf([issuing(), answering({ type: 'TSA/QTST' })])]],
    [
      'with an unknown critical extension',
      [listOf([issuing(), answering({ critical: '<New xmlns="urn:n"/>' })])],
    ],
    ['of an unusable list', [listOf(both, { problem: 'overdue' })]],
  ])('is rejected %s', async (_, lists) => {
    const { verdict, said } = await conclude(lists);
    expect(verdict).toBe('INDETERMINATE TRY_LATER');
    expect(said).toMatch(unknown);
  });

  test('is not confused with another certificate of the same name', async () => {
    const other = foreign.issue({
      ...{ name: 'other', extensions: responding },
      subjectDer: responder.certificate.subjectDer,
    });
    const { verdict, said } = await conclude([listOf(both)], { responder: other });
    expect(verdict).toBe('INDETERMINATE TRY_LATER');
    expect(said).toMatch(unknown);
    // Nor does its certificate help another party to sign.
    const stolen = { certificates: [responder.der], responder: { ...other, ...pick(responder) } };
    const forged = await conclude([listOf(both)], stolen);
    expect(forged.verdict).toBe('INDETERMINATE TRY_LATER');
    expect(forged.said).toContain('the signature of the OCSP response is invalid');
  });

  test('needs the purpose OCSPSigning', async () => {
    const plain = foreign.issue({ name: 'plain' });
    const lists = [listOf([issuing(), answering({ certificates: [plain.der] })])];
    const { verdict, said } = await conclude(lists, { responder: plain });
    expect(verdict).toBe('INDETERMINATE TRY_LATER');
    expect(said).toContain('expected OCSPSigning');
  });

  test('withdrawn since must have responded before, with proof', async () => {
    const services = [issuing(), answering({ ...withdrawn, from: iso(1), history })];
    expect((await conclude([listOf(services)])).verdict).toBe('TOTAL-PASSED');
    const { verdict, said } = await conclude([listOf(services)], {}, listNowMs + 2 * DAY_MS);
    expect(verdict).toBe('INDETERMINATE REVOCATION_OUT_OF_BOUNDS_NO_POE');
    expect(said).toContain('before the trusted list withdrew its responder');
  });

  test('that has expired since still counts, as a trust anchor, while it is listed', async () => {
    const ending = { name: 'ending', extensions: responding, notAfterMs: listNowMs + DAY_MS };
    const brief = foreign.issue(ending);
    const lists = [listOf([issuing(), answering({ certificates: [brief.der] })])];
    const later = listNowMs + 2 * DAY_MS;
    expect((await conclude(lists, { responder: brief }, later)).verdict).toBe('TOTAL-PASSED');
    const dead = foreign.issue({ ...ending, notAfterMs: listNowMs - DAY_MS });
    const past = [listOf([issuing(), answering({ certificates: [dead.der] })])];
    expect((await conclude(past, { responder: dead })).said).toContain('had expired at');
  });

  test('issued by the authority itself needs no status of its own', async () => {
    const own = pki.issue({ name: 'own', extensions: responding });
    const lists = [listOf([issuing(), answering({ certificates: [own.der] })])];
    const before = await conclude([listOf([issuing()])], { responder: own });
    expect(before.said).toContain('the status of the OCSP responder is unknown');
    expect((await conclude(lists, { responder: own })).verdict).toBe('TOTAL-PASSED');
  });
});

/** The responder's members except its key. */
function pick({ certificate, der }: TestMember) {
  return { certificate, der };
}
