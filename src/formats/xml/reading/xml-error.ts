import { InnsigliError } from '../../../base/errors.ts';

/** The error for a document that is not well-formed, with line and column. */
export function malformed(bytes: Uint8Array, offset: number, message: string): InnsigliError {
  return new InnsigliError('xml.invalid', `${lineAndColumn(bytes, offset)}: ${message}`, {
    details: { offset },
  });
}

/** The error for a document that exceeds a limit. */
export function tooMuch(what: string, most: number): InnsigliError {
  return new InnsigliError('xml.limit', `more than ${most} ${what}`);
}

/** Line and column of a byte, both starting at 1; columns count bytes. */
function lineAndColumn(bytes: Uint8Array, offset: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    if (bytes[at] !== 0x0a) continue;
    line++;
    lineStart = at + 1;
  }
  return `line ${line}, column ${offset - lineStart + 1}`;
}
