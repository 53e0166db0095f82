import {
  asDict,
  asReference,
  firstPage,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../../formats/pdf/index.ts';

/**
 * Why the document cannot be archived once it is sealed; empty when nothing speaks against it.
 * Archiving replaces the catalog, the form, the store of validation data and the first page. One
 * object in two of these parts would change what the seal covers, and the archive is refused then.
 */
export function augmentationDoubts(file: PdfFile): readonly string[] {
  const parts = new Map<number, string>();
  for (const [name, value] of changedParts(file)) {
    const number = asReference(value)?.objectNumber;
    if (number === undefined) continue;
    const other = parts.get(number);
    if (other !== undefined && other !== name) {
      return [`it cannot be archived later: object ${number} is ${other} and ${name} in one`];
    }
    parts.set(number, name);
  }
  return [];
}

function changedParts(file: PdfFile): readonly (readonly [string, PdfObject | undefined])[] {
  const { catalog } = file;
  const part = (dict: PdfDict | undefined, key: string): PdfObject | undefined => dict?.get(key);
  const form = asDict(file.resolve(part(catalog, 'AcroForm')));
  const store = asDict(file.resolve(part(catalog, 'DSS')));
  const page = firstPage(file);
  return [
    ['the catalog', file.catalogReference],
    ['the page tree', part(catalog, 'Pages')],
    ['the first page', page.reference],
    ['the annotations of the first page', part(page.dict, 'Annots')],
    ['the form', part(catalog, 'AcroForm')],
    ['the list of fields', part(form, 'Fields')],
    ['the list of extensions', part(catalog, 'Extensions')],
    ['the validation data', part(catalog, 'DSS')],
    ...['Certs', 'OCSPs', 'CRLs'].map((key) => [`/${key}`, part(store, key)] as const),
  ];
}
