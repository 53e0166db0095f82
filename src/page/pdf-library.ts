/** Size of a page at a scale. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** A page that is being drawn. */
export interface RenderTask {
  readonly promise: Promise<void>;
  cancel(): void;
}

/** A page of an open document. */
export interface PdfPage {
  getViewport(options: { scale: number }): Viewport;
  render(options: { canvas: HTMLCanvasElement; viewport: Viewport }): RenderTask;
  streamTextContent(): unknown;
}

/** An open document. */
export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

/** The part of pdf.js that is used. */
export interface PdfLibrary {
  readonly GlobalWorkerOptions: { workerPort: Worker | null };
  readonly TextLayer: new (options: {
    textContentSource: unknown;
    container: HTMLElement;
    viewport: Viewport;
  }) => { render(): Promise<void> };
  getDocument(options: object): { readonly promise: Promise<PdfDocument> };
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

// Where the browser wants script addresses from a policy, ours knows these two files.
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

/** Loads pdf.js, once; after a failure the next call tries again. */
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
  // Told to those who wait for a document; nobody may wait now.
  workerFailed.catch(() => undefined);
  pdf.GlobalWorkerOptions.workerPort = worker;
  return pdf;
}

/** Opens a document: its scripts and forms of XFA are never looked at. */
export async function openDocument(data: Uint8Array): Promise<PdfDocument> {
  const pdf = await loadLibrary();
  const opened = pdf.getDocument({
    ...{ data, isEvalSupported: false, enableXfa: false },
    ...{ cMapUrl: `${folder}cmaps/`, cMapPacked: true },
    ...{ standardFontDataUrl: `${folder}fonts/`, wasmUrl: `${folder}wasm/` },
  }).promise;
  return workerFailed === undefined ? opened : Promise.race([opened, workerFailed]);
}
