import { describe, expect, test } from 'vitest';
import { concatBytes, latin1Bytes, memorySource } from '../../../src/base/bytes.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import {
  beginUpdate,
  certificationOf,
  decodeText,
  encodeText,
  firstPage,
  listSignatureFields,
  openPdf,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
  pdfName,
  serializeObject,
} from '../../../src/formats/pdf/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  onePage,
  pdfHybrid,
  pdfLinearizedLike,
  pdfWithObjectStream,
  pdfWithTable,
} from '../../support/pdf-builder.ts';
import { anyCharacter, fc } from '../../support/property.ts';

/** The same cases in each run. */
const seed = 20_261_121;

const latin1 = (minimum: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ min: minimum, maxLength: 30 })
    .map((bytes) => Buffer.from(bytes).toString('latin1'));
const keys = latin1(1);

const object: fc.Arbitrary<PdfObject> = fc.letrec<{ value: PdfObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    keys.map(pdfName),
    fc.tuple(fc.uint8Array(), fc.boolean()).map(([bytes, hex]) => new PdfString(bytes, hex)),
    fc
      .tuple(fc.integer({ min: 0, max: 8_388_607 }), fc.integer({ min: 0, max: 65_535 }))
      .map(([objectNumber, generation]) => new PdfReference(objectNumber, generation)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 6 }).map((entries) => new Map(entries)),
  ),
})).value;

/** The same value with byte arrays of one class, for comparison. */
function comparable(value: PdfObject): unknown {
  if (value instanceof PdfString) return { hex: value.hex, bytes: [...value.bytes] };
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Map) return [...value].map(([key, inner]) => [key, comparable(inner)]);
  return value === 0 ? 0 : value;
}

const reopened = (bytes: Uint8Array, object: PdfObject): PdfObject => {
  const update = beginUpdate(openPdf(memorySource(bytes)));
  const reference = update.allocate();
  update.set(reference, object);
  const whole = concatBytes([bytes, update.finish().bytes]);
  return openPdf(memorySource(whole)).read(reference);
};

test('a serialized PDF object parses to the same object', () => {
  const bytes = pdfWithTable(onePage);
  fc.assert(
    fc.property(object, (value) => {
      expect(comparable(reopened(bytes, value))).toEqual(comparable(value));
    }),
    { numRuns: 300, seed },
  );
});

test('objects in an object stream are read as they were written', () => {
  fc.assert(
    fc.property(object, (value) => {
      const body = Buffer.from(serializeObject(value)).toString('latin1');
      const file = openPdf(memorySource(pdfWithObjectStream([...onePage, body])));
      expect(comparable(file.read(new PdfReference(4)))).toEqual(comparable(value));
    }),
    { numRuns: 200, seed },
  );
});

test('encoded text decodes to the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      // U+001B starts a language escape in UTF-16; U+FFFD is the replacement character.
      fc.pre(!text.includes('\u001b') && !text.includes('\ufffd'));
      expect(decodeText(encodeText(text))).toBe(text);
    }),
    { seed },
  );
});

describe('damaged PDF files', () => {
  const form = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>/Perms<</DocMDP 5 0 R>>>>';
  const bodies = [
    form,
    ...onePage.slice(1),
    '<</FT/Sig/T(Signature)/V 5 0 R/Kids[<</Subtype/Widget>>]>>',
    '<</Type/Sig/Contents<0011>/Reference[<</TransformMethod/DocMDP>>]>>',
    '<</Length 7 0 R/Filter/ASCIIHexDecode>>stream\n4142>\nendstream',
    '5',
  ];
  const files = [
    pdfWithTable(bodies),
    pdfWithObjectStream(bodies.slice(0, 5)),
    pdfWithObjectStream(bodies.slice(0, 5), { filter: 'up' }),
    pdfHybrid(bodies.slice(0, 5), 3),
    pdfLinearizedLike(onePage),
  ];
  const tokens = ['<<', '>>', '[', ']', '(', ')', '0 R', 'obj', 'endobj', 'stream', '99999999999'];
  tokens.push('startxref', '%%EOF', '/Prev 0', '/Kids', 'xref', '%', '\n', '-1', '/W[9 9 9]', '#');

  const damage = fc.record({
    file: fc.integer({ min: 0, max: files.length - 1 }),
    edits: fc.array(
      fc.record({
        /** In ten-thousandths of the file. */
        place: fc.noBias(fc.nat({ max: 9_999 })),
        remove: fc.oneof(
          { arbitrary: fc.constant('same' as const), weight: 8 },
          { arbitrary: fc.nat({ max: 30 }), weight: 1 },
        ),
        insert: fc.oneof(
          fc.constantFrom(...tokens).map((token) => latin1Bytes(token)),
          fc.uint8Array({ maxLength: 4 }),
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    cut: fc.oneof(
      { arbitrary: fc.constant(null), weight: 8 },
      { arbitrary: fc.noBias(fc.nat({ max: 10_000 })), weight: 1 },
    ),
  });

  test('control: are valid before they are damaged', () => {
    for (const bytes of files) useAll(bytes);
    expect(files).toHaveLength(5);
  });

  test('are read or rejected with a code, in bounded time', () => {
    let refused = 0;
    let read = 0;
    const startMs = cpuMs();
    fc.assert(
      fc.property(damage, ({ file, edits, cut }) => {
        let bytes = files[file] as Uint8Array;
        for (const { place, remove, insert } of edits) {
          const at = Math.floor((place / 10_000) * bytes.length);
          const behind = at + (typeof remove === 'number' ? remove : insert.length);
          bytes = concatBytes([bytes.subarray(0, at), insert, bytes.subarray(behind)]);
        }
        if (cut !== null) bytes = bytes.subarray(0, Math.floor((cut / 10_000) * bytes.length));
        try {
          useAll(bytes);
          read++;
        } catch (error) {
          if (!(error instanceof InnsigliError) || error.code === 'internal.unexpected')
            throw error;
          refused++;
        }
      }),
      { numRuns: 3_000, seed },
    );
    expect(refused).toBeGreaterThan(500);
    expect(read).toBeGreaterThan(100);
    expect(cpuMs() - startMs).toBeLessThan(20_000);
  });

  function useAll(bytes: Uint8Array): void {
    const file = openPdf(memorySource(bytes));
    for (let i = 0; i < Math.min(file.objectCount, 20); i++) {
      const value = file.read(new PdfReference(i));
      if (value instanceof PdfStream) file.decode(value);
    }
    listSignatureFields(file);
    certificationOf(file);
    const page = firstPage(file);
    const update = beginUpdate(file);
    update.set(page.reference as PdfReference, page.dict);
    const whole = concatBytes([bytes, update.finish().bytes]);
    // What was readable must still be readable after an update.
    expect(firstPage(openPdf(memorySource(whole))).reference).toEqual(page.reference);
  }
});
