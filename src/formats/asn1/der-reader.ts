import { asBuffer } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/**
 * One element inside a buffer; nothing is copied. Offsets count from the start of `bytes`.
 *
 *     start        contentStart                contentEnd  end
 *       | tag | length |  content bytes ...        | (00 00) |
 *
 * `end` differs from `contentEnd` only for the indefinite length of BER.
 */
export interface DerNode {
  readonly bytes: Uint8Array;
  /** Identifier byte: class, constructed bit and tag number below 31. */
  readonly tag: number;
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly end: number;
}

const CONSTRUCTED = 0x20;

function invalid(message: string, offsetBytes: number): InnsigliError {
  return new InnsigliError('asn1.invalid', `${message} at byte ${offsetBytes}`, {
    details: { offsetBytes },
  });
}

/**
 * The element at `start`, which must end at or before `end`. Definite lengths of any size are
 * accepted, and so is the indefinite length of BER, because other signers use it for SignedData.
 *
 * @throws asn1.invalid if the element is truncated, or its tag number is above 30
 * @spec X.690 §8.1
 */
export function readNode(bytes: Uint8Array, start: number, end: number, depth = 0): DerNode {
  if (depth > limits.derDepth) throw invalid('elements nested too deeply', start);
  if (start + 2 > end) throw invalid('element truncated', start);
  const tag = bytes[start] as number;
  if ((tag & 0x1f) === 0x1f) throw invalid('tag number above 30', start);
  let length = bytes[start + 1] as number;
  let contentStart = start + 2;
  if (length === 0x80) {
    if ((tag & CONSTRUCTED) === 0) throw invalid('indefinite length in a primitive element', start);
    return readIndefinite(bytes, start, contentStart, end, depth);
  }
  if (length > 0x80) {
    const count = length & 0x7f;
    if (count > 4 || contentStart + count > end) throw invalid('length too large', start);
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[contentStart + i] as number);
    contentStart += count;
  }
  const contentEnd = contentStart + length;
  if (contentEnd > end) throw invalid('content truncated', start);
  return { bytes, tag, start, contentStart, contentEnd, end: contentEnd };
}

function readIndefinite(
  bytes: Uint8Array,
  start: number,
  contentStart: number,
  end: number,
  depth: number,
): DerNode {
  let offset = contentStart;
  while (offset + 2 <= end) {
    if (bytes[offset] === 0 && bytes[offset + 1] === 0) {
      const tag = bytes[start] as number;
      return { bytes, tag, start, contentStart, contentEnd: offset, end: offset + 2 };
    }
    offset = readNode(bytes, offset, end, depth + 1).end;
  }
  throw invalid('end-of-contents octets missing', start);
}

/**
 * The single element that makes up `bytes`.
 *
 * @throws asn1.invalid if the element is truncated or followed by other bytes
 */
export function readDer(bytes: Uint8Array): DerNode {
  const node = readNode(bytes, 0, bytes.length);
  if (node.end !== bytes.length) throw invalid('bytes after the element', node.end);
  return node;
}

/**
 * The elements inside a constructed element, in order.
 *
 * @throws asn1.invalid if the element is primitive or an inner one is truncated
 */
export function childrenOf(node: DerNode): DerNode[] {
  if ((node.tag & CONSTRUCTED) === 0) throw invalid('expected a constructed element', node.start);
  const children: DerNode[] = [];
  let offset = node.contentStart;
  while (offset < node.contentEnd) {
    const child = readNode(node.bytes, offset, node.contentEnd);
    children.push(child);
    offset = child.end;
  }
  return children;
}

/** The content bytes, as a view. */
export function contentOf(node: DerNode): Uint8Array {
  return node.bytes.subarray(node.contentStart, node.contentEnd);
}

/** The whole element including tag and length, as a view. */
export function derOf(node: DerNode): Uint8Array {
  return node.bytes.subarray(node.start, node.end);
}

/**
 * Returns the node if it is present and has the tag.
 *
 * @throws asn1.invalid if the node is missing or has another tag; the message names it `what`
 */
