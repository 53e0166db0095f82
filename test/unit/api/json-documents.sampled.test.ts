import { describe, expect, test } from 'vitest';
import { JsonDocuments } from '../../../src/api/plugins/bodies/json-documents.ts';
import { limits } from '../../../src/base/limits.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

const content = Buffer.alloc(60_000, 'innsigli');
const other = Buffer.alloc(48_000, 'other');

/** Parses JSON that arrives in chunks and returns the documents found by the parser. */
function read(pieces: readonly Buffer[], mostBytes = limits.bodyBytes) {
  const reader = new JsonDocuments(mostBytes);
  for (const piece of pieces) reader.take(piece);
  const { text, documents } = reader.end();
  return { json: JSON.parse(text.toString()), documents };
}

function piecesOf(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, count = 0; at < bytes.length; count += 1) {
    const size = sizes[count % sizes.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe('documents in a request body', () => {
  test('are the same however the body is split', () => {
    const texts = [content, other].map((each) => each.toString('base64'));
    const json = JSON.stringify({
      document: texts[0],
      note: 'a "quoted" \\ text, "document": ',
      more: [{ PdfDocument: texts[1]?.replaceAll('/', '\\/') }],
    }).replaceAll('\\\\/', '\\/');
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 6 }),
        (sizes) => {
          const bounded = sizes.map((size) => Math.max(size, 1500));
          const { json: found, documents } = read(piecesOf(json, bounded));
          expect(documents.get(found.document)?.equals(content)).toBe(true);
          expect(documents.get(found.more[0].PdfDocument)?.equals(other)).toBe(true);
          expect(found.note).toBe('a "quoted" \\ text, "document": ');
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test.each([
    ['first', (good: string, bad: string) => `[{"document":"${good}"},{"document":"${bad}"}]`, 0],
    ['last', (good: string, bad: string) => `[{"document":"${bad}"},{"document":"${good}"}]`, 1],
  ])('invalid Base64 is never mistaken for a document it starts with: %s', (_, write, at) => {
    const good = content.toString('base64');
    const json = write(good, `${good}?`);
    // The fault arrives in a chunk of its own.
    const cut = json.indexOf('?');
    const { json: found, documents } = read([
      Buffer.from(json.slice(0, cut)),
      Buffer.from(json.slice(cut)),
    ]);
    expect(documents.get(found[at].document)?.equals(content)).toBe(true);
    expect(documents.has(found[1 - at].document)).toBe(true);
    expect(documents.get(found[1 - at].document)).toBeUndefined();
  });

  test('take memory in proportion to their real size', () => {
    const text = Buffer.alloc(270_000, 'a').toString('base64');
    const json = JSON.stringify(Array.from({ length: 4 }, () => ({ document: text })));
    const distinct = json.replaceAll(/YWFhYWFhYWFh/g, (each, place: number) =>
      place % 7 === 0 ? 'YWFhYWFhYWFi' : each,
    );
    const { documents } = read(piecesOf(distinct, [65_536]), limits.bodyBytes);
    expect(documents.size).toBe(4);
    for (const bytes of documents.values()) {
      expect(bytes?.length).toBe(270_000);
      expect(bytes?.buffer.byteLength).toBeLessThanOrEqual(2 * 270_000);
    }
  });
});
