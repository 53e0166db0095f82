import { describe, expect, test } from 'vitest';
import {
  type ImprintForm,
  timestampImprintPieces,
  type XadesTimestampKind,
} from '../../../../src/formats/xades/index.ts';
import { canonicalBytes, parseXml } from '../../../../src/formats/xml/index.ts';
import {
  c14n10,
  enveloped,
  exclusive,
  referenceText,
  transformText,
} from '../xmldsig/signature-text.ts';
import { parseXades, xadesText } from './xades-text.ts';

const plain = transformText(exclusive);
const references =
  referenceText('', transformText(enveloped) + plain, ' Id="r1"') +
  referenceText('#o1', '', ' Id="r2"') +
  referenceText('f.txt', '', ' Id="r3"') +
  referenceText('#p', plain, ' Type="http://uri.etsi.org/01903#SignedProperties"');
const names = [
  'x:SignatureTimeStamp',
  'x:CompleteCertificateRefs',
  'y:CompleteCertificateRefsV2',
  'x:CertificateValues',
  'x:CompleteRevocationRefs',
  'x:AttributeCertificateRefs',
  'y:AttributeCertificateRefsV2',
  'x:AttributeRevocationRefs',
  'y:TimeStampValidationData',
] as const;
const unsigned = `${names.map((name) => `<${name}/>`).join('')}<y:ArchiveTimeStamp Id="here"/><x:RevocationValues/>`;
const signature = xadesText({
  references,
  before: '<ds:KeyInfo Id="k"/><ds:Object Id="o1"><one xmlns=""/></ds:Object><ds:Object Id="o2"/>',
  after: '<ds:Object Id="o3"><three xmlns="urn:3"/></ds:Object>',
  unsigned,
});
const host = `<h xmlns="urn:h"><a/>${signature}</h>`;

/** Names of the pieces that each kind covers, in order. */
const pieces: Readonly<Record<XadesTimestampKind, readonly string[]>> = {
  signature: ['SignatureValue'],
  allDataObjects: ['r1', 'r2', 'r3'],
  individualDataObjects: ['r3', 'r1'],
  sigAndRefs: [
    'SignatureValue',
    'x:SignatureTimeStamp',
    'x:CompleteCertificateRefs',
    'x:CompleteRevocationRefs',
    'x:AttributeCertificateRefs',
    'x:AttributeRevocationRefs',
  ],
  sigAndRefsV2: [
    'SignatureValue',
    'x:SignatureTimeStamp',
    'y:CompleteCertificateRefsV2',
    'x:CompleteRevocationRefs',
    'y:AttributeCertificateRefsV2',
    'x:AttributeRevocationRefs',
  ],
  refsOnly: [
    'x:CompleteCertificateRefs',
    'x:CompleteRevocationRefs',
    'x:AttributeCertificateRefs',
    'x:AttributeRevocationRefs',
  ],
  refsOnlyV2: [
    'y:CompleteCertificateRefsV2',
    'x:CompleteRevocationRefs',
    'y:AttributeCertificateRefsV2',
    'x:AttributeRevocationRefs',
  ],
  archive132: [
    'r1',
    'r2',
    'r3',
    'signed',
    'SignedInfo',
    'SignatureValue',
    'KeyInfo',
    ...names,
    'o2',
    'o3',
  ],
  archive141: [
    'r1',
    'r2',
    'r3',
    'signed',
    'SignedInfo',
    'SignatureValue',
    'KeyInfo',
    ...names,
    'o1',
    'o2',
    'o3',
  ],
};

function scene(text: string) {
  const parsed = parseXades(text);
  const findFile = (uri: string) => (uri === 'f.txt' ? Buffer.from('file!') : undefined);
  return { ...parsed, context: { ...parsed.context, findFile } };
}

/** The bytes of each piece by name, computed without the code under test. */
function expectedPieces(
  { signature: parsed, properties }: ReturnType<typeof scene>,
  method: 'c14n10' | 'exc-c14n',
): ReadonlyMap<string, string> {
  const text = (
    target: Parameters<typeof canonicalBytes>[0],
    form: 'c14n10' | 'exc-c14n' = method,
  ) => Buffer.from(canonicalBytes(target, form)).toString();
  const [o1, o2, , o3] = parsed.objects;
  const { keyInfo, signedInfo, signatureValue } = parsed;
  const { signed } = properties;
  if (!o1 || !o2 || !o3 || !keyInfo || !signed) throw new Error('a full signature');
  return new Map([
    ['r1', '<h xmlns="urn:h"><a></a></h>'],
    ['r2', text(o1)],
    ['r3', 'file!'],
    ['signed', text(signed.element, 'exc-c14n')],
    ['SignedInfo', text(signedInfo.element)],
    ['SignatureValue', text(signatureValue.element)],
    ['KeyInfo', text(keyInfo.element)],
    ['o1', text(o1)],
    ['o2', text(o2)],
    ['o3', text(o3)],
    ...properties.unsigned.map(({ element }): [string, string] => [element.name, text(element)]),
  ]);
}

