import { asBuffer, latin1Bytes } from '../../../base/bytes.ts';
import { createMemo, getOrCompute } from '../../../base/memo.ts';
import { PdfString } from './objects.ts';
import { docCharacters } from './pdf-doc-encoding.table.ts';

const docBytes: ReadonlyMap<string, number> = new Map(
  docCharacters.flatMap((character, byte): [string, number][] =>
    character === '\ufffd' ? [] : [[character, byte]],
  ),
);

/** Text without its language codes, which are enclosed in escape characters. */
function withoutMarks(text: string): string {
  if (!text.includes('\u001b')) return text;
  const parts = text.split('\u001b');
  return parts.filter((_, index) => index % 2 === 0).join('');
}

/**
 * The characters of a text string: UTF-16 or UTF-8 with byte order mark, otherwise PDFDocEncoding.
 * Bytes without a character become U+FFFD.
 *
 * @spec ISO 32000-2 §7.9.2.2
 */
export function decodeText(string: PdfString): string {
  const { bytes } = string;
  const [first, second, third] = bytes;
  if (first === 0xfe && second === 0xff) {
    const even = bytes.length & ~1;
    const swapped = Buffer.from(bytes.subarray(2, even)).swap16();
    return withoutMarks(swapped.toString('utf16le'));
  }
  if (first === 0xff && second === 0xfe) {
    return withoutMarks(asBuffer(bytes.subarray(2)).toString('utf16le'));
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return asBuffer(bytes.subarray(3)).toString('utf8');
  }
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += docCharacters[bytes[i] as number] as string;
  return text;
}

/** A text string: PDFDocEncoding if it has all the characters, otherwise UTF-16BE. */
export function encodeText(text: string): PdfString {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = docBytes.get(text[i] as string);
    if (byte === undefined) return utf16(text);
    bytes[i] = byte;
  }
  const [first, second] = bytes;
  // Text that starts like a byte order mark would be mistaken for one.
  const ambiguous =
    (first === 0xfe && second === 0xff) ||
    (first === 0xff && second === 0xfe) ||
    (first === 0xef && second === 0xbb);
  return ambiguous ? utf16(text) : new PdfString(bytes);
}

function utf16(text: string): PdfString {
  return new PdfString(Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), true);
}

/**
 * A date in UTC to the second: `D:20260131235959Z`.
 *
 * @spec ISO 32000-1 §7.9.4
 */
export function pdfDate(timeMs: number): PdfString {
  const at = new Date(timeMs);
  const date = (at.getUTCFullYear() * 100 + at.getUTCMonth() + 1) * 100 + at.getUTCDate();
  const time = (at.getUTCHours() * 100 + at.getUTCMinutes()) * 100 + at.getUTCSeconds();
  return new PdfString(latin1Bytes(`D:${padded(date, 8)}${padded(time, 6)}Z`));
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

const datePart =
  /^(?:D:)?(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d))?)?)?)?)?(?=[Z+-]|$)/;
const zonePart = /^(?:Z(?:00'?){0,2}|([+-])(\d\d)(?:'?(\d\d))?'?)?$/;

/**
 * The time in a date string; undefined if it is not a date. Missing parts default to their lowest
 * values, a missing time zone to UTC.
 *
 * @spec ISO 32000-1 §7.9.4
 */
export function parsePdfDate(string: PdfString): number | undefined {
  return getOrCompute(dates, string, readDate);
}

/** Several checks of a signature parse its date. */
const dates = createMemo<PdfString, number | undefined>();

function readDate(string: PdfString): number | undefined {
  if (string.bytes.length > 64) return undefined;
  const text = decodeText(string).trim();
  const match = datePart.exec(text);
  const zone = match === null ? null : zonePart.exec(text.slice(match[0].length));
  if (match === null || zone === null) return undefined;
  const part = (index: number, otherwise: number): number => Number(match[index] ?? otherwise);
  const [year, month, day] = [part(1, 0), part(2, 1), part(3, 1)];
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  const [zoneHours, zoneMinutes] = [Number(zone[2] ?? 0), Number(zone[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHours > 23 || zoneMinutes > 59) {
    return undefined;
  }
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that does not exist in the month has rolled over into the next one.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = (zoneHours * 60 + zoneMinutes) * (zone[1] === '-' ? -1 : 1);
  return date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1_000;
}
