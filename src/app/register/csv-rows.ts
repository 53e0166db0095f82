import { type CsvRow, columnNames, csvOpening, namedRow, rawCsvRows } from '../../base/csv.ts';
import { InnsigliError } from '../../base/errors.ts';

/** Bytes that are read before their rows are given. */
const BLOCK_BYTES = 64 * 1024;
/** Characters of one row at most. */
const ROW_CHARACTERS_MAX = 256 * 1024;

/**
 * The rows of a CSV text that is read in pieces, as {@link readCsv} gives them; no more than one
 * block of them is in memory.
 *
 * @param check gets the names of the first row before any row is given
 * @throws validation.error, limit.exceeded as {@link readCsv}
 * @spec RFC 4180 §2
 */
export async function* csvRows(
  pieces: AsyncIterable<Uint8Array>,
  check: (names: readonly string[]) => void,
): AsyncGenerator<CsvRow> {
  let names: readonly string[] | undefined;
  let sign: string | undefined;
  let count = 0;
  for await (const block of rowBlocks(pieces)) {
    let text = block;
    if (sign === undefined) {
      const opened = csvOpening(block);
      ({ sign, skipped: count } = opened);
      text = opened.body;
    }
    const raw = rawCsvRows(text, sign, count);
    count = raw.count;
    for (const row of raw.rows) {
      if (names === undefined) {
        names = columnNames(row);
        check(names);
      } else yield namedRow(names, row);
    }
  }
  if (names === undefined) columnNames(undefined);
}

/** Texts of whole rows. */
async function* rowBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Takes a byte order mark away; other bytes than UTF-8 become U+FFFD, which no cell may have.
  const decoder = new TextDecoder('utf-8');
  let pending = '';
  let lengthBytes = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += BLOCK_BYTES) {
      const part = piece.subarray(at, at + BLOCK_BYTES);
      pending += decoder.decode(part, { stream: true });
      lengthBytes += part.length;
      if (lengthBytes < BLOCK_BYTES) continue;
      lengthBytes = 0;
      const end = endOfRows(pending);
      if (end > 0) yield pending.slice(0, end);
      pending = pending.slice(end);
      if (pending.length > ROW_CHARACTERS_MAX) {
        throw new InnsigliError(
          'limit.exceeded',
          `expected at most ${ROW_CHARACTERS_MAX} characters in one row: is a quote not closed?`,
        );
      }
    }
  }
  pending += decoder.decode();
  if (pending !== '') yield pending;
}

/** Index behind the last end of a row that stands outside quotes; 0 for none. */
function endOfRows(text: string): number {
  let isQuoted = false;
  let end = 0;
  // A CR at the end may belong to an LF that comes with the next piece.
  for (const { index, 0: mark } of text.matchAll(/["\n]|\r(?=[^\n])/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted) end = index + 1;
  }
  return end;
}
