import { describe, expect, test } from 'vitest';
import { sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const asked = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
const options = sealOptions(pki, { level: 'B-T' });

/** The file with a changed byte in a signature, counted from its start or before its end. */
function damaged(file: Uint8Array, distance: number, byte: number, at = -1): Uint8Array {
  const bytes = Buffer.from(file);
  const values = [...bytes.toString('latin1').matchAll(/\/Contents ?<([0-9A-Fa-f]{200,})>/g)];
  const value = values.at(at);
  if (value === undefined) throw new Error('no signature');
  const end = value.index + value[0].length;
  bytes[distance < 0 ? end + distance : value.index + distance] = byte;
  return new Uint8Array(bytes);
}

async function sealedThrice(): Promise<Uint8Array> {
  const first = await sealPdf(fixture('agreement.pdf'), options);
  const second = await sealPdf(first.bytes, options);
  return (await sealPdf(second.bytes, options)).bytes;
}

const fieldsOf = async (file: Uint8Array) => {
  const { signatures, indication } = await verifyPdfDocument(file, asked);
  return { indication, fields: signatures.map(({ field }) => field) };
};

// ISO 32000-1 §7.3.4.3: other bytes are not digits. Such a byte must not make a signature vanish.
describe('a byte in /Contents that is not a hexadecimal digit', () => {
  test.each([
    ['in the signature', 200, 0xb0, -1],
    ['in the padding', -20, 0x78, -1],
    ['in the first signature', 200, 0xb0, 0],
    ['in the padding of the first', -20, 0x78, 0],
    ['in the second signature', 200, 0xb0, 1],
  ])('%s hides no signature, and the document fails', async (_, distance, byte, at) => {
    const whole = await sealedThrice();
    const control = await fieldsOf(whole);
    expect(control.fields).toHaveLength(3);
    const { fields, indication } = await fieldsOf(damaged(whole, distance, byte, at));
    expect(fields.toSorted()).toEqual(control.fields.toSorted());
    expect(indication).toBe('TOTAL-FAILED');
    expect(control.indication).toBe('TOTAL-PASSED');
  });
});

// The value is followed by the rest of its dictionary and the end of the object.
describe('bytes overwriting the end of /Contents', () => {
  test.each([
    ['the last signature', -1],
    ['the first signature', 0],
  ])('do not hide %s, and the document fails', async (_, at) => {
    const whole = await sealedThrice();
    const control = await fieldsOf(whole);
    for (const text of [
      '%',
      '%%',
      '<',
      '(',
      ')',
      'g',
      '\0',
      '> >',
      '>> >>',
      'endobj',
      ' 9 0 obj ',
    ]) {
      const file = Buffer.from(whole);
      const values = [...file.toString('latin1').matchAll(/\/Contents ?<[0-9A-Fa-f]{200,}>/g)];
      const value = values.at(at);
      file.write(text, (value?.index ?? 0) + (value?.[0].length ?? 0) - 1, 'latin1');
      const { fields, indication } = await fieldsOf(file);
      expect([text, fields.toSorted()]).toEqual([text, control.fields.toSorted()]);
      expect([text, indication]).toEqual([text, 'TOTAL-FAILED']);
    }
  });
});

// An update directly after the end-of-file marker of a file without a final line end.
test('in a damaged file, the signature of an update on the line of %%EOF is found', async () => {
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

// ISO 32000-1 §7.5.4: one letter marks an object as free, as an update that removes it does.
test('no cross-reference entry changed to free hides a signature', async () => {
  const whole = Buffer.from(await sealedThrice());
  const control = await fieldsOf(whole);
  const rows = [...whole.toString('latin1').matchAll(/\d{10} \d{5} n(?=\s)/g)];
  expect(rows.length).toBeGreaterThan(20);
  const hidden: string[] = [];
  for (const { index, 0: row } of rows) {
    const bytes = Buffer.from(whole);
    bytes.write('f', index + row.length - 1, 'latin1');
    const { fields, indication } = await fieldsOf(bytes);
    expect(indication).not.toBe('TOTAL-PASSED');
    if (fields.length < control.fields.length) hidden.push(`${row}: ${fields}`);
  }
  expect(hidden).toEqual([]);
});
