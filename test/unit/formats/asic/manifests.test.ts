import { describe, expect, test } from 'vitest';
import {
  addXadesSignature,
  buildAsicManifest,
  buildOpenDocumentManifest,
  buildXadesSignatures,
  mimeTypeOfName,
  nameOfUri,
  parseAsicManifest,
  parseXadesSignatures,
  uriOfName,
} from '../../../../src/formats/asic/index.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import { entryNameFault } from '../../../../src/formats/zip/index.ts';
import { anyCharacter, fc } from '../../../support/property.ts';

const text = (content: string): Uint8Array => Buffer.from(content);
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const asic = 'http://uri.etsi.org/02918/v1.2.1#';
const dsig = 'http://www.w3.org/2000/09/xmldsig#';

describe('URIs of container entries', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['doc one.txt', 'doc%20one.txt'],
    ['folder/a+b&c=d.txt', 'folder/a%2Bb%26c%3Dd.txt'],
    ['100%.txt', '100%25.txt'],
    ['ab:c#d?e', 'ab%3Ac%23d%3Fe'],
    ['þ€😀.txt', '%C3%BE%E2%82%AC%F0%9F%98%80.txt'],
  ])('the name %j has the URI %j', (name, uri) => {
    expect(uriOfName(name)).toBe(uri);
    expect(nameOfUri(uri)).toBe(name);
  });

  test.each([
    ['/a.txt', 'a.txt'],
    ['doc one.txt', 'doc one.txt'],
    ['þ.txt', 'þ.txt'],
    ['a%2db', 'a-b'],
    ['META-INF/signature001.p7s', 'META-INF/signature001.p7s'],
  ])('the URI %j of other producers names %j', (uri, name) => {
    expect(nameOfUri(uri)).toBe(name);
  });

  test.each([
    '',
    '/',
    '//host/a',
    'http://host/a',
    'file:a',
    'C:/a',
    'a?b',
    'a#b',
    '#id',
    '../a',
    'a/../b',
    '%2e%2e/a',
    './a',
    'a//b',
    'a%2Fb',
    'a%5Cb',
    'a\\b',
    'a%00',
    'a%0Ab',
    '100%.txt',
    'a%zz',
    '%C3',
    '%C0%AF',
    '%ED%A0%80',
  ])('the URI %j names no entry', (uri) => {
    expect(nameOfUri(uri)).toBeUndefined();
  });

  test('any name survives a round trip', () => {
    const names = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 30 })
      .filter((name) => entryNameFault(name) === undefined);
    fc.assert(
      fc.property(names, (name) => {
        expect(uriOfName(name)).toMatch(/^[A-Za-z0-9%/!'()*._~-]+$/);
        expect(nameOfUri(uriOfName(name))).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an invalid name has no URI', () => {
    expect(() => uriOfName('../a')).toThrow(/name of an entry/);
    expect(() => uriOfName('\ud800')).toThrow(/name of an entry/);
  });
});

describe('an ASiCManifest', () => {
  const built = buildAsicManifest({
    signature: { name: 'META-INF/signature001.p7s', mimeType: 'application/pkcs7-signature' },
    dataObjects: [
      { name: 'a & "b".txt', mimeType: 'text/plain', digestMethod: sha256, digestValue: text('0') },
      {
        name: 'META-INF/ASiCArchiveManifest001.xml',
        mimeType: undefined,
        rootfile: true,
        digestMethod: sha256,
        digestValue: text('12'),
      },
    ],
  });

  test('that was built can be parsed', () => {
    const manifest = parseAsicManifest(built);
    expect(manifest.signature).toEqual({
      name: 'META-INF/signature001.p7s',
      uri: 'META-INF/signature001.p7s',
      mimeType: 'application/pkcs7-signature',
    });
    expect(manifest.dataObjects.map((each) => ({ ...each, digestValue: undefined }))).toEqual([
      {
        name: 'a & "b".txt',
        uri: 'a%20%26%20%22b%22.txt',
        mimeType: 'text/plain',
        rootfile: false,
        digestMethod: sha256,
        digestValue: undefined,
      },
      {
        name: 'META-INF/ASiCArchiveManifest001.xml',
        uri: 'META-INF/ASiCArchiveManifest001.xml',
        mimeType: undefined,
        rootfile: true,
        digestMethod: sha256,
        digestValue: undefined,
      },
    ]);
    expect(manifest.dataObjects.map((each) => Buffer.from(each.digestValue).toString())).toEqual([
      '0',
      '12',
    ]);
  });

  test.each([asic, 'http://uri.etsi.org/2918/v1.2.1#', 'http://uri.etsi.org/2918/v1.1.1#'])(
    'of other producers is parsed: %s, line breaks, prefixes, single quotes',
    (namespace) => {
      const manifest = parseAsicManifest(
        text(`<ASiCManifest xmlns='${namespace}' xmlns:x='${dsig}'>
          <SigReference URI='META-INF/signature.p7s'/>
          <DataObjectReference URI='b%2exml' MimeType='text/xml' Rootfile='1'>
            <x:DigestMethod Algorithm='${sha256}'/><x:DigestValue>MTIz
            NA==</x:DigestValue>
          </DataObjectReference></ASiCManifest>`),
      );
      const [object] = manifest.dataObjects;
      expect([object?.name, object?.rootfile]).toEqual(['b.xml', true]);
      expect(Buffer.from(object?.digestValue ?? []).toString()).toBe('1234');
    },
  );

  const reference = `<a:DataObjectReference URI="x"><d:DigestMethod Algorithm="${sha256}"/><d:DigestValue>MTIz</d:DigestValue></a:DataObjectReference>`;
  const signature = '<a:SigReference URI="META-INF/s.p7s"/>';
  const extension = (critical: string): string =>
    `<a:ASiCManifestExtensions><a:Extension Critical="${critical}"/></a:ASiCManifestExtensions>`;
  const whole = (content: string, root = 'ASiCManifest', namespace = asic): Uint8Array =>
    text(`<a:${root} xmlns:a="${namespace}" xmlns:d="${dsig}">${content}</a:${root}>`);

  test('may contain non-critical extensions', () => {
    const manifest = parseAsicManifest(whole(signature + reference + extension('false')));
    expect(manifest.dataObjects).toHaveLength(1);
  });

  test.each([
    ['a different root', whole(signature + reference, 'Manifest'), /expected an ASiCManifest/],
    ['another namespace', whole(signature + reference, 'ASiCManifest', 'x:y'), /expected an ASiC/],
    ['no signature', whole(reference), /does not start with a SigReference/],
    ['two signatures', whole(signature + signature + reference), /unexpected <a:SigReference>/],
    ['no file', whole(signature), /lists no file/],
    ['extensions only', whole(signature + extension('false')), /lists no file/],
    ['a critical extension', whole(signature + reference + extension('true')), /critical/],
    ['an unknown element', whole(`${signature}${reference}<a:x/>`), /unexpected <a:x>/],
    ['no URI', whole(signature.replace(' URI="META-INF/s.p7s"', '') + reference), /no URI/],
    ['no algorithm', whole(signature + reference.replace(/ Algorithm="[^"]*"/, '')), /Digest/],
    ['no value', whole(signature + reference.replace('MTIz', '')), /DigestValue/],
    ['an invalid value', whole(signature + reference.replace('MTIz', 'MT!z')), /DigestValue/],
    [
      'two digests',
      whole(signature + reference.replace('</a:D', '<d:DigestValue>MTIz</d:DigestValue></a:D')),
      /unknown content/,
    ],
  ])('is rejected for %s', (_, bytes, message) => {
    expect(() => parseAsicManifest(bytes)).toThrow(message);
  });
});

describe('an OpenDocument manifest', () => {
  test('lists the container and every file, with escaped names', () => {
    const files = [
      { name: 'doc one & "two".txt', mimeType: 'text/plain' },
      { name: 'x/þ.xml', mimeType: 'text/xml' },
    ];
    const { root } = parseXml(buildOpenDocumentManifest('application/vnd.etsi.asic-e+zip', files));
    const namespace = 'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0';
    expect(root.is(namespace, 'manifest')).toBe(true);
    const listed = root.childrenNamed(namespace, 'file-entry').map((row) => ({
      name: row.attribute('full-path', namespace),
      mimeType: row.attribute('media-type', namespace),
    }));
    expect(listed).toEqual([{ name: '/', mimeType: 'application/vnd.etsi.asic-e+zip' }, ...files]);
  });

  test('derives media types from file names', () => {
    const names = ['A.PDF', 'a.txt', 'x/b.xml', 'noending', '.txt', 'a.unknown'];
    expect(names.map(mimeTypeOfName)).toEqual([
      'application/pdf',
      'text/plain',
      'text/xml',
      'application/octet-stream',
      'text/plain',
      'application/octet-stream',
    ]);
  });
});

describe('a XAdESSignatures file', () => {
  const one = text(`<ds:Signature xmlns:ds="${dsig}" Id="one"><a> </a></ds:Signature>`);
  const two = text(`<Signature xmlns="${dsig}" Id="two"/>`);

  test('contains its signatures byte for byte', () => {
    const file = addXadesSignature(buildXadesSignatures([one]), two);
    const { signatures } = parseXadesSignatures(file);
    expect(signatures.map((each) => each.attribute('Id'))).toEqual(['one', 'two']);
    const cut = signatures.map((each) => Buffer.from(file.slice(each.startOffset, each.endOffset)));
    expect(cut).toEqual([Buffer.from(one), Buffer.from(two)]);
    expect(parseXadesSignatures(buildXadesSignatures([])).signatures).toEqual([]);
  });

  test('may have the root element of OpenDocument', () => {
    const namespace = 'urn:oasis:names:tc:opendocument:xmlns:digitalsignature:1.0';
    const bytes = text(`<s xmlns="x"/>`);
    expect(() => parseXadesSignatures(bytes)).toThrow(/expected XAdESSignatures, found <s>/);
    const open = text(
      `<document-signatures xmlns="${namespace}">${Buffer.from(one)}</document-signatures>`,
    );
    expect(parseXadesSignatures(open).signatures).toHaveLength(1);
  });

  test('accepts nothing but signatures', () => {
    const stranger = buildXadesSignatures([one, text('<x/>')]);
    expect(() => parseXadesSignatures(stranger)).toThrow(/expected ds:Signature, found <x>/);
    expect(() => addXadesSignature(buildXadesSignatures([]), one)).toThrow(/has no signature/);
    expect(() => parseXadesSignatures(text('<x'))).toThrow();
  });
});
