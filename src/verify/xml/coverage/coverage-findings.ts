import { asBuffer } from '../../../base/bytes.ts';
import { isSpace, type XmlElement } from '../../../formats/xml/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding, XmlSignatureReport } from '../../report/index.ts';
import type { CheckedReference } from '../references/check-references.ts';
import { nameParts } from '../references/reference-scope.ts';
import type { XmlSignatureObject } from '../signature-object.ts';
import { noteForeignContent } from './foreign-content.ts';

type Coverage = XmlSignatureReport['coverage'];

/** The part of the document that the valid references cover. */
export function findCoverage(references: readonly CheckedReference[]): Coverage {
  const scopes = references
    .filter(({ report }) => report.status === 'valid')
    .map(({ report }) => report.scope);
  if (scopes.includes('document')) return 'document';
  return scopes.includes('element') ? 'partial' : 'none';
}

/** Findings about the coverage of an intact signature that readers must know. */
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

/** Findings about files that an XPath covers only in part. */
function notePartialFiles(valid: readonly CheckedReference[]): readonly Finding[] {
  const found = valid.find(({ report, scope }) => report.scope === 'file' && scope?.omitted);
  if (found?.scope?.omitted === undefined) return [];
  const uri = (found.reference.uri ?? '').slice(0, 100);
  const parts = nameParts([], found.scope.omitted);
  const message = `the signature covers only parts of the file "${uri}"${parts}`;
  return [buildFinding('signature.coverage.partial', message)];
}

const COMMENT = Buffer.from('<!--');
const COMMENT_END = Buffer.from('-->');

/**
 * The usual canonical forms do not digest comments. A comment within text splits it for readers
 * that use only the first text node: `admin<!-- -->.example` reads as `admin`.
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
    const message = `an uncovered comment splits the text at byte ${at}`;
    return [buildFinding('signature.comment.uncovered', message)];
  }
  return [];
}

/**
 * The first comment from `start` to `end` that is adjacent to text and outside the excluded
 * elements. No other part of the document is scanned, because it may contain many signatures.
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

/**
 * A finding if an element that a reference excludes is within text: `1<Signature/>00`. The text is
 * covered, but reads as two texts, or as one with the signature in it.
 */
function noteSplitTexts(valid: readonly CheckedReference[]): readonly Finding[] {
  const seen = new Set<number>();
  for (const { scope } of valid) {
    const excluded = scope?.excluded ?? [];
    const others = neighbours(excluded);
    for (const element of excluded) {
      if (seen.has(element.index)) continue;
      seen.add(element.index);
      if (!standsInText(element, others)) continue;
      const { startOffset } = element;
      const name = element.name.slice(0, 60);
      const message = `<${name}> at byte ${startOffset} is inside a text`;
      return [buildFinding('signature.text.split', message)];
    }
  }
  return [];
}

/** Start and end offsets of excluded elements. */
interface Neighbours {
  readonly startByEnd: ReadonlyMap<number, number>;
  readonly endByStart: ReadonlyMap<number, number>;
  /** Cached results before and after offsets, shared by long sequences of elements. */
  readonly before: Map<number, true | number>;
  readonly after: Map<number, true | number>;
}

function neighbours(excluded: readonly XmlElement[]): Neighbours {
  return {
    startByEnd: new Map(excluded.map(({ startOffset, endOffset }) => [endOffset, startOffset])),
    endByStart: new Map(excluded.map(({ startOffset, endOffset }) => [startOffset, endOffset])),
    before: new Map(),
    after: new Map(),
  };
}

/**
 * Whether there is text on both sides. In elements other than the root, text on one side suffices
 * if there is nothing else on the other.
 */
function standsInText(element: XmlElement, others: Neighbours): boolean {
  const { parent } = element;
  if (parent === undefined) return false;
  const before = textBefore(element, others);
  const after = textAfter(element, others);
  if (before === true && after === true) return true;
  if (parent.index === 0) return false;
  const isFirst = before === parent.contentStart;
  const isLast = after === parent.contentEnd;
  return (before === true && isLast) || (after === true && isFirst);
}

/** True for text, or else the offset at which markup ends before the element. */
function textBefore({ document, startOffset }: XmlElement, others: Neighbours): true | number {
  const bytes = asBuffer(document.bytes);
  const met: number[] = [];
  let at = startOffset;
  let found = others.before.get(at);
  while (found === undefined) {
    met.push(at);
    while (isSpace(bytes[at - 1])) at--;
    const start = others.startByEnd.get(at);
    if (start !== undefined) at = start;
    else if (endsWith(bytes, at, '-->')) at = bytes.lastIndexOf('<!--', at - 3);
    else if (endsWith(bytes, at, '?>')) at = bytes.lastIndexOf('<?', at - 2);
    else found = bytes[at - 1] !== GREATER || endsWith(bytes, at, ']]>') ? true : at;
    found ??= others.before.get(at);
  }
  for (const place of met) others.before.set(place, found);
  return found;
}

/** True for text, or else the offset at which markup starts after the element. */
function textAfter({ document, endOffset }: XmlElement, others: Neighbours): true | number {
  const bytes = asBuffer(document.bytes);
  const met: number[] = [];
  let at = endOffset;
  let found = others.after.get(at);
  while (found === undefined) {
    met.push(at);
    while (isSpace(bytes[at])) at++;
    const end = others.endByStart.get(at);
    if (end !== undefined) at = end;
    else if (endsWith(bytes, at + 4, '<!--')) at = bytes.indexOf('-->', at + 4) + 3;
    else if (endsWith(bytes, at + 2, '<?')) at = bytes.indexOf('?>', at + 2) + 2;
    else found = bytes[at] !== LESS || bytes[at + 2] === OPENING ? true : at;
    found ??= others.after.get(at);
  }
  for (const place of met) others.after.set(place, found);
  return found;
}

const LESS = 0x3c;
const GREATER = 0x3e;
/** Third byte of `<![CDATA[`. */
const OPENING = 0x5b;

function endsWith(bytes: Buffer, end: number, text: string): boolean {
  return bytes.toString('latin1', Math.max(0, end - text.length), end) === text;
}
