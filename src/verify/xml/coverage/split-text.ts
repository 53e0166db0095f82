import { asBuffer } from '../../../base/bytes.ts';
import type { XmlElement } from '../../../formats/xml/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding } from '../../report/index.ts';
import type { CheckedReference } from '../references/check-references.ts';

/**
 * A finding when an element that a reference leaves out stands inside a text: `1<Signature/>00`.
 * The text is covered, and reads as two, or as one with the signature in it.
 */
export function noteSplitTexts(valid: readonly CheckedReference[]): readonly Finding[] {
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
      const message = `<${name}> at byte ${startOffset} stands inside a text`;
      return [buildFinding('signature.text.split', message)];
    }
  }
  return [];
}

/** Places of elements that are left out, by their ends. */
interface Neighbours {
  readonly startByEnd: ReadonlyMap<number, number>;
  readonly endByStart: ReadonlyMap<number, number>;
  /** What stands before and behind places that were looked at: long rows of elements share it. */
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

/** Text on both sides; in an element of its own on one side, where only the root may have it. */
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

/** True for text, else the byte at which markup ends before the element. */
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

/** True for text, else the byte at which markup begins behind the element. */
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

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
