import { describe, expect, test } from 'vitest';
import { verifyDocument } from '../../src/app/documents/verify-document.ts';
import { memorySource } from '../../src/base/bytes.ts';
import { namespaces, transformUris } from '../../src/formats/xmldsig/index.ts';
import { readZip, writeZip } from '../../src/formats/zip/index.ts';
import { judgeContainer } from '../support/containers.ts';
import {
  codes,
  first,
  host,
  keyInfo,
  passed,
  signed,
  signer,
} from '../unit/verify/xml/sealed-xml.ts';
import { check, enveloped, pki, signXml } from '../unit/verify/xml/sign-xml.ts';

const evil = '<inv xmlns="urn:x"><sum>99</sum></inv>';

describe('content added to a signature', () => {
  const changes: Readonly<Record<string, readonly [string, string]>> = {
    'in KeyInfo': ['</ds:KeyInfo>', `${evil}</ds:KeyInfo>`],
    'next to the properties': ['</x:QualifyingProperties>', `</x:QualifyingProperties>${evil}`],
    'in the properties': ['</x:QualifyingProperties>', `${evil}</x:QualifyingProperties>`],
  };
  test.each(Object.entries(changes))('is reported as not covered: %s', (_, [from, to]) => {
    const report = first(signed.replace(from, to));
    expect(report).toMatchObject(passed);
    expect(codes(report)).toContain('signature.object.uncovered');
  });
});

test('a signature that covers only itself does not pass', () => {
  const named = keyInfo.replace('<ds:KeyInfo>', '<ds:KeyInfo Id="k">');
  const report = first(
    signXml({ signer, host, keyInfo: named, references: [{ id: 'r', uri: '#k' }] }),
  );
  expect(report).toMatchObject({
    indication: 'INDETERMINATE',
    subIndication: 'SIGNED_DATA_NOT_FOUND',
    intact: true,
  });
  expect(codes(report)).toContain('signature.data.none');
});

describe('a style sheet before a root element that is signed alone', () => {
  const style = '<?xml-stylesheet type="text/xsl" href="other.xsl"?>';
  const filter = (operation: string, path: string) =>
    `<ds:Transform Algorithm="${transformUris.filter2}">` +
    `<f:XPath xmlns:f="${namespaces.filter2}" Filter="${operation}">${path}</f:XPath>` +
    '</ds:Transform>';
  const texts = {
    'by its Id': signXml({
      signer,
      keyInfo,
      host: ['<inv xmlns="urn:x" Id="root"><sum>10</sum>', '</inv>'],
      references: [{ id: 'r', uri: '#root', transforms: enveloped }],
    }),
    'by a filter': signXml({
      signer,
      keyInfo,
      host,
      references: [{ id: 'r', uri: '', transforms: filter('intersect', '/*') + enveloped }],
    }),
  };
  test.each(Object.entries(texts))('makes the coverage partial: %s', (_, text) => {
    expect(first(text)).toMatchObject({ ...passed, coverage: 'document' });
    expect(first(style + text)).toMatchObject({ ...passed, coverage: 'partial' });
  });

  test('filters over many elements finish in bounded time', () => {
    const many = `<inv xmlns="urn:x">${'<a/>'.repeat(100_000)}`;
    const transforms = filter('subtract', '/zz/zz').repeat(1) + enveloped;
    const text = signXml({
      signer,
      keyInfo,
      host: [many, '</inv>'],
      references: [{ id: 'r', uri: '', transforms }],
    });
    const path = `<f:XPath xmlns:f="${namespaces.filter2}" Filter="subtract">/zz/zz</f:XPath>`;
    const costly = text.replace(path, path.replace('/zz/zz', '/*/zz').repeat(3000));
    const started = performance.now();
    const [report] = check(costly);
    expect(report?.references[0]?.status).toBe('refused');
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

test('a supplied file that is not covered is reported', async () => {
  const content = new Uint8Array(Buffer.from('good'));
  const text = signXml({
    signer,
    keyInfo,
    references: [{ id: 'r', uri: 'good.txt', transforms: '' }],
    findFile: () => content,
  });
  const judgeWith = async (...names: readonly string[]) => {
    const detached = names.map((name) => ({
      name,
      content: name === 'good.txt' ? content : new Uint8Array(Buffer.from('evil')),
    }));
    const anchors = [pki.member('root').certificate];
    const source = memorySource(new Uint8Array(Buffer.from(text)));
    return verifyDocument({ source, anchors, detached, nowMs: pki.nowMs });
  };
  const messages = async (...names: readonly string[]) =>
    (await judgeWith(...names)).signatures
      .flatMap(({ findings }) => findings)
      .filter(({ code }) => code === 'signature.file.uncovered')
      .map(({ message }) => message);
  expect(await messages('good.txt')).toEqual([]);
  expect(await messages('good.txt', 'evil.txt')).toEqual([
    'the signature does not cover the file "evil.txt"',
  ]);
});

describe('containers', () => {
  const mimetype = {
    name: 'mimetype',
    bytes: Buffer.from('application/vnd.etsi.asic-e+zip'),
    stored: true,
  };

  test.each(['a.txt.', 'a.txt ', 'a.txt::$DATA', 'A.txt. .'])(
    'a.txt and "%s" are the same file on Windows: rejected',
    (name) => {
      const bytes = Buffer.from('x');
      const make = () =>
        readZip(
          writeZip([
            { name: 'a.txt', bytes },
            { name, bytes },
          ]),
        );
      expect(make).toThrowError(expect.objectContaining({ code: 'container.invalid' }));
    },
  );

  test('deflated megabytes of XML are rejected before they are parsed', () => {
    const inner = '<a/>'.repeat(5_000_000);
    const bytes = Buffer.from(
      `<XAdESSignatures xmlns="http://uri.etsi.org/02918/v1.2.1#">${inner}</XAdESSignatures>`,
    );
    const file = writeZip([mimetype, { name: 'META-INF/signatures.xml', bytes }]);
    expect(() => judgeContainer(pki, file)).toThrowError(
      expect.objectContaining({ code: 'container.limit' }),
    );
  });
});
