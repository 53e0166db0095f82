import { describe, expect, test } from 'vitest';
import {
  archiveManifestName,
  asicMimeTypes,
  buildAsic,
  nextArchiveNames,
  nextCadesNames,
  nextXadesName,
  readAsic,
} from '../../../../src/formats/asic/index.ts';
import { readZip, writeZip, type ZipFile } from '../../../../src/formats/zip/index.ts';
import { rawArchive } from '../zip/raw-archive.ts';

const text = (content: string): Uint8Array => Buffer.from(content);
const file = (name: string): ZipFile => ({ name, bytes: text(name) });
const mimetype = (value: string, stored = true): ZipFile => ({
  name: 'mimetype',
  bytes: text(value),
  stored,
});

/** The kind and the codes of all violations, or the error message. */
function outcome(files: readonly (ZipFile | string)[]): string {
  const whole = files.map((each) => (typeof each === 'string' ? file(each) : each));
  const { kind, faults } = readAsic(readZip(writeZip(whole)));
  return [kind, ...faults.map((each) => each.code)].join(' ');
}

const simple = mimetype(asicMimeTypes['asic-s']);
const extended = mimetype(asicMimeTypes['asic-e']);

describe('the kind of a container', () => {
  test.each<[string, (ZipFile | string)[], string]>([
    ['S by mimetype', [simple, 'a.txt', 'META-INF/signatures.xml'], 'asic-s'],
    ['E by mimetype', [extended, 'a.txt', 'META-INF/signatures001.xml'], 'asic-e'],
    ['E without a signature', [extended, 'a.txt'], 'asic-e'],
    ['S by files', ['a.txt', 'META-INF/signature.p7s'], 'asic-s'],
    ['S with a time-stamp', ['a.txt', 'META-INF/timestamp.tst'], 'asic-s'],
    ['S with an evidence record', ['a.txt', 'META-INF/evidencerecord.ers'], 'asic-s'],
    [
      'S with the media type of its data',
      [mimetype('text/plain'), 'a.txt', 'META-INF/signatures.xml'],
      'asic-s',
    ],
    ['E by two data files', ['a.txt', 'b.txt', 'META-INF/signatures.xml'], 'asic-e'],
    ['E by its manifest', ['a', 'META-INF/signature.p7s', 'META-INF/ASiCManifest.xml'], 'asic-e'],
    ['E by a folder', ['x/a.txt', 'META-INF/signatures.xml'], 'asic-e'],
    [
      'S with the media type of data of an unknown kind',
      [mimetype('application/x-a'), 'a.xyz', 'META-INF/signatures.xml'],
      'asic-s',
    ],
    [
      'S with an unrelated media type',
      [mimetype('application/pdf'), 'a.txt', 'META-INF/signatures.xml'],
      'asic-s mimetype',
    ],
    [
      'E with an unrelated media type',
      [mimetype('application/epub+zip'), 'a.txt', 'META-INF/signatures001.xml'],
      'asic-e mimetype',
    ],
    [
      'S with the media type of OpenDocument',
      [mimetype('application/vnd.oasis.opendocument.text'), 'a.txt', 'META-INF/signatures.xml'],
      'asic-e mimetype',
    ],
    [
      'BDOC',
      [
        mimetype('application/vnd.bdoc-1.0'),
        'a',
        'META-INF/manifest.xml',
        'META-INF/signatures0.xml',
      ],
      'asic-e',
    ],
    [
      'OpenDocument',
      [
        mimetype('application/vnd.oasis.opendocument.text'),
        'content.xml',
        'META-INF/manifest.xml',
        'META-INF/documentsignatures.xml',
      ],
      'asic-e',
    ],
  ])('is recognised from mimetype and files: %s', (_, files, expected) => {
    expect(outcome(files)).toBe(expected);
  });

  test('is recognised from the comment of the archive', () => {
    const entries = [{ name: 'a' }, { name: 'META-INF/signatures.xml' }];
    const comment = `mimetype=${asicMimeTypes['asic-e']}`;
    const container = readAsic(readZip(rawArchive(entries, { comment })));
    expect([container.kind, container.mimetype]).toEqual(['asic-e', asicMimeTypes['asic-e']]);
  });

  test('is required: other archives are rejected', () => {
    expect(() => outcome(['a.txt', 'META-INF/MANIFEST.MF'])).toThrow(/not an ASiC container/);
    expect(() => outcome([mimetype('application/epub+zip'), 'a'])).toThrow(/not an ASiC container/);
    expect(() => outcome(['a', 'META-INF/deep/signatures.xml'])).toThrow(/not an ASiC container/);
  });
});

