import { concatBytes, latin1Bytes } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { type CentralRecord, zipFlags } from './central-directory.ts';
import { requireDistinctNames, requireEntryName } from './entry-names.ts';
import { zipTooMuch } from './zip-error.ts';

/** An entry to be written into an archive. */
export interface EntryPart {
  readonly name: string;
  /** Local header and data, to be concatenated. */
  readonly pieces: readonly Uint8Array[];
  /** Returns the central directory record for an entry at `offset`. */
  record(offset: number): Uint8Array;
}

/** Contents of a new header; `data` is the content as stored. */
export type NewEntry = Pick<CentralRecord, 'name' | 'method' | 'dosTime' | 'crc' | 'sizeBytes'> & {
  readonly data: Uint8Array;
};

/** Version 2.0: deflate and folders. The host is MS-DOS, which has no permissions to record. */
const version = 20;

/** An entry with new headers: no extra fields, no descriptor. */
export function newPart(entry: NewEntry): EntryPart {
  requireEntryName(entry.name);
  const name = Buffer.from(entry.name);
  const shared = sharedFields(entry, name);
  return {
    name: entry.name,
    pieces: [concatBytes([latin1Bytes('PK\x03\x04'), shared, name]), entry.data],
    record(offset) {
      const head = Buffer.from('PK\x01\x02\0\0', 'latin1');
      head.writeUInt16LE(version, 4);
      const tail = Buffer.alloc(14);
      tail.writeUInt32LE(offset, 10);
      return concatBytes([head, shared, tail, name]);
    },
  };
}

/**
 * The consecutive fields that both headers share.
 *
 *     needed 2 | flags 2 | method 2 | time 4 | crc 4 | compressed 4 | size 4 | name 2 | extra 2
 */
function sharedFields(entry: NewEntry, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(name.length === entry.name.length ? 0 : zipFlags.utf8, 2);
  fields.writeUInt16LE(entry.method, 4);
  fields.writeUInt32LE(entry.dosTime, 6);
  fields.writeUInt32LE(entry.crc, 10);
  fields.writeUInt32LE(entry.data.length, 14);
  fields.writeUInt32LE(entry.sizeBytes, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/** An unchanged entry of another archive. */
export function unchangedPart(file: Uint8Array, record: CentralRecord, end: number): EntryPart {
  return {
    name: record.name,
    pieces: [file.subarray(record.offset, end)],
    record(offset) {
      const bytes = Buffer.from(record.bytes);
      const { at, wide } = record.offsetField;
      if (wide) bytes.writeBigUInt64LE(BigInt(offset), at);
      else bytes.writeUInt32LE(offset, at);
      return bytes;
    },
  };
}

/**
 * The archive of all parts, in order.
 *
 * @throws container.invalid if two names are the same
 * @throws container.limit if it would exceed the accepted size
 */
export function joinParts(parts: readonly EntryPart[], comment: Uint8Array): Uint8Array {
  requireDistinctNames(parts.map((part) => part.name));
  if (parts.length > limits.containerEntries) {
    throw zipTooMuch('entries of a container', limits.containerEntries, parts.length);
  }
  const pieces: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let offset = 0;
  let centralBytes = 0;
  for (const part of parts) {
    const record = part.record(offset);
    records.push(record);
    centralBytes += record.length;
    for (const piece of part.pieces) {
      pieces.push(piece);
      offset += piece.length;
    }
    // Checked here because offsets of a larger archive would not fit into their fields.
    requireRoom(offset + centralBytes);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(centralBytes, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  requireRoom(offset + centralBytes + end.length + comment.length);
  return concatBytes([...pieces, ...records, end, comment]);
}

function requireRoom(lengthBytes: number): void {
  if (lengthBytes > limits.containerBytes) {
    throw zipTooMuch('bytes of a container', limits.containerBytes, lengthBytes);
  }
}
