import { expect, test } from 'vitest';
import {
  type RenderReportOptions,
  renderReport,
  sealPdf,
  sealXml,
  verifyDocument,
} from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const { bytes } = await sealPdf(fixture('minimal.pdf'), sealOptions(pki));
const verified = () =>
  verifyDocument(bytes, { trust: [pki.member('root').der], at: new Date(pki.nowMs) });
const textOf = (file: Uint8Array) => Buffer.from(file).toString('utf8');

test('a report names the document with its digest', async () => {
  const document = { name: 'folder/a.pdf', content: bytes };
  const html = await renderReport(await verified(), { format: 'html', document });
  expect(textOf(html)).toContain('<bdi>a.pdf</bdi>');
  expect(textOf(html)).toMatch(/<code><bdi>[0-9a-f]{64}<\/bdi><\/code>/);
});

test('XML embeds the evidence of the conclusion, unless the report was read from JSON', async () => {
  const report = await verified();
  const whole = textOf(await renderReport(report, { format: 'xml' }));
  for (const kind of ['certificate', 'OCSPResponse', 'timestamp']) {
    expect(whole).toContain(`urn:etsi:019102:validationObject:${kind}`);
  }
  expect(whole).toContain('<vr:POEObject VOReference="timestamp-');
  expect(whole).toContain('urn:etsi:019102:mainindication:total-passed');
  // Every reference points to an existing object.
  const ids = new Set([...whole.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const references = [...whole.matchAll(/VOReference="([^"]+)"/g)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(references.length).toBeGreaterThan(10);
  expect(references.filter((each) => !ids.has(each))).toEqual([]);
  const read = JSON.parse(JSON.stringify(report));
  const less = textOf(await renderReport(read, { format: 'xml' }));
  expect(less).toContain('urn:etsi:019102:mainindication:total-passed');
  expect(less).not.toContain('validationObject:certificate');
});

test('a signature without a canonical form is still reported', async () => {
  const xml = `<d><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo xmlns:a="relative">
    <ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>
    <ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
    <ds:Reference URI="missing.xml">
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
    <ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo>
    <ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature></d>`;
  const report = await verifyDocument(Buffer.from(xml));
  expect(report.indication).toBe('INDETERMINATE');
  for (const format of ['html', 'xml', 'pdf'] as const) {
    expect((await renderReport(report, { format })).length).toBeGreaterThan(500);
  }
});

test.each<[string, unknown, unknown]>([
  ['no report', undefined, { format: 'html' }],
  ['no report, but an object', {}, { format: 'html' }],
  ['an incomplete report', { v: 1, signatures: [{}] }, { format: 'html' }],
  ['an incomplete report as XML', { v: 1, signatures: [null] }, { format: 'xml' }],
  ['no options', verified, undefined],
  ['an unknown format', verified, { format: 'docx' }],
  ['an unknown language', verified, { format: 'html', language: 'xx' }],
  ['an unknown option', verified, { format: 'html', colour: 'red' }],
  ['a document that is text', verified, { format: 'html', document: 'a.pdf' }],
  ['content that is text', verified, { format: 'html', document: { content: 'a' } }],
  ['a name that is a number', verified, { format: 'html', document: { name: 1 } }],
])('renderReport fails with usage.invalid for %s', async (_, given, options) => {
  const report = typeof given === 'function' ? await given() : given;
  const rendered = renderReport(report, options as RenderReportOptions);
  await expect(rendered).rejects.toMatchObject({ code: 'usage.invalid' });
});

test('a JSON report omits the bytes of signed data', async () => {
  const { bytes: xml } = await sealXml(Buffer.from('<a/>'), sealOptions(pki));
  const trust = [pki.member('root').der];
  const report = await verifyDocument(xml, { trust, includeSignedData: true });
  const text = textOf(await renderReport(report, { format: 'json' }));
  expect(text).not.toContain('"bytes"');
  expect(JSON.parse(text).signatures[0].references.length).toBeGreaterThan(0);
});
