import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { latin1Bytes } from '../../../../src/base/bytes.ts';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import { looksLikeZip, readZip } from '../../../../src/formats/zip/index.ts';
import { fields, type RawEntry, type RawFrame, rawArchive } from './raw-archive.ts';

const one: RawEntry = { name: 'a.txt', data: 'content' };
const two: RawEntry = { name: 'd/b.txt', data: 'x'.repeat(500), method: 8 };
const crcOf = (text: string): number => crc32(Buffer.from(text));

/** Names and contents, or the code and message of the error. */
function outcome(bytes: Uint8Array): string {
  try {
    const { entries } = readZip(bytes);
    return entries.map((each) => `${each.name}=${Buffer.from(each.read())}`).join('|');
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** Central and local ZIP64 fields of an entry with these sizes, and a ZIP64 end record. */
const wide = (...values: readonly number[]): Buffer =>
  Buffer.concat([fields([1, 2], [values.length * 8, 2]), ...values.map((v) => fields([v, 8]))]);

function wideEnd(count: number, bytes: number, start: number, at: number): Buffer {
  return Buffer.concat([
    fields([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 4], [0, 4]),
    fields([count, 8], [count, 8], [bytes, 8], [start, 8]),
    fields([0x07064b50, 4], [0, 4], [at, 8], [1, 4]),
  ]);
}

describe('readZip', () => {
  test('reads stored and deflated entries, folders and comments', () => {
    const archive = readZip(
      rawArchive([{ name: 'd/' }, one, { ...two, comment: 'note' }], { comment: 'hello' }),
    );
    expect(archive.entries.map((each) => [each.name, each.isFolder, each.method])).toEqual([
      ['d/', true, 'stored'],
      ['a.txt', false, 'stored'],
      ['d/b.txt', false, 'deflated'],
    ]);
    expect(Buffer.from(archive.comment).toString()).toBe('hello');
    expect(archive.find('d/b.txt')?.sizeBytes).toBe(500);
    expect(archive.find('D/B.TXT')).toBeUndefined();
  });

  test('reads an archive without entries', () => {
    expect(readZip(rawArchive([])).entries).toEqual([]);
  });

  const deflated = deflateRawSync(Buffer.from('content'));
  const numbers = [crcOf('content'), deflated.length, 7] as const;
  const [crc, compressed, size] = numbers;
  const streamed: RawEntry = { ...one, method: 8, flags: 8 };
  const zero = { localCrc: 0, localSize: 0, localCompressed: 0 };
  test.each([
    ['12 bytes', fields([crc, 4], [compressed, 4], [size, 4])],
    ['16 bytes', fields([0x08074b50, 4], [crc, 4], [compressed, 4], [size, 4])],
    ['20 bytes', fields([crc, 4], [compressed, 8], [size, 8])],
    ['24 bytes', fields([0x08074b50, 4], [crc, 4], [compressed, 8], [size, 8])],
  ])('reads a data descriptor of %s', (_, descriptor) => {
    for (const local of [zero, {}]) {
      const archive = rawArchive([{ ...streamed, ...local, descriptor }, two]);
      expect(outcome(archive)).toBe(`a.txt=content|d/b.txt=${'x'.repeat(500)}`);
    }
  });

  test('reads an archive with data descriptors inside another archive', () => {
    const inner = rawArchive([
      { ...streamed, ...zero, descriptor: fields([crc, 4], [compressed, 4], [size, 4]) },
    ]);
    const sizes = [[inner.length, 4] as const, [inner.length, 4] as const];
    const descriptor = fields([0x08074b50, 4], [crc32(inner), 4], ...sizes);
    const archive = readZip(
      rawArchive([{ name: 'in.zip', data: inner, flags: 8, ...zero, descriptor }]),
    );
    expect(Buffer.from(archive.entries[0]?.read() ?? [])).toEqual(Buffer.from(inner));
  });

  test('reads ZIP64 fields and records whose values fit the classic fields', () => {
    const max = 0xffffffff;
    const entry = {
      ...one,
      size: max,
      compressed: max,
      offset: max,
      extra: wide(7, 7, 0),
      localExtra: wide(7, 7),
    };
    const local = 30 + 5 + 20 + 7;
    const central = 46 + 5 + 28;
    const frame = { count: 0xffff, centralBytes: max, centralStart: max };
    const behindCentral = wideEnd(1, central, local, local + central);
    expect(outcome(rawArchive([entry], { ...frame, behindCentral }))).toBe('a.txt=content');
    expect(outcome(rawArchive([entry], { behindCentral }))).toBe('a.txt=content');
    const other = wideEnd(2, central, local, local + central);
    expect(outcome(rawArchive([entry], { behindCentral: other }))).toMatch(/disagree/);
  });

  test('reads UTF-8 names, with and without the flag', () => {
    for (const flags of [0, 0x800]) {
      const archive = rawArchive([{ ...one, name: 'þæti/ö€😀.txt', flags }]);
      expect(outcome(archive)).toBe('þæti/ö€😀.txt=content');
    }
  });

  test('looksLikeZip recognises archives only', () => {
    expect(looksLikeZip(rawArchive([one]))).toBe(true);
    expect(looksLikeZip(rawArchive([]))).toBe(true);
    expect(looksLikeZip(latin1Bytes('%PDF-1.7'))).toBe(false);
    expect(looksLikeZip(new Uint8Array(0))).toBe(false);
  });
});

const bomb = deflateRawSync(Buffer.alloc(1 << 20));
const unixPath = (name: string): Buffer =>
  Buffer.concat([fields([0x7075, 2], [5 + name.length, 2], [1, 1], [0, 4]), Buffer.from(name)]);

/** Programs that read from the start search for a descriptor: they see this end after 64 bytes. */
function storedWith(width: 4 | 8): RawEntry {
  const shown = 'a'.repeat(64);
  const early = fields([0x08074b50, 4], [crcOf(shown), 4], [64, width], [64, width]);
  const data = Buffer.concat([Buffer.from(shown), early, Buffer.from('and more')]);
  const sizes = fields([data.length, 4], [data.length, 4]);
  const descriptor = Buffer.concat([fields([0x08074b50, 4], [crc32(data), 4]), sizes]);
  return { ...one, data, flags: 8, localCrc: 0, localSize: 0, localCompressed: 0, descriptor };
}

/** Archives in which two programs could see different contents, and false statements. */
const hostile: readonly (readonly [string, readonly RawEntry[], RawFrame, RegExp])[] = [
  [
    'data before the first entry',
    [one],
    { before: latin1Bytes('MZ') },
    /byte 0, found it at byte 2/,
  ],
  ['data between entries', [{ ...one, gap: latin1Bytes('hidden data') }, two], {}, /unknown data/],
  [
    'a hidden entry before the directory',
    [{ ...one, gap: rawArchive([two]) }],
    {},
    /unknown data at byte 42/,
  ],
  ['data after the directory', [one], { behindCentral: latin1Bytes('x') }, /does not end where/],
  ['data after the end', [one], { after: latin1Bytes('\n') }, /does not end with the ZIP/],
  ['a comment longer than stated', [one], { comment: 'abc', commentBytes: 1 }, /does not end with/],
  ['an end record in the comment', [one], { comment: 'PK\x05\x06' }, /end record/],
  [
    'a whole archive in the comment',
    [one],
    { comment: Buffer.from(rawArchive([])).toString('latin1') },
    /directory does not end|first entry/,
  ],
  ['too few records', [one, two], { count: 1 }, /more than its 1 entries/],
  ['too many records', [one], { count: 2 }, /no record of the central directory/],
  ['a directory at another offset', [one], { centralStart: 3 }, /does not end where/],
  ['several disks', [one], { disk: 1 }, /split over several files/],
  ['entries on other disks', [one, two], { countHere: 1 }, /split over several files/],
  ['an entry on another disk', [{ ...one, disk: 1 }], {}, /another disk/],
  ['a directory in another order', [one, two], { order: [1, 0] }, /first entry/],
  ['two records of one entry', [one, { ...two, offset: 0 }], {}, /no local header|reaches into/],
  ['an offset after the directory', [one, { ...two, offset: 1 << 30 }], {}, /is not before/],
  ['overlapping entries', [{ ...one, compressed: 20, size: 20 }, two], {}, /reaches into|checksum/],
  ['another local name', [{ ...one, localName: 'b.txt' }], {}, /a different name/],
  ['another local method', [{ ...one, localMethod: 8 }], {}, /a different method/],
  ['different local flags', [{ ...one, localFlags: 0x800 }], {}, /different flags/],
  ['another local size', [{ ...one, localSize: 6 }], {}, /a different size/],
  ['another local checksum', [{ ...one, localCrc: 1 }], {}, /a different size or checksum/],
  ['an incorrect checksum', [{ ...one, crc: 5 }], {}, /checksum of "a.txt" is incorrect/],
  ['stored with two sizes', [{ ...one, size: 6 }], {}, /states two sizes/],
  ['a size too small', [{ ...two, size: 499 }], {}, /more than the 499/],
  ['a size too large', [{ ...two, size: 501 }], {}, /has 500 bytes, not 501/],
  ['an impossible size', [{ ...two, size: 1 << 20 }], {}, /cannot expand to/],
  [
    'a bomb that understates its size',
    [{ ...one, method: 8, raw: bomb, size: 9 }],
    {},
    /more than the 9/,
  ],
  [
    'data after the deflate stream',
    [{ ...one, method: 8, raw: Buffer.concat([deflateRawSync(Buffer.from('content')), bomb]) }],
    {},
    /unknown data after the compressed/,
  ],
  ['damaged deflate', [{ ...one, method: 8, raw: latin1Bytes('\xff\xff\xff') }], {}, /is damaged/],
  [
    'a truncated deflate stream',
    [{ ...two, raw: deflateRawSync(Buffer.from('x'.repeat(500))).subarray(0, 4) }],
    {},
    /is damaged/,
  ],
  ['no data for deflate', [{ name: 'e', method: 8, raw: new Uint8Array(0) }], {}, /is damaged/],
  ['encryption', [{ ...one, flags: 1 }], {}, /is encrypted/],
  ['strong encryption', [{ ...one, flags: 0x41 }], {}, /is encrypted/],
  ['masked headers', [{ ...one, flags: 0x2000 }], {}, /flags 0x2000/],
  ['a different method', [{ ...one, method: 12 }], {}, /method 12/],
  [
    'an incorrect descriptor',
    [{ ...one, flags: 8, descriptor: fields([1, 4], [7, 4], [7, 4]) }],
    {},
    /descriptor of "a.txt" is not/,
  ],
  ['a missing descriptor', [{ ...one, flags: 8 }], {}, /0 bytes after/],
  ['an odd descriptor', [{ ...one, flags: 8, gap: Buffer.alloc(13) }], {}, /13 bytes after/],
  ['a symbolic link', [{ ...one, madeBy: 0x314, external: 0xa1ff0000 }], {}, /symbolic link/],
  [
    'a truncated extra field',
    [{ ...one, extra: fields([9, 2], [5, 2]) }],
    {},
    /extra field .* is truncated/,
  ],
  ['a truncated local extra field', [{ ...one, localExtra: Buffer.alloc(3) }], {}, /is truncated/],
  ['two ZIP64 fields', [{ ...one, extra: Buffer.concat([wide(1), wide(1)]) }], {}, /two ZIP64/],
  [
    'a short ZIP64 field',
    [{ ...one, size: 0xffffffff, extra: wide() }],
    {},
    /ZIP64 field .* truncated/,
  ],
  ['a second name', [{ ...one, extra: unixPath('b.txt') }], {}, /has a second name/],
  ['a second local name', [{ ...one, localExtra: unixPath('b.txt') }], {}, /a different name/],
  ['content in a folder', [{ name: 'd/', data: 'x' }], {}, /has content/],
  ['a name in a code page', [{ ...one, name: latin1Bytes('\x91.txt') }], {}, /UTF-8/],
  ['equal names', [one, one], {}, /have the same name/],
  ['names that differ in case', [one, { ...two, name: 'A.TXT' }], {}, /have the same name/],
  [
    'names that differ in the form of accents',
    [
      { ...one, name: 'caf\u00e9' },
      { ...two, name: 'cafe\u0301' },
    ],
    {},
    /have the same name/,
  ],
  [
    'a file and a folder',
    [
      { ...one, name: 'x' },
      { ...one, name: 'x!' },
      { ...two, name: 'X/y' },
    ],
    {},
    /"x" is a file and, in "X\/y", a folder/,
  ],
  ['a file and an empty folder', [{ ...one, name: 'x' }, { name: 'x/' }], {}, /have the same name/],
  [
    'a ZIP64 locator to nowhere',
    [one],
    { behindCentral: fields([0x07064b50, 4], [0, 4], [1n << 60n, 8], [1, 4]) },
    /does not lead to/,
  ],
  [
    'ZIP64 with a gap',
    [one],
    {
      behindCentral: Buffer.concat([
        wideEnd(1, 51, 42, 93).subarray(0, 56),
        Buffer.alloc(9),
        wideEnd(1, 51, 42, 93).subarray(56),
      ]),
    },
    /ZIP64 end record does not end/,
  ],
  [
    'extensible data in the ZIP64 end record',
    [one],
    {
      behindCentral: Buffer.concat([
        wideEnd(1, 51, 42, 93).subarray(0, 4),
        fields([44 + 9, 8]),
        wideEnd(1, 51, 42, 93).subarray(12, 56),
        Buffer.alloc(9),
        wideEnd(1, 51, 42, 93).subarray(56),
      ]),
    },
    /ZIP64 end record has extra data/,
  ],
  ['a data descriptor inside of stored data', [storedWith(4), two], {}, /data descriptor inside/],
  [
    'a 64-bit data descriptor inside stored data',
    [storedWith(8), two],
    {},
    /data descriptor inside/,
  ],
];

describe('a hostile archive', () => {
  test.each(hostile)('is rejected: %s', (_, entries, frame, message) => {
    const said = outcome(rawArchive(entries, frame));
    expect(said).toMatch(/^container\.invalid /);
    expect(said).toMatch(message);
  });

  test.each([
    '/etc/passwd',
    '../x',
    'a/../b',
    'a/./b',
    './a',
    'a//b',
    '..',
    'C:/x',
    'c:x',
    'a\\b',
    'a\0b',
    'a\nb',
    'a\x7f',
    '',
    '/',
    'x'.repeat(1_025),
    'x/'.repeat(33),
    `e${'\u0301'.repeat(31)}`,
  ])('is rejected for the name %j', (name) => {
    expect(outcome(rawArchive([{ ...one, name }]))).toMatch(/^container\.invalid the name /);
  });

  test('is rejected above the limits', () => {
    const counted = rawArchive([one], { count: 0xffff });
    expect(outcome(counted)).toMatch(/^container\.limit expected at most 65534 entries/);
    const size = 513 * 1024 * 1024;
    const large = rawArchive([{ ...one, method: 8, size, compressed: size }]);
    expect(outcome(large)).toMatch(
      /^container\.limit expected at most \d+ bytes of the entry "a\.txt"/,
    );
    const piece = { method: 8, raw: new Uint8Array(1 << 16), size: 60 * 1024 * 1024 };
    const many = ['a', 'b', 'c'].map((name) => ({ ...piece, name }));
    expect(outcome(rawArchive(many))).toMatch(
      /^container\.limit expected at most 134217728 bytes of content/,
    );
    // A larger archive may contain more: 32 bytes per byte of its own, and a gigabyte at most.
    const padded = (bytes: number) => {
      const raw = new Uint8Array(1 << 19);
      const large = ['a', 'b', 'c'].map((name) => ({ name, method: 8, raw, size: 500 << 20 }));
      return outcome(rawArchive([{ name: 'r', data: new Uint8Array(bytes) }, ...large]));
    };
    expect(padded(8 << 20)).toMatch(/^container\.limit expected at most 318\d{6} bytes of content/);
    expect(padded(40 << 20)).toMatch(
      /^container\.limit expected at most 1073741824 bytes of content/,
    );
  });

  test('within the limits decompresses to its stated size only', () => {
    const content = Buffer.alloc(32 * 1024 * 1024);
    const entry = readZip(rawArchive([{ name: 'zeros', method: 8, data: content }])).entries[0];
    expect(entry?.read().length).toBe(content.length);
  });

  test('that was truncated or changed is rejected or has the same contents', () => {
    const whole = rawArchive(
      [
        one,
        two,
        {
          ...one,
          name: 'c',
          flags: 8,
          method: 8,
          descriptor: fields(
            [crcOf('content'), 4],
            [deflateRawSync(Buffer.from('content')).length, 4],
            [7, 4],
          ),
        },
      ],
      { comment: 'c' },
    );
    const sound = outcome(whole);
    expect(sound).not.toMatch(/^container/);
    for (let length = 0; length < whole.length; length++) {
      expect(outcome(whole.subarray(0, length))).toMatch(/^container\./);
    }
    const contents = (said: string): string => said.replace(/[^|=]*=/g, '=');
    for (let at = 0; at < whole.length; at++) {
      for (const bit of [1, 0x80, 0xff]) {
        const changed = Uint8Array.from(whole);
        changed[at] = (changed[at] as number) ^ bit;
        const said = outcome(changed);
        if (!said.startsWith('container.')) expect(contents(said)).toBe(contents(sound));
      }
    }
  });
});