export function requireTag(node: DerNode | undefined, tag: number, what: string): DerNode {
  if (node === undefined) throw invalid(`${what} is missing`, 0);
  if (node.tag !== tag) {
    const found = node.tag.toString(16).padStart(2, '0');
    const expected = tag.toString(16).padStart(2, '0');
    throw invalid(`${what}: expected tag 0x${expected}, found 0x${found}`, node.start);
  }
  return node;
}

/** The children of a SEQUENCE. @throws asn1.invalid if it is something else */
export function readSequence(node: DerNode | undefined, what: string): DerNode[] {
  return childrenOf(requireTag(node, 0x30, what));
}

/** The children of a SET. @throws asn1.invalid if it is something else */
export function readSet(node: DerNode | undefined, what: string): DerNode[] {
  return childrenOf(requireTag(node, 0x31, what));
}

/**
 * An OBJECT IDENTIFIER in dotted decimal form.
 *
 * @throws asn1.invalid if it is something else or an arc exceeds 128 bits
 * @spec X.690 §8.19
 */
export function readOid(node: DerNode | undefined, what = 'object identifier'): string {
  const { bytes, contentStart, contentEnd } = requireTag(node, 0x06, what);
  let hash = 0;
  for (let i = contentStart; i < contentEnd; i++) hash = Math.imul(hash, 31) + (bytes[i] as number);
  const slot = hash & (OID_SLOTS - 1);
  const kept = oidSlots[slot];
  if (kept !== undefined && hasBytes(kept.content, bytes, contentStart, contentEnd)) {
    return kept.text;
  }
  const content = bytes.subarray(contentStart, contentEnd);
  const text = decodeOid(content, what, node?.start ?? 0);
  if (content.length <= KEPT_OID_BYTES) oidSlots[slot] = { content: new Uint8Array(content), text };
  return text;
}

/** Cache of decoded object identifiers, indexed by the hash of their bytes: formatting is slow. */
const OID_SLOTS = 256;
const KEPT_OID_BYTES = 32;
const oidSlots: ({ readonly content: Uint8Array; readonly text: string } | undefined)[] = new Array(
  OID_SLOTS,
);

function hasBytes(content: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (content.length !== end - start) return false;
  for (let i = 0; i < content.length; i++) {
    if (content[i] !== bytes[start + i]) return false;
  }
  return true;
}

function decodeOid(content: Uint8Array, what: string, start: number): string {
  if (content.length === 0) throw invalid(`${what} is empty`, start);
  let text = '';
  let arc = 0;
  for (let i = 0; i < content.length; i++) {
    const byte = content[i] as number;
    arc = arc * 128 + (byte & 0x7f);
    // Arcs under 2.25 are UUIDs.
    if (arc > Number.MAX_SAFE_INTEGER) return decodeLongOid(content, what, start);
    if (byte & 0x80) {
      if (i === content.length - 1) throw invalid(`${what} truncated`, start);
      continue;
    }
    if (text === '') {
      const first = arc < 80 ? Math.floor(arc / 40) : 2;
      text = `${first}.${arc - first * 40}`;
    } else text += `.${arc}`;
    arc = 0;
  }
  return text;
}

/** Like {@link decodeOid}, for arcs of up to 128 bits. @spec ITU-T X.667 §7 */
function decodeLongOid(content: Uint8Array, what: string, start: number): string {
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    arc = arc * 128n + BigInt(byte & 0x7f);
    if (arc >> 128n > 0n) throw invalid(`${what}: arc too large`, start);
    if (byte & 0x80) continue;
    if (arcs.length > 0) arcs.push(arc);
    else {
      const first = arc < 80n ? arc / 40n : 2n;
      arcs.push(first, arc - first * 40n);
    }
    arc = 0n;
  }
  if ((content.at(-1) as number) & 0x80) throw invalid(`${what} truncated`, start);
  return arcs.join('.');
}

/** The content bytes of an INTEGER: two's complement, big-endian. */
export function readIntegerBytes(node: DerNode | undefined, what = 'integer'): Uint8Array {
  const content = contentOf(requireTag(node, 0x02, what));
  if (content.length === 0) throw invalid(`${what} is empty`, node?.start ?? 0);
  return content;
}

