import { describe, expect, test } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import type { ZipArchive, ZipEntry, ZipMethod } from '../../../../src/formats/zip/index.ts';
import { digestOf } from '../../../../src/trust/signature.ts';
import { containerContents } from '../../../../src/verify/container/contents.ts';

/** An archive of one entry that counts how often it is read. */
function counted(sizeBytes: number, method: ZipMethod = 'deflated') {
  const content = new Uint8Array(sizeBytes);
  let reads = 0;
  const entry = {
    name: 'a',
    isFolder: false,
    method,
    sizeBytes,
    read() {
      reads++;
      return content;
    },
  } as unknown as ZipEntry;
  const archive = { entries: [entry], find: (name: string) => (name === 'a' ? entry : undefined) };
  const contents = containerContents(archive as unknown as ZipArchive);
  return { contents, content, reads: () => reads };
}

const large = limits.containerKeptBytes + 1;

describe('container contents', () => {
  test.each([
    ['small', 1000, 'deflated', 1],
    ['large', large, 'deflated', 3],
    ['large and stored, which is a view', large, 'stored', 1],
  ] as const)('decompress a file this often: %s', (_, sizeBytes, method, expected) => {
    const { contents, content, reads } = counted(sizeBytes, method);
    for (let i = 0; i < 3; i++) expect(contents.read('a')).toBe(content);
    expect(reads()).toBe(expected);
  });

  test('compute each digest once and cache no content for it', () => {
    const { contents, content, reads } = counted(1000);
    for (let i = 0; i < 3; i++) {
      for (const algorithm of ['sha256', 'sha512'] as const) {
        expect(contents.digest('a', algorithm)).toEqual(
          new Uint8Array(digestOf(algorithm, content)),
        );
      }
    }
    expect(reads()).toBe(2);
    expect(contents.read('a')).toBe(content);
    expect(contents.digest('b', 'sha256')).toBeUndefined();
  });

  test('reject reading a large file repeatedly', () => {
    const { contents } = counted(large);
    const lend = () => {
      for (let i = 0; i < 1000; i++) contents.lend('a');
    };
    expect(lend).toThrow('the signatures read the files too many times');
  });
});
