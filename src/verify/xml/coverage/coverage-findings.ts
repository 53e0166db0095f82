import { asBuffer } from '../../../base/bytes.ts';
import type { XmlElement } from '../../../formats/xml/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding, XmlSignatureReport } from '../../report/index.ts';
import type { CheckedReference } from '../references/check-references.ts';
import { nameParts } from '../references/reference-scope.ts';
import type { XmlSignatureObject } from '../signature-object.ts';
import { noteForeignContent } from './foreign-content.ts';
import { noteSplitTexts } from './split-text.ts';

type Coverage = XmlSignatureReport['coverage'];

/** The part of the document covered by the valid references. */
export function findCoverage(references: readonly CheckedReference[]): Coverage {
  const scopes = references
    .filter(({ report }) => report.status === 'valid')
    .map(({ report }) => report.scope);
  if (scopes.includes('document')) return 'document';
  return scopes.includes('element') ? 'partial' : 'none';
}

/** Findings about an intact signature that its readers must know. */
export function noteUncovered(
  { element, signature }: XmlSignatureObject,
  references: readonly CheckedReference[],
  coverage: Coverage,
): readonly Finding[] {
  const notes: Finding[] = [];
  const valid = references.filter(({ report }) => report.status === 'valid');
  if (coverage === 'partial') {
    const covered = valid.filter(({ report }) => report.scope === 'element');
    const targets = covered.slice(0, 3).map(({ report }) => report.target);
    const more = covered.length > targets.length ? ', …' : '';
    const message = `the signature covers only ${targets.join(', ')}${more} of the document`;
    notes.push(buildFinding('signature.coverage.partial', message));
  }
  const isInside = element.parent !== undefined;
  if (coverage === 'none' && isInside && !valid.some(({ report }) => report.scope === 'file')) {
    const message = 'the signature does not cover the document around it';
    notes.push(buildFinding('signature.coverage.none', message));
  }
  const isWhole = ({ scope, report }: CheckedReference) =>
    scope?.excluded.length === 0 && scope.omitted === undefined && report.scope !== 'nothing';
  const covered = valid.filter(isWhole).flatMap(({ scope }): readonly number[] => {
    const target = scope?.target;
    return target !== undefined && 'index' in target ? [target.index] : [];
  });
  const signedInfo = signature === undefined ? [] : [signature.signedInfo.element.index];
  return [
    ...notes,
    ...notePartialFiles(valid),
    ...noteForeignContent(element, new Set([...signedInfo, ...covered])),
    ...noteComments(valid),
    ...noteSplitTexts(valid),
  ];
}

/** Files of which an XPath leaves something out. */
function notePartialFiles(valid: readonly CheckedReference[]): readonly Finding[] {
  const found = valid.find(({ report, scope }) => report.scope === 'file' && scope?.omitted);
  if (found?.scope?.omitted === undefined) return [];
  const uri = (found.reference.uri ?? '').slice(0, 100);
  const parts = nameParts([], found.scope.omitted);
  const message = `the signature covers only parts of the file «${uri}»${parts}`;
  return [buildFinding('signature.coverage.partial', message)];
}

const COMMENT = Buffer.from('<!--');
const COMMENT_END = Buffer.from('-->');

/**
 * Comments are not digested by the usual forms. One inside text splits it for readers that look
 * at the first piece only: `admin<!-- -->.example` reads as `admin`.
 */
function noteComments(valid: readonly CheckedReference[]): readonly Finding[] {
  for (const { scope } of valid) {
    const target = scope?.target;
    if (target === undefined || scope?.coversComments === true) continue;
    const isElement = 'index' in target;
    const bytes = asBuffer(isElement ? target.document.bytes : target.bytes);
    const start = isElement ? target.startOffset : 0;
    const end = isElement ? target.endOffset : bytes.length;
    const at = findSplitText(bytes, start, end, scope?.excluded ?? []);
    if (at === undefined) continue;
    const message = `a comment that is not covered splits the text at byte ${at}`;
    return [buildFinding('signature.comment.uncovered', message)];
  }
  return [];
}

/**
 * The first comment from `start` to `end` with text beside it that is outside of the excluded
 * elements. Nothing else of the document is looked at: it may hold many signatures.
 */
function findSplitText(
  bytes: Buffer,
  start: number,
  end: number,
  excluded: readonly XmlElement[],
): number | undefined {
  const inside = bytes.subarray(0, end);
  const holes = excluded.toSorted((a, b) => a.startOffset - b.startOffset);
  let next = 0;
  for (let at = inside.indexOf(COMMENT, start); at >= 0; ) {
    const after = inside.indexOf(COMMENT_END, at + COMMENT.length) + COMMENT_END.length;
    if (after < at) break;
    while (at >= (holes[next]?.endOffset ?? Number.POSITIVE_INFINITY)) next++;
    const hole = holes[next];
    const isExcluded = hole !== undefined && hole.startOffset <= at;
    if (!isExcluded && isText(bytes, at, after)) return at;
    at = inside.indexOf(COMMENT, after);
  }
  return undefined;
}

function isText(bytes: Buffer, start: number, end: number): boolean {
  let before = start - 1;
  while (isSpace(bytes[before])) before--;
  let after = end;
  while (isSpace(bytes[after])) after++;
  const startsText = before >= 0 && bytes[before] !== 0x3e;
  return startsText || (after < bytes.length && bytes[after] !== 0x3c);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
