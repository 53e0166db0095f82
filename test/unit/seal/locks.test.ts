import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import {
  beginUpdate,
  encodeText,
  listSignatureFields,
  openPdf,
  type PdfObject,
  pdfName,
} from '../../../src/formats/pdf/index.ts';
import { sealPdf, timestampDocument } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const { signer: _signer, level: _level, ...stampOptions } = sealOptions(pki);

/** A form with one signed field whose signature states the given transform. */
function signedWith(method: string, parameters: [string, PdfObject][]): Uint8Array {
  const input = fixture('agreement.pdf');
  const file = openPdf(memorySource(input));
  const update = beginUpdate(file);
  const [form, field, value] = [update.allocate(), update.allocate(), update.allocate()];
  const reference = new Map<string, PdfObject>([
    ['TransformMethod', pdfName(method)],
    ['TransformParams', new Map(parameters)],
  ]);
  update.set(value, new Map<string, PdfObject>([['Reference', [reference]]]));
  update.set(
    field,
    new Map<string, PdfObject>([
      ['FT', pdfName('Sig')],
      ['T', encodeText('First')],
      ['V', value],
    ]),
  );
  update.set(form, new Map<string, PdfObject>([['Fields', [field]]]));
  update.set(file.catalogReference, new Map([...file.catalog, ['AcroForm', form]]));
  return concatBytes([input, update.finish().bytes]);
}

const codeOf = (input: Uint8Array, field = 'Second') =>
  sealPdf(input, sealOptions(pki, { level: 'B-B', field })).then(
    () => 'sealed',
    (error) => error.code,
  );

const action = (name: string): [string, PdfObject] => ['Action', pdfName(name)];
const names = (...list: string[]): [string, PdfObject] => ['Fields', list.map(encodeText)];

describe('a lock stated only in the dictionary of an earlier signature', () => {
  test.each<[string, string, [string, PdfObject][], string]>([
    ['DocMDP P=1', 'DocMDP', [['P', 1]], 'pdf.certified.locked'],
    ['DocMDP P=2', 'DocMDP', [['P', 2]], 'sealed'],
    ['FieldMDP All', 'FieldMDP', [action('All')], 'pdf.certified.locked'],
    [
      'FieldMDP Include this field',
      'FieldMDP',
      [action('Include'), names('Second')],
      'pdf.certified.locked',
    ],
    ['FieldMDP Include another field', 'FieldMDP', [action('Include'), names('Third')], 'sealed'],
    ['FieldMDP Exclude this field', 'FieldMDP', [action('Exclude'), names('Second')], 'sealed'],
    [
      'FieldMDP Exclude another field',
      'FieldMDP',
      [action('Exclude'), names('x')],
      'pdf.certified.locked',
    ],
  ])('is respected: %s', async (_, method, parameters, expected) => {
    expect(await codeOf(signedWith(method, parameters))).toBe(expected);
  });
});

describe('a document time-stamp', () => {
  // ISO 32000-2 table 257: no change to the document, and ISO 19005-1 §6.9 for the rest.
  test.each<[string, string, [string, PdfObject][], boolean]>([
    ['no change permitted', 'DocMDP', [['P', 1]], false],
    ['fields may be filled', 'DocMDP', [['P', 2]], true],
    ['every field is locked', 'FieldMDP', [action('All')], false],
    ['all fields but one are locked', 'FieldMDP', [action('Exclude'), names('Third')], false],
    ['another field is locked', 'FieldMDP', [action('Include'), names('Third')], true],
  ])('has an empty appearance unless locks forbid it: %s', async (_, method, parameters, has) => {
    const input = signedWith(method, parameters);
    const { bytes } = await timestampDocument(input, stampOptions);
    const file = openPdf(memorySource(bytes));
    const stamp = listSignatureFields(file).find(({ name }) => name.startsWith('Timestamp'));
    expect(stamp?.dict.get('Rect')).toEqual([0, 0, 0, 0]);
    expect(stamp?.dict.has('AP')).toBe(has);
  });
});
