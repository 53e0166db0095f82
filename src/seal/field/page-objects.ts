import { InnsigliError } from '../../base/errors.ts';
import {
  asArray,
  asDict,
  firstPage,
  listSignatureFields,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  type PdfReference,
  type PdfUpdate,
} from '../../formats/pdf/index.ts';

/** A page that annotations can refer to. */
export interface PageObject extends PdfPage {
  readonly reference: PdfReference;
}

/**
 * Makes the first page an indirect object if it is not one. Later time-stamps have their widget
 * there, and must not change the page tree of a signed document.
 *
 * @throws pdf.structure.invalid, pdf.damaged.signed
 */
export function settleFirstPage(file: PdfFile, update: PdfUpdate): void {
  pageObjects(file, update)(firstPage(file));
}

/**
 * Makes pages indirect objects. If /Kids contains dictionaries instead of references, all pages of
 * that node become new objects in the update: half of the readers do not find them otherwise.
 *
 *     2 0 obj <</Kids[ <</Type/Page ...>> ]>>    ->    2 0 obj <</Kids[ 9 0 R ]>>
 *                                                      9 0 obj <</Type/Page ... /Parent 2 0 R>>
 *
 * @throws pdf.structure.invalid if the node is not an indirect object either
 * @throws pdf.damaged.signed if the document has signatures: they cover the page tree
 * @spec ISO 32000-1 table 29
 */
export function pageObjects(file: PdfFile, update: PdfUpdate): (page: PdfPage) => PageObject {
  const moved = new Map<PdfDict, PageObject>();
  return (page) => {
    const { reference, dict, holder } = page;
    if (reference !== undefined) return { reference, dict };
    if (holder !== undefined && !moved.has(dict)) moveKids(file, update, holder, moved);
    const found = moved.get(dict);
    if (found !== undefined) return found;
    throw new InnsigliError(
      'pdf.structure.invalid',
      'a page of the document is not an indirect object, so an update cannot replace it',
      { hint: 'open and save the document with a different program, then try again' },
    );
  };
}

function moveKids(
  file: PdfFile,
  update: PdfUpdate,
  holder: PdfReference,
  moved: Map<PdfDict, PageObject>,
): void {
  if (listSignatureFields(file).some(({ value }) => value !== undefined)) {
    throw new InnsigliError(
      'pdf.damaged.signed',
      'the signed document is damaged: a page is a direct object in the page tree',
      { hint: 'the earlier signature could be lost: ask for an undamaged copy' },
    );
  }
  const node = asDict(file.resolve(holder)) as PdfDict;
  const kids = (asArray(file.resolve(node.get('Kids'))) ?? []).map((kid): PdfObject => {
    const page = asDict(kid);
    if (page === undefined) return kid;
    const reference = update.allocate();
    const dict = new Map<string, PdfObject>([...page, ['Parent', holder]]);
    moved.set(page, { reference, dict });
    update.set(reference, dict);
    return reference;
  });
  update.set(holder, new Map<string, PdfObject>([...node, ['Kids', kids]]));
}
