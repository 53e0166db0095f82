import { expect, test } from 'vitest';
import { latin1Bytes } from '../../src/base/bytes.ts';
import { sealPdf } from '../../src/index.ts';
import type { PdfBuilder } from '../support/pdf-builder.ts';
import { makeTestPki } from '../support/pki.ts';
import { sealOptions } from '../support/sealing.ts';
import {
  bodies,
  bodyOf,
  continued,
  documentOf,
  forged,
  latin1,
  page,
  streamOf,
  text,
  updated,
} from '../support/shadow.ts';
import { verifyDocument } from '../support/verify-document.ts';

// Updates that readers interpret differently, and additions that only look like signatures.
const pki = makeTestPki();
const verifying = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };

const sealed = async (bytes: Uint8Array, changes = {}) =>
  new Uint8Array((await sealPdf(bytes, sealOptions(pki, { level: 'B-B', ...changes }))).bytes);
const plain = await sealed(documentOf(bodies()));
const field = bodyOf(plain, /\/FT ?\/Sig/);
const shown = bodyOf(plain, /\/Type ?\/Page\b/).body;
const catalog = bodyOf(plain, /\/Type ?\/Catalog/).body;

const look = streamOf(text('APPROVED'), '/Type/XObject/Subtype/Form/BBox[0 0 595 842]');
const rect = '/F 4/Rect[0 0 595 842]/AP<</N 71 0 R>>';

/** The page has one more annotation. */
function annotated(annotation: string, more: Readonly<Record<number, string>> = {}): Uint8Array {
  const changed = shown.replace(/\/Annots ?\[(.*?)\]/, '/Annots[$1 70 0 R]');
  expect(changed).not.toBe(shown);
  return updated(plain, { 3: changed, 70: `<<${annotation}>>`, 71: look, ...more });
}

/** The sealed file and a hand-written update. */
function byHand(write: (builder: PdfBuilder, previous: number) => number): Uint8Array {
  const { builder, previous } = continued(plain);
  return builder.end(write(builder, previous)).bytes;
}

/** The repeated catalog: an update that changes nothing, as a basis for faults around it. */
const again = (builder: PdfBuilder) => builder.object(1, catalog);

/** An update with a hand-made cross-reference stream. */
function withStream(dict: (data: Uint8Array) => string, more: [number, string][] = []) {
  return byHand((builder, previous) => {
    const at = builder.offset;
    again(builder);
    for (const [number, body] of more) builder.object(number, body);
    const start = builder.offset;
    const row = [1, at >> 16, (at >> 8) & 255, at & 255, 0];
    const own = [1, start >> 16, (start >> 8) & 255, start & 255, 0];
    const data = Uint8Array.from([...row, ...own]);
    const entries = `/Type/XRef/Size 200/Root 1 0 R/Prev ${previous}`;
    builder.stream(90, entries + dict(data), data);
    return start;
  });
}

const replaceTable = (bytes: Uint8Array, change: (table: string) => string): Uint8Array => {
  const all = latin1(bytes);
  const at = all.lastIndexOf('xref\n', all.lastIndexOf('trailer'));
  return latin1Bytes(all.slice(0, at) + change(all.slice(at)));
};

const owner = `/Parent ${field.number} 0 R`;

