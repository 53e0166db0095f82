import { expect, test } from 'vitest';
import { type ByteSource, latin1Bytes } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';
import { mentionedNumbers } from '../../../src/formats/pdf/mentions.ts';
import { onePage, pdfWithTable } from '../../support/pdf-builder.ts';

/** A file with the text after its end, read in chunks of this size. */
function fileWith(text: string, pieceBytes: number) {
  const pdf = pdfWithTable(onePage);
  const bytes = Buffer.concat([pdf, latin1Bytes(text)]);
  const source: ByteSource = {
    lengthBytes: bytes.length,
    slice: (start, end) => bytes.subarray(start, end),
    scan(start, end, take) {
      for (let at = start; at < end; at += pieceBytes) {
        take(bytes.subarray(at, Math.min(end, at + pieceBytes)));
      }
    },
  };
  return openPdf(source);
}

const text =
  '\n10 0 R\t11 0\nR[12 00 R]13 1 R 14 0 %c R\nR 15\r\n0\r\nR R 16 0R 17.0 R -18 0 R 00019 0 R 2 0 R';

test.each([1, 2, 3, 7, 64, 100_000])('finds references in chunks of %i bytes', (pieceBytes) => {
  const found = mentionedNumbers(fileWith(text, pieceBytes), 4);
  expect([...found].sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 18, 19]);
});
