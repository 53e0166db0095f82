import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import { beginUpdate, openPdf } from '../../../src/formats/pdf/index.ts';
import { type SealPdfOptions, sealPdf } from '../../../src/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { onePage, pdfWithTable } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
const why = hasQpdf ? '' : ' (skipped: qpdf is not installed)';
const folder = newTemporaryFolder('encrypted');
afterAll(() => rmSync(folder, { recursive: true }));
const pki = makeTestPki();
const trust = [pki.member('root').der];
const plain = join(folder, 'plain.pdf');
writeFileSync(plain, fixture('agreement.pdf'));

const OBJECT_STREAMS = '--object-streams=generate';

/** The agreement encrypted by qpdf. */
function encrypted(user: string, owner: string, bits: string, ...more: string[]): Uint8Array {
  const output = join(folder, 'encrypted.pdf');
  const args = [
    '--allow-weak-crypto',
    ...(more.includes(OBJECT_STREAMS) ? [OBJECT_STREAMS] : []),
    '--encrypt',
    user,
    owner,
    bits,
    ...more.filter((option) => option !== OBJECT_STREAMS),
    '--',
    plain,
    output,
  ];
  execFileSync('qpdf', args);
  return new Uint8Array(readFileSync(output));
}

/** The result of qpdf: `ok`, or its complaints. */
function check(bytes: Uint8Array, password: string): string {
  const path = join(folder, 'check.pdf');
  writeFileSync(path, bytes);
  const run = spawnSync('qpdf', [`--password=${password}`, '--check', path], { encoding: 'utf8' });
  return run.status === 0 ? 'ok' : run.stdout + run.stderr;
}

const outcome = (input: Uint8Array, requests: Partial<SealPdfOptions>) =>
  sealPdf(input, sealOptions(pki, { level: 'B-B', ...requests })).then(
    () => 'sealed',
    (error) => error.code,
  );

const kinds: readonly (readonly [string, string, ...string[]])[] = [
  ['RC4, 40 bits', '40'],
  ['RC4, 128 bits', '128', '--use-aes=n'],
  ['RC4, 128 bits, crypt filters', '128', '--use-aes=n', '--force-V4'],
  ['AES-128', '128', '--use-aes=y'],
  ['AES-128, metadata in clear', '128', '--use-aes=y', '--cleartext-metadata'],
  ['AES-256, revision 5', '256', '--force-R5'],
  ['AES-256', '256'],
  ['AES-256, metadata in clear', '256', '--cleartext-metadata'],
];

describe.skipIf(!hasQpdf)(`sealing encrypted documents${why}`, () => {
  describe.each(kinds)('%s', (_, bits, ...options) => {
    test.each([
      ['empty', '', 'owner', undefined],
      ['user', 'Þórunn', 'owner', 'Þórunn'],
      ['owner', 'user', 'eigandi', 'eigandi'],
    ])(
      'is sealed twice at B-LTA after opening with the password: %s',
      async (_, user, owner, given) => {
        const input = encrypted(user, owner, bits, ...options);
        const opened = given === undefined ? {} : { password: given };
        let bytes = input;
        for (let round = 0; round < 2; round++) {
          const requests = { ...opened, reason: 'Ástæða', visible: { language: 'is' } };
          const sealed = await sealPdf(bytes, sealOptions(pki, requests));
          expect(Buffer.compare(sealed.bytes.subarray(0, bytes.length), bytes)).toBe(0);
          bytes = sealed.bytes;
          expect(check(bytes, given ?? '')).toBe('ok');
        }
        const report = await verifyPdfDocument(bytes, { trust, ...opened });
        expect(report.indication).toBe('TOTAL-PASSED');
        expect(report.signatures.map(({ reason }) => reason)).toEqual(
          expect.arrayContaining(['Ástæða', 'Ástæða']),
        );
      },
    );

    test('is rejected without the password or with an incorrect one', async () => {
      const input = encrypted('user', 'owner', bits, ...options);
      expect(await outcome(input, {})).toBe('pdf.password.needed');
      expect(await outcome(input, { password: 'guess' })).toBe('pdf.password.wrong');
    });
  });

  test.each<[string, string[], Partial<SealPdfOptions>, string]>([
    ['printing only', ['--modify=none'], {}, 'pdf.permission.denied'],
    [
      'printing only, permissions ignored',
      ['--modify=none'],
      { ignorePermissions: true },
      'pdf.permission.denied',
    ],
    ['printing only, opened by the owner', ['--modify=none'], { password: 'owner' }, 'sealed'],
    ['filling fields', ['--modify=form'], {}, 'pdf.permission.denied'],
    [
      'filling fields, permissions ignored',
      ['--modify=form'],
      { ignorePermissions: true },
      'sealed',
    ],
    ['annotating', ['--modify=annotate'], {}, 'pdf.permission.denied'],
    ['everything', ['--modify=all'], {}, 'sealed'],
  ])('respects the permission for %s', async (_, options, requests, expected) => {
    expect(await outcome(encrypted('', 'owner', '256', ...options), requests)).toBe(expected);
  });

  test('supports object streams and cross-reference streams', async () => {
    const input = encrypted('', 'owner', '256', OBJECT_STREAMS);
    const { bytes } = await sealPdf(input, sealOptions(pki));
    expect(check(bytes, '')).toBe('ok');
    expect((await verifyPdfDocument(bytes, { trust })).indication).toBe('TOTAL-PASSED');
  });

  test('does not report rewritten strings of the catalog as a change', async () => {
    const [catalog = '', ...others] = onePage;
    const bytes = pdfWithTable([catalog.replace('/Pages', '/Lang(is-IS)/Pages'), ...others]);
    writeFileSync(plain, bytes);
    const input = encrypted('', 'owner', '256');
    writeFileSync(plain, fixture('agreement.pdf'));
    const sealed = await sealPdf(input, sealOptions(pki));
    expect((await verifyPdfDocument(sealed.bytes, { trust })).indication).toBe('TOTAL-PASSED');
  });

  test('reports an update that drops or swaps the encryption as INDETERMINATE', async () => {
    const { bytes } = await sealPdf(encrypted('', 'owner', '256'), sealOptions(pki));
    const file = openPdf(memorySource(bytes));
    const update = beginUpdate(file);
    update.set(update.allocate(), null);
    const tail = Buffer.from(update.finish().bytes).toString('latin1');
    const indicationWith = async (changed: string) => {
      const whole = concatBytes([bytes, Buffer.from(changed, 'latin1')]);
      return (await verifyPdfDocument(whole, { trust })).indication;
    };
    expect(await indicationWith(tail)).toBe('TOTAL-PASSED');
    const entry = /\/Encrypt \d+ 0 R/;
    expect(tail).toMatch(entry);
    const dropped = tail.replace(entry, (found) => ' '.repeat(found.length));
    expect(await indicationWith(dropped)).toBe('INDETERMINATE');
  });

  test('repairs a damaged document and reads its object streams', async () => {
    const input = encrypted('', 'owner', '256', OBJECT_STREAMS);
    // Without /W the cross-reference stream is unreadable.
    const text = Buffer.from(input).toString('latin1').replace('/W [', '/Z [');
    const damaged = Buffer.from(text, 'latin1');
    const { bytes, warnings } = await sealPdf(damaged, sealOptions(pki));
    expect(warnings.join()).toContain('damaged');
    expect((await verifyPdfDocument(bytes, { trust })).indication).toBe('TOTAL-PASSED');
  });
});
