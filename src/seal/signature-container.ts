import { asBuffer, type ByteSource, hexOf, joinedSource, latin1Bytes } from '../base/bytes.ts';
import { InnsigliError } from '../base/errors.ts';
import {
  beginUpdate,
  digestRanges,
  type PdfFile,
  type PdfObject,
  PdfRaw,
  type PdfReference,
} from '../formats/pdf/index.ts';
import type { DigestAlgorithm } from '../formats/x509/index.ts';
import { type FieldChoice, placeField } from './field/index.ts';

/**
 * One update with reserved space for a signature value:
 *
 *     0             contentsStart            contentsEnd        length
 *     |  input + update | <3082…value…000> | rest of the update |
 *     '---- covered ----'                  '----- covered ------'
 *
 * `/ByteRange [0 contentsStart contentsEnd length-contentsEnd]`. Both offsets count the angle
 * brackets of `/Contents` as part of the gap.
 *
 * @spec ISO 32000-1 §12.8.1
 */
export interface SignatureContainer {
  /** The update to append to the input. {@link fillContainer} fills the gap. */
  readonly tail: Uint8Array;
  /** The input followed by the update. */
  readonly source: ByteSource;
  readonly contentsStart: number;
  readonly contentsEnd: number;
  /** Capacity of the gap in bytes. */
  readonly capacityBytes: number;
}

/** `[0 `, three numbers of up to ten digits each, blanks, `]`. */
const BYTE_RANGE_LENGTH = 3 + 3 * 11 + 1;
/** Longer than the values of most signers; larger gaps are not cached. */
const KEPT_HOLE_BYTES = 1 << 16;
const BLANK = new Uint8Array(BYTE_RANGE_LENGTH).fill(0x20);

/**
 * Writes the update with the field, the signature dictionary and an empty value.
 *
 * @param entries of the signature dictionary, without `/ByteRange` and `/Contents`
 * @param extra for the catalog, given the reference of the signature dictionary
 */
export function openContainer(
  file: PdfFile,
  choice: FieldChoice,
  entries: ReadonlyMap<string, PdfObject>,
  capacityBytes: number,
  extra?: (value: PdfReference) => ReadonlyMap<string, PdfObject>,
): SignatureContainer {
  const update = beginUpdate(file);
  const value = update.allocate();
  const hole = emptyHole(capacityBytes);
  const dict = new Map(entries);
  dict.set('ByteRange', new PdfRaw(BLANK, 'byteRange'));
  dict.set('Contents', new PdfRaw(hole, 'contents'));
  update.set(value, dict);
  placeField(file, update, choice, value, extra?.(value));
  const { bytes: tail, marks } = update.finish();
  const base = file.source.lengthBytes;
  const contentsStart = marks.get('contents') as number;
  const contentsEnd = contentsStart + hole.length;
  const rest = base + tail.length - contentsEnd;
  const range = `[0 ${contentsStart} ${contentsEnd} ${rest}`.padEnd(BYTE_RANGE_LENGTH - 1);
  tail.set(latin1Bytes(`${range}]`), (marks.get('byteRange') as number) - base);
  const source = joinedSource(file.source, tail);
  // The gap must be filled in the bytes that the source reads, whether they are copied or not.
  const joined = source.slice(base, source.lengthBytes);
  return { tail: joined, source, contentsStart, contentsEnd, capacityBytes };
}

/** `<000…000>` of the last container, as those of one signer have the same size. Never modified. */
let lastHole: Uint8Array = new Uint8Array();

function emptyHole(capacityBytes: number): Uint8Array {
  const lengthBytes = capacityBytes * 2 + 2;
  if (lastHole.length === lengthBytes) return lastHole;
  const hole = new Uint8Array(lengthBytes).fill(0x30);
  hole[0] = 0x3c;
  hole[lengthBytes - 1] = 0x3e;
  if (capacityBytes <= KEPT_HOLE_BYTES) lastHole = hole;
  return hole;
}

/** The digest of everything except the gap. */
export function digestContainer(
  container: SignatureContainer,
  digest: DigestAlgorithm,
): Uint8Array {
  const { source, contentsStart, contentsEnd } = container;
  const rest = source.lengthBytes - contentsEnd;
  return digestRanges(source, [0, contentsStart, contentsEnd, rest], digest);
}

/**
 * Writes the value into the gap.
 *
 * @throws seal.reservation.exceeded if it does not fit
 */
export function fillContainer(container: SignatureContainer, value: Uint8Array): void {
  if (value.length > container.capacityBytes) {
    const details = { reservedBytes: container.capacityBytes, neededBytes: value.length };
    const message = 'the signature is larger than the space reserved for it';
    throw new InnsigliError('seal.reservation.exceeded', message, { details });
  }
  const { tail, source } = container;
  const base = source.lengthBytes - tail.length;
  asBuffer(tail).write(hexOf(value), container.contentsStart + 1 - base, 'latin1');
}
