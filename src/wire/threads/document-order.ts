import type { ByteSource } from '../../base/bytes.ts';
import type { WorkOrder } from './work-threads.types.ts';

/** A document on its way to a thread: the buffer of `bytes` is moved. */
export interface DocumentCall {
  readonly bytes: Uint8Array;
  readonly options: object;
}

/** An order for work on a document, whose bytes are moved to the thread. */
export function documentOrder(order: {
  readonly task: string;
  readonly input: ByteSource;
  readonly options: object;
  readonly owner: string;
}): WorkOrder {
  const { task, input, options, owner } = order;
  const { lengthBytes } = input;
  const bytes = ownBytes(input.bytes ?? input.slice(0, lengthBytes));
  const value: DocumentCall = { bytes, options };
  return { task, value, owner, lengthBytes, moved: [bytes.buffer] };
}

/** `bytes` with a buffer that holds little else: that of others may not be moved away. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength < 2 * length;
  return isOwn ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
