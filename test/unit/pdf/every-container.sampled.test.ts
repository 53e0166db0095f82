import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { classicPdf, stream } from '../../../scripts/stalls/documents.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { openPdf, requireSmallContainers } from '../../../src/formats/pdf/index.ts';
import { costlyTest } from '../../support/sample.ts';

const MB = 1024 * 1024;

/** A valid file with unreferenced streams. */
const withStreams = (...streams: readonly Buffer[]) =>
  memorySource(
    classicPdf([
      Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
      Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
      Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'),
      Buffer.from('/FlateDecode'),
      ...streams,
    ]),
  );
const inflating = (entries: string, lengthBytes: number) =>
  stream(entries, deflateSync(Buffer.alloc(lengthBytes)));

costlyTest(
  'streams that decode to little are accepted, as are streams that no reader decodes',
  () => {
    const source = withStreams(
      inflating('/Type/ObjStm/N 0/First 0/Filter/FlateDecode', MB),
      inflating('/Type/XRef/Size 1/W[1 1 1]/Filter/FlateDecode', MB),
      inflating('/Filter/FlateDecode', 50 * MB),
      stream('/Type/ObjStm/N 0/First 0/Filter/FlateDecode', Buffer.from('damaged')),
    );
    expect(requireSmallContainers(source)).toBeUndefined();
  },
);

test.each([
  ['an object stream', '/Type/ObjStm/N 0/First 0/Filter/FlateDecode', 'limit.exceeded'],
  ['a cross-reference stream', '/Type/XRef/Size 1/W[1 1 1]/Filter/FlateDecode', 'limit.exceeded'],
  ['a filter elsewhere', '/Type/ObjStm/N 0/First 0/Filter 4 0 R', 'pdf.filter.unsupported'],
  ['a filter in a list', '/Type/ObjStm/N 0/First 0/Filter[4 0 R]', 'pdf.filter.unsupported'],
])('%s without references to it is checked against the limits', (_what, entries, code) => {
  const source = withStreams(inflating(entries, 8 * MB));
  expect(openPdf(source).trailer.has('Root')).toBe(true);
  expect(() => requireSmallContainers(source)).toThrow(expect.objectContaining({ code }));
});
