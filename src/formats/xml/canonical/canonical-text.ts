import { byteBits, byteClass } from '../reading/byte-classes.table.ts';
import { readReference } from '../reading/characters.ts';
import { escapeAttribute, escapeText } from '../reading/escape.ts';
import { instructionNameEnd, skipComment, skipInstruction } from '../reading/skip-markup.ts';
import type { CanonicalSink } from './canonical-sink.ts';

const CR = 0x0d;
const LF = 0x0a;

/** Escaped forms of characters that are escaped differently in text and in attribute values. */
const inText = bytesOneByOne(escapeText);
const inValues = bytesOneByOne(escapeAttribute);

function bytesOneByOne(written: (text: string) => string): readonly Uint8Array[] {
  return Array.from({ length: 0x80 }, (_, byte) => Buffer.from(written(String.fromCharCode(byte))));
}

const space = Buffer.from(' ');

/** Writes character data up to the next `<` and returns its offset. @spec Canonical XML 1.0 §2.3 */
export function writeText(
  bytes: Uint8Array,
  start: number,
  end: number,
  sink: CanonicalSink,
): number {
  let from = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (((byteClass[byte] as number) & byteBits.canonicalTextStop) === 0) continue;
    if (byte === 0x3c) {
      if (from < at) sink.copy(from, at);
      return at;
    }
    if (byte === 0x26 && isKeptInText(bytes, at)) continue;
    if (from < at) sink.copy(from, at);
    if (byte === CR) {
      if (bytes[at + 1] !== LF) sink.line();
    } else if (byte === 0x26) at = writeReference(bytes, at, inText, sink) - 1;
    else sink.writeBytes(inText[byte] as Uint8Array);
    from = at + 1;
  }
  if (from < end) sink.copy(from, end);
  return end;
}

/** Writes an attribute value without its quotes. @spec XML 1.0 §3.3.3, Canonical XML 1.0 §2.3 */
export function writeValue(
  bytes: Uint8Array,
  start: number,
  end: number,
  sink: CanonicalSink,
): void {
  let from = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (((byteClass[byte] as number) & byteBits.canonicalValueStop) === 0) continue;
    if (isKeptInValue(bytes, at)) continue;
    if (from < at) sink.copy(from, at);
    if (byte === 0x26) at = writeReference(bytes, at, inValues, sink) - 1;
    else if (byte === 0x22) sink.writeBytes(inValues[byte] as Uint8Array);
    else if (byte !== CR || bytes[at + 1] !== LF) sink.writeBytes(space);
    from = at + 1;
  }
  if (from < end) sink.copy(from, end);
}

/** Writes the content of the CDATA section from `start` to `end` as character data. */
export function writeSection(
  bytes: Uint8Array,
  start: number,
  end: number,
  sink: CanonicalSink,
): void {
  let from = start + 9;
  const contentEnd = end - 3;
  for (let at = from; at < contentEnd; at++) {
    const byte = bytes[at] as number;
    if (((byteClass[byte] as number) & byteBits.canonicalTextStop) === 0) continue;
    if (from < at) sink.copy(from, at);
    if (byte !== CR) sink.writeBytes(inText[byte] as Uint8Array);
    else if (bytes[at + 1] !== LF) sink.line();
    from = at + 1;
  }
  if (from < contentEnd) sink.copy(from, contentEnd);
}

/** Writes the character of the reference at `at`; returns the offset after the reference. */
function writeReference(
  bytes: Uint8Array,
  at: number,
  escaped: readonly Uint8Array[],
  sink: CanonicalSink,
): number {
  const { codePoint, endOffset } = readReference(bytes, at);
  const written = escaped[codePoint];
  if (written === undefined) sink.write(String.fromCodePoint(codePoint));
  else sink.writeBytes(written);
  return endOffset;
}

/** Whether a reference is also canonical in text: `&lt;`, `&gt;`, `&amp;` and `&#xD;`. */
function isKeptInText(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1];
  if (second === 0x6c || second === 0x67) return true;
  return (second === 0x61 && bytes[at + 2] === 0x6d) || isReturn(bytes, at);
}

/** Whether a reference is also canonical in values: `&lt;`, `&amp;`, `&quot;` and `&#xD;`. */
export function isKeptInValue(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x26) return false;
  const second = bytes[at + 1];
  if (second === 0x6c || second === 0x71) return true;
  return (second === 0x61 && bytes[at + 2] === 0x6d) || isReturn(bytes, at);
}

function isReturn(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] !== 0x23 || bytes[at + 2] !== 0x78) return false;
  return bytes[at + 3] === 0x44 && bytes[at + 4] === 0x3b;
}

/** Writes a processing instruction, with one space between its target and its data, if any. */
function writeInstruction(
  bytes: Uint8Array,
  start: number,
  end: number,
  sink: CanonicalSink,
): void {
  const nameEnd = instructionNameEnd(bytes, start);
  let at = nameEnd;
  while (((byteClass[bytes[at] as number] as number) & byteBits.space) !== 0) at++;
  if (at === nameEnd || (at === nameEnd + 1 && bytes[nameEnd] === 0x20 && at < end - 2)) {
    copyLines(bytes, start, end, sink);
    return;
  }
  sink.copy(start, nameEnd);
  if (at < end - 2) sink.writeBytes(space);
  copyLines(bytes, at, end, sink);
}

/** Copies with all line ends normalised to line feeds. */
function copyLines(bytes: Uint8Array, start: number, end: number, sink: CanonicalSink): void {
  let from = start;
  for (let at = start; at < end; at++) {
    if (bytes[at] !== CR) continue;
    if (from < at) sink.copy(from, at);
    if (bytes[at + 1] !== LF) sink.line();
    from = at + 1;
  }
  if (from < end) sink.copy(from, end);
}

/** Writes the comment or instruction at `at` if it is kept, and returns the offset after it. */
export function writeMarkup(
  bytes: Uint8Array,
  at: number,
  isKept: boolean,
  sink: CanonicalSink,
): number {
  const isInstruction = bytes[at + 1] === 0x3f;
  const after = (isInstruction ? skipInstruction : skipComment)(bytes, at);
  if (isKept) (isInstruction ? writeInstruction : copyLines)(bytes, at, after, sink);
  return after;
}
