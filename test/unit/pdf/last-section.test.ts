import { expect, test } from 'vitest';
import { latin1Bytes, memorySource } from '../../../src/base/bytes.ts';
import { findLastSection } from '../../../src/formats/pdf/xref/last-section.ts';
import { addObjects, onePage, PdfBuilder } from '../../support/pdf-builder.ts';

const lastOf = (bytes: Uint8Array): number | undefined => findLastSection(memorySource(bytes));

test('the last table or stream is found, whatever startxref says', () => {
  const builder = addObjects(new PdfBuilder(), onePage);
  const table = builder.table();
  expect(lastOf(builder.end(7).bytes)).toBe(table);
  const stream = builder.nextRevision().xrefStream(9, { trailer: `/Prev ${table}` });
  expect(lastOf(builder.end('none').bytes)).toBe(stream);
  const second = builder
    .nextRevision()
    .object(3, '(new)')
    .table({ trailer: `/Prev ${stream}` });
  expect(lastOf(builder.end(0).bytes)).toBe(second);
  expect(lastOf(builder.raw('\0'.repeat(2_000)).bytes)).toBe(second);
});

test.each([
  ['nothing', ''],
  ['startxref only', 'startxref\n12\n%%EOF'],
  ['a word', 'an xref here, and /XRef there'],
  ['a type without object', '<</Type/XRef>>'],
  ['many words', 'xref '.repeat(1_000)],
])('no section is found in %s', (_, text) => {
  expect(lastOf(latin1Bytes(text))).toBeUndefined();
});
