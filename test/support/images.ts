import { crc32, deflateSync } from 'node:zlib';
import { concatBytes } from '../../src/base/bytes.ts';

/** Contents of a PNG; rows are given without filter bytes. */
export interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly bitDepth?: number;
  readonly colorType?: number;
  readonly interlace?: number;
  readonly rows: readonly (readonly number[])[];
  /** Filter byte of each row; the rows must be filtered already. */
  readonly filters?: readonly number[];
  /** Chunks before the image data. */
  readonly chunks?: readonly Uint8Array[];
}

/** One chunk of a PNG, with its checksum. */
export function pngChunk(type: string, data: readonly number[] | Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** A PNG, possibly an invalid one. */
export function makePng(parts: PngParts): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(parts.width, 0);
  header.writeUInt32BE(parts.height, 4);
  header.set([parts.bitDepth ?? 8, parts.colorType ?? 2, 0, 0, parts.interlace ?? 0], 8);
  const rows = parts.rows.flatMap((row, index) => [parts.filters?.[index] ?? 0, ...row]);
  return concatBytes([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    pngChunk('IHDR', header),
    ...(parts.chunks ?? []),
    pngChunk('IDAT', deflateSync(Uint8Array.from(rows))),
    pngChunk('IEND', []),
  ]);
}

/** The headers of a JPEG with this many channels around an empty scan. */
export function makeJpeg(width: number, height: number, channels: number, frame = 0xc0): Buffer {
  const components = Array.from({ length: channels }, (_, index) => [index + 1, 0x11, 0]).flat();
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
    ...[0xff, frame, 0, 8 + 3 * channels, 8, ...size, channels, ...components],
    ...[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
    ...[1, 2, 0xff, 0, 3, 0xff, 0xd9],
  ]);
}
