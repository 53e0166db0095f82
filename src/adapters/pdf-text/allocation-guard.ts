/** Bytes that may be asked for before the memory is measured. */
const STEP_BYTES = 1024 * 1024;

const names = [
  ...['ArrayBuffer', 'Uint8Array', 'Uint8ClampedArray', 'Int8Array', 'Uint16Array', 'Int16Array'],
  ...['Uint32Array', 'Int32Array', 'Float32Array', 'Float64Array'],
];

type BytesClass = (new (...given: never[]) => object) & { readonly BYTES_PER_ELEMENT?: number };

/**
 * Bounds the bytes of this thread: V8 bounds the values of a thread, but not what stands beside
 * them, and a short stream may decode to gigabytes. It changes the classes of this thread, which
 * does nothing else.
 *
 * @param used bytes that the thread has now
 * @returns says whether more was asked for: who asked may have gone on without
 */
export function guardAllocations(maxBytes: number, used: () => number): () => boolean {
  let asked = 0;
  let isOver = false;
  const ask = (bytes: number) => {
    asked += bytes;
    if (asked < STEP_BYTES) return;
    asked = 0;
    if (bytes + used() <= maxBytes) return;
    isOver = true;
    throw new RangeError('the document takes too much memory');
  };
  const all = globalThis as unknown as Record<string, BytesClass>;
  for (const name of names) {
    const Base = all[name] as BytesClass;
    const guarded: BytesClass = new Proxy(Base, {
      construct(target, given: readonly unknown[], newTarget) {
        const [length] = given;
        if (typeof length === 'number') ask(length * (Base.BYTES_PER_ELEMENT ?? 1));
        return Reflect.construct(target, given, newTarget === guarded ? target : newTarget);
      },
    });
    all[name] = guarded;
  }
  return () => isOver;
}
