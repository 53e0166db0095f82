import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../src/base/errors.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../src/formats/cms/index.ts';
import { verifyDocument } from '../../src/index.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { craftCms, meaningless } from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';
import { sampleOf } from '../support/sample.ts';

// For any bytes: a report or an error code within two seconds of CPU time.

const pki = makeTestPki();
const signer = pki.member('signer');
const content = Buffer.from('content');

async function outcome(bytes: Uint8Array): Promise<string> {
  const startMs = cpuMs();
  try {
    const { indication } = await verifyDocument(bytes, { trust: [pki.member('root').der] });
    return indication;
  } catch (error) {
    if (isInnsigliError(error)) return error.code;
    throw error;
  } finally {
    expect(cpuMs() - startMs).toBeLessThan(2_000);
  }
}

describe('XML that is not UTF-8', () => {
  const text = (name: string) => `<?xml version="1.0" encoding="${name}"?><a>é</a>`;
  const utf16 = (mark: string) => Buffer.from(mark + text('UTF-16'), 'utf16le');
  const utf32 = (mark: string): Buffer => {
    const points = [...(mark + text('UTF-32'))].map((each) => each.codePointAt(0) ?? 0);
    const bytes = Buffer.alloc(4 * points.length);
    for (const [at, point] of points.entries()) bytes.writeUInt32LE(point, 4 * at);
    return bytes;
  };
  const cases: Readonly<Record<string, Uint8Array>> = {
    'UTF-16 with a BOM': utf16('\ufeff'),
    'UTF-16 without a BOM': utf16(''),
    'UTF-16, big endian, with a BOM': utf16('\ufeff').swap16(),
    'UTF-16, big endian, without a BOM': utf16('').swap16(),
    'UTF-32 with a BOM': utf32('\ufeff'),
    'UTF-32 without a BOM': utf32(''),
    'UTF-32, big endian, with a BOM': utf32('\ufeff').swap32(),
    'UTF-32, big endian, without a BOM': utf32('').swap32(),
    EBCDIC: Buffer.from('4c6fa79493406585', 'hex'),
    'ISO-8859-1': Buffer.from(text('ISO-8859-1'), 'latin1'),
    'windows-1252': Buffer.from(text('windows-1252'), 'latin1'),
    'UTF-7': Buffer.from(text('UTF-7')),
    'Latin-1 bytes without a declaration': Buffer.from('<a>é</a>', 'latin1'),
    'a declaration that contradicts the bytes': Buffer.from(text('UTF-16')),
  };
  test.each(Object.entries(cases))(
    'is rejected with xml.encoding.unsupported: %s',
    async (_, bytes) => {
      expect(await outcome(bytes)).toBe('xml.encoding.unsupported');
    },
  );
});

describe('XML with a document type or long names', () => {
  const long = 'a'.repeat(1 << 20);
  test.each([
    ['a document type', '<!DOCTYPE a><a/>', 'xml.dtd.forbidden'],
    ['entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'xml.dtd.forbidden'],
    ['a long document type', `<!DOCTYPE ${long} [ ]><a/>`, 'xml.dtd.forbidden'],
    ['a long element', `<${long}/>`, 'xml.limit'],
    ['a long attribute', `<a ${long}="1"/>`, 'xml.limit'],
    ['a long namespace', `<a xmlns="urn:${long}"/>`, 'xml.limit'],
  ])('is rejected with its code: %s', async (_, text, code) => {
    expect(await outcome(Buffer.from(text))).toBe(code);
  });
});

describe('oversized and malformed CMS files', () => {
  const made = (changes: Partial<Parameters<typeof craftCms>[0]>) =>
    craftCms({ content, embedded: content, signers: [{ signer }], ...changes });
  const nested = () => {
    let value = der.nil();
    for (let depth = 0; depth < 4_000; depth++) value = der.sequence(value);
    return value;
  };
  const cases: Readonly<Record<string, () => Uint8Array>> = {
    'a thousand signers': () => made({ signers: new Array(1_000).fill({ signer }) }),
    'a hundred thousand certificates': () =>
      made({ certificates: new Array(100_000).fill(der.sequence(der.nil())) }),
    'a hundred thousand CRLs': () =>
      made({ crls: new Array(100_000).fill(der.sequence(der.nil())) }),
    'thousands of attributes': () =>
      made({ signers: [{ signer, attributes: (list) => [...list, ...many(20_000)] }] }),
    'thousands of unsigned attributes': () =>
      made({ signers: [{ signer, unsigned: many(20_000) }] }),
    'a thousand time-stamps': () =>
      made({
        signers: [
          {
            signer,
            unsigned: new Array(1_000).fill(
              buildAttribute(oids.signatureTimeStampToken, der.sequence(der.nil())),
            ),
          },
        ],
      }),
    'a deeply nested attribute': () =>
      made({
        signers: [{ signer, attributes: (list) => [...list, buildAttribute('2.999.1', nested())] }],
      }),
    'a one-megabyte name': () =>
      made({ contentType: `1.2.${new Array(200_000).fill('3').join('.')}` }),
    'content of fifteen megabytes': () => made({ embedded: new Uint8Array(15 << 20) }),
    'false lengths': () => Buffer.concat([made({}).subarray(0, 60), Buffer.alloc(1 << 20, 0x30)]),
    'indefinite lengths without end-of-contents': () =>
      Buffer.concat([
        Buffer.of(0x30, 0x80),
        der.oid(oids.signedData),
        Buffer.alloc(1 << 16, Buffer.of(0xa0, 0x80)),
      ]),
    'one megabyte of empty PEM': () =>
      Buffer.from(`-----BEGIN CMS-----\n${'A'.repeat(1 << 20)}\n-----END CMS-----\n`),
  };
  const many = (count: number) => Array.from({ length: count }, (_, at) => meaningless(at));
  test.each(sampleOf(Object.entries(cases), 3))('do not pass: %s', async (_, make) => {
    expect(await outcome(make())).not.toBe('TOTAL-PASSED');
  });
});
