import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { hexOf, latin1Bytes, memorySource } from '../../../src/base/bytes.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import {
  asArray,
  asDict,
  asName,
  beginUpdate,
  decodeText,
  openPdf,
  type PdfFile,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../../../src/formats/pdf/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { addObjects, onePage, PdfBuilder } from '../../support/pdf-builder.ts';

const noQpdf = spawnSync('qpdf', ['--version']).error !== undefined;
const whyQpdf = noQpdf ? ' (skipped: qpdf is absent)' : '';
const corpora = fileURLToPath(new URL('../../../../shared/corpora', import.meta.url));
const manifest = join(corpora, 'manifest.tsv');
const absent = !existsSync(manifest);
const whyCorpora = absent ? ' (skipped: ../shared/corpora is absent)' : whyQpdf;
const folder = newTemporaryFolder('encryption');
afterAll(() => rmSync(folder, { recursive: true }));

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The objects as qpdf decrypts them, by `obj:N G R`. */
function objectsByQpdf(path: string, password: string): Readonly<Record<string, Json>> {
  const run = spawnSync(
    'qpdf',
    [
      `--password=${password}`,
      '--password-mode=unicode',
      '--json=2',
      '--json-key=qpdf',
      '--json-stream-data=inline',
      '--decode-level=none',
      path,
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  return JSON.parse(run.stdout).qpdf[1];
}

/** Differences between our value and that of qpdf. Counts the strings and streams. */
function* differences(
  ours: PdfObject | undefined,
  theirs: Json | undefined,
  file: PdfFile,
  counts: { strings: number; streams: number },
): Generator<string> {
  if (typeof theirs === 'string' && /^[ub]:/.test(theirs)) {
    counts.strings++;
    if (!(ours instanceof PdfString)) yield `a string is expected: ${theirs}`;
    else if (`u:${decodeText(ours)}` !== theirs && `b:${hexOf(ours.bytes)}` !== theirs) {
      yield `${theirs} is b:${hexOf(ours.bytes)}`;
    }
  } else if (Array.isArray(theirs)) {
    const items = asArray(ours) ?? [];
    for (let i = 0; i < theirs.length; i++) yield* differences(items[i], theirs[i], file, counts);
  } else if (typeof theirs === 'object' && theirs !== null) {
    const { stream } = theirs as { stream?: { dict: Json; data: string } };
    if (stream !== undefined) {
      counts.streams++;
      if (!(ours instanceof PdfStream)) return yield 'a stream is expected';
      yield* differences(ours.dict, stream.dict, file, counts);
      if (Buffer.from(stream.data, 'base64').compare(ours.raw) !== 0) yield 'other stream data';
    } else {
      const dict = asDict(ours);
      for (const [key, value] of Object.entries(theirs)) {
        yield* differences(dict?.get(key.slice(1)), value, file, counts);
      }
    }
  }
}

/** Compares each object with what qpdf reads. */
function compare(path: string, password: string) {
  const options = password === '' ? {} : { password };
  const file = openPdf(memorySource(new Uint8Array(readFileSync(path))), options);
  const counts = { strings: 0, streams: 0 };
  const different: string[] = [];
  const encrypt = file.trailer.get('Encrypt');
  for (const [key, theirs] of Object.entries(objectsByQpdf(path, password))) {
    const [, number, generation] = /^obj:(\d+) (\d+) R$/.exec(key) ?? [];
    if (number === undefined) continue;
    if (encrypt instanceof PdfReference && encrypt.objectNumber === Number(number)) continue;
    const ours = file.read(new PdfReference(Number(number), Number(generation)));
    const value = (theirs as { value?: Json }).value ?? theirs;
    for (const difference of differences(ours, value, file, counts)) {
      different.push(`${key}: ${difference}`);
    }
  }
  return { file, counts, different };
}

const plain = join(folder, 'plain.pdf');

/** Strings at many depths, metadata, an attachment, empty values and a block of plain text. */
function writePlain(): void {
  const page = onePage.map((body) =>
    body.replace('/Type/Catalog', '/Type/Catalog/Metadata 4 0 R/X 6 0 R'),
  );
  const builder = addObjects(new PdfBuilder(), page)
    .stream(4, '/Type/Metadata/Subtype/XML', '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .stream(5, '/Type/EmbeddedFile/Params<</CheckSum(0123456789abcdef)>>', 'an attachment')
    .object(6, '[(a)[<</B(b)/C[<00ff>()]>>(exactly sixteen.)]5 0 R 7 0 R 8 0 R]')
    .stream(7, '/Note(of an empty stream)', '')
    .stream(8, '', Buffer.alloc(4096, 7));
  writeFileSync(plain, builder.end(builder.table({ trailer: '/ID[(0123456789abcdef)(0)]' })).bytes);
}

const variants: readonly (readonly [string, string, ...string[]])[] = [
  ['V1 R2, RC4-40', '40'],
  ['V2 R3, RC4-128', '128', '--use-aes=n'],
  ['V4 R4, RC4-128', '128', '--use-aes=n', '--force-V4'],
  ['V4 R4, RC4-128, clear metadata', '128', '--use-aes=n', '--cleartext-metadata'],
  ['V4 R4, AES-128', '128', '--use-aes=y'],
  ['V4 R4, AES-128, clear metadata', '128', '--use-aes=y', '--cleartext-metadata'],
  ['V5 R5, AES-256', '256', '--force-R5'],
  ['V5 R5, AES-256, clear metadata', '256', '--force-R5', '--cleartext-metadata'],
  ['V5 R6, AES-256', '256'],
  ['V5 R6, AES-256, clear metadata', '256', '--cleartext-metadata'],
];

describe.skipIf(noQpdf)(`files encrypted by qpdf${whyQpdf}`, () => {
  test.each(variants)('can be opened and agree with qpdf: %s', (_, bits, ...options) => {
    writePlain();
    const path = join(folder, 'encrypted.pdf');
    const words = ['--encrypt', 'Þórunn', 'eigandi ö', bits, ...options, '--'];
    execFileSync('qpdf', [
      '--allow-weak-crypto',
      '--object-streams=preserve',
      ...words,
      plain,
      path,
    ]);
    for (const [password, access] of [
      ['Þórunn', 'user'],
      ['eigandi ö', 'owner'],
    ] as const) {
      const { file, counts, different } = compare(path, password);
      expect(different).toEqual([]);
      expect(counts.streams).toBeGreaterThanOrEqual(4);
      expect(counts.strings).toBeGreaterThanOrEqual(7);
      expect(file.security?.access).toBe(access);
    }

    // And back: our update as qpdf reads it.
    const before = new Uint8Array(readFileSync(path));
    const file = openPdf(memorySource(before), { password: 'Þórunn' });
    const update = beginUpdate(file);
    const added = update.allocate();
    const text = new PdfString(latin1Bytes('sixteen bytes !'));
    const content = new PdfStream(new Map([['Text', text]]), latin1Bytes('content'));
    update.set(added, content);
    update.set(file.catalogReference, new Map([...file.catalog, ['Added', added]]));
    writeFileSync(path, Buffer.concat([before, update.finish().bytes]));
    const key = `obj:${added.objectNumber} 0 R`;
    expect(objectsByQpdf(path, 'eigandi ö')[key]).toMatchObject({
      stream: { dict: { '/Text': 'u:sixteen bytes !' }, data: btoa('content') },
    });
    expect(compare(path, 'Þórunn').different).toEqual([]);
  });
});

/** Files that do not open with any password of the manifest, and why. */
const closed: Readonly<Record<string, string>> = {
  'pdf-lib/assets/pdfs/encrypted_new.pdf': 'pdf.password.needed',
  'pdf-lib/assets/pdfs/encrypted_old.pdf': 'pdf.password.needed',
  'pdfjs/test/pdfs/PDFBOX-4352-0.pdf': 'pdf.syntax.invalid',
  'pdfjs/test/pdfs/poppler-742-0-fuzzed.pdf': 'pdf.xref.invalid',
  'qpdf/qpdf/qtest/qpdf/bad-content.pdf': 'pdf.notpdf',
};
const invalidDictionary = /malformed-encrypt-dict2|malformed-oe|malformed-perms/;

/** Objects that qpdf reads differently: a signature without /Type, an attachment under /EFF. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  'issue17069.pdf': ['obj:125 0 R'],
  'embedded-encrypted-nocf.pdf': ['obj:7 0 R'],
};

/**
 * Not supported by qpdf: passwords to normalise, encryption of attachments alone, short keys of
 * revision 4.
 */
const beyondQpdf = /saslprep-r6|encrypted-attachment|issue19484/;

/** Passwords that the tests of these files use but the manifest omits. */
const recorded: Readonly<Record<string, string>> = {
  'pdfjs/test/pdfs/pr6531_1.pdf': 'asdfasdf',
  'qpdf/qpdf/qtest/qpdf/c-r3.pdf': 'owner2',
  'qpdf/qpdf/qtest/qpdf/c-r4.pdf': 'user2',
  'qpdf/qpdf/qtest/qpdf/enc-long-password.pdf': 'asdf asdf asdf asdf asdf asdf qwer',
};

const rows = absent
  ? []
  : readFileSync(manifest, 'utf8')
      .split('\n')
      .map((row) => row.split('\t'));
const encryptedFiles = rows
  .filter(([, kind = '']) => kind.includes('enc:') && !kind.includes('PubSec'))
  .map(([path = '', , said = '']) => {
    const quoted = /opens with password "([^"]*)"/.exec(said)?.[1];
    const password = recorded[path] ?? quoted ?? /pw=(\S+)/.exec(said)?.[1] ?? '';
    return [path, password] as const;
  });

describe.skipIf(absent || noQpdf)(`encrypted files of the corpora${whyCorpora}`, () => {
  test('are listed in the manifest', () => {
    expect(encryptedFiles.length).toBeGreaterThan(60);
  });

  test.each(encryptedFiles.filter(([path]) => beyondQpdf.test(path)))(
    'can be decoded: %s',
    (path, password) => {
      const source = memorySource(new Uint8Array(readFileSync(join(corpora, path))));
      const file = openPdf(source, password === '' ? {} : { password });
      let decoded = 0;
      for (let number = 1; number < file.objectCount; number++) {
        const value = file.read(new PdfReference(number));
        const isPlain = value instanceof PdfStream && !asArray(value.dict.get('Filter'));
        if (isPlain && file.locate(number)?.kind === 'offset') {
          const type = asName(value.dict.get('Type'))?.value;
          if (type !== 'EmbeddedFile') decoded += file.decode(value).length;
        }
      }
      expect(decoded).toBeGreaterThan(0);
    },
  );

  test.each(encryptedFiles.filter(([path]) => !beyondQpdf.test(path)))(
    'are decrypted as by qpdf: %s',
    (path, password) => {
      const code =
        closed[path] ?? (invalidDictionary.test(path) ? 'pdf.encryption.invalid' : 'opened');
      let different: readonly string[] = [];
      try {
        ({ different } = compare(join(corpora, path), password));
      } catch (error) {
        expect(isInnsigliError(error) ? error.code : error).toBe(code);
        return;
      }
      expect('opened').toBe(code);
      const expected = otherwise[path.split('/').at(-1) as string] ?? [];
      expect(different.map((line) => line.slice(0, line.indexOf(': ')))).toEqual(expected);
    },
  );

  test.each([
    ['small-rc4.pdf', 'user', 'user'],
    ['small-aes128.pdf', 'user', 'user'],
    ['small-aes256.pdf', 'owner', 'owner'],
    ['small-aes256-emptyuser.pdf', '', 'user'],
  ])('agree with qpdf: inputs/%s', (name, password, access) => {
    const { file, different } = compare(join(corpora, 'inputs', name), password);
    expect(different).toEqual([]);
    expect(file.security?.access).toBe(access);
  });

  test('are rejected with public-key handlers', () => {
    const others = rows.filter(([, kind = '']) => kind.includes('enc:PubSec'));
    expect(others.length).toBeGreaterThan(10);
    for (const [path = ''] of others) {
      const source = memorySource(new Uint8Array(readFileSync(join(corpora, path))));
      expect(() => openPdf(source), path).toThrow(
        expect.objectContaining({ code: 'pdf.encryption.unsupported' }),
      );
    }
  });
});
