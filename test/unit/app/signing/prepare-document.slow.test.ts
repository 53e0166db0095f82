import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flattenForm, prepareDocument, signByClick } from '../../../../src/app/signing/index.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asInteger,
  listPages,
  listSignatureFields,
  openPdf,
} from '../../../../src/formats/pdf/index.ts';
import { sealPdf } from '../../../../src/index.ts';
import { fixture, sealOptions } from '../../../support/sealing.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

const hasQpdf = spawnSync('qpdf', ['--version']).error === undefined;
if (!hasQpdf) console.log('preparing documents: no qpdf, nothing is encrypted');

async function form(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const fields = document.getForm();
  const text = fields.createTextField('name');
  text.setText('Nafn');
  text.addToPage(page, { x: 20, y: 200, width: 120, height: 24 });
  const box = fields.createCheckBox('agreed');
  box.addToPage(page, { x: 20, y: 150, width: 20, height: 20 });
  box.check();
  return document.save();
}

function formOf(bytes: Uint8Array) {
  const file = openPdf(memorySource(bytes));
  const entry = asDict(file.resolve(file.catalog.get('AcroForm')));
  const fields = asArray(file.resolve(entry?.get('Fields'))) ?? [];
  const annotations = listPages(file).flatMap(
    ({ dict }) => asArray(file.resolve(dict.get('Annots'))) ?? [],
  );
  return { file, fields: fields.map((item) => asDict(file.resolve(item))), annotations };
}

describe('prepareDocument', () => {
  const refused: Readonly<Record<string, string>> = {
    'encrypted.pdf': 'pdf.password.needed',
    'not-a-pdf.txt': 'pdf.notpdf',
    'empty.pdf': 'pdf.empty',
  };
  test.each(Object.entries(refused))('rejects %s with %s', async (name, code) => {
    await expect(
      prepareDocument(fixture(name), { flatten: false }, world.ports),
    ).rejects.toMatchObject({ code });
  });

  test.runIf(hasQpdf)('rejects an encrypted document that opens without a password', async () => {
    const [from, to] = ['plain.pdf', 'locked.pdf'].map((name) => join(world.stored.folder, name));
    writeFileSync(from as string, fixture('agreement.pdf'));
    const options = ['--encrypt', '', 'owner', '256', '--'];
    execFileSync('qpdf', [...options, from as string, to as string]);
    const locked = new Uint8Array(readFileSync(to as string));
    await expect(prepareDocument(locked, { flatten: false }, world.ports)).rejects.toMatchObject({
      code: 'pdf.permission.denied',
      hint: expect.stringContaining('qpdf --decrypt'),
    });
  });

  test.each(['agreement.pdf', 'object-streams.pdf', 'form-with-text-field.pdf', 'hybrid.pdf'])(
    'accepts %s unchanged',
    async (name) => {
      const content = fixture(name);
      const ready = await prepareDocument(content, { flatten: false }, world.ports);
      expect(ready.content).toBe(content);
      expect(ready.active).toEqual([]);
    },
  );

  test('rejects a document that is certified against changes', async () => {
    const locked = await sealPdf(
      fixture('agreement.pdf'),
      sealOptions(undefined, { level: 'B-B', certify: 1 }),
    );
    await expect(
      prepareDocument(locked.bytes, { flatten: false }, world.ports),
    ).rejects.toMatchObject({
      code: 'pdf.certified.locked',
    });
  });

  test('reports an expired key before anyone is invited', async () => {
    const ports = { ...world.ports, now: () => Date.UTC(2100, 0, 1) };
    await expect(
      prepareDocument(fixture('agreement.pdf'), { flatten: false }, ports),
    ).rejects.toMatchObject({
      code: 'key.expired',
    });
  });
});

describe('flattening', () => {
  test('draws field values into the pages, appended after the input bytes', async () => {
    const input = await form();
    const { content: flat } = await prepareDocument(input, { flatten: true }, world.ports);
    expect(flat.subarray(0, input.length)).toEqual(input);
    const { file, fields, annotations } = formOf(flat);
    expect(fields).toEqual([]);
    expect(annotations).toEqual([]);
    const [page] = listPages(file);
    const resources = asDict(file.resolve(page?.dict.get('Resources')));
    const forms = asDict(file.resolve(resources?.get('XObject')));
    expect([...(forms?.keys() ?? [])].filter((key) => key.startsWith('Innsigli'))).toHaveLength(2);
    const reopened = await PDFDocument.load(flat);
    expect(reopened.getForm().getFields()).toEqual([]);
  });

  test('yields a document that can be signed', async () => {
    const flat = flattenForm(await form());
    const process = await world.open([person(1)], {}, {}, flat);
    await signByClick(world.ports, by(process));
    const { signatures } = await world.verify(process.key);
    expect(signatures).toMatchObject([{ indication: 'TOTAL-PASSED' }]);
  });

  test('keeps signature fields and makes fields without an appearance read-only', () => {
    const { fields: kept } = formOf(flattenForm(fixture('form-with-empty-signature-field.pdf')));
    expect(kept).toHaveLength(1);
    const input = fixture('form-with-text-field.pdf');
    const { file, fields } = formOf(flattenForm(input));
    const hasLook = formOf(input).fields.some((field) => field?.has('AP'));
    expect(fields).toHaveLength(hasLook ? 0 : 1);
    for (const field of fields) {
      expect((asInteger(file.resolve(field?.get('Ff'))) ?? 0) & 1).toBe(1);
    }
  });

  test('leaves a signed document and one without a form unchanged', async () => {
    const signed = await sealPdf(await form(), sealOptions(undefined, { level: 'B-B' }));
    expect(flattenForm(signed.bytes)).toBe(signed.bytes);
    const plain = fixture('agreement.pdf');
    const hasForm = openPdf(memorySource(plain)).catalog.has('AcroForm');
    if (!hasForm) expect(flattenForm(plain)).toBe(plain);
    expect(listSignatureFields(openPdf(memorySource(flattenForm(plain))))).toEqual([]);
  });

  test('terminates on a form with circular references', async () => {
    const input = fixture('form-with-text-field.pdf');
    const outcomes = new Set<string>();
    for (let at = 20; at < input.length; at += 37) {
      const broken = Buffer.from(input);
      broken.write('/Kids[4 0 R 5 0 R]', at, 'latin1');
      try {
        outcomes.add(flattenForm(broken).length >= broken.length ? 'done' : 'shorter');
      } catch (error) {
        outcomes.add((error as Error).name);
      }
    }
    expect([...outcomes].sort()).toEqual(['InnsigliError', 'done']);
  });
});
