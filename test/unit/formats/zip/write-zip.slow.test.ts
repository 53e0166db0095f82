import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import {
  entryNameFault,
  readZip,
  updateZip,
  writeZip,
  type ZipEntry,
  type ZipFile,
} from '../../../../src/formats/zip/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';
import { fc } from '../../../support/property.ts';
import { fields, rawArchive } from './raw-archive.ts';

const text = (content: string): Uint8Array => Buffer.from(content);
const files: readonly ZipFile[] = [
  { name: 'mimetype', bytes: text('application/vnd.etsi.asic-e+zip'), stored: true },
  { name: 'doc one.txt', bytes: text('first document, café\n') },
  { name: 'þættir/ö.xml', bytes: text(`<r>${'line\n'.repeat(400)}</r>`) },
  { name: 'empty', bytes: new Uint8Array(0) },
];
const contentsOf = (bytes: Uint8Array): [string, string][] =>
  readZip(bytes).entries.map((each) => [each.name, Buffer.from(each.read()).toString('latin1')]);
const expected = (list: readonly ZipFile[]): [string, string][] =>
  list.map((each) => [each.name, Buffer.from(each.bytes).toString('latin1')]);
const rawData = (archive: Uint8Array, entry: ZipEntry): Buffer =>
  Buffer.from(archive.subarray(entry.place.start, entry.place.end));

describe('writeZip', () => {
  test('puts the first entry at a fixed offset, so that it can be recognised', () => {
    const bytes = Buffer.from(writeZip(files));
    expect(bytes.toString('latin1', 30, 38 + 31)).toBe('mimetypeapplication/vnd.etsi.asic-e+zip');
    expect(bytes.readUInt16LE(8)).toBe(0);
    expect(bytes.readUInt16LE(28)).toBe(0);
  });

  test('writes archives that can be read, compressed where that helps', () => {
    const bytes = writeZip(files);
    expect(contentsOf(bytes)).toEqual(expected(files));
    const methods = readZip(bytes).entries.map((each) => each.method);
    expect(methods).toEqual(['stored', 'stored', 'deflated', 'stored']);
  });

  test('is deterministic and accepts a time, in UTC', () => {
    expect(writeZip(files)).toEqual(writeZip(files));
    const timeOf = (modified?: Date): number | undefined => {
      const options = modified === undefined ? {} : { modified };
      return readZip(writeZip(files, options)).entries[0]?.record.dosTime;
    };
    expect(timeOf()).toBe(0x00210000);
    expect(timeOf(new Date('2026-11-21T12:34:57Z'))).toBe(0x5d756000 + ((34 << 5) | 28));
    expect(timeOf(new Date('1970-01-01T00:00:00Z'))).toBe(0x00210000);
    expect(timeOf(new Date('2200-01-01T00:00:00Z'))).toBe(0xff9fbf7d);
  });

  test.each([['../x'], ['/x'], ['a\\b'], ['folder/'], ['\ud800']])(
    'rejects the name %j',
    (name) => {
      expect(() => writeZip([{ name, bytes: text('x') }])).toThrow(/the (name|file) /);
    },
  );

  test('rejects names that differ only in case', () => {
    const twins = [files[1] as ZipFile, { name: 'DOC ONE.txt', bytes: text('other') }];
    expect(() => writeZip(twins)).toThrow(/have the same name/);
  });
});

describe('updateZip', () => {
  const betaCrc = crc32(text('beta'));
  // A descriptor, extra fields, a comment and a time that our own writer never produces.
  const odd = rawArchive(
    [
      { name: 'a', data: 'alpha', extra: fields([0x5455, 2], [1, 2], [3, 1]), comment: 'kept' },
      {
        name: 'b',
        data: 'beta',
        flags: 8,
        localCrc: 0,
        localSize: 0,
        localCompressed: 0,
        descriptor: fields([0x08074b50, 4], [betaCrc, 4], [4, 4], [4, 4]),
        crc: betaCrc,
      },
      { name: 'c', data: 'gamma gamma gamma gamma', method: 8 },
    ],
    { comment: 'mimetype=x/y' },
  );

  test('keeps every byte and position of other entries', () => {
    const before = readZip(odd);
    const changed = updateZip(before, { files: [{ name: 'd', bytes: text('delta') }] });
    const after = readZip(changed);
    expect(after.entries.map((each) => each.name)).toEqual(['a', 'b', 'c', 'd']);
    for (const entry of before.entries) {
      const kept = after.find(entry.name) as ZipEntry;
      expect(rawData(changed, kept)).toEqual(rawData(odd, entry));
      expect(kept.record.bytes).toEqual(entry.record.bytes);
    }
    const lastKept = before.entries.at(-1)?.place.end ?? 0;
    expect(Buffer.from(changed).subarray(0, lastKept)).toEqual(
      Buffer.from(odd).subarray(0, lastKept),
    );
    expect(Buffer.from(after.comment).toString()).toBe('mimetype=x/y');
  });

  test('replaces an existing file in place and shifts later offsets', () => {
    const longer = text('longer than before, and not like it');
    const changed = updateZip(readZip(odd), { files: [{ name: 'a', bytes: longer }] });
    expect(contentsOf(changed).map(([name]) => name)).toEqual(['a', 'b', 'c']);
    expect(contentsOf(changed)[0]?.[1]).toBe(Buffer.from(longer).toString());
    expect(readZip(changed).find('c')?.record.bytes.readUInt32LE(42)).toBe(
      readZip(changed).find('c')?.place.start,
    );
  });

  test('keeps the compressed data of a renamed entry and frees its name', () => {
    const before = readZip(odd);
    const renamed = new Map([['c', 'old/c']]);
    const changed = updateZip(before, { renamed, files: [{ name: 'c', bytes: text('new') }] });
    expect(contentsOf(changed)).toEqual([
      ['a', 'alpha'],
      ['b', 'beta'],
      ['old/c', 'gamma gamma gamma gamma'],
      ['c', 'new'],
    ]);
    const { place, record } = readZip(changed).find('old/c') as ZipEntry;
    const from = before.find('c') as ZipEntry;
    const data = changed.subarray(place.dataStart, place.dataStart + record.compressedBytes);
    const old = odd.subarray(from.place.dataStart, from.place.dataStart + data.length);
    expect(Buffer.from(data)).toEqual(Buffer.from(old));
  });

  test('updates an offset in its ZIP64 field', () => {
    const wide = (values: readonly number[]): Buffer =>
      Buffer.concat([
        fields([1, 2], [values.length * 8, 2]),
        ...values.map((value) => fields([value, 8])),
      ]);
    const second = { name: 'b', data: 'beta', offset: 0xffffffff, extra: wide([36]) };
    const archive = readZip(rawArchive([{ name: 'a', data: 'alpha' }, second]));
    const changed = updateZip(archive, { files: [{ name: 'a', bytes: text('alphabet') }] });
    expect(contentsOf(changed)).toEqual([
      ['a', 'alphabet'],
      ['b', 'beta'],
    ]);
  });

  test('rejects two files of one name, and a name in use', () => {
    const twice = [1, 2].map(() => ({ name: 'x', bytes: text('x') }));
    expect(() => updateZip(readZip(odd), { files: twice })).toThrow(/two files are named "x"/);
    expect(() => updateZip(readZip(odd), { renamed: new Map([['a', 'b']]) })).toThrow(/same name/);
    const upper = [{ name: 'B', bytes: text('x') }];
    expect(() => updateZip(readZip(odd), { files: upper })).toThrow(/have the same name/);
  });
});

