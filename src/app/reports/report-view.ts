import { defined } from '../../base/defined.ts';
import { limits } from '../../base/limits.ts';
import {
  type LocaleCode,
  localeOf,
  type ReportHeadline,
  type ReportWords,
} from '../../base/words/index.ts';
import type {
  BuildingBlock,
  Finding,
  Indication,
  SignatureReport,
  VerificationReport,
} from '../../verify/report/index.ts';
import { headingOf } from './heading.ts';
import { headlineSentence, isolated, sentencesOf, shownTime } from './sentences.ts';
import { shownText } from './shown-text.ts';
import { claimRows, detailRows } from './signature-rows.ts';
import { type AnyConclusion, headlineOf } from './verdict.ts';
import { rowsOf, type ViewRow } from './view-row.ts';

/** Rating of a result, shown as a colour and a sign. */
export type Tone = 'good' | 'open' | 'bad' | 'plain';

/** A check or finding: its sign, subject, text and code. */
export interface ViewFinding {
  readonly tone: Tone;
  readonly label?: string;
  /** Result of a check. */
  readonly state?: string;
  readonly text: string;
  readonly code: string;
}

/** Display of one signature or time-stamp. */
export interface SignatureView {
  readonly tone: Tone;
  readonly kind: AnyConclusion['kind'];
  /** Indication and sub-indication. */
  readonly result: string;
  /** Kind, signer and time. Names are enclosed in isolates. */
  readonly title: string;
  /** Sentences about the signature. Names are enclosed in isolates. */
  readonly sentences: readonly string[];
  readonly advice?: string;
  readonly rows: readonly ViewRow[];
  readonly claims: readonly ViewRow[];
  /** Changes made by incremental updates after the signature. */
  readonly changes: readonly ViewFinding[];
  readonly checks: readonly ViewFinding[];
  readonly findings: readonly ViewFinding[];
}

/** A report for people, independent of the output format. All texts are safe to display. */
export interface ReportView {
  readonly language: LocaleCode;
  readonly words: ReportWords;
  /** Separator between a label and its text. Some languages put a space before it. */
  readonly colon: string;
  readonly tone: Tone;
  readonly headline: string;
  /** Warning about a result that depends on TEST ONLY keys. */
  readonly warning?: string;
  readonly facts: readonly ViewRow[];
  readonly signatures: readonly SignatureView[];
  /** Remarks about signatures that are not shown; empty if all are. */
  readonly more: readonly string[];
  /** Files of a container that no signature covers. */
  readonly uncovered: readonly string[];
  readonly notChecked: readonly string[];
}

/** Details of the verified document. */
export interface ReportedDocument {
  /** Name of the file. */
  readonly name?: string | undefined;
  readonly lengthBytes?: number | undefined;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256?: string | undefined;
}

/** The verified document, and the program that verified it. */
export interface ReportSubject {
  readonly document?: ReportedDocument | undefined;
  /** Name and version of the program. */
  readonly software?: string | undefined;
}

const headlineTones: Readonly<Record<ReportHeadline, Tone>> = {
  passed: 'good',
  partial: 'open',
  open: 'open',
  failed: 'bad',
  none: 'bad',
  removed: 'bad',
  unnamed: 'bad',
};

/** Maximum number of file names listed. */
const FILES_MAX = 200;

/** Content of a report for people, in the given language. */
export function viewOf(
  report: VerificationReport,
  { document = {}, software }: ReportSubject,
  language: LocaleCode,
): ReportView {
  const { report: words, seal, evidence } = localeOf(language);
  const { labels } = words;
  const left = report.signatures.length - limits.reportSignatures;
  const { name, lengthBytes, sha256 } = document;
  const uncovered =
    'files' in report ? report.files.filter(({ covered }) => !covered).map((one) => one.name) : [];
  return {
    language,
    words,
    colon: seal.colon,
    tone: headlineTones[headlineOf(report)],
    headline: headlineSentence(report, language),
    ...(report.testOnly === true ? { warning: words.texts.testOnly } : {}),
    facts: [
      ...rowsOf(labels, { file: name }),
      ...rowsOf(labels, { size: lengthBytes === undefined ? undefined : `${lengthBytes} B` }),
      ...rowsOf(labels, { digest: sha256 }, true),
      ...rowsOf(labels, { checkedAt: shownTime(report.verifiedAt, language), software }),
      { label: labels.result, text: report.indication },
      ...revocationRows(report, words),
    ],
    signatures: report.signatures
      .slice(0, limits.reportSignatures)
      .map((one) => signatureView(one, language)),
    more: left > 0 ? [`+ ${left} ${evidence.more}`] : [],
    uncovered: uncovered.slice(0, FILES_MAX).map((each) => shownText(each)),
    notChecked: report.notJudged.map((each) => shownText(each)),
  };
}

