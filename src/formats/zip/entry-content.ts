import { crc32, inflateRawSync } from 'node:zlib';
import type { CentralRecord } from './central-directory.ts';
import { shownName, zipInvalid } from './zip-error.ts';

/**
 * The content of an entry: a view for a stored one, new memory for a deflated one. Never more than
 * the central directory states is inflated.
 *
 * @throws container.invalid when size or checksum differ from those of the central directory, or
 *   the compressed data is damaged or ends early
 */
export function readContent(data: Buffer, record: CentralRecord): Uint8Array {
  const content = record.method === 0 ? data : inflate(data, record);
  if (crc32(content) !== record.crc) {
    throw zipInvalid(`the checksum of ${shownName(record.name)} is wrong`);
  }
  return content;
}

/** Result of zlib with the state of its engine; missing in its types. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(data: Buffer, record: CentralRecord): Uint8Array {
  const shown = shownName(record.name);
  let inflated: Inflated;
  try {
    inflated = inflateRawSync(data, {
      maxOutputLength: Math.max(1, record.sizeBytes),
      // One piece for all of it and a byte of room: pieces would be joined in twice the memory.
      chunkSize: Math.max(64, record.sizeBytes + 1),
      info: true,
    }) as unknown as Inflated;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw zipInvalid(`the entry ${shown} has more than the ${record.sizeBytes} bytes it states`);
    }
    throw zipInvalid(`the compressed data of ${shown} is damaged`, error);
  }
  const { buffer, engine } = inflated;
  if (buffer.length !== record.sizeBytes) {
    throw zipInvalid(`the entry ${shown} has ${buffer.length} bytes, not ${record.sizeBytes}`);
  }
  if (engine.bytesWritten !== data.length) {
    throw zipInvalid(`unknown data after the compressed data of ${shown}`);
  }
  return buffer;
}
