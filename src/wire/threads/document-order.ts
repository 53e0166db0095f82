import type { ByteSource } from '../../base/bytes.ts';
import type { WorkOrder } from './work-threads.types.ts';

/** A document sent to a thread. The buffer of `bytes` is transferred. */
export interface DocumentCall {
  readonly bytes: Uint8Array;
  readonly options: object;
}

/** An order for work on a document whose bytes are transferred to the thread. */
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

/** `bytes` in a buffer that contains little else: a shared buffer must not be transferred. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength < 2 * length;
  return isOwn ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