const attacks: [string, () => Uint8Array | Promise<Uint8Array>][] = [
  [
    'a stamp names the signed field as its parent',
    () => annotated(`/Type/Annot/Subtype/Stamp${owner}${rect}`),
  ],
  [
    'a widget names the signed field as its parent',
    () => annotated(`/Type/Annot/Subtype/Widget${owner}${rect}`),
  ],
  [
    'a link names the signed field as its parent',
    () => annotated(`/Type/Annot/Subtype/Link${owner}/Rect[0 0 9 9]/Dest[3 0 R/Fit]`),
  ],
  [
    'a new field has an existing one as its kid',
    () => {
      const list = /\/Fields ?\[(.*?)\]/;
      const form = bodyOf(plain, list);
      const grown = form.body.replace(list, '/Fields[$1 70 0 R]');
      const kid = `<</FT/Tx/Parent 70 0 R/AA<</K<</S/JavaScript/JS(x)>>>>>>`;
      return updated(plain, { [form.number]: grown, 70: '<</FT/Sig/T(x)/Kids[72 0 R]>>', 72: kid });
    },
  ],
  [
    'an unsigned field is a square annotation',
    () => {
      const list = /\/Fields ?\[(.*?)\]/;
      const form = bodyOf(plain, list);
      const grown = form.body.replace(list, '/Fields[$1 70 0 R]');
      const square = '<</FT/Sig/T(x)/Subtype/Square/Rect[0 0 600 800]>>';
      return updated(plain, { [form.number]: grown, 70: square });
    },
  ],
  [
    'the permissions of the certification are removed',
    async () => {
      const certified = await sealed(documentOf(bodies()), { certify: 1 });
      const { body } = bodyOf(certified, /\/Perms/);
      return updated(certified, { 1: body.replace(/\/Perms ?<<.*?>>/, '') });
    },
  ],
  [
    'an old entry points after the signed bytes',
    async () => {
      const bytes = documentOf(bodies({ 3: page('6 0 R'), 6: 'null' }));
      const moved = replaceTable(bytes, (table) => {
        const lines = table.split('\n');
        lines[8] = '0000060000 00000 n ';
        return lines.join('\n');
      });
      const signed = await sealed(moved);
      const { builder, previous } = continued(signed);
      builder.object(1, bodyOf(signed, /\/Type ?\/Catalog/).body);
      builder.object(80, streamOf('x'.repeat(60_000 - builder.offset - 60)));
      builder.raw(' '.repeat(60_000 - builder.offset));
      const start = builder
        .raw(`6 0 obj\n${forged}\nendobj\n`)
        .table({ trailer: `/Prev ${previous}`, size: 200 });
      return builder.end(start).bytes;
    },
  ],
  [
    'a malformed object hides what it refers to',
    async () => {
      const kids = '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>';
      const broken = page('99 0 R').replace('/Contents', '/Foo (endobj) /Bar <4z> /Contents');
      return updated(await sealed(documentOf(bodies({ 2: kids, 6: broken }))), { 99: forged });
    },
  ],
  ['bytes follow the last update', () => latin1Bytes(`${latin1(plain)}5 000000 obj\n${forged}`)],
  [
    'much white space follows the last update',
    () => latin1Bytes(latin1(plain) + '\n'.repeat(60_000)),
  ],
  [
    'an object that no section names',
    () =>
      byHand((builder, previous) => {
        again(builder).raw(`4 0 obj\n${forged}\nendobj\n`);
        return builder.table({ trailer: `/Prev ${previous}`, size: 200 });
      }),
  ],
  [
    'an entry with an invalid end of line',
    () => replaceTable(updated(plain, { 1: catalog }), (table) => table.replace(/ n \n/, ' nQQ')),
  ],
  [
    'a subsection that overlaps another one',
    () =>
      replaceTable(updated(plain, { 1: catalog }), (table) =>
        table.replace(/xref\n(1 1\n\d{10} \d{5} n \n)/, 'xref\n$1$1'),
      ),
  ],
  [
    'a hidden cross-reference stream (/XRefStm)',
    () =>
      byHand((builder, previous) => {
        again(builder);
        const hidden = builder.xrefStream(90, { trailer: `/Prev ${previous}` });
        builder.nextRevision().at(1, builder.offset);
        again(builder);
        return builder.table({ trailer: `/Prev ${previous}/XRefStm ${hidden}`, size: 200 });
      }),
  ],
  ['four widths', () => withStream(() => '/W[1 3 1 0]/Index[1 1 90 1]')],
  ['an indirect /Index', () => withStream(() => '/W[1 3 1]/Index 91 0 R', [[91, '[1 1 90 1]']])],
  [
    'an indirect /Filter',
    () => withStream(() => '/W[1 3 1]/Index[1 1 90 1]/Filter 91 0 R', [[91, 'null']]),
  ],
  [
    'indirect /DecodeParms',
    () => withStream(() => '/W[1 3 1]/Index[1 1 90 1]/DecodeParms 91 0 R', [[91, 'null']]),
  ],
  [
    'a duplicate key',
    () => updated(plain, { 1: catalog.replace('/Pages', '/Pages 70 0 R/Pages') }),
  ],
  [
    'an object that occurs twice in an object stream',
    () =>
      byHand((builder, previous) => {
        const other = catalog.replace('/Pages', '/OpenAction 70 0 R/Pages');
        builder.objectStream(91, [
          [1, other],
          [1, catalog],
        ]);
        return builder.xrefStream(90, { trailer: `/Prev ${previous}`, size: 200 });
      }),
  ],
];

test.each(attacks)('does not pass: %s', async (_, make) => {
  const { indication, signatures } = await verifyDocument(await make(), verifying);
  expect(indication).not.toBe('TOTAL-PASSED');
  const codes = signatures.flatMap(({ findings }) => findings.map(({ code }) => code));
  expect(codes).toContain('document.changed');
});

test.each<[string, () => Uint8Array]>([
  ['repeats the catalog', () => updated(plain, { 1: catalog })],
  [
    'has a long sequence of digits',
    () => updated(plain, { 1: catalog, 70: streamOf('1'.repeat(2_000_000)) }),
  ],
  ['ends in white space', () => updated(plain, { 1: catalog }, { tail: ' \r\n\n' })],
  [
    'has an empty subsection',
    () =>
      replaceTable(updated(plain, { 1: catalog }), (table) =>
        table.replace('xref\n', 'xref\n0 0\n'),
      ),
  ],
  ['has a cross-reference stream', () => withStream(() => '/W[1 3 1]/Index[1 1 90 1]')],
  [
    'keeps objects in an object stream',
    () =>
      byHand((builder, previous) => {
        builder.objectStream(91, [[1, catalog]]);
        return builder.xrefStream(90, { trailer: `/Prev ${previous}`, size: 200 });
      }),
  ],
])('passes: an update that %s', async (_, make) => {
  const { indication, signatures } = await verifyDocument(make(), verifying);
  expect(signatures[0]?.findings.filter(({ code }) => code === 'document.changed')).toEqual([]);
  expect(indication).toBe('TOTAL-PASSED');
});
