import { describe, expect, test } from 'vitest';
import { augmentPdf, sealPdf, timestampDocument, verifyDocument } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const { signer: _signer, level: _level, ...options } = sealOptions(pki);
const trust = [pki.member('root').der];
const at = new Date(pki.nowMs);
const text = Buffer.from('minutes of the meeting\n');

describe('a time-stamp alone', () => {
  test('covers an unsigned PDF without changing its bytes', async () => {
    const pdf = fixture('agreement.pdf');
    const { bytes, level, field } = await timestampDocument(pdf, options);
    expect(Buffer.compare(bytes.subarray(0, pdf.length), pdf)).toBe(0);
    expect({ level, field }).toEqual({ level: undefined, field: 'Timestamp1' });
    const report = await verifyDocument(bytes, { trust, at });
    expect(report).toMatchObject({
      coverage: 'full',
      signatures: [{ kind: 'document-timestamp', intact: true, timeProved: true }],
    });
  });

  test('leaves the signature of a signed PDF intact', async () => {
    const sealed = await sealPdf(fixture('agreement.pdf'), sealOptions(pki));
    const { bytes } = await timestampDocument(sealed.bytes, options);
    const { signatures } = await verifyDocument(bytes, { trust, at });
    expect(signatures.map(({ kind, intact }) => [kind, intact])).toEqual([
      ['signature', true],
      ['document-timestamp', true],
      ['document-timestamp', true],
    ]);
  });

  test('puts any other file into an ASiC-S container', async () => {
    const { bytes } = await timestampDocument(text, { ...options, name: 'minutes.txt' });
    const report = await verifyDocument(bytes, { trust, at });
    expect(report).toMatchObject({
      format: 'asic-s',
      files: [{ name: 'minutes.txt', covered: true }],
      signatures: [{ kind: 'document-timestamp', form: 'timestamp', intact: true }],
    });
  });

  test('can be renewed by archiving', async () => {
    const stamped = await timestampDocument(fixture('agreement.pdf'), options);
    const { bytes } = await augmentPdf(stamped.bytes, options);
    const { signatures } = await verifyDocument(bytes, { trust, at });
    expect(signatures.map(({ kind, intact }) => [kind, intact])).toEqual([
      ['document-timestamp', true],
      ['document-timestamp', true],
    ]);
  });

  test('is not intact after a byte was changed', async () => {
    const { bytes } = await timestampDocument(fixture('agreement.pdf'), options);
    const changed = Uint8Array.from(bytes);
    changed[200] = (changed[200] ?? 0) ^ 1;
    const { signatures } = await verifyDocument(changed, { trust, at });
    expect(signatures[0]).toMatchObject({ intact: false, indication: 'TOTAL-FAILED' });
  });

  test('is added without revocation data, with a warning', async () => {
    const { revocation: _none, ...without } = options;
    const { warnings } = await timestampDocument(fixture('agreement.pdf'), without);
    expect(warnings).toEqual([
      expect.stringMatching(/^no validation data of the time-stamp authority was added: /),
    ]);
  });

  test('needs an authority', async () => {
    const { timestampAuthority: _none, ...without } = options;
    await expect(timestampDocument(text, without)).rejects.toMatchObject({ code: 'tsa.missing' });
  });

  test.each(['../a', 'mimetype', 'META-INF/x', ''])('rejects the file name "%s"', async (name) => {
    await expect(timestampDocument(text, { ...options, name })).rejects.toMatchObject({
      code: expect.stringMatching(/^(usage|container)\.invalid$/),
    });
  });
});