describe('rules for containers', () => {
  test.each<[string, (ZipFile | string)[], string]>([
    ['two data files in S', [simple, 'a', 'b', 'META-INF/signatures.xml'], 'asic-s data.count'],
    ['no data in S', [simple, 'META-INF/signatures.xml'], 'asic-s data.count'],
    ['no data in E', [extended, 'META-INF/signatures.xml'], 'asic-e data.count'],
    ['data in a folder of S', [simple, 'x/a', 'META-INF/signatures.xml'], 'asic-s data.place'],
    [
      'two signature files in S',
      [simple, 'a', 'META-INF/signatures.xml', 'META-INF/signature.p7s'],
      'asic-s signature.count',
    ],
    ['no signature in S', [simple, 'a'], 'asic-s signature.count'],
    ['a numbered name in S', [simple, 'a', 'META-INF/signatures1.xml'], 'asic-s signature.name'],
    [
      'a manifest in S',
      [simple, 'a', 'META-INF/signature.p7s', 'META-INF/ASiCManifest1.xml'],
      'asic-s manifest.unexpected',
    ],
    ['a late mimetype', ['a', simple, 'META-INF/signatures.xml'], 'asic-s mimetype.place'],
    [
      'white space in mimetype',
      [mimetype(`${asicMimeTypes['asic-s']}\n`), 'a', 'META-INF/signatures.xml'],
      'asic-s mimetype.content',
    ],
    [
      'a long mimetype',
      [mimetype('x'.repeat(257)), 'a', 'META-INF/signatures.xml'],
      'asic-s mimetype.content',
    ],
  ])('report a violation: %s', (_, files, expected) => {
    expect(outcome(files)).toBe(expected);
  });

  test('forbid a compressed mimetype, an extra field and a conflicting comment', () => {
    const data = asicMimeTypes['asic-e'];
    const rest = [{ name: 'a' }, { name: 'META-INF/signatures.xml' }];
    const codes = (bytes: Uint8Array): string[] =>
      readAsic(readZip(bytes)).faults.map((each) => each.code);
    expect(codes(rawArchive([{ name: 'mimetype', data, method: 8 }, ...rest]))).toEqual([
      'mimetype.form',
    ]);
    const localExtra = Buffer.from([0x55, 0x54, 0, 0]);
    expect(codes(rawArchive([{ name: 'mimetype', data, localExtra }, ...rest]))).toEqual([
      'mimetype.form',
    ]);
    const comment = `mimetype=${asicMimeTypes['asic-s']}`;
    expect(codes(rawArchive([{ name: 'mimetype', data }, ...rest], { comment }))).toEqual([
      'mimetype.content',
    ]);
  });

  test('permit an archive time-stamp beside the signature of an ASiC-S', () => {
    const files = [simple, 'a', 'META-INF/timestamp.tst', 'META-INF/timestamp001.tst'];
    expect(outcome(files)).toBe('asic-s signature.count');
    expect(outcome([...files, archiveManifestName])).toBe('asic-s');
  });
});

