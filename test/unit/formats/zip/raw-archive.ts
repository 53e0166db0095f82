import { crc32, deflateRawSync } from 'node:zlib';
import { concatBytes } from '../../../../src/base/bytes.ts';

/** An entry written field by field, so that any field can be incorrect. */
export interface RawEntry {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  readonly method?: number;
  /** Data after the header in place of the correct data. */
  readonly raw?: Uint8Array;
  readonly flags?: number;
  readonly localFlags?: number;
  readonly localName?: string;
  readonly localMethod?: number;
  readonly localCrc?: number;
  readonly localSize?: number;
  readonly localCompressed?: number;
  readonly localExtra?: Uint8Array;
  readonly crc?: number;
  readonly size?: number;
  readonly compressed?: number;
  readonly extra?: Uint8Array;
  readonly comment?: string;
  readonly disk?: number;
  readonly madeBy?: number;
  readonly external?: number;
  readonly offset?: number;
  readonly descriptor?: Uint8Array;
  /** Bytes between this entry and the next one. */
  readonly gap?: Uint8Array;
}

/** The parts around the entries. */
export interface RawFrame {
  readonly before?: Uint8Array;
  readonly behindCentral?: Uint8Array;
  readonly after?: Uint8Array;
  readonly comment?: string;
  readonly commentBytes?: number;
  readonly count?: number;
  readonly countHere?: number;
  readonly disk?: number;
  readonly centralBytes?: number;
  readonly centralStart?: number;
  /** Order of the central directory, by index. */
  readonly order?: readonly number[];
}

/** Little-endian fields: pairs of value and width in bytes. */
export function fields(...pairs: readonly (readonly [number | bigint, 1 | 2 | 4 | 8])[]): Buffer {
  return Buffer.concat(
    pairs.map(([value, width]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt.asUintN(width * 8, BigInt(value)));
      return bytes.subarray(0, width);
    }),
  );
}

const bytesOf = (value: string | Uint8Array | undefined): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value) : (value ?? new Uint8Array(0));

/** An archive with exactly these fields. Omitted fields are correct. */
export function rawArchive(entries: readonly RawEntry[], frame: RawFrame = {}): Uint8Array {
  const pieces: Uint8Array[] = [bytesOf(frame.before)];
  const records: Uint8Array[] = [];
  let at = bytesOf(frame.before).length;
  for (const entry of entries) {
    const { local, record } = rawEntry(entry, at);
    pieces.push(local);
    records.push(record);
    at += local.length;
  }
  const sorted = (frame.order ?? records.map((_, i) => i)).map((i) => records[i] as Uint8Array);
  const central = concatBytes(sorted);
  const behind = bytesOf(frame.behindCentral);
  const comment = bytesOf(frame.comment);
  const end = fields(
    [0x06054b50, 4],
    [frame.disk ?? 0, 2],
    [0, 2],
    [frame.countHere ?? frame.count ?? records.length, 2],
    [frame.count ?? records.length, 2],
    [frame.centralBytes ?? central.length, 4],
    [frame.centralStart ?? at, 4],
    [frame.commentBytes ?? comment.length, 2],
  );
  return concatBytes([...pieces, central, behind, end, comment, bytesOf(frame.after)]);
}

function rawEntry(entry: RawEntry, at: number): { local: Uint8Array; record: Uint8Array } {
  const content = bytesOf(entry.data);
  const method = entry.method ?? 0;
  const data = entry.raw ?? (method === 8 ? deflateRawSync(content) : content);
  const name = bytesOf(entry.name);
  const localName = bytesOf(entry.localName ?? entry.name);
  const flags = entry.flags ?? 0;
  const crc = entry.crc ?? crc32(content);
  const compressed = entry.compressed ?? data.length;
  const size = entry.size ?? content.length;
  const localExtra = bytesOf(entry.localExtra);
  const extra = bytesOf(entry.extra);
  const comment = bytesOf(entry.comment);
  const header = fields(
    [0x04034b50, 4],
    [20, 2],
    [entry.localFlags ?? flags, 2],
    [entry.localMethod ?? method, 2],
    [0x00210000, 4],
    [entry.localCrc ?? crc, 4],
    [entry.localCompressed ?? compressed, 4],
    [entry.localSize ?? size, 4],
    [localName.length, 2],
    [localExtra.length, 2],
  );
  const record = fields(
    [0x02014b50, 4],
    [entry.madeBy ?? 20, 2],
    [20, 2],
    [flags, 2],
    [method, 2],
    [0x00210000, 4],
    [crc, 4],
    [compressed, 4],
    [size, 4],
    [name.length, 2],
    [extra.length, 2],
    [comment.length, 2],
    [entry.disk ?? 0, 2],
    [0, 2],
    [entry.external ?? 0, 4],
    [entry.offset ?? at, 4],
  );
  return {
    local: concatBytes([
      header,
      localName,
      localExtra,
      data,
      bytesOf(entry.descriptor),
      bytesOf(entry.gap),
    ]),
    record: concatBytes([record, name, extra, comment]),
  };
}
