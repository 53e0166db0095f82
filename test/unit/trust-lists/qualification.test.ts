import { describe, expect, test } from 'vitest';
import { sealContainer } from '../../../src/app/documents/container/seal-container.ts';
import { verifyDocument } from '../../../src/app/documents/verify-document.ts';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { parseTrustedList } from '../../../src/formats/tsl/index.ts';
import { parseQcStatements } from '../../../src/formats/x509/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { readZip } from '../../../src/formats/zip/index.ts';
import { sealPdf } from '../../../src/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { createQualifier, type ListEvidence } from '../../../src/verify/qualification/index.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { countingRandom, fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import {
  anySigner,
  listNowMs,
  listXml,
  nobody,
  qualifiedMember,
  type TestClaims,
  type TestService,
} from '../../support/trusted-lists.ts';
import { testAuthority } from '../../support/tsa.ts';

const pki = makeTestPki({ nowMs: listNowMs });
const ca = pki.member('ca');
const DAY_MS = 86_400_000;

function evidence(services: readonly TestService[], changes: Partial<ListEvidence> = {}) {
  const list = parseTrustedList(parseXml(Buffer.from(listXml({ services }))));
  const { territory, sequenceNumber } = list;
  return { territory, sequenceNumber, services: list.services, ...changes };
}

const pool = createCertificatePool([ca.der, pki.member('root').der]);

function qualify(
  member: TestMember,
  services: readonly TestService[],
  changes: Partial<ListEvidence> = {},
  atMs = listNowMs,
) {
  return createQualifier([evidence(services, changes)]).ofSigner(member.certificate, atMs, pool);
}

const listed = (changes: Partial<TestService> = {}): TestService => ({
  certificates: [ca.der],
  ...changes,
});

const esig = { device: true, types: [1] };
const eseal = { device: true, types: [2] };
const says = (...qualifiers: readonly string[]) => ({
  qualifications: [{ qualifiers, criteria: anySigner }],
});

describe('parseQcStatements', () => {
  test.each<[string, TestClaims | undefined, object]>([
    ['none', undefined, { compliance: false, device: false, purposes: [], countries: [] }],
    [
      'all',
      { ...esig, countries: ['CH'] },
      { compliance: true, device: true, purposes: ['esig'], countries: ['CH'] },
    ],
    [
      'a seal and a web certificate',
      { types: [2, 3] },
      { device: false, purposes: ['eseal', 'web'] },
    ],
  ])('reads the statements of a certificate: %s', (_, claims, expected) => {
    expect(parseQcStatements(qualifiedMember(pki, claims).certificate)).toMatchObject(expected);
  });
});

describe('the qualification by trusted lists (TS 119 615)', () => {
  // Claims of the certificate, entry of its issuer in the list, and the result.
  test.each<[string, string, TestClaims | undefined, Partial<TestService>]>([
    ['QESig', 'claims and list agree', esig, {}],
    ['QESeal', 'a seal', eseal, { information: ['ForeSeals'] }],
    ['AdESig-QC', 'no device', { types: [1] }, {}],
    ['AdESeal-QC', 'a seal without device', { types: [2] }, { information: ['ForeSeals'] }],
    ['QESig', 'no type means for signatures', { device: true }, {}],
    ['AdESig', 'no claim of qualification', { compliance: false, types: [1] }, {}],
    ['AdES', 'no statement at all', undefined, {}],
    ['AdESig', 'qualified under the law of another country', { ...esig, countries: ['CH'] }, {}],
    ['AdESig', 'the service was withdrawn', esig, { status: 'withdrawn' }],
    ['AdESig', 'a status of national law', esig, { status: 'recognisedatnationallevel' }],
    ['AdESeal', 'a service for signatures issues a seal', eseal, {}],
    ['QESeal', 'a service for both', eseal, { information: ['ForeSignatures', 'ForeSeals'] }],
    [
      'not-AdES',
      'a certificate for the web',
      { types: [3] },
      { information: ['ForWebSiteAuthentication'] },
    ],
    ['INDETERMINATE', 'the list states no purpose', esig, { information: [] }],
    ['INDETERMINATE', 'an unknown critical extension', esig, { critical: '<New xmlns="urn:n"/>' }],
    ['INDETERMINATE', 'another type of service', esig, { type: 'CA/PKC' }],
    ['QESig', 'the list states that it is in a device', { types: [1] }, says('QCWithQSCD')],
    [
      'QESig',
      'the device is managed for the signer',
      { types: [1] },
      says('QCQSCDManagedOnBehalf'),
    ],
    ['AdESig-QC', 'the list states that there is no device', esig, says('QCNoQSCD')],
    [
      'AdESig-QC',
      'the list states both about the device',
      { types: [1] },
      says('QCNoQSCD', 'QCWithQSCD'),
    ],
    ['QESig', 'as the certificate states', esig, says('QCQSCDStatusAsInCert')],
    ['AdESig', 'the list states that it is not qualified', esig, says('NotQualified')],
    [
      'QESig',
      'the list states that it is qualified',
      { ...esig, compliance: false },
      says('QCStatement'),
    ],
    [
      'INDETERMINATE',
      'the list states that it is qualified and that it is not',
      esig,
      says('NotQualified', 'QCStatement'),
    ],
    [
      'QESig',
      'the list states that it is for signatures',
      { device: true, types: [1, 2] },
      says('QCForESig'),
    ],
    [
      'INDETERMINATE',
      'the list states that it is for signatures and for seals',
      esig,
      { information: ['ForeSignatures', 'ForeSeals'], ...says('QCForESig', 'QCForESeal') },
    ],
    [
      'QESeal',
      'the list states that it is for seals',
      esig,
      { information: ['ForeSeals'], ...says('QCForESeal') },
    ],
    ['QES', 'two types, and the list is silent', { device: true, types: [1, 2] }, {}],
    [
      'AdESeal',
      'the list makes it a seal, but the service is for signatures',
      esig,
      says('QCForESeal'),
    ],
    ['AdESig-QC', 'old qualifiers have no effect today', { types: [1] }, says('QCWithSSCD')],
    [
      'QESig',
      'qualifiers for other certificates',
      esig,
      { qualifications: [{ qualifiers: ['NotQualified'], criteria: nobody }] },
    ],
    [
      'INDETERMINATE',
      'unknown criteria',
      esig,
      {
        qualifications: [
          {
            qualifiers: ['NotQualified'],
            criteria:
              '<q:CriteriaList assert="all"><q:otherCriteriaList><n xmlns="urn:n"/></q:otherCriteriaList></q:CriteriaList>',
          },
        ],
      },
    ],
    [
      'AdESig',
      'a criteria list with assert="none"',
      esig,
      {
        qualifications: [
          { qualifiers: ['NotQualified'], criteria: nobody.replace('"all"', '"none"') },
        ],
      },
    ],
    [
      'AdESig',
      'nested criteria lists',
      esig,
      {
        qualifications: [
          {
            qualifiers: ['NotQualified'],
            criteria: `<q:CriteriaList assert="atLeastOne">${nobody}${anySigner}</q:CriteriaList>`,
          },
        ],
      },
    ],
  ])('is %s: %s', (result, _, claims, service) => {
    const report = qualify(qualifiedMember(pki, claims), [listed(service)]);
    expect(report.result, report.reasons.join('\n')).toBe(result);
    expect(report.reasons.length).toBeGreaterThan(0);
  });

  const member = qualifiedMember(pki, esig);

  test('is reported with the service and what the certificate was', () => {
    const report = qualify(member, [listed({ name: 'CA 1' })]);
    expect(report.service).toEqual({
      territory: 'IS',
      list: 10,
      provider: 'Provider',
      name: 'CA 1',
      type: 'CA/QC',
      status: 'granted',
      since: '2017-01-01T00:00:00.000Z',
    });
    expect(report.certificate?.atBestTime).toEqual({
      time: '2026-06-01T12:00:00.000Z',
      qualified: true,
      purpose: 'esig',
      device: true,
    });
    expect(report.reasons[0]).toMatch(/^at issuance: the service "CA 1" of IS was granted as of /);
  });

  test('is INDETERMINATE for an unlisted issuer or an overdue list', () => {
    expect(qualify(member, []).result).toBe('INDETERMINATE');
    const other = { certificates: [pki.member('tsa').der] };
    expect(qualify(member, [other]).result).toBe('INDETERMINATE');
    const late = qualify(member, [listed()], { problem: 'the list of IS is overdue' });
    expect(late.result).toBe('INDETERMINATE');
    expect(late.reasons.join()).toContain('overdue');
  });

  test('ignores a certificate with the same name and another key as the listed service', () => {
    const { subjectDer } = ca.certificate;
    const twin = pki.issue({
      name: 'twin',
      subjectDer,
      extensions: { basicConstraints: { ca: true } },
    });
    expect(qualify(member, [{ certificates: [twin.der] }]).result).toBe('INDETERMINATE');
  });

  test('extends from a listed root to certificates of a subordinate authority', () => {
    expect(qualify(member, [{ certificates: [pki.member('root').der] }]).result).toBe('QESig');
  });

  test('distinguishes two services with one key by their purpose', () => {
    const services = [listed(), listed({ information: ['ForeSeals'] })];
    expect(qualify(member, services).result).toBe('QESig');
    expect(qualify(qualifiedMember(pki, eseal), services).result).toBe('QESeal');
  });

  test.each<[string, string, Partial<TestService>]>([
    ['QESig', 'is granted alike', {}],
    ['INDETERMINATE', 'is withdrawn', { status: 'withdrawn' }],
    ['QESig', 'is for seals', { information: ['ForeSeals'] }],
  ])('is %s when the root above a listed authority %s', (result, _, changes) => {
    const root = { certificates: [pki.member('root').der], name: 'Root', ...changes };
    const report = qualify(member, [listed(), root]);
    expect(report.result, report.reasons.join('\n')).toBe(result);
  });

  test('does not extend from a root to what the subordinate authority is not granted for', () => {
    const root = { certificates: [pki.member('root').der], name: 'Root' };
    const report = qualify(member, [listed({ information: ['ForeSeals'] }), root]);
    expect(report.result).toBe('INDETERMINATE');
  });

  // The services, and the result from all of them.
  test.each<[string, string, readonly Partial<TestService>[]]>([
    ['INDETERMINATE', 'one is granted, the other withdrawn', [{}, { status: 'withdrawn' }]],
    ['INDETERMINATE', 'the withdrawn one is first', [{ status: 'withdrawn' }, {}]],
    ['INDETERMINATE', 'one states not qualified', [{}, says('NotQualified')]],
    ['QESig', 'both state the same', [{}, { name: 'again' }]],
    ['AdESig', 'both are withdrawn', [{ status: 'withdrawn' }, { status: 'withdrawn' }]],
    [
      'QESig',
      'the withdrawn one was for another purpose',
      [{}, { status: 'withdrawn', information: ['ForeSeals'] }],
    ],
  ])('is %s for two services with one key: %s', (result, _, services) => {
    const report = qualify(member, services.map(listed));
    expect(report.result, report.reasons.join('\n')).toBe(result);
  });
});

describe('the qualification by time', () => {
  const since = (days: number) => new Date(listNowMs - days * DAY_MS).toISOString();
  // The certificate was issued 30 days ago.
  const member = qualifiedMember(pki, esig);
  const granted = { from: since(400) };

  test.each<[string, string, TestService, number]>([
    ['QESig', 'granted at both times', listed(granted), 0],
    [
      'QESig',
      'withdrawn after signing',
      listed({ status: 'withdrawn', from: since(5), history: [granted] }),
      10,
    ],
    [
      'AdESig',
      'withdrawn before signing',
      listed({ status: 'withdrawn', from: since(20), history: [granted] }),
      10,
    ],
    [
      'AdESig',
      'granted after issuance',
      listed({ from: since(20), history: [{ status: 'withdrawn', from: since(400) }] }),
      10,
    ],
    ['INDETERMINATE', 'listed after issuance', listed({ from: since(20) }), 10],
    [
      'AdESig-QC',
      'the device counts at signing',
      listed({ ...says('QCNoQSCD'), from: since(20), history: [granted] }),
      10,
    ],
  ])('is %s: %s', (result, _, service, daysAgo) => {
    const report = qualify(member, [service], {}, listNowMs - daysAgo * DAY_MS);
    expect(report.result, report.reasons.join('\n')).toBe(result);
  });

  const old = { notBeforeMs: Date.UTC(2015, 0) };
  const oldRoot = makeTestPki({ nowMs: Date.UTC(2015, 5) });
  const history = [{ status: 'undersupervision', from: '2010-01-01T00:00:00Z', information: [] }];
  const both = (changes: Partial<TestService> = {}): TestService => ({
    certificates: [oldRoot.member('ca').der],
    from: '2016-06-30T22:00:00Z',
    history,
    ...changes,
  });
  const at = Date.UTC(2015, 7);
  const oldPool = createCertificatePool([oldRoot.member('ca').der]);
  const resultBefore = (member: TestMember, service: TestService, atMs = at) =>
    createQualifier([evidence([service])]).ofSigner(member.certificate, atMs, oldPool).result;

  test('before eIDAS follows supervision status and certificate policies', () => {
    const plain = qualifiedMember(oldRoot, undefined, { ...old, notBeforeMs: Date.UTC(2015, 4) });
    expect(resultBefore(plain, both())).toBe('AdESig');
    const policy = { notBeforeMs: Date.UTC(2015, 4), policies: ['0.4.0.1456.1.2'] };
    expect(resultBefore(qualifiedMember(oldRoot, undefined, policy), both())).toBe('AdESig-QC');
    const plus = { notBeforeMs: Date.UTC(2015, 4), policies: ['0.4.0.1456.1.1'] };
    expect(resultBefore(qualifiedMember(oldRoot, undefined, plus), both())).toBe('QESig');
    const claims = qualifiedMember(oldRoot, { compliance: true }, policy);
    const withDevice = [{ ...history[0], ...says('QCWithSSCD') }];
    expect(resultBefore(claims, both({ history: withDevice }))).toBe('QESig');
    const legal = [{ ...history[0], ...says('QCForLegalPerson') }];
    expect(resultBefore(claims, both({ history: legal }))).toBe('AdESig');
    const ended = [{ ...history[0], status: 'supervisionceased' }];
    expect(resultBefore(claims, both({ history: ended }))).toBe('AdESig');
    // A certificate from before, used afterwards: it is one for signatures.
    expect(resultBefore(claims, both(), Date.UTC(2016, 7))).toBe('AdESig-QC');
  });
});

describe('the qualification in a verification report', () => {
  const services: readonly TestService[] = [
    listed(),
    { type: 'TSA/QTST', certificates: [pki.member('tsa').der], information: [], name: 'Stamps' },
  ];
  const anchors = [pki.member('root').certificate];
  const seal = (member: TestMember, changes = {}) =>
    sealPdf(
      fixture('minimal.pdf'),
      sealOptions(pki, { signer: signerOf(member), level: 'B-LT', ...changes }),
    );
  const verify = (bytes: Uint8Array, qualifier = createQualifier([evidence(services)])) =>
    verifyDocument({ source: memorySource(bytes), anchors, nowMs: listNowMs, qualifier });

  test('is given for a signed PDF and its time-stamp, if there are lists', async () => {
    const { bytes } = await seal(qualifiedMember(pki, esig));
    const report = await verify(bytes);
    const [signature] = report.signatures;
    expect(signature?.indication).toBe('TOTAL-PASSED');
    expect(signature?.qualification?.result).toBe('QESig');
    expect(signature?.timestamps[0]?.qualification).toMatchObject({
      result: 'QTST',
      service: { name: 'Stamps', type: 'TSA/QTST' },
    });
    expect(report.notJudged.join()).not.toContain('qualified status');
    const plain = await verifyDocument({ source: memorySource(bytes), anchors, nowMs: listNowMs });
    expect(plain.signatures[0]).not.toHaveProperty('qualification');
    expect(plain.notJudged.join()).toContain('qualified status and trusted lists');
  });

  const member = qualifiedMember(pki, esig);
  const ports = {
    ...{ signer: signerOf(member), anchors, authority: testAuthority(pki) },
    ...{ revocation: pki.revocation, now: () => listNowMs, random: countingRandom() },
  };
  const file = { name: 'a.txt', content: Buffer.from('content') };
  const contain = async (format: 'xades' | 'cades', level: 'B-LT' | 'B-LTA') =>
    (await sealContainer({ files: [file], container: 'asic-s', format, level }, ports)).bytes;
  const cmsOf = (container: Uint8Array) =>
    readZip(container).find('META-INF/signature.p7s')?.read() ?? new Uint8Array();

  test.each<[string, () => Promise<Uint8Array>]>([
    [
      'xml',
      async () =>
        (
          await sealXml(
            { source: Buffer.from('<a/>'), level: 'B-LT', packaging: 'enveloped' },
            ports,
          )
        ).bytes,
    ],
    ['asic-s', () => contain('xades', 'B-LT')],
    ['asic-s', () => contain('cades', 'B-LTA')],
    ['cms', async () => cmsOf(await contain('cades', 'B-LTA'))],
  ])('is given for every format: %s', async (format, make) => {
    const qualifier = createQualifier([evidence(services)]);
    const source = memorySource(await make());
    const detached = [file];
    const report = await verifyDocument({ source, anchors, nowMs: listNowMs, qualifier, detached });
    expect(report.format).toBe(format);
    const [signature] = report.signatures;
    expect(signature?.indication).toBe('TOTAL-PASSED');
    expect(signature?.qualification?.result).toBe('QESig');
    expect(signature?.timestamps.length).toBeGreaterThan(0);
    for (const { qualification } of signature?.timestamps ?? []) {
      expect(qualification?.result).toBe('QTST');
    }
    expect(report.notJudged.join()).not.toContain('qualified');
  });

  test('without a proven time is that at the time of the check', async () => {
    const { bytes } = await seal(member, { level: 'B-B' });
    const reasons = (await verify(bytes)).signatures[0]?.qualification?.reasons.join(' ');
    expect(reasons).toContain('at the time of the check: the service "Service"');
    expect(reasons).not.toContain('at signing');
    const stamped = (await verify((await seal(member, {})).bytes)).signatures[0];
    expect(stamped?.qualification?.reasons.join(' ')).not.toContain('at the time of the check');
  });

  test('is given for a document time-stamp', async () => {
    const { bytes } = await seal(member, { level: 'B-LTA' });
    const { signatures } = await verify(bytes);
    expect(signatures.map(({ kind, qualification }) => [kind, qualification?.result])).toEqual([
      ['signature', 'QESig'],
      ['document-timestamp', 'QTST'],
    ]);
  });

  test('of a time-stamp by an unlisted or withdrawn authority is INDETERMINATE or TST', async () => {
    const { bytes } = await seal(qualifiedMember(pki, esig));
    const results = [];
    for (const authority of [undefined, { ...services[1], status: 'withdrawn' } as TestService]) {
      const list = evidence(authority === undefined ? [listed()] : [listed(), authority]);
      const report = await verify(bytes, createQualifier([list]));
      results.push(report.signatures[0]?.timestamps[0]?.qualification?.result);
    }
    expect(results).toEqual(['INDETERMINATE', 'TST']);
  });

  test('comes with a warning if the service was withdrawn by the time of signing', async () => {
    const { bytes } = await seal(qualifiedMember(pki, esig));
    const withdrawn = [listed({ name: 'CA 1', status: 'withdrawn' })];
    const [signature] = (await verify(bytes, createQualifier([evidence(withdrawn)]))).signatures;
    expect(signature?.indication).toBe('TOTAL-PASSED');
    expect(signature?.qualification?.result).toBe('AdESig');
    expect(signature?.findings).toContainEqual({
      code: 'trust.service.ended',
      severity: 'warning',
      message: 'the service "CA 1" of IS is withdrawn since 2017-01-01T00:00:00.000Z',
    });
  });

  test('of a broken or undetermined signature is not a qualified one', async () => {
    const { bytes } = await seal(qualifiedMember(pki, esig));
    const text = Buffer.from(bytes);
    const broken = Buffer.from(text);
    const at = broken.indexOf('/MediaBox');
    broken[at + 1] = 0x6d;
    const failed = await verify(broken);
    expect(failed.signatures[0]?.indication).toBe('TOTAL-FAILED');
    expect(failed.signatures[0]?.qualification?.result).toBe('not-AdES');
    const source = memorySource(bytes);
    const qualifier = createQualifier([evidence(services)]);
    const stranger = await verifyDocument({ source, anchors: [], nowMs: listNowMs, qualifier });
    expect(stranger.signatures[0]?.indication).toBe('INDETERMINATE');
    const { result, reasons } = stranger.signatures[0]?.qualification ?? {};
    expect(result).toBe('INDETERMINATE');
    expect(reasons?.[0]).toMatch(/^the signature is INDETERMINATE \(NO_CERTIFICATE_CHAIN_FOUND\)/);
  });
});
