import { type LocaleCode, localeOf } from '../../base/locale.ts';
import { roundTo } from '../../base/round-to.ts';
import { encodeText, type PdfString, pdfDate } from '../../formats/pdf/index.ts';
import { deflated, type StampFonts } from '../appearance/index.ts';
import { blocksOf } from './blocks.ts';
import { layoutPages } from './flow-pages.ts';
import { type PageFonts, pageFonts } from './page-fonts.ts';
import { type PlacedBlock, type PlacedText, pageFrame, widthOf } from './page-layout.ts';
import type { EvidenceRecord } from './record.ts';
import { newDocument } from './write-document.ts';

/** Structure of each kind of block. @spec ISO 32000-1 §14.8.4 */
const roles: Readonly<Record<PlacedBlock['kind'], string>> = {
  title: 'H1',
  result: 'P',
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
};
/** Behind a result, and the line over a heading. */
const GROUND = '0.91 0.96 0.92';
const LINE = '0.82 0.85 0.88';
/** From the line over a heading to the top of its text. */
const LINE_GAP = 5;

/**
 * The evidence page as a PDF: tagged, with embedded fonts, the same bytes for the same record. It
 * is not sealed yet.
 *
 * @param recordSha256 digest of the JSON file that goes with it, hexadecimal
 * @throws font.invalid, limit.exceeded
 */
export async function drawEvidence(
  record: EvidenceRecord,
  recordSha256: string,
  language: LocaleCode,
  stampFonts: StampFonts,
): Promise<Uint8Array> {
  const words = localeOf(language).evidence;
  const pages = layoutPages(blocksOf(record, recordSha256, language), stampFonts, words.continued);
  const footers = pages.map((_, index) => {
    const text = `${record.process.key} · ${words.page} ${index + 1} / ${pages.length}`;
    return footer(text, stampFonts);
  });
  const texts = [...pages.flatMap((blocks) => blocks.flatMap((block) => block.texts)), ...footers];
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
    const content = paintPage(blocks, footers[index] as PlacedText, fonts);
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
  const structure = `/StructTreeRoot ${tree} 0 R /MarkInfo <</Marked true>> /Lang (${language})`;
  const viewing = '/ViewerPreferences <</DisplayDocTitle true>>';
  const catalog = document.put(`<</Type /Catalog /Pages ${pageTree} 0 R ${structure} ${viewing}>>`);
  const title = hexText(encodeText(`${words.title}: ${record.process.fileName}`));
  const madeAt = hexText(pdfDate(Date.parse(record.madeAt)));
  const info = document.put(`<</Title ${title} /CreationDate ${madeAt}>>`);
  return document.finish(`/Root ${catalog} 0 R /Info ${info} 0 R`);
}

function references(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ');
}

function hexText({ bytes }: PdfString): string {
  return `<${Buffer.from(bytes).toString('hex')}>`;
}

function footer(text: string, fonts: StampFonts): PlacedText {
  const size = 7;
  const x = (pageFrame.width - widthOf(text, fonts.regular, size)) / 2;
  return { text, x, y: 30, size, bold: false, tone: 'soft' };
}

function paintPage(blocks: readonly PlacedBlock[], foot: PlacedText, fonts: PageFonts): string {
  let mcid = 0;
  const painted = blocks.map((block) => {
    const { kind, texts, isRepeated } = block;
    const content = texts.map((text) => paintText(text, fonts)).join('');
    const behind = paintBehind(block);
    if (isRepeated === true) return `${behind}/Artifact BMC\n${content}EMC\n`;
    const marked = `/${roles[kind]} <</MCID ${mcid}>> BDC\n${content}EMC\n`;
    mcid += 1;
    return `${behind}${marked}`;
  });
  return `${painted.join('')}/Artifact BMC\n${paintText(foot, fonts)}EMC\n`;
}

/** Colour and lines, which say nothing to who hears the page. */
function paintBehind({ kind, texts: [first], ground }: PlacedBlock): string {
  const { left, right, width } = pageFrame;
  const wide = width - left - right;
  const fill = (tone: string, y: number, height: number) =>
    `/Artifact BMC\n/Rgb cs ${tone} sc\n` +
    `${left} ${rounded(y)} ${wide} ${rounded(height)} re f\nEMC\n`;
  if (ground !== undefined) return fill(GROUND, ground.y, ground.height);
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
