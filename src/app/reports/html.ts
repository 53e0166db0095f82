import { reportStyle } from './html-style.table.ts';
import type { ReportView, SignatureView, Tone, ViewFinding } from './report-view.ts';
import { isolate } from './sentences.ts';
import type { ViewRow } from './view-row.ts';

/** The sign of a tone, for readers who cannot see its colour. */
const signs: Readonly<Record<Tone, string>> = { good: '✓', open: '?', bad: '✗', plain: '·' };

/**
 * Renders a report as one HTML page without scripts or external resources. It is printable and
 * follows the dark mode of the reader's system. Text from documents is escaped and directionally
 * isolated.
 */
export function reportHtml(view: ReportView): string {
  const { words, language, tone, headline, facts, signatures, uncovered, notChecked } = view;
  const more = view.more.map((each) => `<p>${escaped(each)}</p>\n`).join('');
  const { title, labels, texts } = words;
  const warning =
    view.warning === undefined
      ? ''
      : `<p class="headline open">${signOf('open')} ${escaped(view.warning)}</p>\n`;
  const note = language === 'en' ? '' : `<p>${escaped(texts.english)}</p>\n`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(pageTitle(view))}</title>
<style>${reportStyle}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p class="headline ${tone}">${signOf(tone)} ${escaped(headline)}</p>
${warning}${rowList(facts)}
${signatures.map((one) => signatureSection(one, view)).join('\n')}
${more}${list(labels.uncovered, uncovered)}${list(labels.notChecked, notChecked)}<footer>
${note}<p>${escaped(texts.scope)}</p>
</footer>
</main>
</body>
</html>
`;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'";

function pageTitle({ words, facts }: ReportView): string {
  const file = facts.find(({ label }) => label === words.labels.file);
  return file === undefined ? words.title : `${words.title}: ${file.text}`;
}

function signatureSection(signature: SignatureView, { words, colon }: ReportView): string {
  const { tone, title, result, sentences, advice, rows, claims, changes } = signature;
  const { checks, findings } = signature;
  const told = sentences.map((each) => `<p>${sentence(each)}</p>`).join('\n');
  const { labels } = words;
  const label = `<strong>${escaped(words.advice.label)}${colon.trimEnd()}</strong>`;
  const show = (list: readonly ViewFinding[]) => findingList(list, colon);
  const parts = [
    told,
    ...(advice === undefined ? [] : [`<p class="advice">${label} ${escaped(advice)}</p>`]),
    `<p class="result">${escaped(result)}</p>`,
    ...part(labels.claims, claims, rowList, 'claims'),
    rowList(rows),
    ...part(labels.changes, changes, show),
    ...part(labels.checks, checks, show),
    ...part(labels.findings, findings, show),
  ];
  return `<section class="${tone}">
<h2>${signOf(tone)} ${sentence(title)}</h2>
${parts.join('\n')}
</section>`;
}

/** A part under its heading. Empty if there are no items. */
function part<Item>(
  heading: string,
  items: readonly Item[],
  show: (items: readonly Item[]) => string,
  kind = 'part',
): readonly string[] {
  if (items.length === 0) return [];
  return [`<div class="${kind}">\n<h3>${escaped(heading)}</h3>\n${show(items)}\n</div>`];
}

function signOf(tone: Tone): string {
  return `<span class="sign" aria-hidden="true">${signs[tone]}</span>`;
}

function rowList(rows: readonly ViewRow[]): string {
  const items = rows.map(({ label, text, isCode }) => {
    const shown = isCode === true ? `<code>${value(text)}</code>` : value(text);
    return `<div><dt>${escaped(label)}</dt><dd>${shown}</dd></div>`;
  });
  return `<dl>\n${items.join('\n')}\n</dl>`;
}

function findingList(findings: readonly ViewFinding[], colon: string): string {
  const items = findings.map(({ tone, label, state, text, code }) => {
    const name = label === undefined ? '' : `<strong>${escaped(label)}</strong>${colon}`;
    const head = state === undefined ? name : `${name}${escaped(state)} – `;
    const shown = `${signOf(tone)} ${head}${value(text)} <code>${value(code)}</code>`;
    return `<li class="${tone}">${shown}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

function list(heading: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const lines = items.map((each) => `<li>${value(each)}</li>`).join('\n');
  const content = `<h2>${escaped(heading)}</h2>\n<ul>\n${lines}\n</ul>`;
  return `<section class="plain">\n${content}\n</section>\n`;
}

/** Text from a document, isolated so that its direction does not affect the adjacent text. */
function value(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

/** A sentence of the report: names in it are isolated, and times do not wrap. */
function sentence(text: string): string {
  return escaped(text)
    .replaceAll(isolate.start, '<bdi>')
    .replaceAll(isolate.end, '</bdi>')
    .replace(/\d[\d.:/ -]+ UTC/g, '<span class="time">$&</span>');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
