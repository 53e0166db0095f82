import { asBuffer } from '../../base/bytes.ts';
import { decodeCharacters } from './characters.ts';
import { skipComment, skipInstruction, skipSection } from './skip-markup.ts';
import { startsWith } from './starts-with.ts';

/** The text between two tags: CDATA sections as they are, comments and instructions left out. */
export function readCharacterData(bytes: Uint8Array, start: number, end: number): string {
  const found = bytes.subarray(start, end).indexOf(0x3c);
  if (found < 0) return decodeCharacters(bytes, start, end);
  const pieces: string[] = [];
  for (let at = start; at < end; ) {
    if (bytes[at] !== 0x3c) {
      const next = bytes.subarray(at, end).indexOf(0x3c);
      const stop = next < 0 ? end : at + next;
      pieces.push(decodeCharacters(bytes, at, stop));
      at = stop;
    } else if (bytes[at + 1] === 0x3f) at = skipInstruction(bytes, at);
    else if (startsWith(bytes, at, '<!--')) at = skipComment(bytes, at);
    else {
      const after = skipSection(bytes, at);
      pieces.push(
        asBuffer(bytes)
          .toString('utf8', at + 9, after - 3)
          .replace(/\r\n?/g, '\n'),
      );
      at = after;
    }
  }
  return pieces.join('');
}
