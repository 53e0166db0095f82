import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asReference,
  decodeText,
  firstPage,
  listSignatureFields,
  openPdf,
  type PdfFile,
  PdfString,
} from '../../../src/formats/pdf/index.ts';
import { sealPdf } from '../../../src/index.ts';
import { pdfWithTable } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const pki = makeTestPki();

/** One tagged page with the given tree root entries; object 4 is the root, 5 the document. */
function tagged(root: string, marked = 'true'): Uint8Array {
  return pdfWithTable([
    `<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked ${marked}>>/StructTreeRoot 4 0 R>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/StructParents 0>>',
    `<</Type/StructTreeRoot ${root}>>`,
    '<</Type/StructElem/S/Document/P 4 0 R/K[]>>',
    '<</Nums[0[5 0 R]]>>',
    '<</Kids[8 0 R]>>',
    '<</Limits[0 0]/Nums[0[5 0 R]]>>',
  ]);
}

async function seal(input: Uint8Array, isVisible = true): Promise<PdfFile> {
  const look = isVisible ? { visible: {} } : {};
  const { bytes } = await sealPdf(input, sealOptions(pki, { level: 'B-B', ...look }));
  const report = await verifyDocument(bytes, { trust: [pki.member('root').der] });
  expect(report.indication).toBe('TOTAL-PASSED');
  return openPdf(memorySource(bytes), { repair: 'never' });
}

/** The parts of the tree that concern the seal. */
function tagsOf(file: PdfFile) {
  const field = listSignatureFields(file)[0]?.dict;
  const root = asDict(file.resolve(file.catalog.get('StructTreeRoot')));
  const key = asInteger(field?.get('StructParent'));
  const tree = asDict(file.resolve(root?.get('ParentTree')));
  const leaf = asDict(file.resolve(asArray(tree?.get('Kids'))?.at(-1)));
  const numbers = asArray(file.resolve((leaf ?? tree)?.get('Nums'))) ?? [];
  const at = numbers.findIndex((entry, index) => index % 2 === 0 && entry === key);
  const element = asDict(file.resolve(at < 0 ? undefined : numbers[at + 1]));
  const name = field?.get('TU');
  return {
    key,
    nextKey: asInteger(root?.get('ParentTreeNextKey')),
    role: asName(element?.get('S'))?.value,
    parent: asReference(element?.get('P'))?.objectNumber,
    name: name instanceof PdfString ? decodeText(name) : undefined,
    tabs: asName(firstPage(file).dict.get('Tabs'))?.value,
  };
}

const nothing = {
  key: undefined,
  role: undefined,
  parent: undefined,
  name: undefined,
};

describe('the structure tree of a tagged document', () => {
  const found = { role: 'Form', name: 'Signature1', tabs: 'S' };
  test.each([
    ['flat', '/K 5 0 R/ParentTree 6 0 R/ParentTreeNextKey 1', { key: 1, nextKey: 2, parent: 5 }],
    [
      'with leaves',
      '/K[5 0 R]/ParentTree 7 0 R/ParentTreeNextKey 9',
      { key: 9, nextKey: 10, parent: 5 },
    ],
    ['that states no next key', '/K 5 0 R/ParentTree 6 0 R', { key: 1, nextKey: 2, parent: 5 }],
    ['with leaves and no next key', '/K 5 0 R/ParentTree 7 0 R', { key: 1, nextKey: 2, parent: 5 }],
    ['direct', '/K[5 0 R 5 0 R]/ParentTree<</Nums[0[5 0 R]]>>', { key: 1, nextKey: 2, parent: 4 }],
    ['without elements', '/ParentTree 6 0 R', { key: 1, nextKey: 2, parent: 4 }],
  ])('gets an element for a visible seal: %s', async (_, root, expected) => {
    expect(tagsOf(await seal(tagged(root)))).toMatchObject({ ...found, ...expected });
  });

  test('gets only the tab order for an invisible seal', async () => {
    const file = await seal(tagged('/K 5 0 R/ParentTree 6 0 R'), false);
    expect(tagsOf(file)).toMatchObject({ ...nothing, tabs: 'S' });
  });

  test.each([
    ['without parent tree', tagged('/K 5 0 R'), 'S'],
    ['with a malformed parent tree', tagged('/ParentTree(x)'), 'S'],
    ['with a negative key', tagged('/ParentTree 6 0 R/ParentTreeNextKey -5'), 'S'],
    ['that is not marked', tagged('/K 5 0 R/ParentTree 6 0 R', 'false'), undefined],
  ])('gets no element in a document %s', async (_, input, tabs) => {
    expect(tagsOf(await seal(input))).toMatchObject({ ...nothing, tabs });
  });

  test('is unchanged in a signed document', async () => {
    const input = tagged('/K 5 0 R/ParentTree 6 0 R');
    const once = await sealPdf(input, sealOptions(pki, { level: 'B-B', visible: {} }));
    const twice = await sealPdf(once.bytes, sealOptions(pki, { level: 'B-B', visible: {} }));
    const update = Buffer.from(twice.bytes.subarray(once.bytes.length));
    expect(update.includes('StructElem')).toBe(false);
    expect(twice.report.indication).toBe('TOTAL-PASSED');
  });
});
