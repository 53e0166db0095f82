import { execFileSync } from 'node:child_process';
import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { renderDocument } from '../../../src/app/flow/index.ts';
import {
  type DocumentTemplate,
  type FlowValues,
  fileNameFrom,
  fillText,
  parseDocumentTemplate,
} from '../../../src/domain/flow/index.ts';

let fonts: Awaited<ReturnType<typeof readStampFonts>>;

beforeAll(async () => {
  fonts = await readStampFonts();
});

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value), 'utf8');

const loan = {
  v: 1,
  title: 'Lánssamningur {{number}}',
  language: 'is',
  blocks: [
    { type: 'heading', text: 'Aðilar' },
    {
      type: 'values',
      rows: [
        { name: 'Lánveitandi', text: '{{lender.name}}, kt. {{lender.id}}' },
        { name: 'Lántaki', text: '{{borrower}}' },
      ],
    },
    { type: 'paragraph', text: 'Ábyrgðarmaður er {{guarantor}}.', when: 'guarantor' },
    { type: 'paragraph', text: 'Skýring: {{note?}}{{note ?}}' },
    { type: 'heading', text: 'Eigendur' },
    { type: 'list', items: ['{{name}}, {{share}} % í {{number}}'], each: 'owners', ordered: true },
    { type: 'list', items: ['{{value}}'], each: 'terms' },
    { type: 'heading', text: 'Greiðslur' },
    {
      type: 'table',
      each: 'payments',
      columns: [
        { title: 'Dagur', text: '{{day}}' },
        { title: 'Lýsing', text: '{{text}}', width: 2 },
        { title: 'Upphæð', text: '{{amount}} kr.', align: 'right' },
      ],
    },
    { type: 'pageBreak' },
    { type: 'paragraph', text: '{{long}}' },
  ],
};

const values: FlowValues = {
  number: 'L-2026-7',
  lender: { name: 'Þórður Łucja Čeněk', id: '010130-2989' },
  borrower: 'Ödön {{number}}',
  owners: [
    { name: 'Ðagný', share: 60 },
    { name: 'Björn', share: 40 },
  ],
  terms: ['Fyrsti', 'Annar'],
  payments: Array.from({ length: 60 }, (_, n) => ({
    day: `2026-${String((n % 12) + 1).padStart(2, '0')}-01`,
    text:
      n % 7 === 0 ? 'Afborgun og vextir samkvæmt ákvæðum samningsins og viðauka hans' : 'Afborgun',
    amount: (n + 1) * 1000,
  })),
  long: `${'Samningur þessi er gerður í tveimur eintökum. '.repeat(150)}\n\n${'x'.repeat(300)}`,
};

const template = (changes: object = {}): DocumentTemplate =>
  parseDocumentTemplate(bytes({ ...loan, ...changes }));

const hasPoppler = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('rendering a document', () => {
  test('breaks pages and yields the same bytes for the same values', async () => {
    const pdf = await renderDocument(template(), values, fonts);
    expect(Buffer.from(pdf).equals(await renderDocument(template(), values, fonts))).toBe(true);
    const document = await PDFDocument.load(pdf);
    expect(document.getPageCount()).toBe(5);
    expect(document.getTitle()).toBe('Lánssamningur L-2026-7');
  });

  test.each([
    ['a page break at the end', [{ type: 'pageBreak' }], 1],
    [
      'page breaks around a hidden block',
      [{ type: 'pageBreak' }, { type: 'paragraph', text: 'x', when: 'no' }],
      1,
    ],
    [
      'an empty page in the middle, which stays',
      [{ type: 'pageBreak' }, { type: 'pageBreak' }, { type: 'paragraph', text: 'x' }],
      3,
    ],
  ])('leaves no empty page at the end for %s', async (_, blocks, count) => {
    const value = { v: 1, title: 'T', blocks };
    const made = await renderDocument(parseDocumentTemplate(bytes(value)), {}, fonts);
    expect((await PDFDocument.load(made)).getPageCount()).toBe(count);
  });

  test.skipIf(!hasPoppler)(
    'shows every value once, and placeholders in values as text',
    async () => {
      const pdf = await renderDocument(template(), values, fonts);
      const pages = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf })
        .toString()
        .split('\f');
      const plain = pages.map((page) => page.replace(/\s+/g, ' '));
      expect(plain[0]).toContain('Þórður Łucja Čeněk, kt. 010130-2989');
      expect(plain[0]).toContain('Ödön {{number}}');
      expect(plain[0]).toContain('1. Ðagný, 60 % í L-2026-7 2. Björn, 40 %');
      expect(plain[0]).toContain('• Fyrsti • Annar');
      expect(plain[0]).not.toContain('Ábyrgðarmaður');
      const shown = plain.join(' ');
      expect(shown.match(/Upphæð/g)?.length).toBeGreaterThan(1);
      for (let n = 1; n <= 60; n++) expect(shown).toContain(` ${n * 1000} kr.`);
      expect(plain.slice(0, 5).map((page) => /\d\s*\/\s*5\s*$/.test(page))).toEqual(
        Array(5).fill(true),
      );
    },
  );

  test.each<[string, object, FlowValues, RegExp]>([
    [
      'a placeholder without a value',
      {},
      { ...values, borrower: undefined as never },
      /borrower has no/,
    ],
    [
      'several placeholders without a value',
      { title: '{{a}} {{b.c}}' },
      values,
      /a has no value; b\.c has no value/,
    ],
    ['a list that is not an array', {}, { ...values, owners: 'x' }, /owners is not a list/],
    [
      'values with characters the font lacks',
      {},
      { ...values, borrower: '沒有' },
      /borrower has 2 characters/,
    ],
    [
      'template text with characters the font lacks',
      { title: '沒有 {{note?}}' },
      values,
      /values: the template has 2 characters missing in the font$/,
    ],
    [
      'an optional value with a character the font lacks',
      { title: '{{note ?}}' },
      { ...values, note: '沒' },
      /: note has 1 char/,
    ],
    [
      'properties of Object.prototype',
      { title: '{{constructor.name}}' },
      values,
      /constructor\.name has no/,
    ],
  ])('rejects %s', async (_, changes, given, message) => {
    const clean = JSON.parse(JSON.stringify(given));
    await expect(renderDocument(template(changes), clean, fonts)).rejects.toMatchObject({
      code: 'flow.values.invalid',
      message: expect.stringMatching(message),
    });
  });

  test('rejects a document without a page limit', async () => {
    const owners = Array.from({ length: 5_000 }, () => ({ name: 'x', share: 1 }));
    const block = { type: 'list', items: Array(20).fill('{{name}}'), each: 'owners' };
    const endless = template({ blocks: [block] });
    await expect(renderDocument(endless, { ...values, owners }, fonts)).rejects.toMatchObject({
      code: 'limit.exceeded',
    });
  });
});

