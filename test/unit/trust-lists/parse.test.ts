import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyDocument } from '../../../src/app/documents/verify-document.ts';
import { findFirstList } from '../../../src/app/trust/find-first-list.ts';
import { readableCertificates } from '../../../src/app/trust/index.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { parseTrustedList } from '../../../src/formats/tsl/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { createQualifier } from '../../../src/verify/qualification/index.ts';
import { findEnvelopedSigner } from '../../../src/verify/xml/index.ts';
import { readCertificates } from '../../../src/wire/files/read-certificates.ts';
import {
  anySigner,
  listXml,
  makeScheme,
  signList,
  type TestList,
} from '../../support/trusted-lists.ts';

const parse = (list: TestList) => parseTrustedList(parseXml(Buffer.from(listXml(list))));
const { pki, operator } = makeScheme();

describe('parsing a trusted list', () => {
  test.each([5, 6])('supports version %i', (version) => {
    const list = parse({ version, territory: 'is', sequence: 7 });
    expect(list).toMatchObject({
      version,
      territory: 'IS',
      sequenceNumber: 7,
      operator: 'Operator of is',
      isListOfLists: false,
      issuedMs: Date.UTC(2026, 4, 1),
      nextUpdateMs: Date.UTC(2026, 9, 1),
    });
  });

  test('reads services with their history, each state up to the next', () => {
    const [ca] = [pki.member('ca')];
    const history = [
      { status: 'undersupervision', from: '2010-01-01T00:00:00Z' },
      { status: 'granted', from: '2016-06-30T22:00:00Z' },
    ];
    const qualifications = [{ qualifiers: ['QCWithQSCD'], criteria: anySigner }];
    const now = { status: 'withdrawn', from: '2020-01-01T00:00:00Z', qualifications };
    const { services } = parse({ services: [{ certificates: [ca.der], history, ...now }] });
    expect(services).toHaveLength(1);
    const [{ states, certificates, provider } = { states: [], certificates: [], provider: '' }] =
      services;
    expect(provider).toBe('Provider');
    expect(Buffer.from(certificates[0] ?? [])).toEqual(Buffer.from(ca.der));
    expect(
      states.map(({ status, fromMs, untilMs }) => [status.split('/').at(-1), fromMs, untilMs]),
    ).toEqual([
      ['withdrawn', Date.UTC(2020, 0), undefined],
      ['granted', Date.UTC(2016, 5, 30, 22), Date.UTC(2020, 0)],
      ['undersupervision', Date.UTC(2010, 0), Date.UTC(2016, 5, 30, 22)],
    ]);
    expect(states[0]?.qualifications[0]?.criteria).toEqual({
      assertion: 'all',
      criteria: [{ kind: 'key-usage', bits: [{ name: 'digitalSignature', isSet: true }] }],
    });
  });

  test('reads pointers with signers, type, territory and media type', () => {
    const signer = operator('Operator A');
    const pointers = [{ location: 'https://a.example/tl.xml', territory: 'AT', signers: [signer] }];
    const list = parse({ type: 'EUlistofthelists', pointers });
    expect(list.isListOfLists).toBe(true);
    expect(list.pointers).toHaveLength(1);
    expect(list.pointers[0]).toMatchObject({
      location: 'https://a.example/tl.xml',
      territory: 'AT',
      mimeType: 'application/vnd.etsi.tsl+xml',
    });
  });

  test('reads no next update of a closed scheme, and reports unknown critical extensions', () => {
    const services = [{ certificates: [], critical: '<Novel xmlns="urn:new"/>' }];
    const list = parse({ nextUpdate: '', services });
    expect(list.nextUpdateMs).toBeUndefined();
    expect(list.services[0]?.states[0]?.unknownCritical).toEqual(['Novel']);
  });

  test('marks a history later than the present as unreliable', () => {
    const history = [{ from: '2030-01-01T00:00:00Z' }];
    const { services } = parse({ services: [{ certificates: [], history }] });
    expect(services[0]?.states.map(({ unknownCritical }) => unknownCritical)).toEqual([
      ['ServiceHistory'],
      ['ServiceHistory'],
    ]);
  });

  test.each([
    ['another document', '<a/>', /TrustServiceStatusList/],
    ['version 4', listXml({ version: 4 }), /expected version 5 or 6, found 4/],
    ['no number', listXml().replace(/<TSLSequenceNumber>.*?</, '<TSLSequenceNumber>x<'), /number/],
    ['no time', listXml({ issued: 'yesterday' }), /expected a time/],
    ['no territory', listXml().replace(/<SchemeTerritory>.*?<\/SchemeTerritory>/, ''), /missing/],
  ])('rejects %s', (_, xml, message) => {
    expect(() => parseTrustedList(parseXml(Buffer.from(xml)))).toThrow(message);
  });
});

