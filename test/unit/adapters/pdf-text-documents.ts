import { PDFDocument, PDFName, PDFNumber, type PDFRef, PDFString, StandardFonts } from 'pdf-lib';

/** A page that draws nested forms, or whose image has an alternative text. */
export async function pageDrawing(request: {
  readonly alt?: string;
  /** Depth of nesting; each form draws the next one ten times. */
  readonly nested?: number;
}): Promise<Uint8Array> {
  const made = await PDFDocument.create();
  const { context } = made;
  const page = made.addPage();
  const font = await made.embedFont(StandardFonts.Helvetica);
  page.drawText('Words', { x: 20, y: 700, size: 12, font });
  await made.flush();
  if (request.alt !== undefined) {
    const figure = context.obj({ Type: 'StructElem', S: 'Figure', Pg: page.ref, K: 0 });
    figure.set(PDFName.of('Alt'), PDFString.of(request.alt));
    const figureRef = context.register(figure);
    const root = context.obj({ Type: 'StructTreeRoot', K: [figureRef] });
    const rootRef = context.register(root);
    figure.set(PDFName.of('P'), rootRef);
    const parents = context.register(context.obj({ Nums: [0, [figureRef]] }));
    root.set(PDFName.of('ParentTree'), parents);
    page.node.set(PDFName.of('StructParents'), PDFNumber.of(0));
    made.catalog.set(PDFName.of('StructTreeRoot'), rootRef);
    made.catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
    const picture = context.stream(Buffer.from('/Figure <</MCID 0>> BDC 0 0 9 9 re f EMC'));
    page.node.addContentStream(context.register(picture));
  }
  let inner: PDFRef | undefined;
  const draws = Buffer.from('/X Do '.repeat(10));
  const words = Buffer.from('BT /F1 9 Tf (w) Tj ET');
  const fonts = context.obj({ F1: font.ref });
  for (let at = 0; at < (request.nested ?? 0); at++) {
    const resources: Record<string, never> | object =
      inner === undefined ? { Font: fonts } : { XObject: { X: inner } };
    const form = context.stream(inner === undefined ? words : draws, {
      ...{ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 600, 800] },
      Resources: context.obj(resources as never),
    });
    inner = context.register(form);
  }
  if (inner !== undefined) {
    page.node.setXObject(PDFName.of('X'), inner);
    page.node.addContentStream(context.register(context.stream(draws)));
  }
  return made.save({ useObjectStreams: false });
}

/** A page with this content as output of its filters, repeated `times` times. */
export async function pdfWithContent(
  content: Buffer,
  filters: readonly string[] = [],
  times = 1,
): Promise<Uint8Array> {
  const made = await PDFDocument.create();
  const { context } = made;
  const page = made.addPage();
  const font = await made.embedFont(StandardFonts.Helvetica);
  page.node.setFontDictionary(PDFName.of('F1'), font.ref);
  const given = filters.length === 0 ? {} : { Filter: filters.map((name) => PDFName.of(name)) };
  const stream = context.register(context.stream(content, given as never));
  page.node.set(PDFName.of('Contents'), context.obj(Array.from({ length: times }, () => stream)));
  return made.save({ useObjectStreams: false });
}