describe('templates for rendering', () => {
  test.each<[string, unknown, RegExp]>([
    ['an unknown version', { ...loan, v: 2 }, /"v": 1/],
    ['no title', { ...loan, title: undefined }, /title: expected a text/],
    ['no blocks', { ...loan, blocks: [] }, /blocks: expected a list/],
    ['an unknown block', { ...loan, blocks: [{ type: 'image' }] }, /blocks\[0\]\.type/],
    ['an open placeholder', { ...loan, title: '{{a' }, /title: expected placeholders/],
    ['a stray closing mark', { ...loan, title: 'a}}' }, /title: expected placeholders/],
    ['an empty placeholder', { ...loan, title: '{{}}' }, /title: expected placeholders/],
    ['an invalid name', { ...loan, title: '{{a.__proto__}}' }, /title: expected valid names/],
    [
      'a row without text',
      { ...loan, blocks: [{ type: 'values', rows: [{ name: 'a' }] }] },
      /rows\[0\]\.text/,
    ],
    [
      'a table without columns',
      { ...loan, blocks: [{ type: 'table', each: 'a', columns: [] }] },
      /columns/,
    ],
    [
      'an invalid width',
      {
        ...loan,
        blocks: [{ type: 'table', each: 'a', columns: [{ title: '', text: '', width: -1 }] }],
      },
      /width/,
    ],
    ['an unknown language', { ...loan, language: 'i s' }, /language/],
    ['an array at the top', [], /"v": 1/],
    ['too many blocks', { ...loan, blocks: Array(1_001).fill({ type: 'pageBreak' }) }, /blocks/],
  ])('with %s are rejected', (_, value, message) => {
    expect(() => parseDocumentTemplate(bytes(value))).toThrow(message);
    expect(() => parseDocumentTemplate(bytes(value))).toThrow(
      expect.objectContaining({ code: 'template.invalid' }),
    );
  });

  test.each([
    ['not UTF-8', Buffer.of(0x7b, 0xff, 0x7d), /UTF-8/],
    ['not JSON', Buffer.from('{'), /JSON/],
    ['too large', new Uint8Array(600 * 1024), /bytes/],
  ])('of bytes that are %s are rejected', (_, bytes, message) => {
    expect(() => parseDocumentTemplate(bytes)).toThrow(message);
  });
});

describe('file names from templates', () => {
  test.each([
    ['Samningur {{name}}', 'Samningur Þórður.pdf'],
    ['{{name}}.pdf', 'Þórður.pdf'],
    ['../../{{path}}', 'etc passwd.pdf'],
    ['{{missing}}', 'document.pdf'],
    ['a\u202Efdp.exe', 'a fdp.exe.pdf'],
    ['CON|?*<>"', '_CON.pdf'],
    ['Aux.2026.pdf', '_Aux.2026.pdf'],
    ['x'.repeat(300), `${'x'.repeat(150)}.pdf`],
    ['😀'.repeat(300), `${'😀'.repeat(75)}.pdf`],
    [`x${'😀'.repeat(300)}`, `x${'😀'.repeat(74)}.pdf`],
  ])('become safe: %j', (text, name) => {
    const scopes = [{ name: 'Þórður', path: '/etc/passwd' }];
    expect(
      fileNameFrom(
        fillText(text, scopes, () => undefined),
        'document.pdf',
      ),
    ).toBe(name);
  });
});
