import type {
  ReferenceReport,
  SignatureConclusion,
  SignatureReport,
  SignerSummary,
  TimestampSummary,
  XmlSignatureReport,
} from '../../verify/report/index.ts';
import { counted, printable, type Style, shortTime, wrapText } from '../output/index.ts';
import { commonName } from '../subject-name.ts';
import { qualificationText, stampQualification } from './qualification-text.ts';
import {
  type AnySignature,
  claimsOf,
  mark,
  placesOf,
  shown,
  statedOf,
  titleLines,
} from './signature-claims.ts';

/** Context of the lines on a signature. */
export interface SignatureAbout {
  /** All signatures of the document, to distinguish them by name. */
  readonly all: readonly AnySignature[];
  /** ISO 8601. */
  readonly verifiedAt: string;
  /** Shows every building block, not only the decisive one. */
  readonly isVerbose: boolean;
}

/** Lines about one signature. */
export function signatureLines(
  signature: AnySignature,
  style: Style,
  { all, verifiedAt, isVerbose }: SignatureAbout,
): readonly string[] {
  const { signer, kind, qualification, algorithm } = signature;
  const row = (label: string, value: string) =>
    `    ${style.dim(label.padEnd(11))} ${hanging(value, style)}`;
  const sub = signature.subIndication === undefined ? '' : ` (${signature.subIndication})`;
  return [
    ...titleLines(signature, `${signature.indication}${sub}`, style),
    ...placesOf(signature, all).map(([label, value]) => row(label, value)),
    ...(signer === undefined
      ? []
      : [
          row('signer', shown(signer.subject)),
          row('issuer', shown(signer.issuer)),
          row('certificate', periodText(signer, verifiedAt, style)),
        ]),
    ...(kind === 'signature' ? [row('level', levelText(signature))] : []),
    row('integrity', integrityLine(signature, style)),
    ...changeTexts(signature, style).map((text, index) => row(index === 0 ? 'changes' : '', text)),
    ...referenceTexts(signature, style).map((text) => row('covers', text)),
    row('trust', trustText(signature, style)),
    row('time', timeText(signature)),
    ...(qualification ? [row('EU lists', qualificationText(qualification, style))] : []),
    ...signature.timestamps.map((stamp) =>
      row(stampLabels[stamp.covers ?? 'signature'], stampText(stamp, style)),
    ),
    ...(algorithm === undefined ? [] : [row('algorithm', printable(algorithm))]),
    ...certifiedOf(signature).map((text) => row('certifies', text)),
    ...statedOf(signature).map((name) => row('stated', name)),
    ...claimsOf(signature).map(([label, value]) => {
      return row(label, `${shown(value)} ${style.dim('(claimed)')}`);
    }),
    ...countersignaturesOf(signature).map((each) => row('countersigned', byText(each, style))),
    ...blockTexts(signature, style, isVerbose).map((text) => row('check', text)),
    ...signature.findings.map((finding) => {
      const sign = findingMarks[finding.severity](style);
      return row('finding', findingText(finding, sign, style));
    }),
  ];
}

function countersignaturesOf(signature: AnySignature): readonly SignatureConclusion[] {
  return 'countersignatures' in signature ? (signature.countersignatures ?? []) : [];
}

/** The countersigner, and the conclusion about the countersignature. */
function byText(conclusion: SignatureConclusion, style: Style): string {
  const { indication, subIndication, signer } = conclusion;
  const who = signer === undefined ? 'an unknown authority' : shown(signer.subject);
  const sub = subIndication === undefined ? '' : ` (${subIndication})`;
  return `${mark(indication, style)} by ${who}: ${indication}${sub}`;
}

function periodText({ notBefore, notAfter }: SignerSummary, at: string, { yellow }: Style): string {
  const atMs = Date.parse(at);
  const period = `valid ${shortTime(notBefore)} to ${shortTime(notAfter)}`;
  if (atMs > Date.parse(notAfter)) return `${period}, ${yellow('expired')}`;
  return atMs < Date.parse(notBefore) ? `${period}, ${yellow('not yet valid')}` : period;
}

const blockMarks = {
  PASSED: (style: Style) => style.green('✓'),
  INDETERMINATE: (style: Style) => style.yellow('?'),
  FAILED: (style: Style) => style.red('✗'),
  'NOT-RUN': (style: Style) => style.dim('·'),
} as const;

/** The building blocks of the validation, with the decisive constraint of each. */
function blockTexts(
  { buildingBlocks = [] }: AnySignature,
  style: Style,
  isVerbose: boolean,
): readonly string[] {
  if (!isVerbose) return [];
  return buildingBlocks.map(({ name, indication, subIndication, message, constraint }) => {
    const result = subIndication === undefined ? indication : `${indication} (${subIndication})`;
    const text = { message: `${name}: ${result}: ${message}`, code: constraint };
    return findingText(text, blockMarks[indication](style), style);
  });
}

