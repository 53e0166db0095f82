import { describe, expect, test } from 'vitest';
import { buildAsic } from '../../../src/formats/asic/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { sealPdf } from '../../../src/index.ts';
import { verifyXmlDocument } from '../../../src/verify/xml/index.ts';
import { containerBy, fileOf, judgeContainer, withFiles } from '../../support/containers.ts';
import { dayMs, tokenBy } from '../../support/hand-signed.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { anyStatus } from '../../support/verify-document.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';
import { certificateInfo, enveloped, pki, signXml } from './xml/sign-xml.ts';

const root = pki.member('root');
const signer = pki.member('signer');
const keyInfo = certificateInfo(signer, pki.member('ca'));

describe('the coverage of a PDF', () => {
  const coverage = async (bytes: Uint8Array, trust = [root.der]) =>
    (await verifyPdfDocument(bytes, { trust, at: new Date(pki.nowMs) })).coverage;

  test.each(['B-B', 'B-LT', 'B-LTA'] as const)(
    'is full if it is sealed at %s, trusted and without appended bytes',
    async (level) => {
      const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level }));
      expect(await coverage(bytes)).toBe('full');
      // A signature that does not pass covers nothing, and a later time-stamp does not replace it.
      expect(await coverage(bytes, [])).toBe('none');
      expect(await coverage(Buffer.concat([bytes, fixture('agreement.pdf')]))).toBe('none');
    },
  );

  test('is none without a signature', async () => {
    expect(await coverage(fixture('agreement.pdf'))).toBe('none');
  });
});

describe('the coverage of an XML document', () => {
  const coverage = (text: string, anchors = [root.certificate]) =>
    verifyXmlDocument(parseXml(Buffer.from(text)), {
      anchors,
      nowMs: pki.nowMs,
      revocation: anyStatus,
    }).coverage;
  const whole = { signer, keyInfo, host: ['<a><b/>', '</a>'] as const };
  const part = { references: [{ id: 'r', uri: '#b', transforms: enveloped }] };
  const signedPart = signXml({ ...whole, ...part, host: ['<a><b Id="b"/>', '</a>'] });
  const object = '<ds:Object Id="o"><sum>10</sum></ds:Object>';
  const enveloping = { signer, keyInfo, references: [{ id: 'r', uri: '#o' }], objects: object };

  test.each([
    ['enveloped over the root', signXml(whole), 'full'],
    ['over an element', signedPart, 'partial'],
    ['over an element that was moved', `<evil><b/>${signedPart}</evil>`, 'partial'],
    ['enveloping', signXml(enveloping), 'full'],
    [
      'enveloping, with a style sheet',
      `<?xml-stylesheet href="e"?>${signXml(enveloping)}`,
      'partial',
    ],
    [
      'enveloping, with an additional object',
      signXml({ ...enveloping, objects: `${object}<ds:Object>1</ds:Object>` }),
      'partial',
    ],
    ['enveloping, placed into another element', `<evil>${signXml(enveloping)}</evil>`, 'none'],
    ['without a signature', '<a/>', 'none'],
    ['changed', signXml(whole).replace('<b/>', '<c/>'), 'none'],
  ])('is determined: %s', (_, text, expected) => {
    expect(coverage(text)).toBe(expected);
  });

  test('is none for an untrusted signer', () => {
    expect(coverage(signXml(whole), [])).toBe('none');
  });
});

describe('the coverage of a container', () => {
  test.each(['xades', 'cades'] as const)(
    'with %s depends on its files, their content and trust',
    async (format) => {
      const sealed = await containerBy(pki, { format });
      const coverage = (bytes: Uint8Array) => judgeContainer(pki, bytes).coverage;
      expect(coverage(sealed)).toBe('full');
      expect(coverage(withFiles(sealed, { more: Buffer.from('more') }))).toBe('partial');
      expect(coverage(withFiles(sealed, { 'a.txt': Buffer.from('other') }))).toBe('none');
      expect(judgeContainer(pki, sealed, { anchors: [] }).coverage).toBe('none');
    },
  );

  test('with only a time-stamp is full', () => {
    const { name, content } = fileOf('a.txt');
    const token = tokenBy(pki, pki.member('tsa'), pki.nowMs - dayMs)(content);
    const metaFiles = [{ name: 'META-INF/timestamp.tst', bytes: token }];
    const bytes = buildAsic({ kind: 'asic-s', dataFiles: [{ name, bytes: content }], metaFiles });
    expect(judgeContainer(pki, bytes).coverage).toBe('full');
  });
});
