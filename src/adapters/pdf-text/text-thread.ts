import { readFile } from 'node:fs/promises';
import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentText } from '../../app/ports/index.ts';
import { assert } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { PdfLibrary } from './pdf-library.types.ts';
import { readPages } from './read-pages.ts';

/** What a thread gets: one document. */
export interface TextThreadData {
  readonly bytes: Uint8Array;
  readonly page: number;
}

/** Folder of pdf.js in the package, seen from the built file. */
const folder = new URL('../reader/', import.meta.url);
/** Gives way to the threads that answer requests. */
const NICE = 5;

/** The body of a thread: it reads one document, tells what it found, and ends. */
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
  // Elsewhere it would be the priority of the whole program.
  if (platform() === 'linux') setPriority(NICE);
  const { memoryUsage } = process;
  const isOver = guardAllocations(
    limits.textBytes + 2 * bytes.length,
    () => memoryUsage().arrayBuffers,
  );
  shutOff();
  const pdf = (await load()) as PdfLibrary;
  const task = pdf.getDocument({
    ...{ data: bytes, isEvalSupported: false, enableXfa: false, stopAtErrors: false },
    ...{ disableFontFace: true, useSystemFonts: false, useWasm: false, useWorkerFetch: false },
    ...{ cMapUrl: 'cmaps/', cMapPacked: true, standardFontDataUrl: 'fonts/', verbosity: 0 },
    BinaryDataFactory: CharacterMaps,
  });
  const text = await readPages(await task.promise, page);
  // The library leaves out what it cannot read, and part of a text would look like all of it.
  if (isOver()) throw new RangeError('the document needs too much memory');
  return text;
}

/**
 * Makes the thread like a browser without a network. What is taken away is that of this thread,
 * which reads one document and ends.
 */
function shutOff(): void {
  // Node 20 has none. Only this thread gets it.
  (Promise as { withResolvers?: unknown }).withResolvers ??= withResolvers;
  // The last one would decode streams into memory that nobody measures.
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'DecompressionStream']) {
    Reflect.deleteProperty(globalThis, name);
  }
  // By it pdf.js would know Node, and ask for packages that draw.
  Reflect.set(globalThis, 'process', undefined);
}

function withResolvers(this: PromiseConstructor) {
  let settle: { readonly resolve: unknown; readonly reject: unknown } | undefined;
  const promise = new this((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

/** Gives pdf.js the character maps of the package by their names, and nothing else. */
class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }) {
    const isMap = kind === 'cMapUrl' && /^[\w-]{1,60}\.bcmap$/.test(filename);
    if (!isMap) throw new Error('not a character map of the package');
    return new Uint8Array(await readFile(new URL(`cmaps/${filename}`, folder)));
  }
}

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