describe('the signer of a trusted list', () => {
  const signer = operator('Operator B');
  const find = (bytes: Uint8Array, ...signers: readonly Uint8Array[]) => {
    const found = findEnvelopedSigner(parseXml(bytes), readableCertificates(signers));
    return found.signer === undefined ? found.message : 'found';
  };

  test('is found only among the expected signers', async () => {
    const bytes = await signList(listXml(), signer);
    expect(find(bytes, operator('Other').der, signer.der)).toBe('found');
    expect(find(bytes, operator('Other').der)).toMatch(/not by one of the expected signers/);
    // The issuer of the signer's certificate is not the signer.
    expect(find(bytes, pki.member('ca').der, pki.member('root').der)).toMatch(/not by one of/);
    expect(find(bytes)).toMatch(/not by one of/);
  });

  test('must have signed the list as it is', async () => {
    const bytes = Buffer.from(await signList(listXml({ sequence: 10 }), signer)).toString();
    const changed = bytes.replace('>10<', '>11<');
    expect(find(Buffer.from(changed), signer.der)).toMatch(/digest|changed/i);
    const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(bytes) ?? [];
    const twice = bytes.replace(signature, signature + signature);
    expect(find(Buffer.from(twice), signer.der)).toMatch(/several signatures/);
    const moved = bytes
      .replace(signature, '')
      .replace('</SchemeInformation>', `${signature}</SchemeInformation>`);
    expect(find(Buffer.from(moved), signer.der)).toMatch(/not directly inside the root/);
    expect(find(Buffer.from(bytes.replace(signature, '')), signer.der)).toMatch(/no signature/);
  });
});

const corpus = new URL(
  '../../../../shared/corpora/pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/tl/',
  import.meta.url,
).pathname;

/** Totals of the lists themselves, counted by element name. */
const real = [
  ['eu-lotl.xml', 6, 388, 'EU', 43, 0, 0, 0],
  ['eu-lotl-old.xml', 5, 369, 'EU', 43, 0, 0, 0],
  ['eu-lotl-pivot-282.xml', 5, 282, 'EU', 44, 0, 0, 0],
  ['eu-lotl-pivot-300.xml', 5, 300, 'EU', 43, 0, 0, 0],
  ['eu-lotl-pivot-335.xml', 5, 335, 'EU', 43, 0, 0, 0],
  ['eu-lotl-pivot-341.xml', 5, 341, 'EU', 43, 0, 0, 0],
  ['tsl-be-old.xml', 5, 74, 'BE', 1, 16, 108, 166],
  ['tsl-be-v6.xml', 6, 81, 'BE', 1, 17, 135, 208],
  ['tsl-ee.xml', 5, 68, 'EE', 1, 2, 62, 142],
] as const;

/** Results of another reader for the list of Belgium, number 74: granted now, and ever. */
const peer = { 'CA/QC': [28, 74], 'TSA/QTST': [17, 18] } as const;

const skips = !existsSync(corpus);
if (skips) console.warn('real trusted lists are not there: skipped');

describe.skipIf(skips)('trusted lists of the corpora', () => {
  const read = (name: string) => parseXml(readFileSync(join(corpus, name)));
  const lotl = skips ? undefined : parseTrustedList(read('eu-lotl.xml'));

  test.each(real)('%s contains the expected values', (name, ...expected) => {
    const document = read(name);
    const list = parseTrustedList(document);
    const states = list.services.reduce((sum, { states }) => sum + states.length, 0);
    const { version, sequenceNumber, territory, pointers, providerCount, services } = list;
    const found = [version, sequenceNumber, territory, pointers.length, providerCount];
    expect([...found, services.length, states]).toEqual(expected);
    const text = document.bytes.toString();
    expect(text.split('<TSPService>').length - 1).toBe(services.length);
    const named = list.isListOfLists ? list : lotl;
    const signers = named?.pointers.filter((each) => each.territory === territory) ?? [];
    const certificates = readableCertificates(signers.flatMap((each) => each.certificates));
    expect(findEnvelopedSigner(document, certificates).signer).toBeDefined();
  });
});

