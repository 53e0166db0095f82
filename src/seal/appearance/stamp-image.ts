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

/** An image as stored in a PDF. It is read once and drawn on many stamps. */
export interface StampImage {
  readonly width: number;
  readonly height: number;
  /** 1 is greyscale, 3 is RGB. */
  readonly channels: 1 | 3;
  readonly filter: 'FlateDecode' | 'DCTDecode';
  readonly data: Uint8Array;
}

/** With this many pixels, a logo of three centimetres is sharp in print. */
const MAX_SIDE = 800;

/**
 * Reads a PNG or JPEG for stamps. A PNG is blended with white, because PDF/A restricts
 * transparency, and reduced if it is larger than a stamp can show. A JPEG is used unchanged; its
 * orientation tag is ignored.
 *
 * @throws seal.image.invalid if it is malformed, too large, or of another type
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
