import { byteBits, byteClass } from '../reading/byte-classes.table.ts';
import { escapeAttribute } from '../reading/escape.ts';
import { startsWith } from '../reading/starts-with.ts';
import type { IndexedDocument } from '../tree/document.ts';
import type { KnownName } from '../tree/name-table.ts';
import type { CanonicalSink } from './canonical-sink.ts';
import { isKeptInValue, writeValue } from './canonical-text.ts';
import { compareText } from './text-order.ts';

/** A byte range of the document. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Attribute in the canonical form of an element. Non-string values are ranges of the document. */
export interface RenderedAttribute {
  /** Including the prefix. */
  readonly name: ByteRange | string;
  readonly local: string;
  readonly uri: string;
  readonly value: ByteRange | string;
}

const attributeStart = Buffer.from(' ');
const valueStart = Buffer.from('="');
const valueEnd = Buffer.from('"');
const tagEnd = Buffer.from('>');

/**
 * The offset after the attributes of a tag if they are already canonical: no prefixes or
 * declarations, in order, and nothing to rewrite. Undefined if closer inspection is needed.
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

/** Whether the first of two names, each followed by `=`, sorts before the second. */
function areInOrder(bytes: Uint8Array, first: number, second: number): boolean {
  let at = 0;
  while (bytes[first + at] === bytes[second + at]) at++;
  if (bytes[first + at] === 0x3d) return true;
  return (
    bytes[second + at] !== 0x3d && (bytes[first + at] as number) < (bytes[second + at] as number)
  );
}

/**
 * Writes a start tag piece by piece; pieces adjacent in the document are merged. Without the tag,
 * only declarations and attributes are written.
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

/** Compares attributes in canonical order. @spec Canonical XML 1.0 §2.2 */
export function compareAttributes(a: RenderedAttribute, b: RenderedAttribute): number {
  return compareText(a.uri, b.uri) || compareText(a.local, b.local);
}

const endTagStart = Buffer.from('</');

/** Writes the end tag of an element, which may be missing in the document. */
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
