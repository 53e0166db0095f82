import { beforeAll, describe, expect, test } from 'vitest';
import { concatBytes } from '../../../src/base/bytes.ts';
import { sealPdf } from '../../../src/index.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

let sealed: Uint8Array;
let text: string;
beforeAll(async () => {
  sealed = (await sealPdf(fixture('minimal.pdf'), sealOptions(undefined, { level: 'B-B' }))).bytes;
  text = Buffer.from(sealed).toString('latin1');
});

/** The file with an update that rewrites the object of the field. */
function updated(change: (field: string) => string): Uint8Array {
  const start = text.lastIndexOf('\n', text.lastIndexOf(' 0 obj', text.indexOf('/FT/Sig'))) + 1;
  const end = text.indexOf('endobj', start) + 'endobj'.length;
  const object = change(text.slice(start, end));
  const root = /\/Root (\d+ 0 R)/.exec(text)?.[1];
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1];
  const at = sealed.length + 1;
  const entry = `${String(at).padStart(10, '0')} 00000 n \n`;
  const xref = `xref\n${Number.parseInt(object, 10)} 1\n${entry}`;
  const trailer = `trailer\n<</Size 99/Root ${root}/Prev ${previous}>>`;
  const update = `\n${object}\n${xref}${trailer}\nstartxref\n${at + object.length + 1}\n%%EOF\n`;
  return concatBytes([sealed, Buffer.from(update, 'latin1')]);
}

test('a signature that an update removed is reported', async () => {
  const report = await verifyDocument(updated((field) => field.replace(/\/V \d+ 0 R/, '')));
  expect(report).toMatchObject({ indication: 'INDETERMINATE', signatures: [] });
  expect(report).toHaveProperty('removedSignatures', ['Signature1']);
});

test('a signature that is still there is not reported as removed', async () => {
  const report = await verifyDocument(updated((field) => field));
  expect(report.signatures).toHaveLength(1);
  expect(report).not.toHaveProperty('removedSignatures');
  const none = await verifyDocument(fixture('minimal.pdf'));
  expect(none).not.toHaveProperty('removedSignatures');
});

describe('a signature without a field in a document without other signatures', () => {
  // The same length, so that no offset changes.
  const without = (from: RegExp) =>
    Buffer.from(
      text.replace(from, (found) => `/X${found.slice(2)}`),
      'latin1',
    );
  const object = () => /(\d+) 0 obj\s*<<\/Type\/Sig\b/.exec(text)?.[1];

  test.each([
    ['the form has lost its fields', /\/Fields/],
    ['the document has lost its form', /\/AcroForm/],
  ])('is reported if %s', async (_, entry) => {
    const report = await verifyDocument(without(entry));
    expect(report).toMatchObject({ indication: 'INDETERMINATE', signatures: [] });
    expect(report).toHaveProperty('unnamedSignatures', [`object ${object()}`]);
  });

  test('is not reported if it only grants usage rights', async () => {
    const rights = text.replace(/\/AcroForm ?\d+ 0 R/, `/Perms<</UR3 ${object()} 0 R>>`);
    const named = rights.replace('/UR3', '/Any');
    for (const [changed, isNamed] of [
      [rights, false],
      [named, true],
    ] as const) {
      const report = await verifyDocument(Buffer.from(changed, 'latin1'));
      expect(report.signatures).toEqual([]);
      expect('unnamedSignatures' in report).toBe(isNamed);
    }
  });

  test('is not reported if it has a field, or is only text about signatures', async () => {
    expect(await verifyDocument(sealed)).not.toHaveProperty('unnamedSignatures');
    const plain = Buffer.from(fixture('minimal.pdf')).toString('latin1');
    const content = 'BT /F1 24 Tf 72 700 Td (Hello) Tj ET';
    const told = plain.replace(content, '/ByteRange [0 1 2 3] /Contents <00> ');
    expect(told).not.toBe(plain);
    const report = await verifyDocument(Buffer.from(told, 'latin1'));
    expect(report).not.toHaveProperty('unnamedSignatures');
  });
});

describe('a document cut off inside its signature', () => {
  test.each([
    ['in its dictionary', () => text.indexOf('/ByteRange') + 12],
    ['in its value', () => text.indexOf('/Contents') + 400],
    ['after its value', () => text.indexOf('>', text.indexOf('/Contents') + 20) + 8],
  ])('is reported as truncated, not as unsigned: %s', async (_, end) => {
    const error = await verifyDocument(sealed.subarray(0, end())).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'pdf.truncated' });
  });

  test('differs from a damaged document that was never signed', async () => {
    const plain = Buffer.from(fixture('minimal.pdf')).toString('latin1');
    const damaged = plain.replace(/startxref\s+\d+/, 'startxref\n7');
    const report = await verifyDocument(Buffer.from(damaged, 'latin1'));
    expect(report.signatures).toEqual([]);
  });
});
