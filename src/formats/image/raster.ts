import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** Pixels of 8 bits per channel, row by row from the top, without transparency. */
export interface RasterImage {
  readonly width: number;
  readonly height: number;
  /** 1 is grey, 3 is red, green, blue (sRGB). */
  readonly channels: 1 | 3;
  readonly pixels: Uint8Array;
}

/** The error for an image that cannot be used. */
export function imageInvalid(why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('seal.image.invalid', `the image cannot be used: ${why}`, {
    ...defined({ cause }),
    hint: 'use a PNG, or a JPEG in RGB or grey',
  });
}

/**
 * Checks whether an image may be decoded, according to the size stated in its header.
 *
 * @throws seal.image.invalid if it has no pixels or too many
 */
export function requireSaneSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw imageInvalid(`it is ${width} × ${height} pixels`);
  if (width * height <= limits.imagePixels) return;
  throw imageInvalid(
    `it is ${width} × ${height} pixels, the limit is ${limits.imagePixels} pixels`,
  );
}

/** The image, scaled down if necessary so that no side exceeds `maxSide` pixels. */
export function shrinkRaster(image: RasterImage, maxSide: number): RasterImage {
  const scale = maxSide / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const { channels } = image;
  const pixels = new Uint8Array(width * height * channels);
  let at = 0;
  for (let y = 0; y < height; y++) {
    const top = Math.floor((y * image.height) / height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * image.height) / height));
    for (let x = 0; x < width; x++) {
      const left = Math.floor((x * image.width) / width);
      const right = Math.max(left + 1, Math.floor(((x + 1) * image.width) / width));
      for (let channel = 0; channel < channels; channel++) {
        pixels[at++] = averageOf(image, left, right, top, bottom, channel);
      }
    }
  }
  return { width, height, channels, pixels };
}

function averageOf(
  image: RasterImage,
  left: number,
  right: number,
  top: number,
  bottom: number,
  channel: number,
): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    const row = y * image.width;
    for (let x = left; x < right; x++) {
      sum += image.pixels[(row + x) * image.channels + channel] as number;
    }
  }
  return Math.round(sum / ((right - left) * (bottom - top)));
}
