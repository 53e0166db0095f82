import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hexOf, latin1Bytes } from '../../../src/base/bytes.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { openSecurity, type PdfSecurity } from '../../../src/formats/pdf/encryption/index.ts';
import { readPermissions } from '../../../src/formats/pdf/encryption/permissions.ts';
import { rc4 } from '../../../src/formats/pdf/encryption/rc4.ts';
import {
  asArray,
  asDict,
  type PdfDict,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  PdfString,
  pdfName,
} from '../../../src/formats/pdf/syntax/objects.ts';
import { fc } from '../../support/property.ts';

const hex = (digits: string) => new PdfString(Buffer.from(digits, 'hex'), true);
const dictOf = (entries: Record<string, PdfObject>): PdfDict => new Map(Object.entries(entries));
const fileId = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
const filterOf = (method: string): Record<string, PdfObject> => ({
  CF: dictOf({ StdCF: dictOf({ CFM: pdfName(method) }) }),
  StmF: pdfName('StdCF'),
  StrF: pdfName('StdCF'),
});
const standard = { Filter: pdfName('Standard'), P: -4 };
const owner128 = '0ba3835f88f90388e74e54584125ce142be0de24c6b0d37746e075b891756671';
const user128 = 'bb5a1876ea714b9f85467bc7af435b7a0122456a91bae5134273a6db134c87c4';
const modern = (revision: number, values: readonly string[]) => ({
  ...standard,
  ...filterOf('AESV3'),
  V: 5,
  R: revision,
  ...Object.fromEntries(
    ['O', 'OE', 'U', 'UE', 'Perms'].map((key, i) => [key, hex(values[i] as string)]),
  ),
});

/** Dictionaries made by qpdf, with the passwords «user» and «owner». */
const dictionaries: Readonly<Record<string, Record<string, PdfObject>>> = {
  'RC4-40': {
    ...standard,
    V: 1,
    R: 2,
    O: hex('94e8094419662a774442fb072e3d9f19e9d130ec09a4d0061e78fe920f7ab62f'),
    U: hex('80fc3da3cb96a4ce9b8e9e6e4b1714fbc10e41c2cfbfb235edef6bec4c4a6630'),
  },
  'RC4-128': { ...standard, V: 2, R: 3, Length: 128, O: hex(owner128), U: hex(user128) },
  'AES-128': { ...standard, ...filterOf('AESV2'), V: 4, R: 4, O: hex(owner128), U: hex(user128) },
  'AES-256, R5': modern(5, [
    '6b4e3af6fdfd80b4e7204431b5d542b1c46f21d2cfde6b520badb12e7ce7144a850ebf05289a46ada1c9a95062489452',
    'eb1dc55561b15edefebd272b7f155d2b155e550ec5d10794847985ced0e10908',
    '28ea6294005677a423904c520a765de93eb6495624100b6539a4c4b67b14b206a5499064c62337e2ca616cabf364cd46',
    'c68120a49945a66de6d68b9f31342b6f2d36b7d8233e84c6b42934cf47818c96',
    '66510e78aaf638e426a0e7d84eb89e90',
  ]),
  'AES-256, R6': modern(6, [
    '6d66c5689a3922eb90599be8cc8a5d30039e34196ccb427429a37524ab30c07651e1fb61d47be47abd0c1126b1fc3bc1',
    '4e99f73c9b56843ba52e0029705e8a0320652b1d786dcbff87bc42972d2176cd',
    'eb7f12e4b670865bc6588117b4c498f93c6633b80c69edebcc8e9f5164ef91a1a8cafd35a7c7d6cbbf7d0acfd0c72b7e',
    'dfbe6b90d1805d8eec6cd8b0bfad1e71b33c910c0bca88a60cef0af7a7387865',
    '7b3a56131222c39348a1970481a50654',
  ]),
};
const names = Object.keys(dictionaries);
const resolve = (value: PdfObject | undefined): PdfObject => value ?? null;

function open(
  name: string,
  password?: string,
  changes: Record<string, PdfObject | undefined> = {},
) {
  const dict = new Map(Object.entries({ ...dictionaries[name], ...changes }));
  for (const [key, value] of dict) if (value === undefined) dict.delete(key);
  return openSecurity(dict as PdfDict, resolve, fileId, password);
}

