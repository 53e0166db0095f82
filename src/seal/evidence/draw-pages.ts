import { sha256Of } from '../../base/bytes.ts';
import { roundTo } from '../../base/round-to.ts';
import type { LocaleCode } from '../../base/words/index.ts';
import { encodeText, type PdfString, pdfDate } from '../../formats/pdf/index.ts';
import { deflated, type StampFonts } from '../appearance/index.ts';
import { archivalMetadata } from './archival-metadata.ts';
import type { EvidenceBlock } from './block-texts.ts';
import { layoutPages } from './flow-pages.ts';
import { type PageFonts, pageFonts } from './page-fonts.ts';
import { type PlacedBlock, type PlacedText, pageFrame, placeFooter } from './page-layout.ts';
import { type DocumentWriter, newDocument } from './write-document.ts';

/** Structure type of each kind of block. @spec ISO 32000-1 §14.8.4 */
const roles: Readonly<Record<PlacedBlock['kind'], string>> = {
  title: 'H1',
  result: 'P',
  refused: 'P',
  doubted: 'P',
  heading: 'H2',
  name: 'H3',
  warning: 'P',
  text: 'P',
  fact: 'P',
  row: 'P',
};

const tones: Readonly<Record<PlacedText['tone'], string>> = {
  dark: '0.05 0.13 0.24',
  plain: '0.13 0.16 0.2',
  soft: '0.36 0.4 0.46',
  warning: '0.7 0.1 0.08',
  good: '0.05 0.33 0.16',
  open: '0.48 0.3 0',
};
/** Background colours of results. */
const grounds: { readonly [Kind in EvidenceBlock['kind']]?: string } = {
  result: '0.91 0.96 0.92',
  doubted: '0.99 0.95 0.85',
  refused: '0.99 0.91 0.9',
};
/** Colour of the line above a heading. */
const LINE = '0.82 0.85 0.88';
/** Distance from the line above a heading to the top of its text. */
const LINE_GAP = 5;

/** Properties of a document other than its blocks. */
export interface PagesAbout {
  readonly language: LocaleCode;
  readonly title: string;
  /** Appended to a heading that is repeated from the previous page. */
  readonly continued: string;
  readonly madeAtMs: number;
  /** The footer of a page. Page numbers start at 1. */
  footer(page: number, count: number): string;
  /** The producing program. If given, the document is PDF/A-2a. */
  readonly archival?: { readonly producer: string };
}

/**
 * Draws blocks as a PDF: tagged, with embedded fonts, and with the same bytes for the same blocks.
 *
 * @throws font.invalid, limit.exceeded
 */
export async function drawPages(
  blocks: readonly EvidenceBlock[],
  about: PagesAbout,
  stampFonts: StampFonts,
): Promise<Uint8Array> {
  const pages = layoutPages(blocks, stampFonts, about.continued);
  const footers = pages.map((_, index) =>
    placeFooter(about.footer(index + 1, pages.length), stampFonts),
  );
  const texts = [
    ...pages.flatMap((each) => each.flatMap((block) => block.texts)),
    ...footers.flat(),
  ];
  const fonts = await pageFonts(stampFonts, {
    regular: texts.filter(({ bold }) => !bold).map(({ text }) => text),
    bold: texts.filter(({ bold }) => bold).map(({ text }) => text),
  });
  const document = newDocument(fonts.objects);
  const [pageTree, tree, root] = [document.allocate(), document.allocate(), document.allocate()];
  const elements: number[] = [];
  const parents: string[] = [];
  const pageNumbers = pages.map((blocks, index) => {
    const page = document.allocate();
    const told = blocks.filter(({ isRepeated }) => isRepeated !== true);
    const own = told.map(({ kind }, mcid) =>
      document.put(
        `<</Type /StructElem /S /${roles[kind]} /P ${root} 0 R /Pg ${page} 0 R /K ${mcid}>>`,
      ),
    );
    elements.push(...own);
    parents.push(`${index} [${references(own)}]`);
    const content = paintPage(blocks, footers[index] ?? [], fonts);
    const contents = document.putFlate(deflated(Buffer.from(content, 'latin1')));
    const box = `[0 0 ${pageFrame.width} ${pageFrame.height}]`;
    const look = `/MediaBox ${box} /Resources ${fonts.resources} 0 R /Contents ${contents} 0 R`;
    const body = `<</Type /Page /Parent ${pageTree} 0 R ${look} /StructParents ${index} /Tabs /S>>`;
    return document.put(body, page);
  });
  const count = pageNumbers.length;
  document.put(`<</Type /Pages /Kids [${references(pageNumbers)}] /Count ${count}>>`, pageTree);
  document.put(
    `<</Type /StructElem /S /Document /P ${tree} 0 R /K [${references(elements)}]>>`,
    root,
  );
  const parentTree = `/ParentTree <</Nums [${parents.join(' ')}]>> /ParentTreeNextKey ${count}`;
  document.put(`<</Type /StructTreeRoot /K [${root} 0 R] ${parentTree}>>`, tree);
  return finish(document, about, `/Pages ${pageTree} 0 R /StructTreeRoot ${tree} 0 R`, texts);
}

