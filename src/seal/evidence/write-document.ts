import { concatBytes } from '../../base/bytes.ts';

/** Writes a new PDF object by object. Values are passed in file syntax. */
export interface DocumentWriter {
  /** Reserves a number for an object that is written later. */
  allocate(): number;
  /** Writes an object under a reserved or a new number, and returns the number. */
  put(body: string | Uint8Array, number?: number): number;
  /** Writes a stream that is already compressed. */
  putFlate(content: Uint8Array): number;
  /** Returns the complete file. Every reserved number must have been written. */
  finish(trailer: string): Uint8Array;
}

/** Number of digits of an offset in the cross-reference table. */
const OFFSET_DIGITS = 10;

/**
 * A new document. `known` are the bodies of its first objects, numbered 1, 2, 3…
 *
 * @spec ISO 32000-1 §7.5
 */
export function newDocument(known: readonly Uint8Array[]): DocumentWriter {
  const bodies: (string | Uint8Array)[] = [...known];
  return {
    allocate: () => bodies.push(''),
    put(body, number = bodies.push('')) {
      bodies[number - 1] = body;
      return number;
    },
    putFlate(content) {
      const head = `<</Filter /FlateDecode /Length ${content.length}>>\nstream\n`;
      return bodies.push(
        concatBytes([Buffer.from(head, 'latin1'), content, Buffer.from('\nendstream', 'latin1')]),
      );
    },
    finish: (trailer) => fileOf(bodies, trailer),
  };
}

function fileOf(bodies: readonly (string | Uint8Array)[], trailer: string): Uint8Array {
  // The bytes above 127 mark the file as binary. @spec ISO 32000-1 §7.5.2
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = parts[0]?.length ?? 0;
  let text = '';
  const offsets: number[] = [];
  const flush = (): void => {
    if (text === '') return;
    parts.push(Buffer.from(text, 'latin1'));
    text = '';
  };
  for (const [index, body] of bodies.entries()) {
    offsets.push(length);
    const head = `${index + 1} 0 obj\n`;
    text += head;
    if (typeof body === 'string') text += body;
    else {
      flush();
      parts.push(body);
    }
    text += '\nendobj\n';
    length += head.length + body.length + 8;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(OFFSET_DIGITS, '0')} 00000 n \n`);
  const size = bodies.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  text += `trailer\n<</Size ${size} ${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
  flush();
  return concatBytes(parts);
}
