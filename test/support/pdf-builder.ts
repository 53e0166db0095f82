import { deflateSync } from 'node:zlib';
import { concatBytes, latin1Bytes } from '../../src/base/bytes.ts';

/** Entry of a cross-reference section for one object. */
type Entry =
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly container: number; readonly index: number }
  | { readonly kind: 'free'; readonly generation: number };

/** Options of a cross-reference table. */
export interface TableOptions {
  /** End of an entry; the standard has two bytes. */
  readonly entryEol?: string;
  /** Trailer entries besides /Size and /Root. */
  readonly trailer?: string;
  readonly size?: number;
  readonly root?: string;
  /** Object numbers to omit. */
  readonly without?: readonly number[];
  /** Object numbers to list as free. */
  readonly hide?: readonly number[];
}

/** Options of a cross-reference stream. */
export interface XrefStreamOptions {
  readonly trailer?: string;
  readonly widths?: readonly [number, number, number];
  readonly size?: number;
  readonly root?: string;
  /** `up`: Flate with PNG predictor 12; `flate`. Default: no filter. */
  readonly filter?: 'flate' | 'up';
}

/** Builds small PDFs byte by byte, including invalid ones. */
export class PdfBuilder {
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  readonly #entries = new Map<number, Entry>();

  constructor(header = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n') {
    this.raw(header);
  }