function codeOf(action: () => unknown): string {
  try {
    action();
    return 'none';
  } catch (error) {
    if (error instanceof InnsigliError) return error.code;
    throw error;
  }
}

test.each([
  ['Key', 'Plaintext', 'bbf316e8d940af0ad3'],
  ['Wiki', 'pedia', '1021bf0420'],
])('RC4 encrypts with the key %s', (key, text, expected) => {
  expect(hexOf(rc4(latin1Bytes(key), latin1Bytes(text)))).toBe(expected);
});

describe.each(names)('encryption with %s', (name) => {
  test('accepts the user and owner passwords only', () => {
    expect(open(name, 'user').access).toBe('user');
    expect(open(name, 'owner').access).toBe('owner');
    expect(codeOf(() => open(name))).toBe('pdf.password.needed');
    expect(codeOf(() => open(name, 'User'))).toBe('pdf.password.wrong');
  });

  test('grants all permissions of the fixture', () => {
    expect(Object.values(open(name, 'user').permissions)).not.toContain(false);
  });

  test('changes strings and streams, and decryption restores them', () => {
    const security = open(name, 'user');
    const bytes = fc.uint8Array({ maxLength: 70 });
    const number = fc.integer({ min: 1, max: 8_388_607 });
    fc.assert(
      fc.property(bytes, bytes, number, fc.integer({ min: 0, max: 65_535 }), (a, b, n, g) => {
        const inner = dictOf({ Text: new PdfString(a), List: [new PdfString(b), 1, pdfName('N')] });
        const stream = new PdfStream(inner, b);
        const written = security.encrypt(new PdfReference(n, g), stream) as PdfStream;
        const read = security.decrypt(n, g, written) as PdfStream;
        expect(hexOf(read.raw)).toBe(hexOf(b));
        expect(hexOf(textOf(read.dict))).toBe(hexOf(a));
        const [item, ...others] = asArray(read.dict.get('List')) ?? [];
        expect(hexOf((item as PdfString).bytes)).toBe(hexOf(b));
        expect(others).toEqual([1, pdfName('N')]);
        if (a.length > 8) expect(hexOf(textOf(written.dict))).not.toBe(hexOf(a));
      }),
      { numRuns: 40, seed: 4 },
    );
  });

  test('decrypts any string and data without an error', () => {
    const security = open(name, 'user');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (data) => {
        const value = security.decrypt(1, 99_999_999, new PdfStream(new Map(), data)) as PdfStream;
        expect(value.raw.length).toBeLessThanOrEqual(data.length);
      }),
      { numRuns: 40, seed: 4 },
    );
  });

  const wrong: readonly PdfObject[] = [
    null,
    -1,
    1e9,
    true,
    pdfName('X'),
    [],
    new Map(),
    hex(''),
    hex('00'),
  ];
  const keys = [
    'V',
    'R',
    'P',
    'O',
    'U',
    'OE',
    'UE',
    'Perms',
    'Length',
    'CF',
    'StmF',
    'StrF',
    'EFF',
    'Filter',
  ];
  test.each(keys)('rejects an invalid /%s with a code, or opens it', (key) => {
    for (const value of wrong) {
      const code = codeOf(() => {
        const security = open(name, 'user', { [key]: value });
        security.decrypt(1, 0, new PdfString(new Uint8Array(48)));
      });
      expect(code).toMatch(/^(none|pdf\.(encryption|password)\.)/);
    }
  });
});

const textOf = (dict: PdfDict) => (dict.get('Text') as PdfString).bytes;

test.each<[string, string, Record<string, PdfObject | undefined>, string]>([
  ['another handler', 'RC4-40', { Filter: pdfName('Adobe.PubSec') }, 'pdf.encryption.unsupported'],
  ['a negative version', 'RC4-40', { V: -1 }, 'pdf.encryption.unsupported'],
  ['a short /O', 'RC4-128', { O: hex('00') }, 'pdf.encryption.invalid'],
  ['a short /U', 'AES-256, R6', { U: hex('00') }, 'pdf.encryption.invalid'],
  ['no /P', 'AES-128', { P: undefined }, 'pdf.encryption.invalid'],
  ['no /CF', 'AES-128', { CF: undefined }, 'pdf.encryption.invalid'],
  ['a key too short for its cipher', 'AES-128', filterOf('AESV3'), 'pdf.encryption.unsupported'],
  ['an unknown cipher', 'AES-128', filterOf('AESV9'), 'pdf.encryption.unsupported'],
  ['a huge /Length', 'RC4-128', { Length: 2 ** 40 }, 'none'],
  ['no /Length', 'RC4-128', { Length: undefined }, 'none'],
  ['a length in bytes', 'RC4-128', { Length: 16 }, 'none'],
])('the encryption dictionary leads to the expected code: %s', (_, name, changes, code) => {
  expect(codeOf(() => open(name, 'user', changes))).toBe(code);
});

