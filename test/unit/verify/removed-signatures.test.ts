import { beforeAll, expect, test } from 'vitest';
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

/** The file with an update that writes the object of the field again. */
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

test('a signature that an update removed is named', async () => {
  const report = await verifyDocument(updated((field) => field.replace(/\/V \d+ 0 R/, '')));
  expect(report).toMatchObject({ indication: 'INDETERMINATE', signatures: [] });
  expect(report).toHaveProperty('removedSignatures', ['Signature1']);
});

test('one that is still there is not', async () => {
  const report = await verifyDocument(updated((field) => field));
  expect(report.signatures).toHaveLength(1);
  expect(report).not.toHaveProperty('removedSignatures');
  const none = await verifyDocument(fixture('minimal.pdf'));
  expect(none).not.toHaveProperty('removedSignatures');
});
