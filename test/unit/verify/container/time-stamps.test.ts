import { describe, expect, test } from 'vitest';
import { addArchiveStamp } from '../../../../src/app/documents/container/archive-stamp.ts';
import { buildAsic, buildAsicManifest, readAsic } from '../../../../src/formats/asic/index.ts';
import { digestUri } from '../../../../src/formats/xmldsig/index.ts';
import { readZip } from '../../../../src/formats/zip/index.ts';
import { digestOf } from '../../../../src/trust/signature.ts';
import { cadesTimestamps } from '../../../support/cades.ts';
import {
  containerBy,
  contentOf,
  fileOf,
  judgeContainer,
  withFiles,
  withText,
} from '../../../support/containers.ts';
import { dayMs, tokenBy, tsaExtensions } from '../../../support/hand-signed.ts';
import { makeTestPki } from '../../../support/pki.ts';

const pki = makeTestPki();
const token = tokenBy(pki, pki.member('tsa'), pki.nowMs - dayMs);
const data = fileOf('a.txt');
const dataFiles = [{ name: data.name, bytes: data.content }];
const evil = Buffer.from('evil\n');

const simple = buildAsic({
  kind: 'asic-s',
  dataFiles,
  metaFiles: [{ name: 'META-INF/timestamp.tst', bytes: token(data.content) }],
});

/** A manifest of the files with a token over it. */
function stamped(
  name: string,
  stamp: string,
  names: readonly string[],
  container: Uint8Array,
  issue: (data: Uint8Array) => Uint8Array = token,
) {
  const bytes = buildAsicManifest({
    signature: { name: stamp, mimeType: 'application/vnd.etsi.timestamp-token' },
    dataObjects: names.map((each) => ({
      name: each,
      mimeType: undefined,
      digestMethod: digestUri('sha256'),
      digestValue: digestOf('sha256', contentOf(container, each)),
    })),
  });
  return withFiles(container, { [name]: bytes, [stamp]: issue(bytes) });
}

describe('a container with only a time-stamp', () => {
  const bare = buildAsic({ kind: 'asic-e', dataFiles, metaFiles: [] });
  const extended = stamped(
    'META-INF/ASiCManifest001.xml',
    'META-INF/timestamp001.tst',
    ['a.txt'],
    bare,
  );

  test.each([
    ['asic-s', simple, 'META-INF/timestamp.tst'],
    ['asic-e', extended, 'META-INF/timestamp001.tst'],
  ])('(%s) passes with full coverage', (format, container, file) => {
    const report = judgeContainer(pki, container);
    expect(report).toMatchObject({
      format,
      indication: 'TOTAL-PASSED',
      signatures: [{ kind: 'document-timestamp', form: 'timestamp', file, intact: true }],
      files: [{ name: 'a.txt', covered: true }],
    });
    expect(report.signatures[0]?.references.at(-1)).toMatchObject({ target: 'a.txt' });
  });

  test.each([
    ['asic-s', simple],
    ['asic-e', extended],
  ])('(%s) fails if its data was changed', (_, container) => {
    const report = judgeContainer(pki, withFiles(container, { 'a.txt': evil }));
    expect(report).toMatchObject({
      signatures: [{ indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE', intact: false }],
      files: [{ covered: false }],
    });
  });

  test('does not cover a file that was added', () => {
    const report = judgeContainer(pki, withFiles(extended, { 'b.txt': evil }));
    expect(report.files.map(({ covered }) => covered)).toEqual([true, false]);
    expect(report.signatures[0]?.findings).toContainEqual(
      expect.objectContaining({ code: 'container.file.uncovered' }),
    );
  });

  test('is INDETERMINATE if its manifest lists META-INF', () => {
    const other = { 'META-INF/x.xml': evil };
    const listed = stamped(
      'META-INF/ASiCManifest001.xml',
      'META-INF/timestamp001.tst',
      ['a.txt', 'META-INF/x.xml'],
      withFiles(bare, other),
    );
    expect(judgeContainer(pki, listed).signatures[0]).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'FORMAT_FAILURE',
      intact: false,
    });
  });

  test('is INDETERMINATE without a manifest', () => {
    const name = 'META-INF/ASiCManifest001.xml';
    expect(judgeContainer(pki, withFiles(extended, { [name]: undefined }))).toMatchObject({
      indication: 'INDETERMINATE',
      signatures: [{ kind: 'document-timestamp', subIndication: 'FORMAT_FAILURE' }],
      files: [{ covered: false }],
    });
  });
});

