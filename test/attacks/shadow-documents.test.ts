import { expect, test } from 'vitest';
import { sealPdf } from '../../src/index.ts';
import { makeTestPki } from '../support/pki.ts';
import { sealOptions } from '../support/sealing.ts';
import {
  bodies,
  bodyOf,
  documentOf,
  forged,
  latin1,
  page,
  streamOf,
  text,
  updated,
} from '../support/shadow.ts';
import { verifyDocument } from '../support/verify-document.ts';

// Documents prepared before signing, so that a later update can show something else.
const pki = makeTestPki();
const verifying = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };

const sealed = async (bytes: Uint8Array, changes = {}) =>
  new Uint8Array((await sealPdf(bytes, sealOptions(pki, { level: 'B-B', ...changes }))).bytes);

/** Offsets of the newest object of each number from 6 on: the objects added by the seal. */
function addedObjects(bytes: Uint8Array): Record<number, number> {
  const found: Record<number, number> = {};
  for (const match of latin1(bytes).matchAll(/(?<=\n)(\d+) 0 obj/g)) {
    const number = Number(match[1]);
    if (number === 1 || number === 3 || number > 5) found[number] = match.index;
  }
  return found;
}

const shadows: [string, () => Promise<Uint8Array>][] = [
  [
    'a section of the signed revision is left out',
    async () => {
      const draft = documentOf(bodies({ 4: forged }));
      const final = updated(draft, { 4: streamOf(text('PAY 10')) });
      const bytes = await sealed(final);
      return updated(bytes, {}, { skip: 2, keep: addedObjects(bytes) });
    },
  ],
  [
    'an absent object above /Size is filled',
    async () =>
      updated(await sealed(documentOf(bodies({ 3: page('[4 0 R 99 0 R]') }))), { 99: forged }),
  ],
  [
    'an absent object below /Size is filled',
    async () => {
      const objects = bodies({ 3: page('[4 0 R 20 0 R]'), 30: 'null' });
      return updated(await sealed(documentOf(objects)), { 20: forged });
    },
  ],
  [
    'an absent object of the catalog is filled',
    async () => {
      const catalog = '<</Type/Catalog/Pages 2 0 R/OpenAction 99 0 R>>';
      const bytes = await sealed(documentOf(bodies({ 1: catalog })));
      const { body } = bodyOf(bytes, /Catalog/);
      return updated(bytes, { 1: body, 99: '<</S/JavaScript/JS(app.alert\\(1\\))>>' });
    },
  ],
  [
    'the page tree gets a page marked as signature field',
    async () => {
      const objects = bodies({ 2: '<</Type/Pages/Kids 6 0 R/Count 2>>', 6: '[3 0 R]' });
      const added = page('71 0 R').replace('/Type/Page', '/Type/Page/FT/Sig');
      return updated(await sealed(documentOf(objects)), {
        6: '[3 0 R 70 0 R]',
        70: added,
        71: forged,
      });
    },
  ],
  [
    'the list of pages is also a list of annotations',
    async () => {
      const shared = page('4 0 R').replace('/MediaBox', '/Annots 6 0 R/MediaBox');
      const objects = bodies({ 2: '<</Type/Pages/Kids 6 0 R/Count 2>>', 3: shared, 6: '[3 0 R]' });
      const bytes = await sealed(documentOf(objects));
      const { number, body } = bodyOf(bytes, /\/FT ?\/Sig/);
      const field = body.replace(/\/T ?\(.*?\)/, '/T(x)');
      const list = /6 0 obj\s*\[(.*?)\]/s.exec(latin1(bytes).slice(bytes.length - 40_000))?.[1];
      expect(number).toBeGreaterThan(6);
      return updated(bytes, { 6: `[${list} 70 0 R]`, 70: field });
    },
  ],
  [
    'the information dictionary is also the content',
    async () => updated(await sealed(documentOf(bodies(), '/Info 4 0 R')), { 4: forged }),
  ],
  [
    'the metadata is also the content',
    async () => {
      const catalog = '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>';
      return updated(await sealed(documentOf(bodies({ 1: catalog }))), { 4: forged });
    },
  ],
  [
    'a list of validation data is also the page',
    async () => {
      const catalog = '<</Type/Catalog/Pages 2 0 R/DSS<</Certs 6 0 R/CRLs 3 0 R>>>>';
      const bytes = await sealed(documentOf(bodies({ 1: catalog, 6: '[]' })));
      return updated(bytes, { 3: page('71 0 R'), 71: forged });
    },
  ],
  [
    'a list of validation data is also the content',
    async () => {
      const catalog = '<</Type/Catalog/Pages 2 0 R/DSS<</Certs 6 0 R>>>>';
      const objects = bodies({ 1: catalog, 3: page('6 0 R'), 6: '[4 0 R]' });
      return updated(await sealed(documentOf(objects)), { 6: '[4 0 R 71 0 R]', 71: forged });
    },
  ],
  [
    'the appearance of a signed field is replaced',
    async () => {
      const bytes = await sealed(documentOf(bodies()));
      const { number, body } = bodyOf(bytes, /\/FT ?\/Sig/);
      const look = streamOf(text('APPROVED'), '/Type/XObject/Subtype/Form/BBox[0 0 200 90]');
      expect(body).toMatch(/\/AP ?<<\/N ?\d+ 0 R>>/);
      const field = body.replace(/\/AP ?<<\/N ?\d+ 0 R>>/, '/AP<</N 71 0 R>>');
      return updated(bytes, { [number]: field, 71: look });
    },
  ],
  ...(
    [
      ['a stamp is marked as signature field', '/Subtype/Stamp/FT/Sig'],
      ['a widget outside the form is marked as one', '/Subtype/Widget/FT/Sig/T(x)'],
    ] as const
  ).map(([name, kind]): [string, () => Promise<Uint8Array>] => [
    name,
    async () => {
      const bytes = await sealed(documentOf(bodies()));
      const { body } = bodyOf(bytes, /\/Type ?\/Page\b/);
      const shown = body.replace(/\/Annots ?\[(.*?)\]/, '/Annots[$1 70 0 R]');
      expect(shown).not.toBe(body);
      const look = streamOf(text('APPROVED'), '/Type/XObject/Subtype/Form/BBox[0 0 595 842]');
      const stamp = `<</Type/Annot${kind}/F 4/Rect[0 0 595 842]/AP<</N 71 0 R>>>>`;
      return updated(bytes, { 3: shown, 70: stamp, 71: look });
    },
  ]),
  [
    'an unsigned field gets an appearance and no signature',
    async () => {
      const widget = '<</Type/Annot/Subtype/Widget/FT/Sig/T(later)/F 4/Rect[0 0 595 842]/P 3 0 R>>';
      const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/SigFlags 3>>>>';
      const annotated = page('4 0 R').replace('/MediaBox', '/Annots[6 0 R]/MediaBox');
      const objects = bodies({ 1: catalog, 3: annotated, 6: widget });
      const bytes = await sealed(documentOf(objects), { field: 'first' });
      const look = streamOf(text('APPROVED'), '/Type/XObject/Subtype/Form/BBox[0 0 595 842]');
      return updated(bytes, { 6: widget.replace('/F 4', '/F 4/AP<</N 71 0 R>>'), 71: look });
    },
  ],
  ...(
    [
      ['a script', '/AA<</PV<</S/JavaScript/JS(app.alert\\(1\\))>>>>'],
      ['a background', '/MK<</BG[1 1 1]/CA(APPROVED)>>'],
    ] as const
  ).map(([name, entry]): [string, () => Promise<Uint8Array>] => [
    `a new field has ${name}`,
    async () => {
      const objects = bodies({
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields 6 0 R>>>>',
        6: '[]',
      });
      const bytes = await sealed(documentOf(objects));
      const list = /\n6 0 obj\s*\[(\d.*?)\]/s.exec(latin1(bytes))?.[1];
      const rest = '/T(later)/Rect[0 0 595 842]/P 3 0 R';
      const field = `<</Type/Annot/Subtype/Widget/FT/Sig${rest}${entry}>>`;
      return updated(bytes, { 6: `[${list} 70 0 R]`, 70: field });
    },
  ]),
  [
    'an absent object referenced by a malformed one is filled',
    async () => {
      const objects = bodies({ 3: page('6 0 R'), 6: '[4 0 R 99 0 R ) >> ]' });
      return updated(await sealed(documentOf(objects)), { 99: forged });
    },
  ],
  ...(
    [
      ['gets different resources for its fields', '/DR<</Font<</F1 71 0 R>>>>'],
      ['gets a different default appearance', '/DA(/F1 30 Tf)'],
      ['gets NeedAppearances', '/NeedAppearances true'],
      ['gets an XFA form', '/XFA 71 0 R'],
    ] as const
  ).map(([name, entry]): [string, () => Promise<Uint8Array>] => [
    `the form ${name}`,
    async () => {
      const form = '<</Fields[]/DA(/F1 12 Tf)/DR<</Font<</F1 5 0 R>>>>>>';
      const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R>>';
      const bytes = await sealed(documentOf(bodies({ 1: catalog, 6: form })));
      const { number, body } = bodyOf(bytes, /\/SigFlags/);
      const [key = ''] = /^\/[A-Za-z]+/.exec(entry) ?? [];
      const open = body.slice(0, -2);
      const without = open.replace(new RegExp(`${key} ?(\\(.*?\\)|\\[.*?\\]|<<.*?>>>>)`), '');
      expect(number).toBe(6);
      return updated(bytes, { 6: `${without}${entry}>>`, 71: streamOf('x') });
    },
  ]),
];

