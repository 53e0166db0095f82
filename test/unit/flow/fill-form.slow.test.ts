import { execFileSync } from 'node:child_process';
import { PDFDict, PDFDocument, PDFName, type PDFTextField } from 'pdf-lib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { fillForm, listFormFields } from '../../../src/app/flow/index.ts';
import { pdfWithTable } from '../../support/pdf-builder.ts';
import { buildForm, formValues } from './forms.ts';

const onePage = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
];

/** A form whose fields share a style and whose buttons have no appearance. */
const plainForm = pdfWithTable([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R 6 0 R 9 0 R]/DA(0 0 1 rg /F 7 Tf)' +
    '/NeedAppearances true/XFA(x)>>>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[4 0 R 5 0 R 7 0 R 8 0 R 9 0 R]>>',
  '<</Subtype/Widget/FT/Tx/T(text)/V(old)/RV(rich)/Ff 33554432/Rect[20 160 120 180]>>',
  '<</Subtype/Widget/FT/Btn/T(box)/Rect[20 130 36 146]/MK<</BC[0]/BG[1 1 0]>>>>',
  '<</FT/Btn/Ff 32768/T(group)/Kids[7 0 R 8 0 R]/Opt[(left)(right)]>>',
  '<</Subtype/Widget/Parent 6 0 R/Rect[20 100 36 116]/MK<</BC[0]>>>>',
  '<</Subtype/Widget/Parent 6 0 R/Rect[50 100 66 116]/MK<</BC[0]>>>>',
  '<</Subtype/Widget/FT/Ch/Ff 131072/T(land)/Rect[20 60 120 80]/Opt[[(IS)(Iceland)][(PL)(Poland)]]/I[1]>>',
]);

let form: Uint8Array;
let fonts: Awaited<ReturnType<typeof readStampFonts>>;

beforeAll(async () => {
  form = await buildForm();
  fonts = await readStampFonts();
});

const fill = (values: Record<string, unknown>) => fillForm(form, values as never, fonts);

const hasPoppler = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('the fields of a form', () => {
  test('are listed with kind, options and limits', async () => {
    expect(await listFormFields(form)).toEqual([
      { name: 'buyer.name', kind: 'text', isRequired: true },
      { name: 'small', kind: 'text', isRequired: false },
      { name: 'notes', kind: 'text', isRequired: false, isMultiline: true },
      { name: 'cells', kind: 'text', isRequired: false, lengthMax: 10 },
      { name: 'turned', kind: 'text', isRequired: false },
      { name: 'agree', kind: 'checkbox', isRequired: false },
      { name: 'other', kind: 'checkbox', isRequired: false },
      { name: 'size', kind: 'radio', isRequired: false, options: ['small', 'medium', 'large'] },
      {
        name: 'country',
        kind: 'choice',
        isRequired: false,
        options: ['Ísland', 'Polska', 'Česko'],
      },
      { name: 'right', kind: 'text', isRequired: false },
    ]);
  });

  test.each<[string, () => Promise<Uint8Array>, RegExp]>([
    ['a file that is not a PDF', async () => Buffer.from('hello'), /^pdf\./],
    ['a PDF without a form', async () => pdfWithTable(onePage), /^template\.invalid/],
    [
      'a truncated PDF',
      async () => form.subarray(0, form.length / 2),
      /^(pdf\.|template\.invalid)/,
    ],
    ['a large PDF', async () => new Uint8Array(21 * 1024 * 1024), /^limit\.exceeded/],
  ])('%s is rejected', async (_, pdf, code) => {
    await expect(listFormFields(await pdf())).rejects.toMatchObject({
      code: expect.stringMatching(code),
    });
  });
});

