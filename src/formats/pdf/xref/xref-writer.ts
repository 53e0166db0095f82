import type { PdfReference } from '../syntax/objects.ts';

/** An object and its location. */
export interface WrittenObject {
  readonly reference: PdfReference;
  /** Offset in the file, or index in the object stream. */
  readonly offsetBytes: number;
  /** Number of the object stream that contains it; requires a cross-reference stream. */
  readonly container?: number;
}

/** Rows of a cross-reference stream with the parameters that describe them. */
export interface XrefRows {
  readonly rows: Uint8Array;
  readonly widths: readonly number[];
  readonly index: readonly number[];
}

/**
 * A cross-reference table without its trailer. An update without objects still needs one
 * subsection: the head of the free list.
 *
 *     xref
 *     12 2
 *     0000000815 00000 n \n    20 bytes including the end of line
 *     0000000990 00000 n \n
 *
 * @param isFirst true if no other section precedes it: it then includes the head of the free list
 * @spec ISO 32000-1 §7.5.4
 */
export function formatXrefTable(written: readonly WrittenObject[], isFirst = false): string {
  const head = '0 1\n0000000000 65535 f \n';
  if (written.length === 0) return `xref\n${head}`;
  let text = isFirst ? `xref\n${head}` : 'xref\n';
  for (const run of runsOf(written)) {
    text += `${run[0]?.reference.objectNumber} ${run.length}\n`;
    for (const { reference, offsetBytes } of run) {
      const generation = String(reference.generation).padStart(5, '0');
      text += `${String(offsetBytes).padStart(10, '0')} ${generation} n \n`;
    }
  }
  return text;
}

/**
 * The rows of a cross-reference stream, as narrow as the highest offset and generation allow.
 *
 * @spec ISO 32000-1 §7.5.8.3
 */
export function xrefRows(written: readonly WrittenObject[]): XrefRows {
  let highest = 0;
  let generation = 0;
  for (const { reference, offsetBytes, container } of written) {
    highest = Math.max(highest, container ?? offsetBytes);
    generation = Math.max(generation, container === undefined ? reference.generation : offsetBytes);
  }
  // Some readers fail at a width of 0, so the generation always has at least one byte.
  const widths = [1, bytesFor(highest), bytesFor(generation)] as const;
  const rows = new Uint8Array(written.length * (widths[0] + widths[1] + widths[2]));
  const index: number[] = [];
  let at = 0;
  for (const run of runsOf(written)) {
    index.push(run[0]?.reference.objectNumber ?? 0, run.length);
    for (const { reference, offsetBytes, container } of run) {
      const inStream = container !== undefined;
      rows[at++] = inStream ? 2 : 1;
      at = putNumber(rows, at, inStream ? container : offsetBytes, widths[1]);
      at = putNumber(rows, at, inStream ? offsetBytes : reference.generation, widths[2]);
    }
  }
  return { rows, widths, index };
}

/** Objects in ascending order, split at missing numbers. */
function runsOf(written: readonly WrittenObject[]): readonly (readonly WrittenObject[])[] {
  const sorted = [...written].sort((a, b) => a.reference.objectNumber - b.reference.objectNumber);
  const runs: WrittenObject[][] = [];
  let expected = -1;
  for (const object of sorted) {
    const { objectNumber } = object.reference;
    if (objectNumber === expected) runs.at(-1)?.push(object);
    else runs.push([object]);
    expected = objectNumber + 1;
  }
  return runs;
}

function bytesFor(value: number): number {
  let count = 1;
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) count++;
  return count;
}

function putNumber(rows: Uint8Array, at: number, value: number, count: number): number {
  let rest = value;
  for (let i = count - 1; i >= 0; i--) {
    rows[at + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return at + count;
}
