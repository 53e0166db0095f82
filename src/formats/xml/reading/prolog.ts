import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { foreignEncoding } from './foreign-encoding.ts';
import { malformed } from './xml-error.ts';

/** Maximum length of an XML declaration. */
const DECLARATION_BYTES = 512;

const space = '[ \\t\\r\\n]';
const declaration = new RegExp(
  `^<\\?xml${setting('version', '1\\.0')}` +
    `(${setting('encoding', '[A-Za-z][\\w.-]*')})?` +
    `(?:${setting('standalone', 'yes|no')})?${space}*\\?>`,
);

function setting(name: string, value: string): string {
  return `${space}+${name}${space}*=${space}*(?:"(?:${value})"|'(?:${value})')`;
}

const utf8Names: readonly string[] = ['utf-8', 'utf8'];
const asciiNames: readonly string[] = ['us-ascii', 'ascii'];

/**
 * The offset after the byte order mark and the XML declaration.
 *
 * @throws xml.encoding.unsupported for anything but UTF-8; xml.invalid for a malformed declaration
 * @spec XML 1.0 §2.8, §4.3.3
 */
export function readProlog(bytes: Uint8Array): number {
  const [first, second] = bytes;
  const foreign = foreignEncoding(bytes);
  if (foreign !== undefined) throw unsupported(foreign);
  const start = first === 0xef && second === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = asBuffer(bytes).toString('latin1', start, start + DECLARATION_BYTES);
  if (!/^<\?xml[ \t\r\n]/.test(text)) {
    requireUtf8(bytes);
    return start;
  }
  const match = declaration.exec(text);
  if (match === null) throw malformed(bytes, start, 'the XML declaration is damaged');
  const encoding = (match[1] ?? '"UTF-8"').split(/["']/, 2)[1] as string;
  const isAsciiName = asciiNames.includes(encoding.toLowerCase());
  if (!isAsciiName && !utf8Names.includes(encoding.toLowerCase())) throw unsupported(encoding);
  requireUtf8(bytes);
  if (isAsciiName && !isAscii(bytes)) throw unsupported(`${encoding} with other bytes`);
  return start + match[0].length;
}

function requireUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw unsupported('bytes that are not UTF-8');
}

function unsupported(found: string): InnsigliError {
  return new InnsigliError('xml.encoding.unsupported', `expected UTF-8, found ${found}`, {
    hint: 'convert the document to UTF-8: iconv -f … -t UTF-8, and its XML declaration',
  });
}
