import { deflateSync } from 'node:zlib';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  decodePng,
  imageInvalid,
  pngSignature,
  readJpegHeader,
  shrinkRaster,
} from '../../formats/image/index.ts';

/** An image as a PDF holds it; read once, drawn on many stamps. */
export interface StampImage {
  readonly width: number;
  readonly height: number;
  /** 1 is grey, 3 is RGB. */
  readonly channels: 1 | 3;
  readonly filter: 'FlateDecode' | 'DCTDecode';
  readonly data: Uint8Array;
}

/** A logo of three centimetres is sharp in print with this many pixels. */
const MAX_SIDE = 800;

/**
 * Reads a PNG or JPEG for stamps. A PNG is laid on white, because archive formats forbid
 * transparency, and made smaller when it is larger than a stamp can show. A JPEG is taken as it
 * is; its orientation mark is not obeyed.
 *
 * @throws seal.image.invalid when it is damaged, too large, or of another kind
 */
export function readStampImage(bytes: Uint8Array): StampImage {
  if (bytes.length > limits.imageBytes) {
    const message = `the image has ${bytes.length} bytes, the limit is ${limits.imageBytes}`;
    throw new InnsigliError('seal.image.invalid', message);
  }
  if (pngSignature.every((value, index) => bytes[index] === value)) {
    const { width, height, channels, pixels } = shrinkRaster(decodePng(bytes), MAX_SIDE);
    const data = deflateSync(pixels, { level: 9 });
    return { width, height, channels, filter: 'FlateDecode', data };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8) {
    return { ...readJpegHeader(bytes), filter: 'DCTDecode', data: bytes };
  }
  throw imageInvalid('expected a PNG or JPEG');
}