/** The rows on the revocation mode and the requests sent. */
function revocationRows(
  { revocation }: VerificationReport,
  words: ReportWords,
): readonly ViewRow[] {
  if (revocation === undefined) return [];
  const { mode, asked } = revocation;
  const { labels } = words;
  const answers = asked.slice(0, FILES_MAX).map(({ source, answered, message = '' }) => {
    const state = words.states[answered ? 'PASSED' : 'FAILED'];
    return [source, state, message].filter((each) => each !== '').join(' · ');
  });
  const rule = `${words.texts[mode]} (${mode})`;
  return [rule, ...answers].flatMap((text) => rowsOf(labels, { revocation: text }));
}

function signatureView(conclusion: AnyConclusion, language: LocaleCode): SignatureView {
  const words = localeOf(language).report;
  const { kind, indication, subIndication } = conclusion;
  const { act, cause, verdict, advice } = sentencesOf(conclusion, language, isolated);
  return {
    kind,
    tone: toneOf(indication),
    result: subIndication === undefined ? indication : `${indication} / ${subIndication}`,
    title: titleOf(conclusion, language),
    sentences: [act, ...(cause === undefined ? [] : [cause]), verdict],
    ...defined({ advice }),
    rows: detailRows(conclusion, language),
    claims: claimRows(conclusion, language),
    changes: 'field' in conclusion ? changesOf(conclusion) : [],
    checks: (conclusion.buildingBlocks ?? []).map((block) => checkOf(block, words)),
    findings: conclusion.findings.slice(0, limits.reportFindings).map(findingOf),
  };
}

function titleOf(conclusion: AnyConclusion, language: LocaleCode): string {
  const { kind, who, when } = headingOf(conclusion, language, isolated);
  const { colon } = localeOf(language).seal;
  return [who === undefined ? kind : `${kind}${colon}${who}`, when].filter(Boolean).join(' · ');
}

function toneOf(indication: Indication): Tone {
  if (indication === 'TOTAL-PASSED') return 'good';
  return indication === 'TOTAL-FAILED' ? 'bad' : 'open';
}

const blockTones: Readonly<Record<BuildingBlock['indication'], Tone>> = {
  PASSED: 'good',
  INDETERMINATE: 'open',
  FAILED: 'bad',
  'NOT-RUN': 'plain',
};

function changesOf({ changes }: SignatureReport): readonly ViewFinding[] {
  const { permitted = true, list = [] } = changes ?? {};
  return list.map(({ level, message }) => {
    return { tone: permitted ? 'plain' : 'open', text: shownText(message), code: level };
  });
}

function checkOf(block: BuildingBlock, words: ReportWords): ViewFinding {
  const { name, indication, subIndication, constraint, message } = block;
  const state = words.states[indication];
  const result = subIndication === undefined ? state : `${state} (${subIndication})`;
  return {
    tone: blockTones[indication],
    label: words.blocks[name],
    state: result,
    text: shownText(message),
    code: shownText(constraint, 80),
  };
}

const findingTones: Readonly<Record<Finding['severity'], Tone>> = {
  error: 'bad',
  warning: 'open',
  info: 'plain',
};

function findingOf({ severity, message, code }: Finding): ViewFinding {
  return { tone: findingTones[severity], text: shownText(message), code: shownText(code, 80) };
}

/** A report for people without the texts of its layout (`words`), which the page already has. */
export type ReportInWords = Omit<ReportView, 'words'>;

/** Language of a report for a page, and the file name as stated by the user. */
export interface ReportInWordsRequest {
  readonly language: LocaleCode;
  readonly fileName: string;
}

/** Maximum number of characters shown of a file name. */
const NAME_MAX = 120;

/** Returns the content of a report for a page. */
export function reportInWords(
  report: VerificationReport,
  { language, fileName }: ReportInWordsRequest,
): ReportInWords {
  const name = shownText(fileName.split(/[\\/]/).at(-1) ?? '', NAME_MAX);
  const { words: _words, ...view } = viewOf(report, { document: { name } }, language);
  return view;
}