/** Wraps a long value with a hanging indent; existing line breaks are preserved. */
function hanging(value: string, { width }: Style): string {
  if (value.includes('\n')) return value;
  return wrapText(value, Math.max(textWidthMin, width - valueIndent.length)).join(
    `\n${valueIndent}`,
  );
}

const valueIndent = ' '.repeat(16);

/** Wraps a long sentence with a hanging indent. */
function findingText(
  { message, code }: { readonly message: string; readonly code: string },
  sign: string,
  style: Style,
): string {
  const textWidth = Math.max(textWidthMin, style.width - textIndent.length);
  // The symbol precedes the first line.
  const [first = '', ...rest] = wrapText(shown(message), textWidth - 2);
  const lines = [`${sign} ${first}`, ...rest.map((line) => `${textIndent}${line}`)];
  const isShort = (rest.at(-1) ?? first).length + 3 + code.length <= textWidth;
  const end = isShort ? ' ' : `\n${textIndent}`;
  return `${lines.join('\n')}${end}${style.dim(`[${code}]`)}`;
}

const textIndent = ' '.repeat(18);
/** A narrower column is unsuitable for sentences. */
const textWidthMin = 30;

/** Symbols of findings. */
export const findingMarks = {
  error: (style: Style) => style.red('✗'),
  warning: (style: Style) => style.yellow('!'),
  info: (style: Style) => style.dim('·'),
} as const;

const certifyTexts = {
  1: 'P=1: no changes are allowed',
  2: 'P=2: filling forms and signing are allowed',
  3: 'P=3: filling forms, signing and comments are allowed',
} as const;

function certifiedOf(signature: AnySignature): readonly string[] {
  const certifies = 'field' in signature ? signature.certifies : undefined;
  return certifies === undefined ? [] : [certifyTexts[certifies]];
}

/** Reason why no more lines follow for a signature that is not intact or was not checked. */
function unchecked(signature: Pick<SignatureConclusion, 'intact' | 'findings'>): string {
  const { intact, findings } = signature;
  if (intact !== undefined) return 'not checked, the signature is not intact';
  return findings.some(({ code }) => code === 'signature.cms.limit')
    ? 'not checked, too large'
    : 'not checked, the algorithm is unknown';
}

function tick(good: boolean, style: Style): string {
  return good ? style.green('✓') : style.red('✗');
}

function levelText(signature: AnySignature): string {
  const { level, intact } = signature;
  if (intact !== true) return unchecked(signature);
  const family = familyOf(signature);
  const plain = plainForms['form' in signature ? signature.form : ''];
  if (plain !== undefined) return plain;
  return level === undefined ? `none of the ${family} baseline levels` : `${family} ${level}`;
}

/** Names of signature forms that ETSI does not define. */
const plainForms: Readonly<Record<string, string | undefined>> = {
  xmldsig: 'none, XML signature without XAdES',
  cms: 'none, CMS without the attributes of CAdES',
};

function familyOf(signature: AnySignature): string {
  if ('field' in signature) return 'PAdES';
  return 'offsetBytes' in signature ? 'XAdES' : 'CAdES';
}

const changedText = 'the bytes were changed or the value is incorrect';

/** Faults of signatures that are not intact, by sub-indication. */
const brokenTexts: Readonly<Record<string, string | undefined>> = {
  HASH_FAILURE: 'the bytes were changed',
  FORMAT_FAILURE: 'its format does not conform to the standard',
};

const coverageTexts = {
  'whole-file': 'covers the whole file',
  revision: 'covers the file as it was then; later updates follow',
  partial: 'does not cover the whole file',
} as const;

function integrityLine(signature: AnySignature, style: Style): string {
  const { intact } = signature;
  if (intact === undefined) return `${style.yellow('?')} ${unchecked(signature)}`;
  return `${tick(intact, style)} ${integrityText(signature)}`;
}

function integrityText(signature: AnySignature): string {
  if ('field' in signature) {
    const { intact, subIndication = '', coverage, findings } = signature;
    if (intact) return `intact; ${coverageTexts[coverage]}`;
    if (findings.some(({ code }) => code === 'signature.cms.empty')) return 'the value is missing';
    // A signature that is not intact covers nothing, so its coverage is not reported.
    return brokenTexts[subIndication] ?? changedText;
  }
  if (!signature.intact) return brokenText(signature);
  return 'coverage' in signature ? `intact; ${xmlCoverageText(signature)}` : 'intact';
}

/** Maximum number of later changes listed in a text report. */
const shownChanges = 5;

/** Changes by updates after a PDF signature. */
function changeTexts(signature: AnySignature, style: Style): readonly string[] {
  const changes = 'field' in signature ? signature.changes : undefined;
  if (changes === undefined || changes.list.length === 0) return [];
  const shown = changes.list.slice(0, shownChanges).map(({ message, page }) => {
    const where = page === undefined || message.includes(`page ${page}`) ? '' : ` (page ${page})`;
    return `${printable(message)}${where}`;
  });
  const left = changes.list.length - shown.length;
  const sign = changes.permitted ? findingMarks.info(style) : findingMarks.warning(style);
  return [
    ...shown.map((text) => `${sign} ${text}`),
    ...(left > 0 ? [`${sign} and ${counted(left, 'more change')}`] : []),
  ];
}

