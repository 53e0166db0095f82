import { asBuffer } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { imageInvalid, requireSaneSize } from './raster.ts';

/** Contents of a JPEG frame header. */
export interface JpegHeader {
  readonly width: number;
  readonly height: number;
  /** 1 is grey, 3 is colour. */
  readonly channels: 1 | 3;
}

/**
 * Reads the frame header of a JPEG that every PDF viewer can display: baseline, extended or
 * progressive, 8 bits, grey or three channels. The pixels are not decoded.
 *
 *     FFD8 | (FF marker 1 | length 2 | data)… | FFDA scan … | FFD9
 *
 * @throws seal.image.invalid if it is damaged, truncated, too large, or in CMYK
 * @spec ITU-T T.81 Annex B
 */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  const file = asBuffer(bytes);
  let header: JpegHeader | undefined;
  let at = 2;
  for (let parts = 0; parts < limits.imageParts; parts++) {
    while (file[at] === 0xff && file[at + 1] === 0xff) at++;
    if (at + 4 > file.length) break;
    if (file[at] !== 0xff) throw imageInvalid('the JPEG is damaged');
    const marker = file[at + 1] as number;
    const lengthBytes = file.readUInt16BE(at + 2);
    const segment = file.subarray(at + 4, at + 2 + lengthBytes);
    if (lengthBytes < 2 || at + 2 + lengthBytes > file.length) break;
    if (isFrame(marker)) header = readFrame(marker, segment);
    at += 2 + lengthBytes;
    if (marker !== 0xda) continue;
    if (header === undefined) throw imageInvalid('the JPEG has no frame header');
    // The end marker cannot occur within coded data, where every FF is followed by a zero.
    if (file.indexOf('\xff\xd9', at, 'latin1') < 0) break;
    return header;
  }
  throw imageInvalid('the JPEG is truncated');
}

/** Start of frame: C0 to CF except the tables (C4, CC) and the reserved C8. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** `bits 1 | height 2 | width 2 | channel count 1 | …` */
function readFrame(marker: number, segment: Buffer): JpegHeader {
  if (segment.length < 6) throw imageInvalid('the frame header of the JPEG is truncated');
  if (marker > 0xc2 || segment[0] !== 8) {
    throw imageInvalid('PDF viewers do not show this type of JPEG');
  }
  const height = segment.readUInt16BE(1);
  const width = segment.readUInt16BE(3);
  const channels = segment[5];
  if (channels === 4) throw imageInvalid('the JPEG is in CMYK, expected RGB or grey');
  if (channels !== 1 && channels !== 3) {
    throw imageInvalid(`the JPEG has ${channels} channels, expected 1 or 3`);
  }
  requireSaneSize(width, height);
  return { width, height, channels };
}
