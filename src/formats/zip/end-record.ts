import { equalBytes, latin1Bytes } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { readWide } from './extra-fields.ts';
import { zipInvalid, zipTooMuch } from './zip-error.ts';

/** Contents of the records after the central directory. */
export interface EndRecord {
  readonly entryCount: number;
  readonly centralStart: number;
  /** Offset after the central directory. */
  readonly centralEnd: number;
  readonly comment: Uint8Array;
}

const endSignature = latin1Bytes('PK\x05\x06');
const locatorSignature = latin1Bytes('PK\x06\x07');
const wideEndSignature = latin1Bytes('PK\x06\x06');
const endBytes = 22;
const locatorBytes = 20;
const wideEndBytes = 56;
const commentBytes = 0xffff;

/**
 * Reads the end record, and any ZIP64 records before it.
 *
 *     signature 4 | disk 2 | disk of directory 2 | entries here 2 | entries 2
 *     | bytes of directory 4 | offset of directory 4 | bytes of comment 2 | comment
 *
 * The last signature in the file must be that of the end record, and its comment must end with the
 * file: readers that search for it differently must find the same one.
 *
 * @throws container.invalid if it is missing, truncated, followed by other data or inconsistent
 * @throws container.limit for too many entries
 * @spec APPNOTE 6.3.10 §4.3.14, §4.3.15, §4.3.16
 */
export function readEndRecord(file: Buffer): EndRecord {
  const searched = Math.max(0, file.length - endBytes - commentBytes);
  const found = file.subarray(searched).lastIndexOf(endSignature);
  const at = searched + found;
  if (found < 0 || at + endBytes > file.length) {
    throw zipInvalid('no end record: the file is not a ZIP archive or is truncated');
  }
  const commentStart = at + endBytes;
  if (commentStart + file.readUInt16LE(at + 20) !== file.length) {
    throw zipInvalid('the file does not end with the ZIP archive');
  }
  const narrow = {
    disk: file.readUInt16LE(at + 4),
    centralDisk: file.readUInt16LE(at + 6),
    entriesHere: file.readUInt16LE(at + 8),
    entryCount: file.readUInt16LE(at + 10),
    centralBytes: file.readUInt32LE(at + 12),
    centralStart: file.readUInt32LE(at + 16),
  };
  const wide = readWideEnd(file, at);
  if (wide !== undefined) requireAgreement(narrow, wide);
  const record = wide ?? narrow;
  if (record.disk !== 0 || record.centralDisk !== 0 || record.entriesHere !== record.entryCount) {
    throw zipInvalid('the ZIP archive is split over several files');
  }
  const { entryCount, centralStart, centralBytes } = record;
  if (entryCount > limits.containerEntries) {
    throw zipTooMuch('entries of a container', limits.containerEntries, entryCount);
  }
  const centralEnd = wide?.at ?? at;
  if (centralStart + centralBytes !== centralEnd) {
    throw zipInvalid('the central directory does not end where the end record starts');
  }
  return { entryCount, centralStart, centralEnd, comment: file.subarray(commentStart) };
}

interface EndNumbers {
  readonly disk: number;
  readonly centralDisk: number;
  readonly entriesHere: number;
  readonly entryCount: number;
  readonly centralBytes: number;
  readonly centralStart: number;
}

/**
 * The ZIP64 end record.
 *
 *     signature 4 | bytes that follow 8 | made by 2 | needed 2 | disk 4 | disk of directory 4
 *     | entries here 8 | entries 8 | bytes of directory 8 | offset of directory 8
 *     signature 4 | disk 4 | offset of the above 8 | disks 4                         (locator)
 */
function readWideEnd(file: Buffer, endAt: number): (EndNumbers & { at: number }) | undefined {
  const locator = endAt - locatorBytes;
  if (locator < 0 || !equalBytes(file.subarray(locator, locator + 4), locatorSignature)) {
    return undefined;
  }
  const at = readWide(file, locator + 8);
  const fits = at + wideEndBytes <= locator;
  if (!fits || !equalBytes(file.subarray(at, at + 4), wideEndSignature)) {
    throw zipInvalid('the ZIP64 locator does not lead to a ZIP64 end record');
  }
  if (at + 12 + readWide(file, at + 4) !== locator) {
    throw zipInvalid('the ZIP64 end record does not end where its locator starts');
  }
  if (at + wideEndBytes !== locator) throw zipInvalid('the ZIP64 end record has extra data');
  if (file.readUInt32LE(locator + 4) !== 0 || file.readUInt32LE(locator + 16) > 1) {
    throw zipInvalid('the ZIP archive is split over several files');
  }
  return {
    at,
    disk: file.readUInt32LE(at + 16),
    centralDisk: file.readUInt32LE(at + 20),
    entriesHere: readWide(file, at + 24),
    entryCount: readWide(file, at + 32),
    centralBytes: readWide(file, at + 40),
    centralStart: readWide(file, at + 48),
  };
}

/** A reader without ZIP64 support must see the same archive as one with it. */
function requireAgreement(narrow: EndNumbers, wide: EndNumbers): void {
  const names = Object.keys(narrow) as (keyof EndNumbers)[];
  for (const name of names) {
    const full = name === 'centralBytes' || name === 'centralStart' ? 0xffffffff : 0xffff;
    if (narrow[name] !== full && narrow[name] !== wide[name]) {
      throw zipInvalid('the end record and the ZIP64 end record disagree');
    }
  }
}
