import type { StampFonts } from '../../seal/appearance/index.ts';
import { drawPages, type EvidenceBlock } from '../../seal/evidence/index.ts';
import type { ReportView, SignatureView, Tone, ViewFinding } from './report-view.ts';
import { isolate } from './sentences.ts';
import { shownText } from './shown-text.ts';
import type { ViewRow } from './view-row.ts';

const headlineKinds: Readonly<Record<Tone, EvidenceBlock['kind']>> = {
  good: 'result',
  open: 'doubted',
  bad: 'refused',
  plain: 'text',
};

/** The font has no tick marks: the result of a check is a word, and failures are red. */
const lineKinds: Readonly<Record<Tone, EvidenceBlock['kind']>> = {
  good: 'row',
  open: 'row',
  bad: 'warning',
  plain: 'row',
};

/**
 * Renders a report as a PDF with A4 pages that is suitable for court files: PDF/A-2a, tagged, and
 * reproducible byte by byte.
 *
 * @throws font.invalid, limit.exceeded
 */
export function reportPdf(
  view: ReportView,
  { madeAtMs, producer }: { readonly madeAtMs: number; readonly producer: string },
  fonts: StampFonts,
): Promise<Uint8Array> {
  const { language, words, facts } = view;
  const { title, labels } = words;
  const file = facts.find(({ label }) => label === labels.file)?.text;
  const { drawable, hasEscaped } = drawing(fonts);
  const foot = file === undefined ? '' : `${shownText(drawable(file), 60)} · `;
  const about = {
    language,
    title: file === undefined ? title : `${title}: ${file}`,
    continued: labels.continued,
    madeAtMs,
    footer: (page: number, count: number) => `${foot}${labels.page} ${page} / ${count}`,
    archival: { producer },
  };
  const blocks = blocksOf(view).map((block): EvidenceBlock => {
    return { ...block, text: drawable(block.text) };
  });
  if (hasEscaped()) blocks.push({ kind: 'text', text: view.words.texts.unicode });
  return drawPages(blocks, about, fonts);
}

function blocksOf(view: ReportView): readonly EvidenceBlock[] {
  const { words, tone, headline, facts, signatures, uncovered, notChecked, language } = view;
  const { labels, texts } = words;
  return [
    { kind: 'title', text: words.title },
    { kind: headlineKinds[tone], text: headline },
    ...(view.warning === undefined ? [] : [{ kind: 'doubted', text: view.warning } as const]),
    ...rows(facts, 'fact'),
    ...signatures.flatMap((each) => signatureBlocks(each, view)),
    ...view.more.map((text): EvidenceBlock => ({ kind: 'name', text })),
    ...list(labels.uncovered, uncovered),
    ...list(labels.notChecked, notChecked),
    ...(language === 'en' ? [] : [{ kind: 'text', text: texts.english } as const]),
    { kind: 'text', text: texts.scope },
  ];
}

function signatureBlocks(
  signature: SignatureView,
  { words, colon }: ReportView,
): readonly EvidenceBlock[] {
  const { labels } = words;
  const { tone, title, result, sentences, advice, rows: details, claims } = signature;
  const { changes, checks, findings } = signature;
  const steps = advice === undefined ? [] : [`${words.advice.label}${colon}${advice}`];
  return [
    { kind: 'heading', text: title },
    { kind: headlineKinds[tone], text: sentences.join(' ') },
    ...steps.map((text): EvidenceBlock => ({ kind: 'name', text })),
    ...rows([{ label: labels.result, text: result }, ...details], 'fact'),
    ...part(labels.claims, rows(claims, 'row')),
    ...part(labels.changes, changes.map(findingBlock)),
    ...part(labels.checks, checks.map(findingBlock)),
    ...part(labels.findings, findings.map(findingBlock)),
  ];
}

function part(heading: string, blocks: readonly EvidenceBlock[]): readonly EvidenceBlock[] {
  return blocks.length === 0 ? [] : [{ kind: 'name', text: heading }, ...blocks];
}

function rows(items: readonly ViewRow[], kind: 'row' | 'fact'): readonly EvidenceBlock[] {
  return items.map(({ label, text }) => ({ kind, label, text }));
}

function findingBlock({ tone, label, state, text, code }: ViewFinding): EvidenceBlock {
  const told = `${state === undefined ? '' : `${state} – `}${text} [${code}]`;
  const block: EvidenceBlock = { kind: lineKinds[tone], text: told };
  return label === undefined ? block : { ...block, label };
}

function list(heading: string, items: readonly string[]): readonly EvidenceBlock[] {
  if (items.length === 0) return [];
  const lines = items.map((text): EvidenceBlock => ({ kind: 'row', text: `– ${text}` }));
  return [{ kind: 'heading', text: heading, isList: true }, ...lines];
}

/**
 * Adapts text to the fonts. Missing characters are replaced with their code points, such as
 * `[U+05D3 U+05D5]`: boxes or question marks would make different names look alike. `hasEscaped`
 * reports whether any text had such characters.
 */
export function drawing({ regular, bold }: StampFonts) {
  let escaped = false;
  const has = (character: string) => {
    const code = character.codePointAt(0) ?? 0;
    return regular.glyphOf(code) !== 0 && bold.glyphOf(code) !== 0;
  };
  return {
    drawable(text: string): string {
      const parts: string[] = [];
      let missing: string[] = [];
      const flush = () => {
        if (missing.length === 0) return;
        parts.push(`[${missing.join(' ')}]`);
        missing = [];
        escaped = true;
      };
      for (const character of text) {
        if (character === isolate.start || character === isolate.end) continue;
        if (has(character)) {
          flush();
          parts.push(character);
        } else missing.push(numberOf(character));
      }
      flush();
      return parts.join('');
    },
    hasEscaped: () => escaped,
  };
}

/** The code point in Unicode notation: U+ and four to six hexadecimal digits. */
function numberOf(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${digits.padStart(4, '0')}`;
}