function imprint(form: ImprintForm, found: ReturnType<typeof scene>) {
  const bytes: string[] = [];
  const { signature: parsed, properties, context } = found;
  const input = { signature: parsed, properties, timestamp: form, context };
  const answer = timestampImprintPieces(input, (piece) =>
    bytes.push(Buffer.from(piece).toString()),
  );
  return { answer, bytes: bytes.join('') };
}

const form = (kind: XadesTimestampKind, more: Partial<ImprintForm> = {}): ImprintForm => ({
  kind,
  canonicalUri: undefined,
  prefixList: [],
  includes: [],
  element: undefined,
  ...more,
});

describe('the imprint of a time-stamp', () => {
  const found = scene(host);
  const here = found.properties.unsigned.find(({ id }) => id === 'here')?.element;
  const element = found.signature.element;
  const includes = ['#r3', '#r1'].map((uri) => ({ element, uri, isReferencedData: true }));

  for (const [method, canonicalUri] of [
    ['c14n10', undefined],
    ['c14n10', c14n10],
    ['exc-c14n', exclusive],
  ] as const) {
    test.each(Object.entries(pieces))(
      `of kind %s consists of the expected pieces with ${canonicalUri ?? 'the default'}`,
      (kind, expected) => {
        const known = expectedPieces(found, method);
        const more = kind === 'individualDataObjects' ? { includes } : {};
        const timestamp = form(kind as XadesTimestampKind, {
          canonicalUri,
          element: here,
          ...more,
        });
        const { answer, bytes } = imprint(timestamp, found);
        expect('covered' in answer && answer.covered.map(({ name }) => name)).toEqual(
          expected.filter((name) => name.includes(':')),
        );
        expect(bytes).toBe(expected.map((name) => known.get(name)).join(''));
      },
    );
  }

  test('about to be appended covers all unsigned properties', () => {
    const { answer } = imprint(form('archive141'), found);
    expect('covered' in answer && answer.covered.length).toBe(found.properties.unsigned.length);
  });

  test('of a signature time-stamp may include the signature value explicitly', () => {
    const named = [{ element, uri: '#v', isReferencedData: false }];
    expect(imprint(form('signature', { includes: named }), found).bytes).toMatch(
      /^<ds:SignatureValue/,
    );
  });

  test.each<[string, ImprintForm]>([
    ['an unknown canonical form', form('signature', { canonicalUri: 'urn:c' })],
    ['an empty canonical form', form('archive141', { canonicalUri: '' })],
    [
      'a signature time-stamp over different data',
      form('signature', { includes: [{ element, uri: '#o1', isReferencedData: false }] }),
    ],
    ['data objects without names', form('individualDataObjects')],
    [
      'data objects without a reference',
      form('individualDataObjects', {
        includes: [{ element, uri: '#o2', isReferencedData: true }],
      }),
    ],
    [
      'data objects named as elements',
      form('individualDataObjects', {
        includes: [{ element, uri: '#r1', isReferencedData: false }],
      }),
    ],
    ['the old form of all data objects', form('allDataObjects', { includes })],
    ['the distributed case', form('archive141', { includes })],
    ['the distributed case of references', form('sigAndRefs', { includes })],
  ])('cannot be computed for %s', (_, timestamp) => {
    expect(imprint(timestamp, found).answer).toMatchObject({ refused: expect.any(String) });
  });

  test('cannot be computed without a referenced file or with an unsupported transform', () => {
    const { context, ...rest } = found;
    const { findFile: _, ...without } = context;
    const answer = timestampImprintPieces(
      { ...rest, context: without, timestamp: form('archive141') },
      () => {},
    );
    expect(answer).toEqual({ missing: 'f.txt' });
    const bad = scene(host.replace(enveloped, 'urn:unknown'));
    expect(imprint(form('allDataObjects'), bad).answer).toMatchObject({
      refused: expect.stringContaining('urn:unknown'),
    });
  });

  test('is the same for a separate fragment and the spliced signature, in exclusive form', () => {
    const fragment = scene(signature);
    const document = parseXml(Buffer.from('<h xmlns="urn:h"><a/></h>'));
    const apart = { ...fragment, context: { ...fragment.context, document } };
    const timestamp = form('archive141', { canonicalUri: exclusive });
    expect(imprint(timestamp, apart).bytes).toBe(imprint(timestamp, found).bytes);
  });

  test('excludes the reference to the properties, recognised by an older type or its Id', () => {
    const old = scene(
      host.replace('http://uri.etsi.org/01903#S', 'http://uri.etsi.org/01903/v1.1.1#S'),
    );
    const byId = scene(host.replace(' Type="http://uri.etsi.org/01903#SignedProperties"', ''));
    const { bytes } = imprint(form('allDataObjects'), found);
    expect(imprint(form('allDataObjects'), old).bytes).toBe(bytes);
    expect(imprint(form('allDataObjects'), byId).bytes).toBe(bytes);
  });
});
