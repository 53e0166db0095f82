import { isUtf8 } from 'node:buffer';
import { limits } from '../../base/limits.ts';
import { shownName, zipInvalid } from './zip-error.ts';

const ascii = /^[\x20-\x7e]*$/;

/**
 * The entry name in a header. Names are decoded as UTF-8 even without the UTF-8 flag, which many
 * writers omit. Other encodings are rejected, because readers guess them differently.
 *
 * @throws container.invalid if it is not UTF-8
 */
export function decodeEntryName(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw zipInvalid(`the name ${shownName(bytes.toString('latin1'))} is not encoded in UTF-8`);
  }
  return bytes.toString('utf8');
}

/**
 * The fault of an entry name; undefined if it is valid. A name is a relative path with `/` as
 * separator; folder names end with `/`. All programs must interpret it as the same path: it must
 * not be absolute or contain an empty or dot segment, drive, backslash or control character.
 */
export function entryNameFault(name: string): string | undefined {
  const bytes = Buffer.from(name);
  if (bytes.length === 0) return 'is empty';
  if (bytes.length > limits.containerNameBytes) {
    return `has ${bytes.length} bytes, the limit is ${limits.containerNameBytes}`;
  }
  if (bytes.toString() !== name) return 'is not Unicode text';
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return 'has a control character';
    if (code === 0x5c) return 'has a backslash';
  }
  // More than stream-safe text allows (UAX #15 §13); normalising them takes quadratic time.
  const marks = ascii.test(name) ? null : name.match(/\p{M}+/gu);
  if (marks?.some((run) => run.length > 30)) return 'has more than 30 combining marks in a row';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is an absolute path';
  const segments = (name.endsWith('/') ? name.slice(0, -1) : name).split('/');
  if (segments.length > limits.containerDepth) {
    return `has ${segments.length} segments, the limit is ${limits.containerDepth}`;
  }
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') {
      return `has the path segment "${segment}"`;
    }
  }
  return undefined;
}

/** Checks an entry name. @throws container.invalid if no archive may contain it */
export function requireEntryName(name: string): void {
  const fault = entryNameFault(name);
  if (fault !== undefined) throw zipInvalid(`the name ${shownName(name)} ${fault}`);
}

/**
 * Rejects names that a file system cannot keep apart: equal names, names that differ only in case
 * or in the form of accents, and a file that is also a folder. Windows and macOS store one file for
 * both names, and the reader of a report that states "A.txt is signed" may open the other.
 *
 * @throws container.invalid
 */
export function requireDistinctNames(names: readonly string[]): void {
  const byPath = new Map<string, string>();
  for (const name of names) {
    const path = pathKey(name);
    const other =
      byPath.get(path) ?? byPath.get(path.endsWith('/') ? path.slice(0, -1) : `${path}/`);
    if (other !== undefined) {
      throw zipInvalid(`the entries ${shownName(other)} and ${shownName(name)} have the same name`);
    }
    byPath.set(path, name);
  }
  let checked = '';
  for (const [path, name] of byPath) {
    const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
    // Adjacent entries are usually in the same folder.
    if (folder === checked) continue;
    for (let end = folder.indexOf('/'); end >= 0; end = folder.indexOf('/', end + 1)) {
      const file = byPath.get(folder.slice(0, end));
      if (file !== undefined) {
        throw zipInvalid(`${shownName(file)} is a file and, in ${shownName(name)}, a folder`);
      }
    }
    checked = folder;
  }
}

/** Windows also removes trailing dots and spaces of a segment, and everything from a colon on. */
function pathKey(name: string): string {
  const path = ascii.test(name) ? name.toLowerCase() : name.toLowerCase().normalize('NFC');
  return /[.: ]/.test(path) ? path.split('/').map(segmentKey).join('/') : path;
}

function segmentKey(segment: string): string {
  const colon = segment.indexOf(':');
  let end = colon < 0 ? segment.length : colon;
  while (segment[end - 1] === '.' || segment[end - 1] === ' ') end--;
  return segment.slice(0, end);
}

/** Names that Windows reserves for devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;

/** Characters that reorder text or are invisible. */
const hidden = /[\p{Bidi_Control}\p{Cc}\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\uffff]/u;

/**
 * The reason why an entry name is not portable or is displayed misleadingly; undefined if there is
 * none. Archives may contain such names, but Windows does not allow device names, trailing dots and
 * spaces or any of `<>:"|?*`; characters that reorder text display `gpj.exe` as `exe.jpg`; and
 * programs treat a name that starts with a hyphen as an option.
 */
export function foreignNameFault(name: string): string | undefined {
  const mark = hidden.exec(name)?.[0];
  if (mark !== undefined) {
    const code = mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `has the invisible character U+${code}`;
  }
  for (const segment of name.split('/')) {
    const fault = segmentFault(segment);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function segmentFault(segment: string): string | undefined {
  const [stem = ''] = segment.split('.');
  if (devices.test(stem.trimEnd())) return `is a device name on Windows: ${segment}`;
  if (/[. ]$/.test(segment)) return 'ends with a dot or space, which Windows removes';
  const sign = /[<>:"|?*]/.exec(segment)?.[0];
  if (sign !== undefined) return `has the character ${sign}, which Windows does not allow`;
  if (segment.startsWith('-')) return 'starts with a hyphen, which programs read as an option';
  return segment.startsWith(' ') ? 'starts with a space' : undefined;
}
