import { readFile } from 'node:fs/promises';
import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentText } from '../../app/ports/index.ts';
import { assert } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { PdfLibrary } from './pdf-library.types.ts';
import { readPages } from './read-pages.ts';

/** Input of a thread: one document. */
export interface TextThreadData {
  readonly bytes: Uint8Array;
  readonly page: number;
}

/** Folder of pdf.js in the package, relative to the built file. */
const folder = new URL('../reader/', import.meta.url);
/** Lower priority than the threads that serve requests. */
const NICE = 5;

/** The body of the thread: it extracts the text of one document, sends it, and ends. */
export async function textThread(load: () => Promise<unknown>): Promise<void> {
  assert(parentPort !== null, 'expected a worker thread with a port to its parent');
  const { bytes, page } = workerData as TextThreadData;
  const text = await textOf(bytes, page, load).catch(() => undefined);
  parentPort.postMessage(text);
  parentPort.close();
}

async function textOf(
  bytes: Uint8Array,
  page: number,
  load: () => Promise<unknown>,
): Promise<DocumentText> {
  // On other systems, this would change the priority of the whole process.
  if (platform() === 'linux') setPriority(NICE);
  const { memoryUsage } = process;
  const isOver = guardAllocations(
    limits.textBytes + 2 * bytes.length,
    () => memoryUsage().arrayBuffers,
  );
  removeGlobals();
  const pdf = (await load()) as PdfLibrary;
  const task = pdf.getDocument({
    ...{ data: bytes, isEvalSupported: false, enableXfa: false, stopAtErrors: false },
    ...{ disableFontFace: true, useSystemFonts: false, useWasm: false, useWorkerFetch: false },
    ...{ cMapUrl: 'cmaps/', cMapPacked: true, standardFontDataUrl: 'fonts/', verbosity: 0 },
    BinaryDataFactory: CharacterMaps,
  });
  const text = await readPages(await task.promise, page);
  // The library skips what it cannot read, and an incomplete text would look complete.
  if (isOver()) throw new RangeError('the document needs too much memory');
  return text;
}

/** Removes globals to resemble a browser without network: this thread ends after one document. */
function removeGlobals(): void {
  // Missing in Node 20; defined for this thread only.
  (Promise as { withResolvers?: unknown }).withResolvers ??= withResolvers;
  // DecompressionStream would decode into memory that is not accounted for.
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'DecompressionStream']) {
    Reflect.deleteProperty(globalThis, name);
  }
  // With it, pdf.js would detect Node and load packages for drawing.
  Reflect.set(globalThis, 'process', undefined);
}

function withResolvers(this: PromiseConstructor) {
  let settle: { readonly resolve: unknown; readonly reject: unknown } | undefined;
  const promise = new this((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

/** Provides pdf.js with the character maps of the package by name, and nothing else. */
class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }) {
    const isMap = kind === 'cMapUrl' && /^[\w-]{1,60}\.bcmap$/.test(filename);
    if (!isMap) throw new Error('not a character map of the package');
    return new Uint8Array(await readFile(new URL(`cmaps/${filename}`, folder)));
  }
}

/** Bytes that may be allocated before memory use is measured again. */
const STEP_BYTES = 1024 * 1024;

const names = [
  ...['ArrayBuffer', 'Uint8Array', 'Uint8ClampedArray', 'Int8Array', 'Uint16Array', 'Int16Array'],
  ...['Uint32Array', 'Int32Array', 'Float32Array', 'Float64Array'],
];

type BytesClass = (new (...given: never[]) => object) & { readonly BYTES_PER_ELEMENT?: number };

/**
 * Limits the memory for buffers: V8 limits the heap of a thread, but not its external memory, and a
 * short stream may decode to gigabytes. The global classes of this thread are replaced, which is
 * safe because it does nothing else.
 *
 * @param used returns the bytes currently allocated by the thread
 * @returns a function that tells whether the limit was exceeded, which the library may have ignored
 */
function guardAllocations(maxBytes: number, used: () => number): () => boolean {
  let asked = 0;
  let isOver = false;
  const ask = (bytes: number) => {
    asked += bytes;
    if (asked < STEP_BYTES) return;
    asked = 0;
    if (bytes + used() <= maxBytes) return;
    isOver = true;
    throw new RangeError('the document needs too much memory');
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
