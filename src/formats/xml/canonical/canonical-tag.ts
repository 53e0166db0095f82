import { byteBits, byteClass } from '../reading/byte-classes.table.ts';
import { escapeAttribute } from '../reading/escape.ts';
import { startsWith } from '../reading/starts-with.ts';
import type { IndexedDocument } from '../tree/document.ts';
import type { KnownName } from '../tree/name-table.ts';
import type { CanonicalSink } from './canonical-sink.ts';
import { isKeptInValue, writeValue } from './canonical-text.ts';
import { compareText } from './text-order.ts';

/** Bytes of the document. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * An attribute in the canonical form of an element; a value that is no text is a stretch of the
 * document.
 */
export interface RenderedAttribute {
  /** With its prefix. */
  readonly name: Stretch | string;
  readonly local: string;
  readonly uri: string;
  readonly value: Stretch | string;
}

const attributeStart = Buffer.from(' ');
const valueStart = Buffer.from('="');
const valueEnd = Buffer.from('"');
const tagEnd = Buffer.from('>');

/**
 * The byte behind the attributes of a tag that has them as canonical form does: no prefix, no
 * declaration, in order and nothing to rewrite. Undefined when a closer look is needed.
 */
export function canonicalAttributesEnd(bytes: Uint8Array, nameEnd: number): number | undefined {
  let previous = 0;
  for (let at = nameEnd; ; ) {
    if (bytes[at] === 0x3e || bytes[at] === 0x2f) return at;
    if (bytes[at] !== 0x20) return undefined;
    const start = ++at;
    while (((byteClass[bytes[at] as number] as number) & byteBits.name) !== 0) {
      if (bytes[at] === 0x3a) return undefined;
      at++;
    }
    if (bytes[at] !== 0x3d || bytes[at + 1] !== 0x22) return undefined;
    if (startsWith(bytes, start, 'xmlns')) return undefined;
    if (previous > 0 && !areInOrder(bytes, previous, start)) return undefined;
    previous = start;
    for (at += 2; bytes[at] !== 0x22; at++) {
      const stops =
        ((byteClass[bytes[at] as number] as number) & byteBits.canonicalValueStop) !== 0;
      if (stops && !isKeptInValue(bytes, at)) return undefined;
    }
    at++;
  }
}

/** True when of two names with `=` behind them the first is the lesser one. */
function areInOrder(bytes: Uint8Array, first: number, second: number): boolean {
  let at = 0;
  while (bytes[first + at] === bytes[second + at]) at++;
  if (bytes[first + at] === 0x3d) return true;
  return (
    bytes[second + at] !== 0x3d && (bytes[first + at] as number) < (bytes[second + at] as number)
  );
}

/**
 * Writes a start tag piece by piece; neighbours in the document grow into one piece. Without tag
 * declarations and attributes stand alone.
 */
export function writeTag(
  document: IndexedDocument,
  index: number,
  namespaces: readonly Uint8Array[],
  attributes: readonly RenderedAttribute[],
  sink: CanonicalSink,
  hasTag = true,
): void {
  const { columns, names, bytes } = document;
  const start = columns.start[index] as number;
  const { lengthBytes } = names.known[columns.name[index] as number] as { lengthBytes: number };
  if (hasTag) sink.copy(start, start + 1 + lengthBytes);
  for (const bytes of namespaces) sink.writeBytes(bytes);
  for (const { name, value } of attributes) {
    sink.writeBytes(attributeStart);
    if (typeof name === 'string') sink.write(name);
    else sink.copy(name.start, name.end);
    sink.writeBytes(valueStart);
    if (typeof value === 'string') sink.write(escapeAttribute(value));
    else writeValue(bytes, value.start, value.end, sink);
    sink.writeBytes(valueEnd);
  }
  if (hasTag) sink.writeBytes(tagEnd);
}

/** Orders attributes as canonical form does. @spec Canonical XML 1.0 §2.2 */
export function compareAttributes(a: RenderedAttribute, b: RenderedAttribute): number {
  return compareText(a.uri, b.uri) || compareText(a.local, b.local);
}

const endTagStart = Buffer.from('</');

/** Writes an end tag for an element that may have none in the document. */
export function writeEndTag(
  { columns, names }: IndexedDocument,
  index: number,
  sink: CanonicalSink,
): void {
  const nameStart = (columns.start[index] as number) + 1;
  const { lengthBytes } = names.known[columns.name[index] as number] as KnownName;
  sink.writeBytes(endTagStart);
  sink.copy(nameStart, nameStart + lengthBytes);
  sink.writeBytes(tagEnd);
}
