import { asBuffer } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { byteBits, byteClass } from './byte-classes.table.ts';
import { isPlainName, requireCharacter } from './characters.ts';
import { startsWith } from './starts-with.ts';
import { malformed } from './xml-error.ts';

/** The offset after the comment at `start`. @throws xml.invalid @spec XML 1.0 §2.5 */
export function skipComment(bytes: Uint8Array, start: number): number {
  const at = find(bytes, start + 4, '--', 'a comment');
  if (bytes[at + 2] !== 0x3e) throw malformed(bytes, at, '"--" is forbidden in comments');
  return at + 3;
}

/** The offset after the CDATA section at `start`. @throws xml.invalid @spec XML 1.0 §2.7 */
export function skipSection(bytes: Uint8Array, start: number): number {
  if (!startsWith(bytes, start, '<![CDATA[')) {
    throw malformed(bytes, start, 'expected a comment or CDATA section');
  }
  return find(bytes, start + 9, ']]>', 'a CDATA section') + 3;
}

/** Offset after the processing instruction at `start`. @throws xml.invalid @spec XML 1.0 §2.6 */
export function skipInstruction(bytes: Uint8Array, start: number): number {
  const nameEnd = instructionNameEnd(bytes, start);
  if (!isCommonName(bytes, start + 2, nameEnd)) {
    const name = asBuffer(bytes).toString('utf8', start + 2, nameEnd);
    if (!isPlainName(name) || name.toLowerCase() === 'xml') {
      throw malformed(bytes, start, 'a processing instruction has a reserved name');
    }
  }
  if (startsWith(bytes, nameEnd, '?>')) return nameEnd + 2;
  if (((byteClass[bytes[nameEnd] ?? 0] as number) & byteBits.space) === 0) {
    throw malformed(bytes, nameEnd, 'expected white space or "?>"');
  }
  return find(bytes, nameEnd, '?>', 'a processing instruction') + 2;
}

/** Whether all are ASCII letters, but not three as in `xml`: such names need no further check. */
function isCommonName(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const letter = (bytes[at] as number) | 0x20;
    if (letter < 0x61 || letter > 0x7a) return false;
  }
  return end > start && end - start !== 3;
}

/** The offset after the target of the processing instruction at `start`. */
export function instructionNameEnd(bytes: Uint8Array, start: number): number {
  let at = start + 2;
  while (at < bytes.length && ((byteClass[bytes[at] as number] as number) & byteBits.name) !== 0) {
    at++;
  }
  return at;
}

/** The offset of `text` at or after `from`; the skipped bytes must be valid characters. */
function find(bytes: Uint8Array, from: number, text: string, what: string): number {
  const first = text.charCodeAt(0);
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === first && startsWith(bytes, at, text)) return at;
    if (byte < 0x20 || byte === 0xef) requireCharacter(bytes, at);
  }
  throw malformed(bytes, from, `unterminated ${what}`);
}

/** The error for `<!DOCTYPE`. */
export function forbiddenDoctype(): InnsigliError {
  return new InnsigliError('xml.dtd.forbidden', 'the document has a document type declaration', {
    hint: 'remove <!DOCTYPE …>: entities and default values would change signed content',
  });
}
