import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../src/base/bytes.ts';
import type { PdfFile, PdfReference, PdfUpdate } from '../../src/formats/pdf/index.ts';
import {
  beginUpdate,
  encodeText,
  firstPage,
  listSignatureFields,
  openPdf,
  type PdfObject,
} from '../../src/formats/pdf/index.ts';
import { sealPdf } from '../../src/index.ts';
import { makeTestPki } from '../support/pki.ts';
import { fixture, sealOptions } from '../support/sealing.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';

const pki = makeTestPki();
const options = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
const sealed = new Uint8Array((await sealPdf(fixture('agreement.pdf'), sealOptions(pki))).bytes);

/** The sealed file with one more update. */
function updated(change: (file: PdfFile, update: PdfUpdate) => void): Uint8Array {
  const file = openPdf(memorySource(sealed));
  const update = beginUpdate(file);
  change(file, update);
  return concatBytes([sealed, update.finish().bytes]);
}

const dictWith = (dict: ReadonlyMap<string, PdfObject>, key: string, value: PdfObject) =>
  new Map<string, PdfObject>(dict).set(key, value);

function sealField(file: PdfFile) {
  const [field] = listSignatureFields(file);
  return field as NonNullable<typeof field>;
}

test('a further seal is no foreign change', async () => {
  const { bytes } = await sealPdf(sealed, sealOptions(pki));
  expect((await verifyPdfDocument(bytes, options)).indication).toBe('TOTAL-PASSED');
});

describe('updates after a seal at B-LTA', () => {
  test.each<[string, (file: PdfFile, update: PdfUpdate) => void]>([
    [
      'rotating the page',
      (file, update) => {
        const { reference, dict } = firstPage(file);
        update.set(reference as PdfReference, dictWith(dict, 'Rotate', 180));
      },
    ],
    [
      'replacing the content',
      (file, update) => {
        const { reference, dict } = firstPage(file);
        update.set(reference as PdfReference, dictWith(dict, 'Contents', update.allocate()));
      },
    ],
    [
      'adding an annotation',
      (file, update) => {
        const { reference, dict } = firstPage(file);
        const note = update.allocate();
        update.set(note, new Map<string, PdfObject>([['Rect', [0, 0, 600, 800]]]));
        const old = file.resolve(dict.get('Annots')) as readonly PdfObject[];
        update.set(reference as PdfReference, dictWith(dict, 'Annots', [...old, note]));
      },
    ],
    [
      'adding a script to the catalog',
      (file, update) => {
        update.set(file.catalogReference, dictWith(file.catalog, 'OpenAction', update.allocate()));
      },
    ],
  ])('%s: the seal stays intact, and the document is INDETERMINATE', async (_, change) => {
    const { indication, signatures } = await verifyPdfDocument(updated(change), options);
    expect(indication).toBe('INDETERMINATE');
    expect(signatures[0]).toMatchObject({ intact: true, indication: 'INDETERMINATE' });
    expect(signatures[0]?.findings.map(({ code }) => code)).toContain('document.changed');
  });

  test('rewriting entries of the signature dictionary is detected as a forgery', async () => {
    const forged = updated((file, update) => {
      const { value, valueReference } = sealField(file);
      const claims = dictWith(value ?? new Map(), 'Reason', encodeText('I pay 1,000,000'));
      update.set(valueReference as PdfReference, claims);
    });
    const { signatures } = await verifyPdfDocument(forged, options);
    expect(signatures[0]).toMatchObject({ indication: 'TOTAL-FAILED', intact: false });
    expect(signatures[0]?.findings[0]?.code).toBe('signature.origin.uncovered');
  });

  test('pointing a second field at the signature is detected as a forgery', async () => {
    const forged = updated((file, update) => {
      const { dict } = sealField(file);
      const second = update.allocate();
      update.set(second, dictWith(dict, 'T', encodeText('Approval of the board')));
      const form = file.resolve(file.catalog.get('AcroForm')) as ReadonlyMap<string, PdfObject>;
      const fields = file.resolve(form.get('Fields')) as readonly PdfObject[];
      const changed = dictWith(form, 'Fields', [...fields, second]);
      update.set(file.catalogReference, dictWith(file.catalog, 'AcroForm', changed));
    });
    const { signatures } = await verifyPdfDocument(forged, options);
    const board = signatures.find(({ field }) => field === 'Approval of the board');
    expect(board).toMatchObject({ indication: 'TOTAL-FAILED', intact: false });
  });
});