/** A small INTEGER as a number. @throws asn1.invalid above 48 bits */
export function readSmallInteger(node: DerNode | undefined, what = 'integer'): number {
  const content = readIntegerBytes(node, what);
  if (content.length > 6) throw invalid(`${what} too large`, node?.start ?? 0);
  return asBuffer(content).readIntBE(0, content.length);
}

/** A BOOLEAN. */
export function readBoolean(node: DerNode | undefined, what = 'boolean'): boolean {
  const content = contentOf(requireTag(node, 0x01, what));
  if (content.length !== 1) throw invalid(`${what} is not one byte`, node?.start ?? 0);
  return content[0] !== 0;
}

/** The bytes of an OCTET STRING; the segments of BER's constructed form are concatenated. */
export function readBytes(node: DerNode | undefined, what = 'octet string', depth = 0): Uint8Array {
  if (node?.tag !== 0x24) return contentOf(requireTag(node, 0x04, what));
  if (depth > limits.derDepth) throw invalid(`${what}: segments nested too deeply`, node.start);
  const pieces = childrenOf(node).map((part) => readBytes(part, what, depth + 1));
  return new Uint8Array(Buffer.concat(pieces));
}

/** The bytes of a BIT STRING whose bit count is a multiple of eight. */
export function readBitOctets(node: DerNode | undefined, what = 'bit string'): Uint8Array {
  const content = contentOf(requireTag(node, 0x03, what));
  if (content.length === 0 || content[0] !== 0) {
    throw invalid(`${what}: expected whole bytes`, node?.start ?? 0);
  }
  return content.subarray(1);
}

/**
 * The named bits of a BIT STRING as a number: bit 0 of the specification is 1, bit 1 is 2, …
 */
export function readNamedBits(node: DerNode | undefined, what = 'bit string'): number {
  return namedBitsIn(contentOf(requireTag(node, 0x03, what)));
}

/** Like {@link readNamedBits}, for the content of a BIT STRING under another tag. */
export function namedBitsIn(content: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < Math.min((content.length - 1) * 8, 31); i++) {
    if ((content[1 + (i >> 3)] as number) & (0x80 >> (i & 7))) bits |= 1 << i;
  }
  return bits;
}

const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,](\d{1,9}))?Z$/;

/**
 * A UTCTime or GeneralizedTime as milliseconds since 1970-01-01T00:00:00Z. Two-digit years are 1950
 * to 2049.
 *
 * @throws asn1.invalid if the text is not a UTC time with seconds
 * @spec RFC 5280 §4.1.2.5
 */
export function readTimeMs(node: DerNode | undefined, what = 'time'): number {
  if (node === undefined || (node.tag !== 0x17 && node.tag !== 0x18)) {
    throw invalid(`${what}: expected a time`, node?.start ?? 0);
  }
  let text = asBuffer(contentOf(node)).toString('latin1');
  if (node.tag === 0x17) text = `${text < '5' ? '20' : '19'}${text}`;
  const match = TIME.exec(text);
  if (match === null) throw invalid(`${what} is not YYYYMMDDHHMMSSZ`, node.start);
  const numbers = match.slice(1, 7).map(Number);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const fraction = match[7] === undefined ? 0 : Math.floor(Number(`0.${match[7]}`) * 1000);
  const date = Date.UTC(year, month - 1, day, hour, minute, second, fraction);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) {
    throw invalid(`${what} is not a date`, node.start);
  }
  return date;
}

/** The text of any string type, including BMPString and UniversalString. */
export function readText(node: DerNode): string {
  const content = asBuffer(contentOf(node));
  if (node.tag === 0x1e) {
    let text = '';
    for (let i = 0; i + 1 < content.length; i += 2) {
      text += String.fromCharCode(content.readUInt16BE(i));
    }
    return text;
  }
  if (node.tag === 0x14) return content.toString('latin1');
  return content.toString('utf8');
}