test('a short key of revision 4 opens the file', () => {
  // As made by Acrobat, without a password; metadata is in clear.
  const dict = dictOf({
    ...standard,
    ...filterOf('V2'),
    EncryptMetadata: false,
    V: 4,
    R: 4,
    Length: 40,
    P: -3392,
    O: hex('8a1dae2eb45c5cc580269a1e4a4bbee55881274b427f3f92465ecbea7bff2334'),
    U: hex('7f995c2cf48b82990a16f1d52f34ea5400000000000000000000000000000000'),
  });
  const id = Buffer.from('061046f3e5aef840af0a1519dae542b6', 'hex');
  expect(openSecurity(dict, resolve, id, undefined).access).toBe('user');
});

describe('64-bit keys', () => {
  const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const padding = Buffer.from(
    '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
    'hex',
  );
  const padded = (text: string) => Buffer.concat([latin1Bytes(text), padding]).subarray(0, 32);
  const again = (start: Buffer, hashed: number) => {
    let value = start;
    for (let i = 0; i < 50; i++) value = md5(value.subarray(0, hashed));
    return value.subarray(0, 8);
  };
  const locked = (key: Uint8Array, start: Uint8Array) => {
    let value = start;
    for (let i = 0; i < 20; i++) {
      value = rc4(
        key.map((byte) => byte ^ i),
        value,
      );
    }
    return value;
  };

  test.each([
    ['all bytes, as ISO 32000 specifies', 16],
    ['as many bytes as the key has', 8],
  ])('work with the owner password hashed over %s', (_, hashed) => {
    const owner = locked(again(md5(padded('owner')), hashed), padded('user'));
    const flags = Buffer.from('fcffffff', 'hex');
    const key = again(md5(padded('user'), owner, flags, fileId), 8);
    const user = locked(key, md5(padding, fileId));
    const entries = { O: new PdfString(owner), U: new PdfString(user), Length: 64 };
    expect(open('RC4-128', 'owner', entries).access).toBe('owner');
    expect(open('RC4-128', 'user', entries).access).toBe('user');
    expect(codeOf(() => open('RC4-128', 'other', entries))).toBe('pdf.password.wrong');
  });
});

test('several invalid entries give an error with a code, or a usable key', () => {
  const any = fc.oneof(
    fc.constantFrom<PdfObject>(null, true, [], new Map(), new PdfReference(1)),
    fc.constantFrom('None', 'V2', 'AESV2', 'AESV3', 'StdCF', 'Identity', 'X').map(pdfName),
    fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1, 2, 4, 5, 6, 40, 128, 256)),
    fc.uint8Array({ maxLength: 130 }).map((bytes) => new PdfString(bytes)),
    fc.constantFrom('V2', 'AESV2', 'AESV3').map((method) => filterOf(method)['CF'] as PdfObject),
  );
  const key = fc.constantFrom(
    ...['V', 'R', 'P', 'O', 'U', 'OE', 'UE', 'Perms', 'Length'],
    ...['CF', 'StmF', 'StrF', 'EFF', 'EncryptMetadata'],
  );
  const changes = fc.dictionary(key, any, { maxKeys: 4 });
  const data = new Uint8Array(48);
  fc.assert(
    fc.property(fc.constantFrom(...names), changes, (name, entries) => {
      const code = codeOf(() => {
        const security = open(name, 'user', entries);
        const stream = new PdfStream(dictOf({ Text: new PdfString(data) }), data);
        const written = security.encrypt(new PdfReference(7), stream) as PdfStream;
        const read = security.decrypt(7, 0, new PdfStream(written.dict, written.raw)) as PdfStream;
        expect(hexOf(read.raw)).toBe(hexOf(data));
        expect(hexOf(textOf(read.dict))).toBe(hexOf(data));
      });
      expect(code).toMatch(/^(none|pdf\.(encryption|password)\.)/);
    }),
    { numRuns: 500, seed: 4 },
  );
});

