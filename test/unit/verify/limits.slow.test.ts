import { describe, expect, test } from 'vitest';
import { InnsigliError, type VerificationReport } from '../../../src/index.ts';
import { PdfBuilder } from '../../support/pdf-builder.ts';
import { verifyDocument } from '../../support/verify-document.ts';

interface Shape {
  readonly fields: number;
  /**
   * `inline`: a separate empty value in each field; `shared`: one value for all; `own`: a separate
   * value for each, all over the same gap.
   */
  readonly values: 'inline' | 'shared' | 'own';
  /** File ends that the values cover alternately. */
  readonly revisions?: number;
  /** Bytes of `/Contents`. */
  readonly contentsBytes?: number;
}

const head = '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached';
const FIRST_FIELD = 10;

/** A small file with many signatures, none of which covers the last update. */
function crowded({ fields, values, revisions = 1, contentsBytes = 8 }: Shape): Uint8Array {
  const contents = `<${'30'.repeat(contentsBytes)}>`;
  const pdf = new PdfBuilder();
  const numbers = Array.from({ length: fields }, (_, index) => FIRST_FIELD + index);
  pdf.object(1, '<</Type/Catalog/Pages 2 0 R/AcroForm 3 0 R>>');
  pdf.object(2, '<</Type/Pages/Kids[]/Count 0>>');
  pdf.object(3, `<</Fields[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`);
  const patches: { readonly at: number; readonly revision: number }[] = [];
  let hole: readonly [number, number] = [0, 0];
  const value = (number: number, revision: number, isFirst: boolean) => {
    pdf.at(number, pdf.offset).raw(`${number} 0 obj\n${head}/Contents`);
    const start = pdf.offset;
    pdf.raw(contents);
    if (isFirst) hole = [start, pdf.offset];
    pdf.raw('/ByteRange');
    patches.push({ at: pdf.offset, revision });
    pdf.raw(`${' '.repeat(40)}>>\nendobj\n`);
  };
  value(4, 0, true);
  numbers.forEach((number, index) => {
    const own = number + fields;
    if (values === 'own') value(own, index % revisions, false);
    const target = { inline: '<</Type/Sig>>', shared: '4 0 R', own: `${own} 0 R` }[values];
    pdf.object(number, `<</FT/Sig/T(f${index})/V ${target}>>`);
  });
  const ending = `startxref\n${pdf.table()}\n%%EOF\n`;
  const ends = Array.from({ length: revisions }, () => pdf.raw(ending).offset);
  const bytes = Buffer.from(pdf.raw(`% an update\n${ending}`).bytes);
  for (const { at, revision } of patches) {
    const range = [0, ...hole, (ends[revision] as number) - hole[1]];
    bytes.write(`[${range.join(' ')}]`, at, 'latin1');
  }
  return new Uint8Array(bytes);
}

/** The report or the error code, and the time taken. */
async function check(shape: Shape) {
  const file = crowded(shape);
  const startMs = performance.now();
  let verdict: VerificationReport | string;
  try {
    verdict = await verifyDocument(file, { at: new Date(0) });
  } catch (error) {
    if (!(error instanceof InnsigliError)) throw error;
    verdict = error.code;
  }
  return { verdict, tookMs: performance.now() - startMs };
}

// Reading every field again for every field took minutes; this limit is far from both.
const QUICK_MS = 20_000;

describe('input above a limit', () => {
  test.each<[string, Shape]>([
    ['one signature too many, each with a separate value', { fields: 4097, values: 'inline' }],
    ['one signature too many, all with one value', { fields: 4097, values: 'shared' }],
    ['many signatures too many', { fields: 40_000, values: 'shared' }],
    ['many signatures in many revisions', { fields: 1000, values: 'own', revisions: 1000 }],
    ['one large value many times', { fields: 200, values: 'shared', contentsBytes: 100_000 }],
  ])('is rejected quickly: %s', { timeout: QUICK_MS }, async (_, shape) => {
    const { verdict, tookMs } = await check(shape);
    expect(verdict).toBe('limit.exceeded');
    expect(tookMs).toBeLessThan(QUICK_MS);
  });
});

describe('input within the limits', () => {
  test.each<[string, Shape]>([
    ['as many signatures as are allowed', { fields: 4096, values: 'shared' }],
    ['as many values as are allowed', { fields: 4096, values: 'own' }],
    ['many signatures in several revisions', { fields: 200, values: 'own', revisions: 50 }],
  ])('is verified quickly: %s', { timeout: QUICK_MS }, async (_, shape) => {
    const { verdict, tookMs } = await check(shape);
    expect(verdict).toMatchObject({ indication: 'TOTAL-FAILED' });
    if (typeof verdict === 'string') return;
    expect(verdict.signatures).toHaveLength(shape.fields);
    expect(verdict.signatures.every(({ intact }) => !intact)).toBe(true);
    // The revisions contain these fields: the value fails, not an earlier check.
    expect(new Set(verdict.signatures.map(({ findings }) => findings[0]?.code))).toEqual(
      new Set(['signature.cms.invalid']),
    );
    expect(tookMs).toBeLessThan(QUICK_MS);
  });
});
