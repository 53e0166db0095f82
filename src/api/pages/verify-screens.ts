import type { ReportInWords, SignatureView, Tone, ViewRow } from '../../app/reports/index.ts';
import type { ReportWords } from '../../base/words/index.ts';
import { type Language, localeOfLanguage } from '../../domain/message/index.ts';
import { html, type Markup, type Part } from './html.ts';
import { layout } from './layout.ts';
import { filled, pageWords } from './words.ts';
import type { PageWords } from './words.types.ts';

/** A notice about a file that was not checked. */
export type VerifyNotice =
  | { readonly word: 'verifyEmpty' | 'verifyEncrypted' | 'verifyUnreadable' | 'verifyTooLong' }
  | { readonly word: 'verifyTooLarge' | 'errorForm' | 'errorUnexpected' }
  | { readonly word: 'verifyWait'; readonly seconds: number };

/** Values that the page shows. */
export interface VerifyFacts {
  readonly language: Language;
  /** Maximum size of a file in megabytes. */
  readonly sizeMb: number;
  /** Address of the page in this language. */
  readonly self: string;
}

/** The page for uploading a signed file, with a notice on why the previous one was not checked. */
export function verifyPage(facts: VerifyFacts, notice?: VerifyNotice): string {
  const { language, sizeMb } = facts;
  const words = pageWords(language);
  const seconds = notice?.word === 'verifyWait' ? notice.seconds : 0;
  const alert = notice && { text: filled(words[notice.word], { size: sizeMb, seconds }) };
  return layout(
    { language, isLanguageOpen: true, ...(alert === undefined ? {} : { alert }) },
    words.verifyTitle,
    [
      html`<p>${words.verifyIntro}</p>${fileForm(facts, words)}
<p class="soft">${words.verifyViewers}</p>`,
    ],
  );
}

function fileForm({ self, sizeMb }: VerifyFacts, words: PageWords, button = words.verifyButton) {
  const kinds = filled(words.verifyKinds, { size: sizeMb });
  return html`<section><form method="post" action="${self}" enctype="multipart/form-data">
<label for="file">${words.verifyFile}</label>
<input type="file" id="file" name="file" required aria-describedby="kinds">
<p class="soft" id="kinds">${kinds} ${words.verifyPrivacy}</p>
<button>${button}</button></form></section>`;
}

/** The report on a file in plain language. */
export function verdictPage(facts: VerifyFacts, report: ReportInWords): string {
  const { language } = facts;
  const words = pageWords(language);
  const own = localeOfLanguage(language).report;
  const { tone, headline, warning, signatures, more, uncovered, notChecked } = report;
  const { file, result } = own.labels;
  const name = report.facts.find(({ label }) => label === file);
  const times = report.facts.filter(({ label }) => label !== file && label !== result);
  return layout({ language }, words.verifyTitle, [
    name !== undefined && html`<p class="file"><bdi>${name.text}</bdi></p>`,
    html`<p class="note ${classes[tone]}"
role="status"><strong>${signOf(tone)} ${headline}</strong></p>`,
    warning !== undefined && html`<p class="note test">${warning}</p>`,
    signatures.map((each) => signaturePart(each, report.colon, words, own)),
    more.map((each) => html`<p>${each}</p>`),
    listPart(own.labels.uncovered, uncovered),
    html`<details><summary>${words.verifyTechnical}</summary>${rowList(times)}
${listPart(own.labels.notChecked, notChecked)}</details>
<p class="soft">${own.texts.scope}</p>
<h2>${words.verifyAgain}</h2>${fileForm(facts, words)}`,
  ]);
}

const classes: Readonly<Record<Tone, string>> = {
  good: 'good',
  open: 'open',
  bad: 'bad',
  plain: '',
};
/** Symbols for readers who cannot see colour. */
const signs: Readonly<Record<Tone, string>> = { good: '✓', open: '?', bad: '✗', plain: '·' };

function signOf(tone: Tone): Markup {
  return html`<span class="sign" aria-hidden="true">${signs[tone]}</span>`;
}

function signaturePart(
  signature: SignatureView,
  colon: string,
  words: PageWords,
  { labels, advice: { label: adviceLabel }, texts }: ReportWords,
): Part {
  const { kind, tone, title, sentences, advice, result, rows, claims } = signature;
  const { changes, checks, findings } = signature;
  const shown = new Set([labels.coverage, labels.level, labels.time, labels.qualification]);
  const isMain = ({ label }: ViewRow) => shown.has(label);
  const done = laterWord(signature);
  // For a time-stamp, show only what is wrong: the usual text appears with the signature.
  const isStamp = kind === 'document-timestamp';
  const later = isStamp && done !== 'verifyChanged' ? undefined : done;
  const list = [...changes, ...checks, ...findings].map(findingItem(colon));
  const english = words !== pageWords('En') && html`<p class="soft">${texts.english}</p>`;
  return html`<section class="verdict ${classes[tone]}">
<h2>${signOf(tone)} ${withTimes(title)}</h2>
${sentences.map((each) => html`<p>${withTimes(each)}</p>`)}
${later !== undefined && html`<p>${words[later]}</p>`}
${advice !== undefined && html`<p><strong>${adviceLabel}${colon.trimEnd()}</strong> ${advice}</p>`}
${rowList(rows.filter(isMain))}
<details><summary>${words.verifyTechnical}</summary><p><code>${result}</code></p>
${rowList(rows.filter((row) => !isMain(row)))}
${claims.length > 0 && html`<h3>${labels.claims}</h3>${rowList(claims)}`}
${list.length > 0 && html`<h3>${labels.findings}</h3>${english}<ul>${list}</ul>`}</details>
</section>`;
}

function findingItem(colon: string) {
  return ({ label, state, text, code }: SignatureView['findings'][number]): Markup => {
    const head = [label, state].filter(Boolean).join(colon);
    return html`<li>${head} <bdi>${text}</bdi> <code>${code}</code></li>`;
  };
}

/** A sentence whose times are not broken across lines. */
function withTimes(text: string): Part {
  const parts = text.split(/(\d[\d.:/ -]+ UTC)/);
  return parts.map((each, at) => (at % 2 === 0 ? each : html`<span class="time">${each}</span>`));
}

/** The most severe change made to the document after a signature. */
function laterWord({ changes }: SignatureView): keyof PageWords | undefined {
  if (changes.length === 0) return undefined;
  if (changes.some(({ tone }) => tone !== 'plain')) return 'verifyChanged';
  const levels = new Set(changes.map(({ code }) => code));
  if (levels.has('other')) return 'verifyChanged';
  if (levels.has('annotations')) return 'verifyComments';
  return levels.has('form-filling') ? 'verifyFilled' : 'verifyData';
}

function rowList(rows: readonly ViewRow[]): Part {
  if (rows.length === 0) return undefined;
  const items = rows.map(({ label, text, isCode }) => {
    const value = isCode === true ? html`<code>${text}</code>` : html`<bdi>${text}</bdi>`;
    return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  });
  return html`<dl>${items}</dl>`;
}

function listPart(heading: string, items: readonly string[]): Part {
  if (items.length === 0) return undefined;
  const lines = items.map((each) => html`<li><bdi>${each}</bdi></li>`);
  return html`<h3>${heading}</h3><ul>${lines}</ul>`;
}
