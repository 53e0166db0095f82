import { concatBytes } from '../../base/bytes.ts';
import type { XmlElement } from '../../formats/xml/index.ts';

/** Bytes of a document to replace. All other bytes are unchanged. */
export interface XmlEdit {
  readonly start: number;
  /** Exclusive; equal to `start` for an insertion. */
  readonly end: number;
  readonly pieces: readonly Uint8Array[];
}

/** Applies edits to the bytes. They must not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly XmlEdit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(from, edit.start), ...edit.pieces);
    from = edit.end;
  }
  return concatBytes([...pieces, bytes.subarray(from)]);
}

/**
 * Inserts content after the last child of an element. An empty-element tag is expanded. Nothing
 * else in the element changes, and neither does its canonical form.
 *
 *     <r/>   →   <r>…</r>
 */
export function appendInside(element: XmlElement, ...content: readonly Uint8Array[]): XmlEdit {
  if (!element.isEmptyTag) {
    return { start: element.contentEnd, end: element.contentEnd, pieces: content };
  }
  const end = element.endOffset;
  return {
    start: end - 2,
    end,
    pieces: [Buffer.from('>'), ...content, Buffer.from(`</${element.name}>`)],
  };
}

/** Inserts content directly after an element. */
export function insertAfter(element: XmlElement, ...content: readonly Uint8Array[]): XmlEdit {
  return { start: element.endOffset, end: element.endOffset, pieces: content };
}
