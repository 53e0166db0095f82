import { crc32 } from 'node:zlib';
import { asBuffer } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { imageInvalid, requireSaneSize } from './raster.ts';

/** The chunks of a PNG that determine its pixels. */
export interface PngChunks {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly colorType: number;
  readonly interlaced: boolean;
  /** Three bytes per colour; empty without a palette. */
  readonly palette: Uint8Array;
  /** `tRNS`: alpha of palette colours, or the single transparent colour. */
  readonly transparency: Buffer | undefined;
  /** The compressed rows, split as in the file. */
  readonly data: readonly Uint8Array[];
}

/** The first eight bytes of every PNG. */
export const pngSignature: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Bit depths of each colour type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/**
 * Reads the chunks of a PNG.
 *
 *     signature 8 | (length 4 | type 4 | data | crc 4)…
 *
 * @throws seal.image.invalid if it is damaged, truncated or too large
 * @spec ISO/IEC 15948 (PNG) §5, §11
 */
export function readPngChunks(bytes: Uint8Array): PngChunks {
  const file = asBuffer(bytes);
  const data: Uint8Array[] = [];
  let header: Buffer | undefined;
  let palette: Uint8Array = new Uint8Array(0);
  let transparency: Buffer | undefined;
  let at = pngSignature.length;
  for (let parts = 0; ; parts++) {
    if (at + 12 > file.length || parts > limits.imageParts)
      throw imageInvalid('the PNG is truncated');
    const lengthBytes = file.readUInt32BE(at);
    const end = at + 8 + lengthBytes;
    if (end + 4 > file.length) throw imageInvalid('the PNG is truncated');
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) {
      throw imageInvalid('a checksum of the PNG is incorrect');
    }
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, end);
    if ((header === undefined) !== (type === 'IHDR')) throw imageInvalid('the PNG has no header');
    if (type === 'IHDR') header = body;
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') break;
    else if (/^[A-Z]/.test(type)) throw imageInvalid('the PNG has an unknown critical chunk');
    at = end + 4;
  }
  return { ...readHeader(header as Buffer, palette), palette, transparency, data };
}

function readHeader(
  header: Buffer,
  palette: Uint8Array,
): Pick<PngChunks, 'width' | 'height' | 'bitDepth' | 'colorType' | 'interlaced'> {
  if (header.length !== 13) throw imageInvalid('the header of the PNG has an incorrect length');
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  requireSaneSize(width, height);
  const [bitDepth = 0, colorType = 0, compression, filter, interlace = 0] = header.subarray(8);
  const known = depths[colorType]?.includes(bitDepth) === true;
  if (!known || compression !== 0 || filter !== 0 || interlace > 1) {
    throw imageInvalid('the header of the PNG has unsupported values');
  }
  if (colorType === 3 && (palette.length < 3 || palette.length % 3 !== 0)) {
    throw imageInvalid('the PNG has no palette');
  }
  return { width, height, bitDepth, colorType, interlaced: interlace === 1 };
}