test.skipIf(skips)('the same number of granted services is found as by another reader', () => {
  const { services } = parseTrustedList(parseXml(readFileSync(join(corpus, 'tsl-be-old.xml'))));
  for (const [type, counts] of Object.entries(peer)) {
    const granted = services.flatMap(({ states }) =>
      states.filter((state) => state.type.endsWith(type) && state.status.endsWith('/granted')),
    );
    const now = granted.filter(({ untilMs }) => untilMs === undefined);
    expect([now.length, granted.length], type).toEqual(counts);
  }
});

test.skipIf(skips)(
  'one signer of 2018 leads to the list of lists of 2025 over three pivots',
  async () => {
    const pem = readFileSync(join(corpus, 'pre-reanchor.cert.pem'));
    const [oldest] = [...readCertificates(pem).certificates].sort(
      (a, b) => a.notBeforeMs - b.notBeforeMs,
    );
    const location = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml';
    const asked: string[] = [];
    const fetch = async (address: string) => {
      const name =
        address === location ? 'eu-lotl-old.xml' : address.slice(address.lastIndexOf('/') + 1);
      asked.push(name);
      return readFileSync(join(corpus, name));
    };
    const signers = oldest === undefined ? [] : [oldest.der];
    const found = await findFirstList({ location }, signers, fetch, Date.UTC(2025, 7));
    expect(found.first.list.sequenceNumber).toBe(369);
    expect(found.pivots.map(({ list }) => list.sequenceNumber)).toEqual([300, 335, 341]);
    expect(asked).toHaveLength(4);
  },
);

/** Files of a national validator. Their names state what their signatures are. */
const validator = new URL('../../../../shared/corpora/siva-test/', import.meta.url).pathname;

describe.skipIf(skips || !existsSync(validator))(
  'signatures of the corpora by real trusted lists',
  () => {
    const lists = ['tsl-ee.xml', 'tsl-be-v6.xml'].map((name) => {
      return skips ? undefined : parseTrustedList(parseXml(readFileSync(join(corpus, name))));
    });
    const known = lists.flatMap((list) => list ?? []);
    const anchors = readableCertificates(
      known.flatMap(({ services }) => services.flatMap(({ certificates }) => certificates)),
    );
    const verify = (path: string, nowMs: number) =>
      verifyDocument({
        source: memorySource(readFileSync(path)),
        anchors,
        nowMs,
        qualifier: createQualifier(known),
        revocation: 'ignore',
      });
    const findFile = (name: string) => {
      const names = readdirSync(validator, { recursive: true, encoding: 'utf8' });
      return join(validator, names.find((each) => each.endsWith(name)) ?? name);
    };

    // An update of the PDF lowers the document version, which its signature does not permit.
    test.each([
      ['PadesTestAdesQC.pdf', 'INDETERMINATE'],
      ['AsiceTestAdesQC.asice', 'AdESig-QC'],
    ])('%s is %s', async (name, expected) => {
      const { signatures } = await verify(findFile(name), Date.UTC(2018, 0));
      const { result, certificate, service } = signatures[0]?.qualification ?? {};
      expect(certificate?.atIssuance).toMatchObject({ qualified: true, device: false });
      expect(service).toMatchObject({ territory: 'EE', status: 'granted' });
      expect(result).toBe(expected);
      expect(signatures[0]?.timestamps[0]?.qualification?.result).toBe('QTST');
    });

    // Its responder serves all authorities of the provider, but none of them issued it.
    test('AsiceTestAdesQC.asice: the list authorises the OCSP responder', async () => {
      const source = memorySource(readFileSync(findFile('AsiceTestAdesQC.asice')));
      const asked = { source, anchors, nowMs: Date.UTC(2026, 6) };
      const plain = await verifyDocument(asked);
      expect(plain.signatures[0]?.subIndication).toBe('OUT_OF_BOUNDS_NO_POE');
      const listed = await verifyDocument({ ...asked, qualifier: createQualifier(known) });
      expect(listed.signatures[0]).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LT' });
    });

    test('a trusted list is itself signed with a qualified seal', async () => {
      const { signatures } = await verify(join(corpus, 'tsl-be-v6.xml'), Date.UTC(2026, 6));
      expect(signatures[0]?.qualification).toMatchObject({
        result: 'QESeal',
        service: { territory: 'BE', status: 'granted' },
      });
    });
  },
);