test.each(shadows)('does not pass: %s', async (_, make) => {
  const { indication, signatures } = await verifyDocument(await make(), verifying);
  expect(indication).not.toBe('TOTAL-PASSED');
  const codes = signatures.flatMap(({ findings }) => findings.map(({ code }) => code));
  expect(codes).toContain('document.changed');
});

test.each<[string, Readonly<Record<number, string>>, string]>([
  ['nothing special', {}, ''],
  ['a reference to an object that does not exist', { 3: page('[4 0 R 199 0 R]') }, ''],
  ['document information referenced only by the trailer', { 6: '<</Title(x)>>' }, '/Info 6 0 R'],
  [
    'resources that cannot be read',
    { 3: '<</Type/Page/Parent 2 0 R/Resources 6 0 R>>', 6: `<</X ${'9'.repeat(5000)}>>` },
    '',
  ],
  [
    'lists that contain themselves',
    {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm 7 0 R>>',
      3: page('4 0 R').replace('/MediaBox', '/Annots 6 0 R/MediaBox'),
      6: '[]',
      7: '<</Fields 8 0 R>>',
      8: '[]',
    },
    '',
  ],
])('seals on a document with %s stay valid under further seals', async (_, changes, trailer) => {
  let bytes = documentOf(bodies(changes), trailer);
  for (const level of ['B-B', 'B-LTA', 'B-LTA']) bytes = await sealed(bytes, { level });
  const { indication, signatures } = await verifyDocument(bytes, verifying);
  expect(indication).toBe('TOTAL-PASSED');
  expect(signatures).toHaveLength(5);
});

test('a new signature field for a later signature is no foreign change', async () => {
  const objects = bodies({ 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields 6 0 R>>>>', 6: '[]' });
  const bytes = await sealed(documentOf(objects));
  const list = /\n6 0 obj\s*\[(\d.*?)\]/s.exec(latin1(bytes))?.[1];
  const field = '<</Type/Annot/Subtype/Widget/FT/Sig/T(later)/Rect[0 0 9 9]/F 4/P 3 0 R>>';
  const asked = updated(bytes, { 6: `[${list} 70 0 R]`, 70: field });
  expect((await verifyDocument(asked, verifying)).indication).toBe('TOTAL-PASSED');
});

test('the modification date in the information dictionary may be updated', async () => {
  const objects = bodies({ 6: '<</Title(x)/ModDate(D:2020)>>' });
  const bytes = await sealed(documentOf(objects, '/Info 6 0 R'));
  const renewed = updated(bytes, { 6: '<</Title(x)/ModDate(D:2026)>>' });
  expect((await verifyDocument(renewed, verifying)).indication).toBe('TOTAL-PASSED');
});
