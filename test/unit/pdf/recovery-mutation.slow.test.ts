import { expect, test } from 'vitest';
import { latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { recoverSections } from '../../../src/formats/pdf/repair/recovery.ts';
import { findOffsetBase } from '../../../src/formats/pdf/xref/offset-base.ts';
import {
  addObjects,
  onePage,
  PdfBuilder,
  pdfHybrid,
  pdfWithObjectStream,
  pdfWithTable,
} from '../../support/pdf-builder.ts';
import { fc } from '../../support/property.ts';

const streams = ((): Uint8Array => {
  const builder = addObjects(new PdfBuilder(), onePage);
  builder.stream(4, '/Type/EmbeddedFile', pdfWithTable(onePage));
  builder.raw(
    '5 0 obj<</Length 6 0 R>>stream\nBT (obj) Tj ET\nendstream endobj\n6 0 obj 14 endobj\n',
  );
  return builder.end(builder.table()).bytes;
})();
const samples = [
  pdfWithTable(onePage),
  pdfWithObjectStream(onePage, { filter: 'up' }),
  pdfHybrid(onePage, 2),
  streams,
];
const words = ['obj', ' 1 0 obj', 'endobj', 'stream\n', 'endstream', 'trailer<<', '(', '>>', '%'];

/** Recovers the file, checks the result against the bytes and returns the number of objects. */
function recoverAll(bytes: Uint8Array): number {
  const source = memorySource(bytes);
  try {
    findOffsetBase(source, { offsetBytes: Math.min(3, bytes.length), version: '1.7' });
    const { section, streamLengths } = recoverSections(source);
    let count = 0;
    for (const range of section.ranges) {
      for (let number = range.first; number < range.first + range.count; number++) {
        const entry = section.find(number);
        count++;
        if (entry?.kind === 'compressed') {
          expect(section.find(entry.container)?.kind).toBe('offset');
        } else {
          expect(entry?.kind).toBe('offset');
          const at = entry?.kind === 'offset' ? entry.offsetBytes : -1;
          const text = latin1Text(bytes.subarray(at, at + 60));
          expect(text).toMatch(/^\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/);
          expect(Number.parseInt(text, 10)).toBe(number);
        }
      }
    }
    for (const [offset, length] of streamLengths) {
      expect(length).toBeGreaterThanOrEqual(0);
      expect(offset + length).toBeLessThan(bytes.length);
    }
    return count;
  } catch (error) {
    if (isInnsigliError(error)) return -1;
    throw error;
  }
}

test('changed bytes yield objects or an error with a code', () => {
  const started = performance.now();
  const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...samples), edits, (sample, changes) => {
      const bytes = Uint8Array.from(sample);
      for (const [place, value] of changes) {
        bytes[Math.floor(place * (bytes.length - 1))] = value;
      }
      expect(recoverAll(bytes)).toBeGreaterThanOrEqual(-1);
    }),
    { seed: 4, numRuns: 600 },
  );
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('inserted keywords yield objects or an error with a code', () => {
  const edits = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...words)),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...samples), edits, (sample, changes) => {
      let text = latin1Text(sample);
      for (const [place, word] of changes) {
        const at = Math.floor(place * text.length);
        text = text.slice(0, at) + word + text.slice(at);
      }
      expect(recoverAll(latin1Bytes(text))).toBeGreaterThanOrEqual(-1);
    }),
    { seed: 4, numRuns: 600 },
  );
});

test('a file truncated at every 97th byte keeps the objects before the cut', () => {
  const builder = new PdfBuilder();
  for (let i = 1; i <= 200; i++) {
    if (i % 3 === 0) builder.stream(i, `/Mark ${i}`, 'data '.repeat(i));
    else builder.object(i, `<</Mark ${i}>>`);
  }
  const { bytes } = builder;
  const text = latin1Text(bytes);
  let last = -1;
  for (let end = 0; end < bytes.length; end += 97) {
    const count = recoverAll(bytes.subarray(0, end));
    const whole = text.slice(0, end).split('\nendobj').length - 1;
    // For the last object, only a stream with all its data is known to be complete.
    expect(count - whole).toBeGreaterThanOrEqual(0);
    expect(count - whole).toBeLessThanOrEqual(1);
    last = count;
  }
  expect(last).toBeGreaterThan(190);
});

const repeated: readonly (readonly [string, string])[] = [
  ['unterminated streams', '1 0 obj<<>>stream\n'],
  ['streams without endstream', '1 0 obj<<>>stream\nendobj\n'],
  ['streams with a separate length object', '1 0 obj<</Length 1 0 R>>stream\nendstream\n'],
  ['nested strings', '1 0 obj('],
  ['strings with streams', '1 0 obj(stream '],
  ['dictionaries', '1 0 obj<</A'],
  ['arrays', '1 0 obj['],
  ['trailers', 'trailer<<'],
  ['keywords', 'obj'],
  ['numbers', '1 0 '],
  ['catalogs', '1 0 obj</Catalog>endobj '],
  ['object streams', '1 0 obj<</Type/ObjStm/N 1/First 4/Length 6>>stream\n1 0  1\nendstream '],
];

test.each(repeated)('time grows only with the size: %s', (_, part) => {
  const bytes = latin1Bytes(`%PDF-1.7\n${part.repeat(40_000)}`);
  const started = performance.now();
  expect(recoverAll(bytes)).toBeLessThan(2);
  expect(performance.now() - started).toBeLessThan(10_000);
});
