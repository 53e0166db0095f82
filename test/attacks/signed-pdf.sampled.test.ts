import { describe, expect, test } from 'vitest';
import { InnsigliError, type PdfVerificationReport, sealPdf } from '../../src/index.ts';
import { makeTestPki } from '../support/pki.ts';
import { runs, stepOf } from '../support/sample.ts';
import { fixture, sealOptions } from '../support/sealing.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';

const pki = makeTestPki();
const options = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
const sealed = (await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level: 'B-B' }))).bytes;
const lta = (await sealPdf(fixture('agreement.pdf'), sealOptions(pki))).bytes;

/** The report, or the error code if the file cannot be read at all. */
async function check(bytes: Uint8Array): Promise<PdfVerificationReport | string> {
  try {
    return await verifyPdfDocument(bytes, options);
  } catch (error) {
    if (error instanceof InnsigliError) return error.code;
    throw error;
  }
}

function isAccepted(verdict: PdfVerificationReport | string): boolean {
  return (
    typeof verdict !== 'string' &&
    verdict.signatures.some(
      ({ kind, indication, coverage }) =>
        kind === 'signature' && indication === 'TOTAL-PASSED' && coverage !== 'partial',
    )
  );
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const bytesOf = (value: string) => new Uint8Array(Buffer.from(value, 'latin1'));

function replaceOnce(bytes: Uint8Array, from: string | RegExp, to: string): Uint8Array {
  const before = text(bytes);
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  return bytesOf(after);
}

test('control: the unmodified files are accepted', async () => {
  expect(isAccepted(await check(sealed))).toBe(true);
  expect(isAccepted(await check(lta))).toBe(true);
});

test('no change of a covered byte is accepted', async () => {
  const { signatures } = await verifyPdfDocument(sealed, options);
  const [, holeStart = 0, holeEnd = 0] = signatures[0]?.byteRange ?? [];
  for (let offset = 0; offset < sealed.length; offset += stepOf(13)) {
    if (offset >= holeStart && offset < holeEnd) continue;
    const changed = sealed.slice();
    changed[offset] = (changed[offset] as number) ^ 1;
    expect(isAccepted(await check(changed)), `byte ${offset}`).toBe(false);
  }
});

test('no change within the signature value alters what an accepted report states', async () => {
  // Version numbers, the set of digest algorithms and the padding are unsigned: a verifier may
  // ignore a change there, but must never report a different signer or time.
  const { signatures } = await verifyPdfDocument(sealed, options);
  const [original] = signatures;
  const [, holeStart = 0, holeEnd = 0] = original?.byteRange ?? [];
  let rejected = 0;
  for (let offset = holeStart + 1; offset < holeEnd - 1; offset += stepOf(7)) {
    const changed = sealed.slice();
    changed[offset] = changed[offset] === 0x31 ? 0x32 : 0x31;
    const verdict = await check(changed);
    if (!isAccepted(verdict)) rejected++;
    else expect(typeof verdict === 'string' ? verdict : verdict.signatures).toEqual(signatures);
  }
  expect(rejected).toBeGreaterThan(runs(300));
});

describe('ByteRange attacks', () => {
  const range = /\/ByteRange ?\[0 (\d+) (\d+) (\d+) *\]/;
  const [whole = '', a = '', b = '', c = ''] = range.exec(text(sealed)) ?? [];
  const inPlace = (numbers: readonly (number | string)[]) =>
    replaceOnce(
      sealed,
      whole,
      `${`${whole.slice(0, whole.indexOf('[') + 1)}${numbers.join(' ')}`.padEnd(whole.length - 1)}]`,
    );
  const [start, second, length] = [Number(a), Number(b), Number(c)];

  test.each<[string, readonly (number | string)[]]>([
    ['a range that does not start at 0', [1, start - 1, second, length]],
    ['a gap larger than the value', [0, start - 1, second, length]],
    ['a gap extending beyond the value', [0, start, second + 1, length - 1]],
    ['a range beyond the end of the file', [0, start, second, length + 1]],
    ['a range short of the end of the file', [0, start, second, length - 1]],
    ['a single range', [0, start]],
    ['three ranges', [0, 1, start, 0, second, length]],
    ['overlapping', [0, second, start, length]],
    ['negative', [0, -1, second, length]],
    ['reals', [0, `${start}.5`, second, length]],
    ['huge', [0, start, second, '99999999999999999999']],
    ['nothing', []],
  ])('%s is not accepted', async (_, numbers) => {
    expect(isAccepted(await check(inPlace(numbers)))).toBe(false);
  });
});

describe('updates after the seal', () => {
  test('appended bytes reduce the coverage to a revision', async () => {
    const appended = Buffer.concat([sealed, Buffer.from('\n% just a comment\n')]);
    const verdict = await check(new Uint8Array(appended));
    expect(typeof verdict === 'string' ? verdict : verdict.signatures[0]?.coverage).toBe(
      'revision',
    );
  });

  test('a field value swapped for another dictionary is checked against its own gap', async () => {
    // An update redefines the signature dictionary with the old /ByteRange and /Contents but
    // different entries: the gap must hold the /Contents of the dictionary that is verified.
    const { signatures } = await verifyPdfDocument(sealed, options);
    expect(signatures).toHaveLength(1);
    const swapped = replaceOnce(sealed, '/Contents', '/Contentz');
    expect(isAccepted(await check(swapped))).toBe(false);
  });
});

describe('document time-stamps', () => {
  test('a corrupt one does not raise the level', async () => {
    const { signatures } = await verifyPdfDocument(lta, options);
    const stamp = signatures.find(({ kind }) => kind === 'document-timestamp');
    const changed = lta.slice();
    const offset = (stamp?.byteRange[2] ?? 0) + 20;
    changed[offset] = (changed[offset] as number) ^ 1;
    const verdict = await check(changed);
    if (typeof verdict === 'string') return expect(verdict).toMatch(/^pdf\./);
    expect(verdict.indication).toBe('TOTAL-FAILED');
    expect(verdict.signatures[0]?.level).not.toBe('B-LTA');
  });
});
