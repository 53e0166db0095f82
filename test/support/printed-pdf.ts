import { deflateSync } from 'node:zlib';
import { latin1Bytes, memorySource } from '../../src/base/bytes.ts';
import {
  firstPage,
  openPdf,
  type PrintedPage,
  printBudget,
  readPrinted,
} from '../../src/formats/pdf/index.ts';
import { pageSight, readStampPage } from '../../src/seal/appearance/index.ts';
import { PdfBuilder } from './pdf-builder.ts';

const resources =
  '/Resources<</Font<</F 6 0 R/W 7 0 R/Z 9 0 R>>/XObject<</Form 5 0 R/Image 8 0 R>>' +
  '/ColorSpace<</Ink[/Separation/Gold/DeviceCMYK 10 0 R]>>' +
  '/ExtGState<</None<</ca 0/CA 0>>>>>>';

/** Deviations from the usual page. */
export interface Parts {
  readonly page?: string;
  readonly mediaBox?: string;
  /** Page entries that replace the usual ones. */
  readonly resources?: string;
  readonly contents?: string;
  readonly form?: string;
  readonly formDict?: string;
  /** The font F. */
  readonly font?: string;
  readonly filter?: 'flate' | 'broken';
  readonly more?: (builder: PdfBuilder) => void;
}

/** A page of 400 × 300 points with this content. */
export function pdfWith(content: string, parts: Parts = {}): Uint8Array {
  const contents = parts.contents ?? '/Contents 4 0 R';
  const builder = new PdfBuilder()
    .object(1, '<</Type/Catalog/Pages 2 0 R>>')
    .object(2, `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[${parts.mediaBox ?? '0 0 400 300'}]>>`)
    .object(
      3,
      `<</Type/Page/Parent 2 0 R${contents}${parts.resources ?? resources}${parts.page ?? ''}>>`,
    );
  if (parts.filter === undefined) builder.stream(4, '', content);
  else {
    const data = new Uint8Array(deflateSync(latin1Bytes(content)));
    if (parts.filter === 'broken') data.fill(255, 4);
    builder.stream(4, '/Filter/FlateDecode', data);
  }
  const form = parts.formDict ?? '/BBox[0 0 50 50]';
  builder
    .stream(5, `/Type/XObject/Subtype/Form${form}`, parts.form ?? '0 0 50 50 re f')
    .object(6, parts.font ?? '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')
    .object(7, '<</Type/Font/Subtype/Type1/FirstChar 65/Widths[2000 1000]/FontDescriptor 11 0 R>>')
    .stream(8, '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray', '\0')
    .object(9, '<</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[12 0 R]>>')
    .object(10, '<</FunctionType 2/Domain[0 1]/N 1>>')
    .object(11, '<</Type/FontDescriptor/Ascent 800/Descent -200>>')
    .object(12, '<</Type/Font/Subtype/CIDFontType2/DW 500/W[3[1500]]>>');
  parts.more?.(builder);
  return builder.end(builder.table()).bytes;
}

/** Bounding box of what its first page shows. */
export function look(bytes: Uint8Array, budget = printBudget()) {
  const file = openPdf(memorySource(bytes));
  const page = firstPage(file);
  return readPrinted(file, page, pageSight(readStampPage(file, page.dict)), budget);
}

/** Left, bottom, right and top of everything printed, in whole points; `blank` if empty. */
export function printedBox(
  page: PrintedPage | 'costly' | 'damaged',
  what: 'words' | 'anything' = 'anything',
) {
  if (typeof page === 'string') return page;
  const has = (box: readonly [number, number, number, number]): boolean =>
    page.covered(box, what) > 0;
  const all = Array.from({ length: 401 }, (_, index) => index);
  const left = all.find((x) => has([x, 0, x + 1, 400]));
  if (left === undefined) return 'blank';
  const bottom = all.find((y) => has([0, y, 400, y + 1]));
  const right = all.findLast((x) => has([x, 0, x + 1, 400])) ?? 0;
  const top = all.findLast((y) => has([0, y, 400, y + 1])) ?? 0;
  return [left, bottom, right + 1, top + 1].join(' ');
}
