import { describe, expect, test } from 'vitest';
import { sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const asked = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
const options = sealOptions(pki, { level: 'B-T' });

/** The file with another byte in the last signature: behind its beginning, or before its end. */
function damaged(file: Uint8Array, distance: number, byte: number): Uint8Array {
  const bytes = Buffer.from(file);
  const values = [...bytes.toString('latin1').matchAll(/\/Contents ?<([0-9A-Fa-f]{200,})>/g)];
  const last = values.at(-1);
  if (last === undefined) throw new Error('no signature');
  const end = last.index + last[0].length;
  bytes[distance < 0 ? end + distance : last.index + distance] = byte;
  return new Uint8Array(bytes);
}

async function sealedTwice(): Promise<Uint8Array> {
  const first = await sealPdf(fixture('agreement.pdf'), options);
  return (await sealPdf(first.bytes, options)).bytes;
}

const fieldsOf = async (file: Uint8Array) => {
  const { signatures, indication } = await verifyPdfDocument(file, asked);
  return { indication, fields: signatures.map(({ field }) => field) };
};

// ISO 32000-1 §7.3.4.3: other bytes are no digits. A signature must not vanish by one.
describe('a byte in /Contents that is no digit', () => {
  test.each([
    ['in the signature', 200, 0xb0],
    ['in the padding', -20, 0x78],
  ])('%s hides no signature, and none passes', async (_, distance, byte) => {
    const whole = await sealedTwice();
    const control = await fieldsOf(whole);
    expect(control.fields).toHaveLength(2);
    const { fields, indication } = await fieldsOf(damaged(whole, distance, byte));
    expect(fields.toSorted()).toEqual(control.fields.toSorted());
    expect(indication).toBe('TOTAL-FAILED');
    expect(control.indication).toBe('TOTAL-PASSED');
  });
});

// An update right behind the end-of-file marker of a file that has no end of line.
test('the signature of an update that begins on the line of %%EOF is found in a damaged file', async () => {
  const input = fixture('agreement.pdf');
  const text = Buffer.from(input).toString('latin1').trimEnd();
  const { bytes } = await sealPdf(Buffer.from(text, 'latin1'), options);
  const joined = Buffer.from(bytes).toString('latin1');
  const start = text.length;
  const update = joined.slice(start).trimStart();
  const lost = joined.length - start - update.length;
  const file = Buffer.from(joined.slice(0, start) + update, 'latin1');
  expect(file.subarray(start - 5, start + 1).toString('latin1')).toMatch(/^%%EOF\d$/);
  expect(lost).toBeGreaterThan(0);
  const { fields, indication } = await fieldsOf(damaged(file, 200, 0xb0));
  expect(fields).toHaveLength(1);
  expect(indication).toBe('TOTAL-FAILED');
});