test.each([
  [-4, 'AES-256, R6', true],
  [-3904, 'AES-256, R6', false],
  [-3904, 'AES-256, R5', false],
])('/P %i in %s: permissions are granted only if /Perms confirms them', (flags, name, granted) => {
  expect(open(name, 'user', { P: flags }).permissions.modify).toBe(granted);
  expect(open(name, 'user', { P: flags, Perms: hex('00'.repeat(16)) }).permissions.modify).toBe(
    false,
  );
});

test.each([
  [0, 3, ''],
  [1 << 8, 3, 'fillForms'],
  [1 << 8, 2, ''],
  [1 << 3, 3, 'modify'],
  [1 << 5, 3, 'annotate fillForms'],
  [1 << 5, 2, 'annotate fillForms'],
])('flags %i of revision %i permit: %s', (flags, revision, expected) => {
  const granted = Object.entries(readPermissions(flags, revision)).filter(([, value]) => value);
  expect(granted.map(([key]) => key).join(' ')).toBe(expected);
});

describe('the scope of encryption', () => {
  const clear = new PdfString(latin1Bytes('in clear, and long enough to see'));
  const data = latin1Bytes('data');
  const rawOf = (security: PdfSecurity, entries: Record<string, PdfObject>) => {
    const stream = new PdfStream(dictOf(entries), data);
    return (security.encrypt(new PdfReference(1), stream) as PdfStream).raw;
  };
  const security = open('AES-128', 'user');

  test('excludes the contents of a signature and raw bytes', () => {
    const signature = dictOf({ ByteRange: [0, 1, 2, 3], Contents: clear, Reason: clear });
    const read = asDict(security.decrypt(1, 0, signature));
    expect(read?.get('Contents')).toBe(clear);
    expect(read?.get('Reason')).not.toEqual(clear);
    const raw = new PdfRaw(data);
    const written = asDict(security.encrypt(new PdfReference(1), dictOf({ Contents: raw })));
    expect(written?.get('Contents')).toBe(raw);
  });

  const crypt = (name?: string): Record<string, PdfObject> => ({
    Filter: [pdfName('Crypt'), pdfName('FlateDecode')],
    DecodeParms: [dictOf(name === undefined ? {} : { Name: pdfName(name) }), null],
  });
  test.each<[string, Record<string, PdfObject>, Record<string, PdfObject>, boolean]>([
    ['a cross-reference stream', {}, { Type: pdfName('XRef') }, true],
    ['metadata', {}, { Type: pdfName('Metadata') }, false],
    ['the filter Identity', {}, crypt('Identity'), true],
    ['a Crypt filter with no name', {}, crypt(), true],
    ['the filter StdCF', { StmF: pdfName('Identity') }, crypt('StdCF'), false],
    ['streams in clear', { StmF: pdfName('Identity') }, {}, true],
    [
      'attachments',
      { StmF: pdfName('Identity'), EFF: pdfName('StdCF') },
      { Type: pdfName('EmbeddedFile') },
      false,
    ],
    ['the method None', filterOf('None'), {}, true],
  ])('is decided for %s', (_, changes, entries, inClear) => {
    const lock = open('AES-128', 'user', changes);
    expect(hexOf(rawOf(lock, entries)) === hexOf(data)).toBe(inClear);
  });

  test('includes a stream with a missing crypt filter, which fails when its data is read', () => {
    const stream = new PdfStream(dictOf(crypt('Nowhere')), data);
    const value = security.decrypt(1, 0, stream) as PdfStream;
    expect(codeOf(() => value.raw)).toBe('pdf.encryption.invalid');
  });

  test('excludes metadata if /EncryptMetadata is false', () => {
    // With AES-256 the key does not depend on it.
    const lock = open('AES-256, R6', 'user', { EncryptMetadata: false });
    expect(lock.encryptMetadata).toBe(false);
    expect(rawOf(lock, { Type: pdfName('Metadata') })).toEqual(data);
    expect(rawOf(lock, {})).not.toEqual(data);
  });
});