test('files are classified by name, case-insensitively', () => {
  const names = [
    'mimetype',
    'meta-inf/signatures.xml',
    'x/META-INF/signatures.xml',
    'mimetype.txt',
    'META-INF/my-SIGNATURES-1.XML',
    'META-INF/documentsignatures.xml',
    'META-INF/signature-a.p7s',
    'META-INF/x-timestamp.tst',
    'META-INF/evidencerecord1.xml',
    'META-INF/ASiCManifest7.xml',
    'META-INF/asicmanifest.xml',
    'META-INF/oldASiCArchiveManifest.xml',
    'META-INF/ASiCEvidenceRecordManifest.xml',
    'META-INF/manifest.xml',
    'META-INF/container.xml',
    'META-INF/deep/signatures.xml',
    'META-INF/signature.txt',
  ];
  const files = names.map((name) => (name === 'mimetype' ? extended : file(name)));
  const container = readAsic(readZip(writeZip(files)));
  const typed = (list: readonly { name: string; type: string }[]): string[] =>
    list.map((each) => `${each.type} ${each.name.replace('META-INF/', '')}`);
  expect(container.dataFiles.map((each) => each.name)).toEqual([
    'meta-inf/signatures.xml',
    'x/META-INF/signatures.xml',
    'mimetype.txt',
  ]);
  expect(typed(container.signatureFiles)).toEqual([
    'xades my-SIGNATURES-1.XML',
    'xades documentsignatures.xml',
    'cades signature-a.p7s',
    'timestamp x-timestamp.tst',
    'evidence-record evidencerecord1.xml',
    'xades deep/signatures.xml',
  ]);
  expect(typed(container.manifests)).toEqual([
    'signature ASiCManifest7.xml',
    'signature asicmanifest.xml',
    'archive oldASiCArchiveManifest.xml',
    'evidence-record ASiCEvidenceRecordManifest.xml',
    'open-document manifest.xml',
  ]);
  expect(container.otherFiles.map((each) => each.name)).toEqual([
    'META-INF/container.xml',
    'META-INF/signature.txt',
  ]);
});

describe('buildAsic', () => {
  test('writes mimetype, data files and META-INF in this order', () => {
    const dataFiles = [file('a.txt'), file('b/c.txt')];
    const metaFiles = [file('META-INF/signatures001.xml')];
    const bytes = buildAsic({ kind: 'asic-e', dataFiles, metaFiles });
    const container = readAsic(readZip(bytes));
    expect(container.faults).toEqual([]);
    expect(container.archive.entries.map((each) => each.name)).toEqual([
      'mimetype',
      'a.txt',
      'b/c.txt',
      'META-INF/signatures001.xml',
    ]);
    expect(buildAsic({ kind: 'asic-e', dataFiles, metaFiles })).toEqual(bytes);
  });

  test.each<[string, 'asic-s' | 'asic-e', string[], RegExp]>([
    ['no data', 'asic-e', [], /needs a data file/],
    ['two files in S', 'asic-s', ['a', 'b'], /exactly one data file/],
    ['a folder in S', 'asic-s', ['x/a'], /exactly one data file/],
    ['data in META-INF', 'asic-e', ['Meta-Inf/x'], /reserved name/],
    ['data named mimetype', 'asic-e', ['MimeType'], /reserved name/],
  ])('rejects %s', (_, kind, names, message) => {
    const contents = { kind, dataFiles: names.map(file), metaFiles: [] };
    expect(() => buildAsic(contents)).toThrow(message);
  });
});

describe('names of new files', () => {
  test('use the first number for which all of them are free', () => {
    expect(nextXadesName([])).toBe('META-INF/signatures001.xml');
    const taken = ['META-INF/Signatures001.XML', 'META-INF/signatures003.xml'];
    expect(nextXadesName(taken)).toBe('META-INF/signatures002.xml');
    expect(nextCadesNames(['META-INF/signature001.p7s', 'META-INF/ASiCManifest002.xml'])).toEqual({
      signature: 'META-INF/signature003.p7s',
      manifest: 'META-INF/ASiCManifest003.xml',
    });
  });

  test('of an archive manifest rename the current one', () => {
    const first = nextArchiveNames(['META-INF/signature001.p7s']);
    expect(first).toEqual({
      signature: 'META-INF/timestamp001.tst',
      manifest: archiveManifestName,
      renamed: new Map(),
    });
    const second = nextArchiveNames([first.signature, first.manifest]);
    expect(second.signature).toBe('META-INF/timestamp002.tst');
    expect([...second.renamed]).toEqual([
      [archiveManifestName, 'META-INF/ASiCArchiveManifest001.xml'],
    ]);
  });
});
