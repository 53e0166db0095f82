import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openedDocument } from '../../../../src/app/signing/require-sealable.ts';
import { onePage, pdfWithObjectStream, pdfWithTable } from '../../../support/pdf-builder.ts';

// Some readers use the first of two entries with the same key, others the last. A customer's
// document must not contain duplicates, since one entry could hide active content from some
// readers.

const script = '<</S/JavaScript/JS(x)>>';
const place = '[3 0 R/Fit]';
const documents: readonly (readonly [string, string, readonly string[]])[] = [
  ['in the catalog', `/OpenAction ${script}/OpenAction${place}`, []],
  ['in an action', '/OpenAction 4 0 R', ['<</S/JavaScript/S/GoTo/JS(x)>>']],
  ['in a field', '/AcroForm<</Fields[4 0 R]>>', [`<</T(a)/AA<</K ${script}>>/AA<<>>>>`]],
];
const brought = { flatten: false, isByCustomer: true } as const;
/** The same, with a cross-reference table that nothing points to. */
const damaged = (bytes: Uint8Array) =>
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  );
const makers = [
  ['sound', pdfWithTable],
  ['sound, in object streams', pdfWithObjectStream],
  ['without table', (bodies: readonly string[]) => damaged(pdfWithTable(bodies))],
  [
    'damaged, in object streams',
    (bodies: readonly string[]) => damaged(pdfWithObjectStream(bodies)),
  ],
] as const;

describe.each(makers)('a document of a customer that is %s', (_, make) => {
  const made = (catalog: string, more: readonly string[] = []) =>
    make([`<</Type/Catalog/Pages 2 0 R${catalog}>>`, ...onePage.slice(1), ...more]);

  test.each(documents)(
    'is rejected if a dictionary has a duplicate key: %s',
    (_where, catalog, more) => {
      expect(() => openedDocument(made(catalog, more), brought)).toThrow(/pdf|twice|damaged/i);
    },
  );

  test('is accepted without a duplicate key', () => {
    expect(openedDocument(made(''), brought).active).toEqual([]);
  });
});

test('documents of other producers are accepted', () => {
  for (const name of ['agreement', 'form-with-text-field']) {
    const bytes = readFileSync(new URL(`../../../../fixtures/pdf/${name}.pdf`, import.meta.url));
    expect(openedDocument(bytes, brought).active).toEqual([]);
  }
});
