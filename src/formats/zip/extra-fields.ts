import { zipInvalid } from './zip-error.ts';

const zip64Id = 0x0001;
const unicodePathId = 0x7075;

/** Positions of the two extra fields that a reader needs; undefined if missing. */
export interface ExtraFields {
  /** Start of the first value of the ZIP64 field and end of the last one. */
  readonly zip64: { readonly start: number; readonly end: number } | undefined;
  /** The name in the Info-ZIP Unicode Path field. */
  readonly unicodePath: Buffer | undefined;
}

/**
 * Finds the extra fields of a header.
 *
 *     (id 2 | length 2 | data)…
 *
 * @throws container.invalid if they do not fill their space, or a field is repeated
 * @spec APPNOTE 6.3.10 §4.5
 */
export function readExtraFields(file: Buffer, start: number, end: number, of: string): ExtraFields {
  let zip64: ExtraFields['zip64'];
  let unicodePath: Buffer | undefined;
  for (let at = start; at < end; ) {
    const dataStart = at + 4;
    const dataEnd = dataStart <= end ? dataStart + file.readUInt16LE(at + 2) : end + 1;
    if (dataEnd > end) throw zipInvalid(`the extra field of ${of} is truncated`);
    const id = file.readUInt16LE(at);
    if (id === zip64Id) {
      if (zip64 !== undefined) throw zipInvalid(`${of} has two ZIP64 fields`);
      zip64 = { start: dataStart, end: dataEnd };
    } else if (id === unicodePathId) {
      if (unicodePath !== undefined) throw zipInvalid(`${of} has two Unicode path fields`);
      // version 1 | CRC of the name in the header 4 | name
      unicodePath = file.subarray(Math.min(dataStart + 5, dataEnd), dataEnd);
    }
    at = dataEnd;
  }
  return { zip64, unicodePath };
}

/** An eight-byte size or offset; a value beyond the safe integers becomes larger than any limit. */
export function readWide(file: Buffer, at: number): number {
  return Number(file.readBigUInt64LE(at));
}