  /** Offset of the next byte. */
  get offset(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return concatBytes(this.#parts);
  }

  raw(part: string | Uint8Array): this {
    const bytes = typeof part === 'string' ? latin1Bytes(part) : part;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this;
  }

  object(objectNumber: number, body: string, generation = 0): this {
    this.at(objectNumber, this.#length, generation);
    return this.raw(`${objectNumber} ${generation} obj\n${body}\nendobj\n`);
  }

  stream(objectNumber: number, dict: string, data: Uint8Array | string): this {
    const bytes = typeof data === 'string' ? latin1Bytes(data) : data;
    this.at(objectNumber, this.#length, 0);
    return this.raw(`${objectNumber} 0 obj\n<<${dict}/Length ${bytes.length}>>\nstream\n`)
      .raw(bytes)
      .raw('\nendstream\nendobj\n');
  }

  /** An object stream with these objects, Flate-encoded. */
  objectStream(objectNumber: number, members: readonly (readonly [number, string])[]): this {
    let pairs = '';
    let bodies = '';
    members.forEach(([member, body], index) => {
      pairs += `${member} ${bodies.length} `;
      bodies += `${body}\n`;
      this.#entries.set(member, { kind: 'compressed', container: objectNumber, index });
    });
    const data = deflateSync(latin1Bytes(pairs + bodies));
    const dict = `/Type/ObjStm/N ${members.length}/First ${pairs.length}/Filter/FlateDecode`;
    return this.stream(objectNumber, dict, data);
  }

  /** Overrides the listed offset of an object. */
  at(objectNumber: number, offset: number, generation = 0): this {
    this.#entries.set(objectNumber, { kind: 'offset', offset, generation });
    return this;
  }

  compressed(objectNumber: number, container: number, index: number): this {
    this.#entries.set(objectNumber, { kind: 'compressed', container, index });
    return this;
  }

  free(objectNumber: number, generation = 1): this {
    this.#entries.set(objectNumber, { kind: 'free', generation });
    return this;
  }

  /** Forgets the objects so far: what follows is the next revision. */
  nextRevision(): this {
    this.#entries.clear();
    return this;
  }

  /** Writes a table of the objects since the last revision; returns its offset. */
  table(options: TableOptions = {}): number {
    const start = this.#length;
    const { entryEol = ' \n', trailer = '', root = '1 0 R', without = [], hide = [] } = options;
    const entries = new Map(this.#entries);
    if (!trailer.includes('/Prev')) entries.set(0, { kind: 'free', generation: 65_535 });
    let text = 'xref\n';
    const numbers = [...entries.keys()].filter((n) => !without.includes(n)).sort((a, b) => a - b);
    for (const run of runs(numbers)) {
      text += `${run[0]} ${run.length}\n`;
      for (const number of run) {
        const entry = entries.get(number) as Entry;
        if (entry.kind === 'offset' && !hide.includes(number)) {
          text += `${pad(entry.offset, 10)} ${pad(entry.generation, 5)} n${entryEol}`;
        } else {
          const generation = entry.kind === 'free' ? entry.generation : 0;
          text += `0000000000 ${pad(generation, 5)} f${entryEol}`;
        }
      }
    }
    const size = options.size ?? Math.max(...numbers) + 1;
    this.raw(`${text}trailer\n<</Size ${size}/Root ${root}${trailer}>>\n`);
    return start;
  }

  /** Writes a cross-reference stream of the objects since the last revision; returns its offset. */
  xrefStream(objectNumber: number, options: XrefStreamOptions = {}): number {
    const start = this.#length;
    this.at(objectNumber, start);
    const { widths = [1, 4, 2], trailer = '', root = '1 0 R' } = options;
    const entries = new Map(this.#entries);
    if (!trailer.includes('/Prev')) entries.set(0, { kind: 'free', generation: 65_535 });
    const numbers = [...entries.keys()].sort((a, b) => a - b);
    const rows = numbers.map((number) => row(entries.get(number) as Entry, widths));
    const index = runs(numbers).map((run) => `${run[0]} ${run.length}`);
    const size = options.size ?? Math.max(...numbers) + 1;
    let dict = `/Type/XRef/Size ${size}/Root ${root}/W[${widths.join(' ')}]`;
    dict += `/Index[${index.join(' ')}]${trailer}`;
    let data = concatBytes(rows);
    if (options.filter === 'flate') {
      dict += '/Filter/FlateDecode';
      data = deflateSync(data);
    } else if (options.filter === 'up') {
      const columns = widths[0] + widths[1] + widths[2];
      dict += `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${columns}>>`;
      data = deflateSync(pngUp(rows));
    }
    this.stream(objectNumber, dict, data);
    return start;
  }

  end(startxref: number | string, marker = '%%EOF\n'): this {
    return this.raw(`startxref\n${startxref}\n${marker}`);
  }
}

/** Bodies of a document with one page: catalog 1, pages 2, page 3. */
export const onePage: readonly string[] = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
];

/** Writes bodies as objects 1, 2, 3, … */
export function addObjects(builder: PdfBuilder, bodies: readonly string[]): PdfBuilder {
  bodies.forEach((body, index) => {
    builder.object(index + 1, body);
  });
  return builder;
}

/** A complete document with a table. */
export function pdfWithTable(bodies: readonly string[], options: TableOptions = {}): Uint8Array {
  const builder = addObjects(new PdfBuilder(), bodies);
  return builder.end(builder.table(options)).bytes;
}

/** A complete document with a cross-reference stream; all objects are in object stream 90. */
export function pdfWithObjectStream(
  bodies: readonly string[],
  options: XrefStreamOptions = {},
): Uint8Array {
  const builder = new PdfBuilder();
  builder.objectStream(
    90,
    bodies.map((body, index) => [index + 1, body] as const),
  );
  return builder.end(builder.xrefStream(91, options)).bytes;
}

/** A hybrid-reference document: objects from `hiddenFrom` on are listed only in the stream. */
export function pdfHybrid(bodies: readonly string[], hiddenFrom: number): Uint8Array {
  const builder = new PdfBuilder();
  const open = bodies.slice(0, hiddenFrom - 1);
  addObjects(builder, open);
  const members = bodies.slice(hiddenFrom - 1).map((body, i) => [hiddenFrom + i, body] as const);
  builder.objectStream(hiddenFrom + members.length, members);
  const stream = builder.xrefStream(hiddenFrom + members.length + 1);
  const hide = members.map(([number]) => number);
  return builder.end(builder.table({ hide, trailer: `/XRefStm ${stream}` })).bytes;
}

/** A document whose newest section comes first, as in a linearized file. */
export function pdfLinearizedLike(bodies: readonly string[]): Uint8Array {
  const [catalog = '', pages = '', page = ''] = bodies;
  // Offsets of the first section are known only after the rest: it is built twice.
  const build = (offsets: readonly [number, number]): [Uint8Array, [number, number]] => {
    const builder = new PdfBuilder();
    const first = builder.offset;
    builder.at(3, offsets[0]).table({
      trailer: `/Prev ${pad(offsets[1], 6)}`,
      size: 4,
    });
    builder.end(0);
    const pageAt = builder.offset;
    builder.object(3, page).nextRevision().object(1, catalog).object(2, pages);
    const main = builder.table({ size: 3 });
    return [builder.end(first).bytes, [pageAt, main]];
  };
  return build(build([0, 0])[1])[0];
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

function runs(numbers: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last.at(-1) === number - 1) last.push(number);
    else found.push([number]);
  }
  return found;
}

function row(entry: Entry, widths: readonly number[]): Uint8Array {
  const fields =
    entry.kind === 'offset'
      ? [1, entry.offset, entry.generation]
      : entry.kind === 'compressed'
        ? [2, entry.container, entry.index]
        : [0, 0, entry.generation];
  const bytes: number[] = [];
  fields.forEach((field, i) => {
    const width = widths[i] ?? 0;
    for (let k = width - 1; k >= 0; k--) bytes.push(Math.floor(field / 256 ** k) % 256);
  });
  return Uint8Array.from(bytes);
}

function pngUp(rows: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    rows.map((current, r) => {
      const above = rows[r - 1];
      return Uint8Array.from([2, ...current.map((byte, i) => byte - (above?.[i] ?? 0))]);
    }),
  );
}
