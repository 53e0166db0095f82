import { decodeCharacters } from './characters.ts';
import { skipComment, skipInstruction, skipSection } from './skip-markup.ts';
import { startsWith } from './starts-with.ts';

/** The text between two tags: CDATA sections unescaped, comments and instructions removed. */
export function readCharacterData(bytes: Buffer, start: number, end: number): string {
  if (findTag(bytes, start, end) === end) return decodeCharacters(bytes, start, end);
  const pieces: string[] = [];
  for (let at = start; at < end; ) {
    if (bytes[at] !== 0x3c) {
      const stop = findTag(bytes, at, end);
      pieces.push(decodeCharacters(bytes, at, stop));
      at = stop;
    } else if (bytes[at + 1] === 0x3f) at = skipInstruction(bytes, at);
    else if (startsWith(bytes, at, '<!--')) at = skipComment(bytes, at);
    else {
      const after = skipSection(bytes, at);
      pieces.push(bytes.toString('utf8', at + 9, after - 3).replace(/\r\n?/g, '\n'));
      at = after;
    }
  }
  return pieces.join('');
}

/** The offset of the next `<`; `end` if there is none before it. */
function findTag(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 0x3c) at++;
  return at;
}
