import { limits } from '../../base/limits.ts';
import type { EndRecord } from './end-record.ts';
import { decodeEntryName, requireEntryName } from './entry-names.ts';
import { type ExtraFields, readExtraFields, readWide } from './extra-fields.ts';
import { shownName, zipInvalid, zipTooMuch } from './zip-error.ts';

/** A record of the central directory, checked as far as possible without the entry itself. */
export interface CentralRecord {
  readonly name: string;
  readonly flags: number;
  /** 0 stored, 8 deflated. */
  readonly method: 0 | 8;
  /** DOS time in the low 16 bits, DOS date in the high bits. */
  readonly dosTime: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Offset of the entry's local header. */
  readonly offset: number;
  /** The whole record, for copying. */
  readonly bytes: Buffer;
  /** Position in `bytes` of the stored offset: four bytes, or eight in the ZIP64 field. */
  readonly offsetField: { readonly at: number; readonly wide: boolean };
}

/** General purpose bit flags; bits 1 and 2, the compression level, are also accepted. */
export const zipFlags = { descriptor: 1 << 3, utf8: 1 << 11 } as const;
const knownFlags = 0b110 | zipFlags.descriptor | zipFlags.utf8;

const signature = 0x02014b50;
const fixedBytes = 46;
/** Maximum compression ratio: deflate encodes up to 258 bytes in two bits. */
const deflateRatio = 1_032;
const unixHost = 3;
const symbolicLink = 0o12;

/**
 * Reads all records of the central directory, in order.
 *
 * @throws container.invalid if one is damaged, encrypted, compressed with another method or has an
 * invalid name
 * @throws container.limit for an entry or a total size that is too large
 */
export function readCentralDirectory(file: Buffer, end: EndRecord): readonly CentralRecord[] {
  const records: CentralRecord[] = [];
  let at = end.centralStart;
  let totalBytes = 0;
  const mostBytes = Math.min(
    limits.containerContentBytes,
    Math.max(limits.containerInflatedBytes, limits.containerInflation * file.length),
  );
  for (let i = 0; i < end.entryCount; i++) {
    const record = readRecord(file, at, end.centralEnd);
    if (record.offset >= end.centralStart) {
      throw zipInvalid(`the entry ${shownName(record.name)} is not before the central directory`);
    }
    totalBytes += record.sizeBytes;
    if (totalBytes > mostBytes) {
      throw zipTooMuch('bytes of content in this container', mostBytes, totalBytes);
    }
    records.push(record);
    at += record.bytes.length;
  }
  if (at !== end.centralEnd) {
    throw zipInvalid(`the central directory has more than its ${end.entryCount} entries`);
  }
  return records;
}

/**
 * Reads one record.
 *
 *     signature 4 | made by 2 | needed 2 | flags 2 | method 2 | time 4 | crc 4 | compressed 4
 *     | size 4 | bytes of name 2 | of extra 2 | of comment 2 | disk 2 | internal 2 | external 4
 *     | offset 4 | name | extra | comment
 *
 * @spec APPNOTE 6.3.10 §4.3.12, §4.5.3
 */
function readRecord(file: Buffer, start: number, limit: number): CentralRecord {
  if (start + fixedBytes > limit || file.readUInt32LE(start) !== signature) {
    throw zipInvalid(`no record of the central directory at byte ${start}`);
  }
  const nameEnd = start + fixedBytes + file.readUInt16LE(start + 28);
  const extraEnd = nameEnd + file.readUInt16LE(start + 30);
  const end = extraEnd + file.readUInt16LE(start + 32);
  if (end > limit) throw zipInvalid(`the record at byte ${start} is truncated`);
  const nameBytes = file.subarray(start + fixedBytes, nameEnd);
  const name = decodeEntryName(nameBytes);
  requireEntryName(name);
  const shown = shownName(name);
  const extra = readExtraFields(file, nameEnd, extraEnd, shown);
  if (extra.unicodePath !== undefined && !extra.unicodePath.equals(nameBytes)) {
    throw zipInvalid(`the entry ${shown} has a second name`);
  }
  const bytes = file.subarray(start, end);
  const flags = requireFlags(bytes.readUInt16LE(8), shown);
  const numbers = readNumbers(bytes, extra, start, shown);
  const mode = bytes[5] === unixHost ? bytes.readUInt16LE(40) >> 12 : 0;
  if (mode === symbolicLink) throw zipInvalid(`the entry ${shown} is a symbolic link`);
  const method = bytes.readUInt16LE(10);
  if (method !== 0 && method !== 8) {
    throw zipInvalid(`the entry ${shown} is compressed with method ${method}, expected 0 or 8`);
  }
  requireSizes(numbers, method, name);
  const dosTime = bytes.readUInt32LE(12);
  return { name, flags, method, dosTime, crc: bytes.readUInt32LE(16), bytes, ...numbers };
}

function requireFlags(flags: number, shown: string): number {
  if ((flags & 1) !== 0) throw zipInvalid(`the entry ${shown} is encrypted`);
  const unknown = flags & ~knownFlags;
  if (unknown !== 0) throw zipInvalid(`the entry ${shown} has the flags 0x${unknown.toString(16)}`);
  return flags;
}

type Numbers = Pick<CentralRecord, 'compressedBytes' | 'sizeBytes' | 'offset' | 'offsetField'>;

/** Sizes and offset, taken from the ZIP64 field if they do not fit into the record itself. */
function readNumbers(bytes: Buffer, extra: ExtraFields, base: number, shown: string): Numbers {
  let at = extra.zip64 === undefined ? 0 : extra.zip64.start - base;
  const end = extra.zip64 === undefined ? 0 : extra.zip64.end - base;
  const wideOr = (narrow: number): { value: number; at: number | undefined } => {
    if (narrow !== 0xffffffff || extra.zip64 === undefined) return { value: narrow, at: undefined };
    if (at + 8 > end) throw zipInvalid(`the ZIP64 field of ${shown} is truncated`);
    at += 8;
    return { value: readWide(bytes, at - 8), at: at - 8 };
  };
  // Order of the ZIP64 field: size, compressed size, offset, disk.
  const size = wideOr(bytes.readUInt32LE(24));
  const compressed = wideOr(bytes.readUInt32LE(20));
  const offset = wideOr(bytes.readUInt32LE(42));
  const disk = bytes.readUInt16LE(34);
  const wideDisk = disk === 0xffff && extra.zip64 !== undefined && at + 4 <= end;
  if ((wideDisk ? bytes.readUInt32LE(at) : disk) !== 0) {
    throw zipInvalid(`the entry ${shown} is on another disk`);
  }
  return {
    sizeBytes: size.value,
    compressedBytes: compressed.value,
    offset: offset.value,
    offsetField: { at: offset.at ?? 42, wide: offset.at !== undefined },
  };
}

function requireSizes(numbers: Numbers, method: 0 | 8, name: string): void {
  const { sizeBytes, compressedBytes } = numbers;
  const shown = shownName(name);
  if (sizeBytes > limits.containerEntryBytes) {
    throw zipTooMuch(`bytes of the entry ${shown}`, limits.containerEntryBytes, sizeBytes);
  }
  if (method === 0 && sizeBytes !== compressedBytes) {
    throw zipInvalid(`the stored entry ${shown} states two sizes`);
  }
  if (sizeBytes > compressedBytes * deflateRatio) {
    throw zipInvalid(
      `${compressedBytes} compressed bytes cannot expand to the ${sizeBytes} bytes of ${shown}`,
    );
  }
  if (name.endsWith('/') && sizeBytes !== 0) throw zipInvalid(`the folder ${shown} has content`);
}