/** Writes the catalog, the metadata and the trailer. */
function finish(
  document: DocumentWriter,
  { language, title, madeAtMs, archival }: PagesAbout,
  trees: string,
  texts: readonly PlacedText[],
): Uint8Array {
  const shown = `/MarkInfo <</Marked true>> /Lang (${language})`;
  const viewing = '/ViewerPreferences <</DisplayDocTitle true>>';
  const packet = archival && archivalMetadata({ title, madeAtMs, language, ...archival });
  const metadata = packet === undefined ? '' : ` /Metadata ${document.put(packet)} 0 R`;
  const entries = `/Type /Catalog ${trees} ${shown} ${viewing}${metadata}`;
  const catalog = document.put(`<<${entries}>>`);
  const madeBy =
    archival === undefined ? '' : ` /Producer ${hexText(encodeText(archival.producer))}`;
  const madeAt = hexText(pdfDate(madeAtMs));
  const about = `/Title ${hexText(encodeText(title))} /CreationDate ${madeAt}${madeBy}`;
  const trailer = `/Root ${catalog} 0 R /Info ${document.put(`<<${about}>>`)} 0 R`;
  if (archival === undefined) return document.finish(trailer);
  const said = JSON.stringify([title, madeAtMs, texts.map(({ text }) => text)]);
  const id = sha256Of(said).slice(0, 32);
  return document.finish(`${trailer} /ID [<${id}> <${id}>]`);
}

function references(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ');
}

function hexText({ bytes }: PdfString): string {
  return `<${Buffer.from(bytes).toString('hex')}>`;
}

function paintPage(
  blocks: readonly PlacedBlock[],
  foot: readonly PlacedText[],
  fonts: PageFonts,
): string {
  let mcid = 0;
  const painted = blocks.map((block) => {
    const { kind, texts, isRepeated } = block;
    const content = texts.map((text) => paintText(text, fonts)).join('');
    const behind = paintBackground(block);
    if (isRepeated === true) return `${behind}/Artifact BMC\n${content}EMC\n`;
    const marked = `/${roles[kind]} <</MCID ${mcid}>> BDC\n${content}EMC\n`;
    mcid += 1;
    return `${behind}${marked}`;
  });
  const footRows = foot.map((row) => paintText(row, fonts)).join('');
  return `${painted.join('')}/Artifact BMC\n${footRows}EMC\n`;
}

/** Backgrounds and lines are artifacts, which screen readers skip. */
function paintBackground({ kind, texts: [first], ground }: PlacedBlock): string {
  const { left, right, width } = pageFrame;
  const wide = width - left - right;
  const fill = (tone: string, y: number, height: number) =>
    `/Artifact BMC\n/Rgb cs ${tone} sc\n` +
    `${left} ${rounded(y)} ${wide} ${rounded(height)} re f\nEMC\n`;
  const tone = grounds[kind];
  if (ground !== undefined && tone !== undefined) return fill(tone, ground.y, ground.height);
  if (kind !== 'heading' || first === undefined) return '';
  return fill(LINE, first.y + first.size + LINE_GAP, 0.6);
}

function paintText({ text, x, y, size, bold, tone }: PlacedText, fonts: PageFonts): string {
  const font = bold ? fonts.bold : fonts.regular;
  const place = `${rounded(x)} ${rounded(y)}`;
  const face = `/${bold ? 'Bold' : 'Text'} ${size} Tf`;
  return `/Rgb cs ${tones[tone]} sc\nBT ${face} ${place} Td ${font(text)} Tj ET\n`;
}

const rounded = (value: number): number => roundTo(value, 2);