describe('an archive time-stamp of a container', async () => {
  const longTerm = await containerBy(pki, { format: 'cades', level: 'B-LT' });
  const timestamps = cadesTimestamps(pki);
  const archived = await addArchiveStamp(readAsic(readZip(longTerm)), timestamps);
  const renewed = await addArchiveStamp(readAsic(readZip(archived)), timestamps);

  const levelOf = (container: Uint8Array) =>
    judgeContainer(pki, container).signatures.find(({ kind }) => kind === 'signature')?.level;

  test('raises a CAdES signature to B-LTA', () => {
    expect(levelOf(longTerm)).toBe('B-LT');
    expect(levelOf(archived)).toBe('B-LTA');
    expect(levelOf(renewed)).toBe('B-LTA');
  });

  test('is renewed in a chain whose newest manifest has no number', () => {
    const { entries } = readZip(renewed);
    expect(entries.map(({ name }) => name).slice(-4)).toEqual([
      'META-INF/ASiCArchiveManifest001.xml',
      'META-INF/timestamp001.tst',
      'META-INF/ASiCArchiveManifest.xml',
      'META-INF/timestamp002.tst',
    ]);
    const newest = Buffer.from(contentOf(renewed, 'META-INF/ASiCArchiveManifest.xml')).toString();
    expect(newest).toMatch(/ASiCArchiveManifest001\.xml" MimeType="text\/xml" Rootfile="true"/);
    expect(newest).not.toContain('mimetype');
    const stamps = judgeContainer(pki, renewed).signatures.filter(
      ({ kind }) => kind !== 'signature',
    );
    expect(stamps).toMatchObject([
      { indication: 'TOTAL-PASSED', timeProved: true },
      { indication: 'TOTAL-PASSED', timeProved: true },
    ]);
  });

  test.each([['META-INF/ASiCArchiveManifest.xml'], ['META-INF/timestamp001.tst']])(
    'without %s raises nothing',
    (name) => {
      expect(levelOf(withFiles(archived, { [name]: undefined }))).toBe('B-LT');
    },
  );

  test('that lists less than the signature covers raises nothing', () => {
    const less = stamped(
      'META-INF/ASiCArchiveManifest.xml',
      'META-INF/timestamp001.tst',
      ['a.txt', 'META-INF/signature001.p7s', 'META-INF/ASiCManifest001.xml'],
      longTerm,
    );
    expect(judgeContainer(pki, less).indication).toBe('TOTAL-PASSED');
    expect(levelOf(less)).toBe('B-LT');
  });

  test('does not extend the coverage of the signature', () => {
    const added = withFiles(longTerm, { 'evil.txt': evil });
    const names = readZip(added).entries.flatMap(({ name }) => (name === 'mimetype' ? [] : name));
    const over = stamped(
      'META-INF/ASiCArchiveManifest.xml',
      'META-INF/timestamp001.tst',
      names,
      added,
    );
    const report = judgeContainer(pki, over);
    expect(report.files.find(({ name }) => name === 'evil.txt')?.covered).toBe(false);
    expect(report.signatures[0]?.findings).toContainEqual(
      expect.objectContaining({ code: 'container.file.uncovered' }),
    );
  });

  test('fails if anything it covers was changed', () => {
    const name = 'META-INF/ASiCArchiveManifest001.xml';
    const edited = withText(renewed, name, (text) => text.replace('text/plain', 'text/html'));
    const stamps = judgeContainer(pki, edited).signatures.filter(
      ({ kind }) => kind !== 'signature',
    );
    expect(stamps.map(({ subIndication }) => subIndication)).toEqual([
      'HASH_FAILURE',
      'HASH_FAILURE',
    ]);
    expect(levelOf(edited)).toBe('B-LT');
  });

  test('whose manifest lists the time-stamp itself is refused', () => {
    const name = 'META-INF/ASiCArchiveManifest.xml';
    const listed = withText(archived, name, (text) =>
      text.replace('URI="a.txt"', 'URI="META-INF/timestamp001.tst"'),
    );
    const stamp = judgeContainer(pki, listed).signatures.at(-1);
    expect(stamp?.references).toContainEqual(expect.objectContaining({ status: 'refused' }));
  });

  test('outlives its authority if another one covers it', async () => {
    const ago = (days: number) => pki.nowMs - days * dayMs;
    const old = pki.issue({
      name: 'old tsa',
      notBeforeMs: ago(20),
      notAfterMs: ago(10),
      extensions: tsaExtensions,
    });
    const names = readZip(longTerm).entries.flatMap(({ name }) =>
      name === 'mimetype' ? [] : name,
    );
    const early = stamped(
      'META-INF/ASiCArchiveManifest.xml',
      'META-INF/timestamp001.tst',
      names,
      longTerm,
      tokenBy(pki, old, ago(15)),
    );
    const stampsOf = (container: Uint8Array, changes = {}) =>
      judgeContainer(pki, container, changes).signatures.filter(({ kind }) => kind !== 'signature');
    const open = { indication: 'INDETERMINATE', subIndication: 'OUT_OF_BOUNDS_NO_POE' };
    expect(stampsOf(early)).toMatchObject([open]);
    const late = await addArchiveStamp(readAsic(readZip(early)), timestamps);
    expect(stampsOf(late)).toMatchObject([
      { indication: 'INDETERMINATE' },
      { indication: 'TOTAL-PASSED' },
    ]);
    const between = stamped(
      'META-INF/ASiCArchiveManifest002.xml',
      'META-INF/timestamp002.tst',
      [...names, 'META-INF/ASiCArchiveManifest.xml', 'META-INF/timestamp001.tst'],
      early,
      tokenBy(pki, pki.member('tsa'), ago(12)),
    );
    const times = { thisUpdateMs: ago(14), nextUpdateMs: ago(7) };
    const given = { ocsp: [], crls: [pki.crl(pki.member('ca'), times)] };
    expect(stampsOf(between, { revocation: { mode: 'ignore', given } })).toMatchObject([
      { indication: 'TOTAL-PASSED', timeProved: true },
      { indication: 'TOTAL-PASSED', timeProved: true },
    ]);
    expect(stampsOf(between)).toMatchObject([open, { indication: 'TOTAL-PASSED' }]);
  });

  test('is limited in number', () => {
    const many = Array.from({ length: 33 }, (_, i) => [`META-INF/timestamp9${i}.tst`, evil]);
    expect(() => judgeContainer(pki, withFiles(archived, Object.fromEntries(many)))).toThrow(
      expect.objectContaining({ code: 'limit.exceeded' }),
    );
  });
});
