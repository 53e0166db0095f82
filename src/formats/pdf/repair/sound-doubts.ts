import { asBuffer, type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';
import { attemptRead } from '../budget.ts';
import { asInteger } from '../syntax/objects.ts';
import { readStartXref } from '../xref/tail.ts';
import type { XrefLocation, XrefSection } from '../xref/xref.ts';
import { isSamePosition } from './line-readings.ts';
import { ByteScanner } from './scan/index.ts';

/** Distance from the end in which viewers search for `startxref`, in bytes. */
const VIEWER_TAIL_BYTES = 1024;
/** Maximum distance in bytes between /Length and the data of a stream. */
const DICT_BYTES = 4_096;
/** Longer than a number, or than what is expected at the end of data. */
const NUMBER_BYTES = 40;
const START = latin1Bytes('startxref');
const LENGTH = latin1Bytes('/Length');
const STREAM = latin1Bytes('stream');
const ENDOBJ = latin1Bytes('endobj');
const objectHeader = /^[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/;
const statedLength = /^[\0\t\n\f\r ]*(\d{1,10})(?![\d.]|[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R)/;

/**
 * Whether some viewers scan for the objects although the sections are valid: too many bytes follow
 * `startxref`, it points to a comment, or /Size does not exceed the highest object number.
 */
export function isScannedByViewers(view: ByteSource, sections: readonly XrefSection[]): boolean {
  const start = Math.max(0, view.lengthBytes - VIEWER_TAIL_BYTES);
  if (asBuffer(view.slice(start, view.lengthBytes)).lastIndexOf(START) < 0) return true;
  if (isBehindComment(view, sections[0])) return true;
  const size = asInteger(sections[0]?.trailer.get('Size')) ?? 0;
  return sections.some(({ ranges }) => ranges.some(({ first, count }) => first + count > size));
}

/** Whether `startxref` points to a comment before the section, which some viewers reject. */
function isBehindComment(view: ByteSource, newest: XrefSection | undefined): boolean {
  const start = attemptRead(() => readStartXref(view));
  if (start === undefined || newest === undefined || newest.offsetBytes <= start) return false;
  return view.slice(start, newest.offsetBytes).includes(0x25);
}

/** Input for checking a file with valid sections. */
interface SoundFile {
  readonly view: ByteSource;
  /** Newest first. */
  readonly sections: readonly XrefSection[];
  locate(objectNumber: number): XrefLocation | undefined;
}

/** Why viewers may show a different document although the sections are valid, if found. */
export function soundDoubt(file: SoundFile): string | undefined {
  const overlong = findOverlongStream(file.view);
  if (overlong >= 0) {
    return `the /Length of the stream at byte ${overlong} reaches into another object`;
  }
  const shared = sharedNumber(file);
  if (shared === undefined) return undefined;
  return `the cross-reference stream uses the number of object ${shared}`;
}

/** Object number of the newest cross-reference stream, if shared by an object some viewers show. */
function sharedNumber(file: SoundFile): number | undefined {
  const { view } = file;
  const [newest] = file.sections;
  if (newest?.kind !== 'stream') return undefined;
  const number = numberAt(view, newest.offsetBytes);
  const place = number === undefined ? undefined : attemptRead(() => file.locate(number));
  if (place === undefined) return undefined;
  if (place.kind !== 'offset') return number;
  const isOther =
    numberAt(view, place.offsetBytes) === number &&
    !isSamePosition(view, newest.offsetBytes, place.offsetBytes);
  return isOther ? number : undefined;
}

/** The number of the object that starts here; undefined if none does. */
function numberAt(view: ByteSource, at: number): number | undefined {
  const text = latin1Text(view.slice(at, Math.min(at + NUMBER_BYTES, view.lengthBytes)));
  const found = objectHeader.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * The offset of a /Length that extends into another object; -1 if there is none. Some viewers end
 * such data at the start of the next object in use: an update that replaces that object, or that
 * follows the last one, would change what they show.
 */
function findOverlongStream(view: ByteSource): number {
  const scanner = new ByteScanner(view, true);
  let at = scanner.find(LENGTH, 0);
  while (at >= 0) {
    const behind = at + LENGTH.length;
    const stated = statedLength.exec(latin1Text(scanner.view(behind, behind + NUMBER_BYTES)))?.[1];
    const start = stated === undefined ? -1 : dataStart(scanner, behind);
    const end = start + Number(stated);
    if (start < 0) at = scanner.find(LENGTH, behind);
    else if (endsAt(scanner, end)) at = scanner.find(LENGTH, end);
    else if (end > view.lengthBytes || scanner.find(ENDOBJ, start, end) >= 0) return at;
    else at = scanner.find(LENGTH, start);
  }
  return -1;
}

/** The start of the data of the dictionary that continues at `offset`; -1 if it has no data. */
function dataStart(scanner: ByteScanner, offset: number): number {
  const limit = Math.min(offset + DICT_BYTES, scanner.source.lengthBytes);
  const found = scanner.find(STREAM, offset, limit);
  if (found < 0 || scanner.find(ENDOBJ, offset, found) >= 0) return -1;
  const behind = found + STREAM.length;
  const byte = scanner.byteAt(behind);
  if (byte === 0x0a) return behind + 1;
  if (byte !== 0x0d) return -1;
  return scanner.byteAt(behind + 1) === 0x0a ? behind + 2 : behind + 1;
}

/** Whether `endstream` is here, optionally after white space. */
function endsAt(scanner: ByteScanner, offset: number): boolean {
  const text = latin1Text(scanner.view(offset, offset + NUMBER_BYTES));
  return text.trimStart().startsWith('endstream');
}
