import { type CentralRecord, zipFlags } from './central-directory.ts';
import { type ExtraFields, readExtraFields, readWide } from './extra-fields.ts';
import { shownName, zipInvalid } from './zip-error.ts';

const headerSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const descriptorMark = Buffer.from('PK\x07\x08', 'latin1');
const fixedBytes = 30;

/** Location of an entry in its archive. */
export interface EntryPlace {
  /** Offset of the local header. */
  readonly start: number;
  /** Offset of the data, compressed or not. */
  readonly dataStart: number;
  /** Offset after the entry, including its data descriptor. */
  readonly end: number;
  /** Length of the extra fields of the local header. */
  readonly extraBytes: number;
}

/**
 * Checks that the entry from the record's offset to `end` matches the central directory and fills
 * that space, so that programs that read from the front see the same archive.
 *
 *     signature 4 | needed 2 | flags 2 | method 2 | time 4 | crc 4 | compressed 4 | size 4
 *     | bytes of name 2 | of extra 2 | name | extra | data | descriptor
 *
 * @throws container.invalid
 * @spec APPNOTE 6.3.10 §4.3.7, §4.3.9
 */
export function placeEntry(file: Buffer, record: CentralRecord, end: number): EntryPlace {
  const start = record.offset;
  const shown = shownName(record.name);
  if (start + fixedBytes > end || file.readUInt32LE(start) !== headerSignature) {
    throw zipInvalid(`no local header of ${shown} at byte ${start}`);
  }
  const nameEnd = start + fixedBytes + file.readUInt16LE(start + 26);
  const dataStart = nameEnd + file.readUInt16LE(start + 28);
  const dataEnd = dataStart + record.compressedBytes;
  if (dataEnd > end) throw zipInvalid(`the entry ${shown} reaches into the next one`);
  const nameBytes = file.subarray(start + fixedBytes, nameEnd);
  const centralName = record.bytes.subarray(46, 46 + record.bytes.readUInt16LE(28));
  const extra = readExtraFields(file, nameEnd, dataStart, shown);
  const otherName = extra.unicodePath !== undefined && !extra.unicodePath.equals(nameBytes);
  if (otherName || !nameBytes.equals(centralName)) {
    throw zipInvalid(`the local header of ${shown} has a different name`);
  }
  const flags = file.readUInt16LE(start + 6);
  const method = file.readUInt16LE(start + 8);
  if (flags !== record.flags || method !== record.method) {
    throw zipInvalid(`the local header of ${shown} has different flags or a different method`);
  }
  requireSameNumbers(file, record, extra, shown);
  if ((flags & zipFlags.descriptor) !== 0) {
    requireDescriptor(file, record, dataEnd, end);
    if (method === 0) requireNoEarlyEnd(file.subarray(dataStart, dataEnd), shown);
  } else if (dataEnd !== end) throw zipInvalid(`unknown data at byte ${dataEnd}, after ${shown}`);
  return { start, dataStart, end, extraBytes: dataStart - nameEnd };
}

/** Checks the checksum and sizes, which may be zero if a data descriptor follows. */
function requireSameNumbers(
  file: Buffer,
  record: CentralRecord,
  extra: ExtraFields,
  shown: string,
): void {
  const deferred = (record.flags & zipFlags.descriptor) !== 0;
  const crc = file.readUInt32LE(record.offset + 14);
  let compressed = file.readUInt32LE(record.offset + 18);
  let size = file.readUInt32LE(record.offset + 22);
  // The ZIP64 field of a local header has both sizes or none.
  if (extra.zip64 !== undefined && extra.zip64.end - extra.zip64.start >= 16) {
    if (size === 0xffffffff) size = readWide(file, extra.zip64.start);
    if (compressed === 0xffffffff) compressed = readWide(file, extra.zip64.start + 8);
  }
  const agrees = (stated: number, known: number): boolean =>
    stated === known || (deferred && stated === 0);
  if (
    !agrees(crc, record.crc) ||
    !agrees(compressed, record.compressedBytes) ||
    !agrees(size, record.sizeBytes)
  ) {
    throw zipInvalid(`the local header of ${shown} has a different size or checksum`);
  }
}

/**
 * Checks the data descriptor. Its signature is optional, and its sizes have four or eight bytes;
 * its length determines the form.
 *
 *     signature 4? | crc 4 | compressed 4 or 8 | size 4 or 8
 */
function requireDescriptor(file: Buffer, record: CentralRecord, start: number, end: number): void {
  const lengthBytes = end - start;
  const signed = lengthBytes === 16 || lengthBytes === 24;
  const wide = lengthBytes === 20 || lengthBytes === 24;
  const shown = shownName(record.name);
  if (!signed && !wide && lengthBytes !== 12) {
    throw zipInvalid(`the ${lengthBytes} bytes after ${shown} are not a data descriptor`);
  }
  const at = signed ? start + 4 : start;
  const size = (from: number): number => (wide ? readWide(file, from) : file.readUInt32LE(from));
  if (
    (signed && file.readUInt32LE(start) !== descriptorSignature) ||
    file.readUInt32LE(at) !== record.crc ||
    size(at + 4) !== record.compressedBytes ||
    size(at + (wide ? 12 : 8)) !== record.sizeBytes
  ) {
    throw zipInvalid(`the data descriptor of ${shown} is not the one of the central directory`);
  }
}

/**
 * Programs that read stored data from the front treat the first descriptor that states its own
 * position as the end, and would find other entries in the rest of the data.
 */
function requireNoEarlyEnd(data: Buffer, shown: string): void {
  for (let at = 0; ; at += 1) {
    at = data.indexOf(descriptorMark, at);
    if (at < 0 || at + 12 > data.length) return;
    if (data.readUInt32LE(at + 8) !== at) continue;
    throw zipInvalid(`${shown} has a data descriptor inside its data`);
  }
}