/** Reason why a signature over references is not intact, by their results. */
function brokenText({ references }: Exclude<AnySignature, SignatureReport>): string {
  const has = (status: ReferenceReport['status']) =>
    references.some((one) => one.status === status);
  if (has('changed')) return 'the signed data has been changed';
  if (has('missing')) return 'some of the signed data is missing';
  if (has('refused')) return 'some of the signed data must not be read';
  return changedText;
}

function xmlCoverageText({ coverage, references, file }: XmlSignatureReport): string {
  if (coverage === 'document') return 'covers the whole document';
  if (coverage === 'partial') return 'covers only a part of the document';
  const covered = references.filter(({ scope }) => scope !== 'properties' && scope !== 'key');
  const isAll = (wanted: ReferenceReport['scope']) =>
    covered.length > 0 && covered.every(({ scope }) => scope === wanted);
  if (isAll('signature')) return 'covers data inside the signature';
  if (!isAll('file')) return 'covers the listed parts';
  return file === undefined ? 'covers detached files' : 'covers files of the container';
}

/** The scope of an XML or CMS signature, unless it is the whole document. */
function referenceTexts(signature: AnySignature, style: Style): readonly string[] {
  if ('field' in signature) return [];
  const covered = signature.references.filter(({ scope }) => scope !== 'properties');
  const isPlain = covered.length === 1 && covered[0]?.scope === 'document';
  if (isPlain && covered[0]?.status === 'valid') return [];
  return covered.map((reference) => referenceText(reference, style));
}

function referenceText(reference: ReferenceReport, style: Style): string {
  const { uri, target, status, message = status, listedBy } = reference;
  const name = isEnvelopedObject(reference)
    ? 'the enveloped object'
    : (target ?? (uri === undefined || uri === '' ? 'the document' : uri));
  const list = listedBy === undefined ? '' : ` (listed in ${listedBy.split('/').at(-1)})`;
  // For references of the signature itself, a finding gives more detail.
  const reason = listedBy === undefined && status !== 'refused' ? status : message;
  const why = status === 'valid' ? '' : `: ${reason}`;
  return `${tick(status === 'valid', style)} ${printable(`${name}${list}${why}`)}`;
}

/** True for an object of the signature itself that contains the signed data. */
function isEnvelopedObject({ scope, target = '' }: ReferenceReport): boolean {
  return scope === 'signature' && /^\/(?:[^/:]+:)?Signature\/(?:[^/:]+:)?Object$/.test(target);
}

function trustText(signature: SignatureConclusion, style: Style): string {
  const { trusted, anchor, intact } = signature;
  if (intact !== true) return `${tick(trusted, style)} ${unchecked(signature)}`;
  const path = `a path leads to ${anchor === undefined ? 'a trust anchor' : commonName(anchor)}`;
  if (trusted) return `${tick(true, style)} ${path}`;
  const fault = pathFault(signature);
  if (fault === undefined) return `${tick(false, style)} no path leads to a trust anchor`;
  return `${findingMarks.warning(style)} ${path}, but ${fault}`;
}

/** The fault of a path that leads to an anchor. Undefined if no path does. */
function pathFault(signature: SignatureConclusion): string | undefined {
  const { anchor, subIndication = '', findings, bestTime } = signature;
  const has = (wanted: string) => findings.some(({ code }) => code === wanted);
  // If a path is valid except for the time, the anchor is not reported.
  if (anchor === undefined) {
    const isTimed = /^(OUT_OF_BOUNDS|NOT_YET_VALID|EXPIRED|REVOKED)/.test(subIndication);
    if (!isTimed || !has('certificate.untrusted')) return undefined;
    return `a certificate of the path was not valid at ${shortTime(bestTime)}`;
  }
  if (has('certificate.revoked')) return 'a certificate of the path was revoked';
  return has('algorithm.weak') ? 'an algorithm or a key is too weak' : 'it is not accepted';
}

function timeText({ bestTime, claimedTime, timeProved }: SignatureConclusion): string {
  const claim = claimedTime === undefined ? '' : `; claimed ${shortTime(claimedTime)}`;
  return timeProved ? `proved at ${shortTime(bestTime)}${claim}` : `not proved${claim}`;
}

function stampText(stamp: TimestampSummary, style: Style): string {
  const { time, authority, valid, trusted, timeProblem, qualification } = stamp;
  if (time === '') return `${tick(false, style)} cannot be read`;
  const who = authority === '' ? 'an unknown authority' : commonName(authority);
  const text = `${shortTime(time)} by ${who}${stampQualification(qualification)}`;
  if (timeProblem === undefined) return `${tick(valid && trusted, style)} ${text}`;
  return `${findingMarks.warning(style)} ${text}, not accepted (${timeProblem})`;
}

const stampLabels = {
  signature: 'time-stamp',
  archive: 'archived',
  content: 'content',
  references: 'references',
} as const;
