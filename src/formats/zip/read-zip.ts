import { crc32, inflateRawSync } from 'node:zlib';
import { asBuffer } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { type CentralRecord, readCentralDirectory } from './central-directory.ts';
import { readEndRecord } from './end-record.ts';
import { requireDistinctNames } from './entry-names.ts';
import { type EntryPlace, placeEntry } from './local-entry.ts';
import { shownName, zipInvalid, zipTooMuch } from './zip-error.ts';

/** Compression method of an entry. */
export type ZipMethod = 'stored' | 'deflated';

/** One entry of an archive. */
export interface ZipEntry {
  /** Path with `/` as separator; folder names end with `/`. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly method: ZipMethod;
  /** Length of the content. */
  readonly sizeBytes: number;
  /** Length of the extra fields of the local header. */
  readonly extraBytes: number;
  /** The central directory record and the location in the archive, for updates. */
  readonly record: CentralRecord;
  readonly place: EntryPlace;
  /**
   * Returns the content, inflated on each call; a view of the archive if it is stored.
   *
   * @throws container.invalid if the data does not match size and checksum
   */
  read(): Uint8Array;
}

/** A ZIP archive with a valid structure; contents are checked on reading. */
export interface ZipArchive {
  /** Exactly the input. */
  readonly bytes: Uint8Array;
  /** In archive order. */
  readonly entries: readonly ZipEntry[];
  /** The comment after the end record; empty if there is none. */
  readonly comment: Uint8Array;
  /** Returns the entry with exactly this name. */
  find(name: string): ZipEntry | undefined;
}

/** Whether the bytes start like a ZIP archive, which may be empty. */
export function looksLikeZip(bytes: Uint8Array): boolean {
  const [p, k, third, fourth] = bytes;
  if (p !== 0x50 || k !== 0x4b) return false;
  return (third === 3 && fourth === 4) || (third === 5 && fourth === 6);
}

/**
 * Reads the structure of a ZIP archive so strictly that every program sees the same entries in it.
 * The central directory and the local headers must agree, the entries must be contiguous and in
 * directory order from the first byte on, and the file must contain nothing else. Only stored and
 * deflated entries are accepted, without encryption, splitting, links, or names that a file system
 * could confuse. Data descriptors and ZIP64 records are accepted.
 *
 * @throws container.invalid if the archive is anything else
 * @throws container.limit for too many or too large entries
 * @spec APPNOTE 6.3.10 §4.3
 */
export function readZip(bytes: Uint8Array): ZipArchive {
  if (bytes.length > limits.containerBytes) {
    throw zipTooMuch('bytes of a container', limits.containerBytes, bytes.length);
  }
  const file = asBuffer(bytes);
  const end = readEndRecord(file);
  const records = readCentralDirectory(file, end);
  requireDistinctNames(records.map((record) => record.name));
  const first = records[0]?.offset ?? end.centralStart;
  if (first !== 0) {
    throw zipInvalid(`expected the first entry at byte 0, found it at byte ${first}`);
  }
  const entries = records.map((record, i) => {
    const place = placeEntry(file, record, records[i + 1]?.offset ?? end.centralStart);
    return entryOf(file, record, place);
  });
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return { bytes, entries, comment: end.comment, find: (name) => byName.get(name) };
}

function entryOf(file: Buffer, record: CentralRecord, place: EntryPlace): ZipEntry {
  const { dataStart, extraBytes } = place;
  const data = file.subarray(dataStart, dataStart + record.compressedBytes);
  return {
    name: record.name,
    isFolder: record.name.endsWith('/'),
    method: record.method === 0 ? 'stored' : 'deflated',
    sizeBytes: record.sizeBytes,
    extraBytes,
    record,
    place,
    read: () => readContent(data, record),
  };
}

/**
 * The content of an entry: a view if stored, new memory if deflated. Never inflates more than the
 * size in the central directory.
 *
 * @throws container.invalid if size or checksum differ from those of the central directory, or the
 *   compressed data is damaged or truncated
 */
function readContent(data: Buffer, record: CentralRecord): Uint8Array {
  const content = record.method === 0 ? data : inflate(data, record);
  if (crc32(content) !== record.crc) {
    throw zipInvalid(`the checksum of ${shownName(record.name)} is incorrect`);
  }
  return content;
}

/** Result of zlib with its engine state, which is missing in its types. */
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
      // One chunk for everything plus a spare byte: joining chunks would take twice the memory.
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
