import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { requireBytes, requireObject } from './given.ts';
/** Random access to immutable bytes: a buffer, a file read by offset, or two sources joined. */
export interface ByteSource {
  readonly lengthBytes: number;
  /** Bytes `start` to `end` (exclusive), within the source. May be shared: never write to it. */
  slice(start: number, end: number): Uint8Array;
  /**
   * Passes the bytes from `start` up to `end` in chunks, each of which is valid only during the
   * call. Implemented if this needs less memory than slices.
   */
  scan?(start: number, end: number, take: (piece: Uint8Array) => void): void;
  /** The source that this one starts with, if bytes were appended to another source. */
  readonly head?: ByteSource;
  /** All bytes, if they are contiguous in memory. */
  readonly bytes?: Uint8Array;
}

/**
 * A source over bytes in memory. Slices are views; nothing is copied.
 *
 * @example
 * const report = await innsigli.verify(memorySource(await readFile('a.pdf')));
 * @throws usage.invalid for anything but bytes
 */
export function memorySource(bytes: Uint8Array): ByteSource {
  requireBytes('bytes', bytes);
  return {
    lengthBytes: bytes.length,
    slice: (start, end) => bytes.subarray(start, end),
    bytes,
  };
}

const PIECE_BYTES = 1 << 20;

/** Passes the bytes from `start` to `end` in medium-sized chunks, valid only during the call. */
export function scanBytes(
  source: ByteSource,
  start: number,
  end: number,
  take: (piece: Uint8Array) => void,
): void {
  if (source.scan !== undefined) {
    source.scan(start, end, take);
    return;
  }
  for (let at = start; at < end; at += PIECE_BYTES) {
    take(source.slice(at, Math.min(at + PIECE_BYTES, end)));
  }
}

/** Up to this size, copying both parts costs less than reading across the boundary. */
const COPIED_BYTES = 1 << 18;

/**
 * A source that reads `head` and then `tail`. If both are small and in memory, they are copied into
 * one buffer. Otherwise a slice across the boundary is copied.
 *
 * @example
 * const { tail } = await innsigli.seal(source, {});
 * const sealed = joinedSource(source, tail);
 * @throws usage.invalid for anything but a source and bytes
 */
export function joinedSource(head: ByteSource, tail: Uint8Array): ByteSource {
  requireObject('head', head);
  requireBytes('tail', tail);
  const joint = head.lengthBytes;
  if (head.bytes !== undefined && joint + tail.length <= COPIED_BYTES) {
    const bytes = concatBytes([head.bytes, tail]);
    return {
      head,
      lengthBytes: bytes.length,
      slice: (from, to) => bytes.subarray(from, to),
      bytes,
    };
  }
  return {
    head,
    lengthBytes: joint + tail.length,
    slice(start, end) {
      if (end <= joint) return head.slice(start, end);
      if (start >= joint) return tail.subarray(start - joint, end - joint);
      return concatBytes([head.slice(start, joint), tail.subarray(0, end - joint)]);
    },
    scan(start, end, take) {
      if (start < joint) scanBytes(head, start, Math.min(end, joint), take);
      if (end > joint) take(tail.subarray(Math.max(start, joint) - joint, end - joint));
    },
  };
}

/** All bytes of a source. Those of a source in memory are not copied. */
export function wholeBytes(source: ByteSource): Uint8Array {
  return source.bytes ?? source.slice(0, source.lengthBytes);
}

/** A source over the bytes of another source from `start` on. */
export function sourceFrom(source: ByteSource, start: number): ByteSource {
  return {
    lengthBytes: source.lengthBytes - start,
    slice: (from, to) => source.slice(start + from, start + to),
  };
}

/** Uninitialised bytes, at half the cost; write all of them. Small arrays share a memory block. */
export function unwrittenBytes(lengthBytes: number): Uint8Array {
  const { buffer, byteOffset } = Buffer.allocUnsafe(lengthBytes);
  return new Uint8Array(buffer, byteOffset, lengthBytes);
}

/** Concatenates the parts. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let lengthBytes = 0;
  for (const part of parts) lengthBytes += part.length;
  const whole = unwrittenBytes(lengthBytes);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Number of bytes up to which a loop is faster than calling Buffer. */
const FEW_BYTES = 64;

/** Whether both have the same bytes. Not for secrets: the time depends on the content. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (a === b) return true;
  if (a.length > FEW_BYTES) return Buffer.compare(a, b) === 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

/** Whether both secrets are the same. The time does not reveal where they differ. */
export function isSameSecret(one: Uint8Array | string, other: Uint8Array | string): boolean {
  const bytesOf = (secret: typeof one) =>
    typeof secret === 'string' ? Buffer.from(secret) : secret;
  const [a, b] = [bytesOf(one), bytesOf(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Lower-case hexadecimal digits, two per byte. */
export function hexOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex');
}

/** SHA-256 of bytes, or of a UTF-8 text, as lower-case hexadecimal digits. */
export function sha256Of(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** One byte per character. Characters above U+00FF lose their high bits. */
export function latin1Bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** One character per byte. */
export function latin1Text(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}

const SHAKE256_BYTES = 64;

/**
 * Creates an incremental hash by its name in node:crypto. SHAKE256 has 64 bytes of output.
 *
 * @param taken a hash of the same name whose state is continued
 */
export function createDigest(algorithm: string, taken?: Hash): Hash {
  const options = algorithm === 'shake256' ? { outputLength: SHAKE256_BYTES } : undefined;
  return taken === undefined ? createHash(algorithm, options) : taken.copy(options);
}
