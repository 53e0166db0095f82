import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../../src/base/bytes.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { readStampImage } from '../../../src/seal/appearance/index.ts';
import { makeJpeg, makePng, pngChunk } from '../../support/images.ts';
import { fc } from '../../support/property.ts';

function pixelsOf(png: Uint8Array): readonly number[] {
  const image = readStampImage(png);
  expect(image.filter).toBe('FlateDecode');
  const pixels = inflateSync(image.data);
  expect(pixels.length).toBe(image.width * image.height * image.channels);
  return [...pixels];
}

function codeOf(bytes: Uint8Array): string {
  try {
    readStampImage(bytes);
    return 'read';
  } catch (error) {
    if (!(error instanceof InnsigliError)) throw error;
    expect(error.message).not.toMatch(/undefined|\[object|NaN/);
    return error.code;
  }
}

const size = { width: 2, height: 1 };

describe('a PNG', () => {
  test.each([
    ['grey, 1 bit', { ...size, colorType: 0, bitDepth: 1, rows: [[0b01000000]] }, [0, 255]],
    ['grey, 4 bits', { ...size, colorType: 0, bitDepth: 4, rows: [[0x3f]] }, [51, 255]],
    ['grey, 16 bits', { ...size, colorType: 0, bitDepth: 16, rows: [[1, 1, 255, 0]] }, [1, 254]],
    ['RGB', { ...size, rows: [[1, 2, 3, 4, 5, 6]] }, [1, 2, 3, 4, 5, 6]],
    [
      'RGB with alpha',
      { ...size, colorType: 6, rows: [[10, 20, 30, 0, 100, 0, 200, 128]] },
      [255, 255, 255, 177, 127, 227],
    ],
    ['grey with alpha', { ...size, colorType: 4, rows: [[0, 255, 0, 0]] }, [0, 255]],
    [
      'one transparent colour',
      { ...size, rows: [[9, 9, 9, 1, 2, 3]], chunks: [pngChunk('tRNS', [0, 9, 0, 9, 0, 9])] },
      [255, 255, 255, 1, 2, 3],
    ],
    [
      'palette, 2 bits, half transparent',
      {
        ...size,
        colorType: 3,
        bitDepth: 2,
        rows: [[0b0001_0000]],
        chunks: [pngChunk('PLTE', [255, 0, 0, 0, 0, 0]), pngChunk('tRNS', [255, 51])],
      },
      [255, 0, 0, 204, 204, 204],
    ],
    [
      'all row filters',
      {
        width: 2,
        height: 5,
        colorType: 0,
        filters: [0, 1, 2, 3, 4],
        rows: [
          [10, 20],
          [5, 5],
          [1, 1],
          [1, 1],
          [1, 1],
        ],
      },
      [10, 20, 5, 10, 6, 11, 4, 8, 5, 9],
    ],
  ])('is decoded to opaque pixels: %s', (_, parts, expected) => {
    expect(pixelsOf(makePng(parts))).toEqual(expected);
  });

  test('has the same pixels interlaced or not', () => {
    const side = 9;
    const at = (x: number, y: number): number => (x * 29 + y * 7) & 255;
    const numbers = Array.from({ length: side }, (_, index) => index);
    const every = (start: number, step: number): number[] =>
      numbers.filter((index) => index >= start && (index - start) % step === 0);
    const passes = ['0 0 8 8', '4 0 8 8', '0 4 4 8', '2 0 4 4', '0 2 2 4', '1 0 2 2', '0 1 1 2'];
    const interlaced = passes.flatMap((pass) => {
      const [x = 0, y = 0, stepX = 1, stepY = 1] = pass.split(' ').map(Number);
      return every(y, stepY).map((row) => every(x, stepX).map((column) => at(column, row)));
    });
    const plain = numbers.map((y) => numbers.map((x) => at(x, y)));
    const shape = { width: side, height: side, colorType: 0 };
    expect(pixelsOf(makePng({ ...shape, interlace: 1, rows: interlaced }))).toEqual(plain.flat());
    expect(pixelsOf(makePng({ ...shape, rows: plain }))).toEqual(plain.flat());
  });

  test('that is large is scaled down, keeping aspect ratio and colour', () => {
    const row = Array.from({ length: 1_600 }, () => [10, 20, 30]).flat();
    const rows = Array.from({ length: 20 }, () => row);
    const image = readStampImage(makePng({ width: 1_600, height: 20, rows }));
    expect([image.width, image.height]).toEqual([800, 10]);
    expect([...inflateSync(image.data).subarray(0, 3)]).toEqual([10, 20, 30]);
  });
});

describe('a JPEG', () => {
  test.each([
    [1, 0xc0],
    [3, 0xc0],
    [3, 0xc1],
    [3, 0xc2],
  ])('is embedded unchanged: %i channels, frame %i', (channels, frame) => {
    const jpeg = makeJpeg(640, 480, channels, frame);
    const expected = { width: 640, height: 480, channels, filter: 'DCTDecode', data: jpeg };
    expect(readStampImage(jpeg)).toEqual(expected);
  });
});

const good = makePng({ ...size, rows: [[1, 2, 3, 4, 5, 6]] });
const zeros = new Uint8Array(64);

describe('an image', () => {
  test.each([
    ['nothing', new Uint8Array(0)],
    ['a GIF', Buffer.from('GIF89a')],
    ['too many bytes', new Uint8Array(16 * 1024 * 1024 + 1)],
    ['30000 × 30000 pixels in the header', makePng({ width: 30_000, height: 30_000, rows: [] })],
    ['no pixels', makePng({ width: 0, height: 1, rows: [] })],
    ['fewer rows than stated', makePng({ width: 2, height: 9, rows: [[1, 2, 3, 4, 5, 6]] })],
    ['more data than stated', makePng({ width: 1, height: 1, rows: [[...zeros]] })],
    [
      'an unknown row filter',
      makePng({ ...size, rows: [[...zeros.subarray(6, 12)]], filters: [9] }),
    ],
    ['an impossible bit depth', makePng({ ...size, bitDepth: 3, rows: [[0]] })],
    ['an unknown colour type', makePng({ ...size, colorType: 5, rows: [[0]] })],
    ['an unknown interlace method', makePng({ ...size, interlace: 2, rows: [[0]] })],
    ['no palette', makePng({ ...size, colorType: 3, rows: [[0, 0]] })],
    ['an unknown critical chunk', makePng({ ...size, rows: [], chunks: [pngChunk('NEED', [])] })],
    ['an incorrect checksum', good.with(30, 0xaa)],
    [
      'pixels that are not Flate',
      concatBytes([good.subarray(0, 33), pngChunk('IDAT', [1, 2]), pngChunk('IEND', [])]),
    ],
    ['CMYK JPEG', makeJpeg(10, 10, 4)],
    ['JPEG with two channels', makeJpeg(10, 10, 2)],
    ['lossless JPEG', makeJpeg(10, 10, 3, 0xc3)],
    ['arithmetic JPEG', makeJpeg(10, 10, 3, 0xc9)],
    ['JPEG of 65535 × 65535 pixels', makeJpeg(65_535, 65_535, 3)],
    ['JPEG without height', makeJpeg(10, 0, 3)],
    ['JPEG without frame', Buffer.from('ffd8ffda000801010000013fffd9', 'hex')],
    ['JPEG with junk between segments', Buffer.from('ffd8000000000000', 'hex')],
  ])('is rejected with seal.image.invalid: %s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('seal.image.invalid');
  });

  test('is rejected with seal.image.invalid if truncated at any byte', () => {
    const jpeg = makeJpeg(10, 10, 3);
    for (const image of [good, jpeg]) {
      for (let end = 0; end < image.length; end++) {
        expect(codeOf(image.subarray(0, end)), `cut at ${end}`).toBe('seal.image.invalid');
      }
    }
  });

  test('with a changed byte is read or rejected', () => {
    const images = fc.constantFrom(good, makeJpeg(10, 10, 3));
    fc.assert(
      fc.property(images, fc.nat(), fc.nat(255), (image, at, value) => {
        const changed = Uint8Array.from(image).with(at % image.length, value);
        expect(['read', 'seal.image.invalid']).toContain(codeOf(changed));
      }),
      { numRuns: 500 },
    );
  });
});
