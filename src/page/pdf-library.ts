import {
  type RangedDocument,
  type RangeTransportClass,
  rangeTransport,
} from './document-ranges.ts';

/** Size of a page at a given scale. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Rendering of a page in progress. */
export interface RenderTask {
  readonly promise: Promise<void>;
  cancel(): void;
}

/** A page of an open document. */
export interface PdfPage {
  getViewport(options: { scale: number }): Viewport;
  render(options: { canvas: HTMLCanvasElement; viewport: Viewport }): RenderTask;
  streamTextContent(): unknown;
  /** Releases the resources used to render it. */
  cleanup(): boolean;
}

/** An open document. */
export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

interface LoadingTask {
  readonly promise: Promise<PdfDocument>;
  destroy(): Promise<void>;
}

/** The part of pdf.js that is used here. */
export interface PdfLibrary {
  readonly GlobalWorkerOptions: { workerPort: Worker | null };
  readonly TextLayer: new (options: {
    textContentSource: unknown;
    container: HTMLElement;
    viewport: Viewport;
  }) => { render(): Promise<void> };
  readonly PDFDataRangeTransport: RangeTransportClass;
  getDocument(options: object): LoadingTask;
}

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface Globals {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
  };
  readonly pdfjsLib?: PdfLibrary;
}

const globals = globalThis as Globals;
const folder = '/s/reader/';
const files = ['pdf.min.mjs', 'pdf.worker.min.mjs'] as const;

// Where Trusted Types are enforced, this policy permits only these two script URLs.
const policy = globals.trustedTypes?.createPolicy('innsigli-reader', {
  createScriptURL: (url) => {
    if (files.some((file) => url === folder + file)) return url;
    throw new TypeError(`not a file of the reader: ${url}`);
  },
});
const addressOf = (file: (typeof files)[number]) =>
  policy?.createScriptURL(folder + file) ?? folder + file;

let library: Promise<PdfLibrary> | undefined;
let workerFailed: Promise<never> | undefined;

/** Loads pdf.js once; after a failure, the next call tries again. */
export function loadLibrary(): Promise<PdfLibrary> {
  library ??= load().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return library;
}

async function load(): Promise<PdfLibrary> {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = addressOf('pdf.min.mjs');
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  const pdf = globals.pdfjsLib;
  if (pdf === undefined) throw new Error('the library of the reader is not there');
  const worker = new Worker(addressOf('pdf.worker.min.mjs'), { type: 'module' });
  workerFailed = new Promise((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('the worker cannot be loaded')));
  });
  // The failure is reported to callers that open a document; there may be none at the moment.
  workerFailed.catch(() => undefined);
  pdf.GlobalWorkerOptions.workerPort = worker;
  return pdf;
}

/** An open document, and a function to release it. */
export interface OpenedDocument {
  readonly document: PdfDocument;
  close(): Promise<void>;
}

/**
 * Opens a document, whole or in ranges. Its scripts and XFA forms are ignored.
 *
 * @param onLost called with the reason if parts of it can no longer be read
 */
export async function openDocument(
  source: Uint8Array | RangedDocument,
  onLost: (error: unknown) => void,
): Promise<OpenedDocument> {
  const pdf = await loadLibrary();
  let close = async () => {};
  const document = await new Promise<PdfDocument>((resolve, reject) => {
    const begin = async () => {
      const lose = (error: unknown) => {
        reject(error);
        onLost(error);
      };
      const task = pdf.getDocument({
        ...(source instanceof Uint8Array ? { data: source } : await rangesOf(pdf, source, lose)),
        ...{ isEvalSupported: false, enableXfa: false },
        ...{ cMapUrl: `${folder}cmaps/`, cMapPacked: true },
        ...{ standardFontDataUrl: `${folder}fonts/`, wasmUrl: `${folder}wasm/` },
      });
      close = () => task.destroy();
      resolve(await task.promise);
    };
    begin().catch(reject);
    workerFailed?.catch(reject);
  });
  return { document, close };
}

/**
 * Minimum size of a range. To check the number of pages, pdf.js reads every page object. In many
 * files these are far apart, with an image in between: larger ranges would read half the file.
 */
const PART_BYTES = 8192;

// Only the ranges that are needed are read.
async function rangesOf(
  pdf: PdfLibrary,
  document: RangedDocument,
  onLost: (error: unknown) => void,
) {
  const range = await rangeTransport(pdf.PDFDataRangeTransport, document, onLost);
  return { range, rangeChunkSize: PART_BYTES, disableAutoFetch: true, disableStream: true };
}
