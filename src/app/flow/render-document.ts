import { roundTo } from '../../base/round-to.ts';
import type { DocumentTemplate, FlowValues } from '../../domain/flow/index.ts';
import {
  type EmbeddedFont,
  embedFont,
  flateStream,
  loadPdfKit,
  type StampFonts,
  textWidth,
} from '../../seal/appearance/index.ts';
import { type LaidPage, layoutDocument, type PlacedLine, page } from './layout-document.ts';

/** Baseline and font size of page numbers. */
const footer = { y: 40, size: 8 } as const;

/**
 * Renders the document that `template` and `values` produce, as a PDF with embedded fonts and
 * numbered pages. The same values produce the same bytes.
 *
 * @param usual language if the template specifies none
 * @throws flow.values.invalid, limit.exceeded, font.invalid
 */
export async function renderDocument(
  template: DocumentTemplate,
  values: FlowValues,
  fonts: StampFonts,
  usual?: string,
): Promise<Uint8Array> {
  const { title, pages } = layoutDocument(template, values, fonts, usual);
  const numbered = pages.map((laid, index) => ({
    ...laid,
    lines: [...laid.lines, pageNumber(`${index + 1} / ${pages.length}`, fonts)],
  }));
  const kit = await loadPdfKit();
  const document = await kit.PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const shown = (isBold: boolean): string =>
    numbered
      .flatMap(({ lines }) => lines)
      .map((line) => (line.isBold === isBold ? line.text : ''))
      .join('');
  const regular = embedFont(kit, context, fonts.regular, ` ${shown(false)}`);
  const bold = embedFont(kit, context, fonts.bold, ` ${shown(true)}`);
  const resources = context.register(
    context.obj({ Font: { Text: regular.reference, Bold: bold.reference } }),
  );
  for (const laid of numbered) {
    const { node } = document.addPage([page.width, page.height]);
    node.set(kit.PDFName.of('Resources'), resources);
    const content = context.register(flateStream(context, paint(laid, regular, bold)));
    node.set(kit.PDFName.of('Contents'), content);
  }
  document.setTitle(title, { showInWindowTitleBar: true });
  if (template.language !== undefined) document.setLanguage(template.language);
  return document.save({ useObjectStreams: false, updateFieldAppearances: false });
}

function pageNumber(text: string, { regular }: StampFonts): PlacedLine {
  const { y, size } = footer;
  return { text, x: (page.width - textWidth(text, regular, size)) / 2, y, size, isBold: false };
}

function paint({ lines, rules }: LaidPage, regular: EmbeddedFont, bold: EmbeddedFont): string {
  const texts = lines.map(({ text, x, y, size, isBold }) => {
    const font = isBold ? bold : regular;
    const place = `${rounded(x)} ${rounded(y)} Td`;
    const shown = font.encode(text).toString();
    return `BT /${isBold ? 'Bold' : 'Text'} ${size} Tf ${place} ${shown} Tj ET\n`;
  });
  const strokes = rules.map(
    ({ x, y, width }) => `${rounded(x)} ${rounded(y)} m ${rounded(x + width)} ${rounded(y)} l S\n`,
  );
  return `0.1 0.12 0.16 rg\n${texts.join('')}0.75 0.78 0.82 RG 0.5 w\n${strokes.join('')}`;
}

const rounded = (value: number): number => roundTo(value, 2);