describe('filling a form', () => {
  test('puts values into the right fields and makes the fields read-only', async () => {
    const document = await PDFDocument.load(await fill(formValues));
    const filled = document.getForm();
    expect(filled.getTextField('buyer.name').getText()).toBe('Þórður Łucja Čeněk');
    expect(filled.getTextField('notes').getText()).toBe(formValues.notes);
    expect(filled.getCheckBox('agree').isChecked()).toBe(true);
    expect(filled.getCheckBox('other').isChecked()).toBe(false);
    expect(filled.getRadioGroup('size').getSelected()).toBe('medium');
    expect(filled.getDropdown('country').getSelected()).toEqual(['Česko']);
    expect(filled.getFields().every((field) => field.isReadOnly())).toBe(true);
  });

  test('yields the same bytes for the same values', async () => {
    expect(Buffer.from(await fill(formValues)).equals(await fill(formValues))).toBe(true);
  });

  test.skipIf(!hasPoppler)('shows every text in a different reader (needs pdftotext)', async () => {
    const pdf = await fill(formValues);
    const shown = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString();
    const plain = shown.replace(/\s+/g, ' ');
    for (const text of [
      'Þórður Łucja Čeněk',
      'Ödön',
      'Ðagný vill fá',
      'Łódź, Kraków',
      'Česko',
      '1.234,50 €',
    ]) {
      expect(plain).toContain(text);
    }
    expect(plain.replaceAll(' ', '')).toContain('0101302989');
  });

  test.each([
    [{ nothing: 'x' }, 'nothing is unknown; buyer.name needs a value'],
    [{ 'buyer.name': '' }, 'buyer.name needs a value'],
    [{ 'buyer.name': 'a', size: 'huge' }, 'size accepts one of small, medium, large'],
    [{ 'buyer.name': 'a', country: 'Danmörk' }, 'country accepts one of Ísland, Polska, Česko'],
    [{ 'buyer.name': 'a', cells: '01234567890' }, 'cells accepts at most 10 characters'],
    [{ 'buyer.name': 'a\nb' }, 'buyer.name accepts one line'],
    [{ 'buyer.name': '沒有' }, 'buyer.name has 2 characters missing in the font'],
    [{ 'buyer.name': 'a', small: 'W'.repeat(200) }, 'small is too long for its field'],
    [{ 'buyer.name': 'a', notes: 'x\n'.repeat(100) }, 'notes is too long for its field'],
    [{ 'buyer.name': ['a'] }, 'buyer.name expected a text, found a list or object'],
    [JSON.parse('{"buyer.name":"a","__proto__":"x"}'), '__proto__ is unknown'],
  ])('rejects %j', async (values, message) => {
    await expect(fill(values)).rejects.toMatchObject({
      code: 'flow.values.invalid',
      message: expect.stringContaining(message),
    });
  });

  test('appends one incremental update to the form', async () => {
    const pdf = await fill(formValues);
    expect(Buffer.from(pdf.subarray(0, form.length)).equals(form)).toBe(true);
    expect(pdf.length - form.length).toBeLessThan(40_000);
  });

  test('creates missing appearances of buttons and stores the export value of a choice', async () => {
    const values = { text: 'new', box: 'checked', group: 'right', land: 'Poland' };
    const document = await PDFDocument.load(await fillForm(plainForm, values, fonts));
    const filled = document.getForm();
    const widgetsOf = (name: string) => filled.getField(name).acroField.getWidgets();
    const states = (name: string) =>
      widgetsOf(name).map((widget) => {
        const looks = widget.dict
          .lookup(PDFName.of('AP'), PDFDict)
          .lookup(PDFName.of('N'), PDFDict);
        const names = looks.keys().map(String);
        return [widget.getAppearanceState()?.decodeText(), ...names];
      });
    expect(states('box')).toEqual([['Yes', '/Yes', '/Off']]);
    expect(states('group')).toEqual([
      ['Off', '/0', '/Off'],
      ['1', '/1', '/Off'],
    ]);
    expect(filled.getRadioGroup('group').getSelected()).toBe('right');
    expect(filled.getDropdown('land').getSelected()).toEqual(['PL']);
    expect(filled.getField('land').acroField.dict.has(PDFName.of('I'))).toBe(false);
    const text = filled.getTextField('text');
    expect([text.getText(), text.isRichFormatted()]).toEqual(['new', false]);
    const form = document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
    expect(form.keys().map(String)).toEqual(['/Fields', '/DA']);
  });

  test.skipIf(!hasPoppler)('uses size and colour of the form (needs pdftoppm)', async () => {
    const pdf = await fillForm(plainForm, { text: 'blue', land: 'Iceland' }, fonts);
    const ppm = execFileSync('pdftoppm', ['-r', '72', '-'], { input: pdf });
    const pixels = ppm.subarray(ppm.length - 200 * 200 * 3);
    let blue = 0;
    for (let i = 0; i < pixels.length; i += 3) {
      const [red, green, own] = pixels.subarray(i, i + 3) as unknown as [number, number, number];
      if (own > 200 && red < 100 && green < 100) blue++;
    }
    expect(blue).toBeGreaterThan(10);
  });

  test('rejects a field without a rectangle', async () => {
    const text = Buffer.from(plainForm).toString('latin1');
    const pdf = Buffer.from(text.replace('/Rect[20 160', '/Abcd[20 160'), 'latin1');
    await expect(fillForm(pdf, { text: 'new' }, fonts)).rejects.toMatchObject({
      code: 'template.invalid',
      message: 'a field of the form is not well-formed',
    });
  });

  test('keeps values already in the form', async () => {
    const document = await PDFDocument.load(form);
    (document.getForm().getField('buyer.name') as PDFTextField).setText('Given');
    const pdf = await fillForm(await document.save(), { agree: 'checked' }, fonts);
    const filled = (await PDFDocument.load(pdf)).getForm();
    expect(filled.getTextField('buyer.name').getText()).toBe('Given');
    expect(filled.getCheckBox('agree').isChecked()).toBe(true);
  });
});
