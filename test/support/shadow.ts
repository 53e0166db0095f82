import { asBuffer } from '../../src/base/bytes.ts';
import { addObjects, PdfBuilder } from './pdf-builder.ts';

/** The content stream of a page that shows this text. */
export const text = (shown: string) => `BT /F1 24 Tf 72 700 Td (${shown}) Tj ET`;

/** A page with this /Contents. */
export const page = (contents: string) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents ${contents}>>`;

export function streamOf(data: string, dict = ''): string {
  return `<<${dict}/Length ${data.length}>>\nstream\n${data}\nendstream`;
}

/** The content of a forgery. */
export const forged = streamOf(text('PAY 999999'));

/** The objects of a one-page document; `changes` replaces and adds some, by number. */
export function bodies(changes: Readonly<Record<number, string>> = {}): Map<number, string> {
  return new Map([
    [1, '<</Type/Catalog/Pages 2 0 R>>'],
    [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    [3, page('4 0 R')],
    [4, streamOf(text('PAY 10'))],
    [5, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    ...Object.entries(changes).map(([number, body]) => [Number(number), body] as const),
  ]);
}

/** A document of these objects, with a cross-reference table. */
export function documentOf(objects: ReadonlyMap<number, string>, trailer = ''): Uint8Array {
  const builder = addObjects(new PdfBuilder(), []);
  for (const [number, body] of objects) builder.object(number, body);
  return builder.end(builder.table({ trailer })).bytes;
}

/** A builder that continues after the file, with the offset of its newest section. */
export function continued(bytes: Uint8Array, skip = 0): { builder: PdfBuilder; previous: number } {
  const builder = new PdfBuilder('').raw(bytes);
  const sections = [...latin1(bytes).matchAll(/startxref\s+(\d+)/g)];
  return { builder, previous: Number(sections.at(-1 - skip)?.[1]) };
}

/** The file with one more revision that contains these objects. */
export function updated(
  bytes: Uint8Array,
  objects: Readonly<Record<number, string>>,
  { skip = 0, keep = {} as Readonly<Record<number, number>>, tail = '' } = {},
): Uint8Array {
  const { builder, previous } = continued(bytes, skip);
  for (const [number, body] of Object.entries(objects)) builder.object(Number(number), body);
  for (const [number, offset] of Object.entries(keep)) builder.at(Number(number), offset);
  const start = builder.table({ trailer: `/Prev ${previous}`, size: 200 });
  return builder.end(start).raw(tail).bytes;
}

/** The last body of a dictionary object that matches the pattern. */
export function bodyOf(bytes: Uint8Array, pattern: RegExp): { number: number; body: string } {
  const all = [...latin1(bytes).matchAll(/(\d+) 0 obj\s*(<<(?:(?!endobj|stream).)*>>)\s*endobj/gs)];
  const match = all.findLast(([, , body = '']) => pattern.test(body));
  return { number: Number(match?.[1]), body: match?.[2] ?? '' };
}

export function latin1(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}
