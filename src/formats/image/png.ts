import { inflateSync } from 'node:zlib';
import { concatBytes } from '../../base/bytes.ts';
import { type PngChunks, readPngChunks } from './png-chunks.ts';
import { undoPngRow } from './png-row.ts';
import { imageInvalid, type RasterImage } from './raster.ts';

/** Every `stepX`-th pixel from `x` on, in every `stepY`-th row from `y` on. */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

const wholeImage: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
/** The seven passes of Adam7 interlacing. @spec ISO/IEC 15948 (PNG) §8.2 */
const adam7: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * The pixels of a PNG of any kind, with transparency composited onto white.
 *
 * @throws seal.image.invalid if it is damaged, truncated or too large
 * @spec ISO/IEC 15948 (PNG) §4 to §12
 */
export function decodePng(bytes: Uint8Array): RasterImage {
  const chunks = readPngChunks(bytes);
  const { width, height, colorType, bitDepth } = chunks;
  const bitsPerPixel = (samplesOf[colorType] as number) * bitDepth;
  const passes = (chunks.interlaced ? adam7 : wholeImage)
    .map((pass) => {
      const columns = Math.ceil((width - pass.x) / pass.stepX);
      const rows = Math.ceil((height - pass.y) / pass.stepY);
      return { ...pass, columns, rows, rowBytes: Math.ceil((columns * bitsPerPixel) / 8) };
    })
    .filter((pass) => pass.columns > 0 && pass.rows > 0);
  const expected = passes.reduce((sum, pass) => sum + pass.rows * (pass.rowBytes + 1), 0);
  const data = inflateRows(chunks, expected);
  const channels = colorType === 0 || colorType === 4 ? 1 : 3;
  const pixels = new Uint8Array(width * height * channels);
  const pixelBytes = Math.max(1, bitsPerPixel >> 3);
  const write = pixelWriter(chunks, pixels, channels);
  let at = 0;
  for (const pass of passes) {
    for (let row = 0; row < pass.rows; row++) {
      const line = data.subarray(at + 1, at + 1 + pass.rowBytes);
      const type = data[at] as number;
      if (type > 4) throw imageInvalid(`a row of the PNG has the unknown filter ${type}`);
      undoPngRow(data, at + 1, pass.rowBytes, type, row === 0 ? 0 : 1 + pass.rowBytes, pixelBytes);
      const target = (pass.y + row * pass.stepY) * width + pass.x;
      for (let i = 0; i < pass.columns; i++) write(line, i, target + i * pass.stepX);
      at += 1 + pass.rowBytes;
    }
  }
  return { width, height, channels, pixels };
}

function inflateRows(chunks: PngChunks, expected: number): Uint8Array {
  let data: Uint8Array;
  try {
    data = inflateSync(concatBytes(chunks.data), { maxOutputLength: expected });
  } catch (error) {
    throw imageInvalid('the pixels of the PNG are damaged', error);
  }
  if (data.length !== expected) throw imageInvalid('the PNG has too few pixels');
  return data;
}

type Write = (line: Uint8Array, index: number, target: number) => void;

/** Writes pixel `index` of an unfiltered row as pixel `target` of the image. */
function pixelWriter(chunks: PngChunks, pixels: Uint8Array, channels: 1 | 3): Write {
  const { colorType, bitDepth, transparency } = chunks;
  if (colorType === 3) return paletteWriter(chunks, pixels);
  const samples = samplesOf[colorType] as number;
  const sample = sampleReader(bitDepth);
  const toByte = bitDepth === 16 ? 1 / 257 : 255 / (2 ** bitDepth - 1);
  const hasAlpha = colorType >= 4;
  const hidden: number[] = [];
  if (!hasAlpha && transparency !== undefined && transparency.length >= 2 * channels) {
    for (let i = 0; i < channels; i++) hidden.push(transparency.readUInt16BE(2 * i));
  }
  return (line, index, target) => {
    const first = index * samples;
    let alpha = hasAlpha ? sample(line, first + channels) * toByte : 255;
    if (hidden.length > 0 && hidden.every((value, i) => sample(line, first + i) === value)) {
      alpha = 0;
    }
    for (let i = 0; i < channels; i++) {
      pixels[target * channels + i] = onWhite(sample(line, first + i) * toByte, alpha);
    }
  };
}

function paletteWriter(chunks: PngChunks, pixels: Uint8Array): Write {
  const { palette, transparency } = chunks;
  const sample = sampleReader(chunks.bitDepth);
  const colors = palette.map((value, i) => {
    return onWhite(value, transparency?.[Math.floor(i / 3)] ?? 255);
  });
  return (line, index, target) => {
    const color = 3 * sample(line, index);
    for (let i = 0; i < 3; i++) pixels[3 * target + i] = colors[color + i] ?? 0;
  };
}

function onWhite(value: number, alpha: number): number {
  return Math.round(255 + ((value - 255) * alpha) / 255);
}

/** Reads the sample at an index of a row, from 0 to `2 ** bitDepth - 1`. */
function sampleReader(bitDepth: number): (line: Uint8Array, index: number) => number {
  if (bitDepth === 8) return (line, index) => line[index] as number;
  if (bitDepth === 16) {
    return (line, index) => ((line[2 * index] as number) << 8) | (line[2 * index + 1] as number);
  }
  const mask = 2 ** bitDepth - 1;
  return (line, index) => {
    const bit = index * bitDepth;
    return ((line[bit >> 3] as number) >> (8 - bitDepth - (bit & 7))) & mask;
  };
}