const nameArbitrary = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((name) => `f-${name}`)
  .filter((name) => entryNameFault(name) === undefined && !name.endsWith('/'));
const filesArbitrary = fc.uniqueArray(
  fc.record({
    name: nameArbitrary,
    bytes: fc.uint8Array({ maxLength: 300 }),
    stored: fc.boolean(),
  }),
  {
    maxLength: 8,
    selector: (file) => file.name.normalize('NFC').toLowerCase().normalize('NFC').split('/')[0],
  },
);

describe('arbitrary files', () => {
  test('survive writing, reading and updating', () => {
    fc.assert(
      fc.property(filesArbitrary, fc.nat(8), (all, split) => {
        expect(contentsOf(writeZip(all))).toEqual(expected(all));
        const first = readZip(writeZip(all.slice(0, split)));
        expect(contentsOf(updateZip(first, { files: all.slice(split) }))).toEqual(expected(all));
      }),
      { numRuns: 300 },
    );
  });

  test('of arbitrary bytes are rejected with a container error or are an archive', () => {
    const whole = writeZip(files);
    const patch = fc.record({ at: fc.nat(whole.length - 1), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(patch, { minLength: 1, maxLength: 6 }), (patches) => {
        const bytes = Uint8Array.from(whole);
        for (const { at, value } of patches) bytes[at] = value;
        try {
          for (const entry of readZip(bytes).entries) entry.read();
        } catch (error) {
          expect(error).toHaveProperty('code', expect.stringMatching(/^container\./));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Runs a program on the archive as a file. */
function check(program: string, args: readonly string[], archive: Uint8Array): string | undefined {
  if (spawnSync(program, ['--help']).error !== undefined) return undefined;
  const folder = newTemporaryFolder('zip');
  try {
    const path = join(folder, 'archive.zip');
    writeFileSync(path, archive);
    const answer = spawnSync(program, [...args, path], { encoding: 'utf8', timeout: 20_000 });
    return `${answer.status} ${answer.stdout}${answer.stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('interoperability of ZIP archives', () => {
  const archives = [
    writeZip(files),
    updateZip(readZip(writeZip(files)), {
      files: [{ name: 'META-INF/signatures001.xml', bytes: text('<x/>'.repeat(99)) }],
      renamed: new Map([['empty', 'was empty']]),
    }),
  ];

  test('fflate reads our archives, and we read its archives', () => {
    for (const archive of archives) {
      const theirs = Object.entries(unzipSync(archive)).map(([name, bytes]) => ({ name, bytes }));
      expect(expected(theirs)).toEqual(contentsOf(archive));
    }
    const mtime = new Date(2026, 1, 1);
    const theirs = zipSync(Object.fromEntries(files.map((each) => [each.name, each.bytes])), {
      mtime,
    });
    expect(contentsOf(theirs)).toEqual(expected(files));
  });

  test.each([
    ['unzip', ['-t'], /^0 [\s\S]*No errors detected/],
    [
      'python3',
      ['-c', 'import sys,zipfile as z;a=z.ZipFile(sys.argv[1]);print(a.testzip(),a.namelist()[0])'],
      /^0 None mimetype/,
    ],
  ] as const)('%s finds no fault in our archives', (program, args, sound) => {
    for (const archive of archives) {
      const said = check(program, args, archive);
      if (said === undefined) {
        console.warn(`skipped: ${program} is not installed`);
        continue;
      }
      expect(said).toMatch(sound);
    }
  });
});
