import { type CsvRow, columnNames, csvOpening, namedRow, rawCsvRows } from '../../base/csv.ts';
import { InnsigliError } from '../../base/errors.ts';

/** Number of bytes read before their rows are yielded. */
const BLOCK_BYTES = 64 * 1024;
/** Maximum length of a row, in characters. */
const ROW_CHARACTERS_MAX = 256 * 1024;

/**
 * Parses the rows of a CSV text read in chunks, as {@link readCsv} does. At most one block of rows
 * is in memory.
 *
 * @param check receives the column names of the first row before any row is yielded
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

/** Yields blocks of complete rows. */
async function* rowBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Strips a byte order mark. Bytes that are not UTF-8 become U+FFFD, which no cell may contain.
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

/** Offset after the last row end outside quotes. 0 if there is none. */
function endOfRows(text: string): number {
  let isQuoted = false;
  let end = 0;
  // A trailing CR may belong to an LF at the start of the next chunk.
  for (const { index, 0: mark } of text.matchAll(/["\n]|\r(?=[^\n])/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted) end = index + 1;
  }
  return end;
}
