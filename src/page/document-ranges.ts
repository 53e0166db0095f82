/** Supplies pdf.js with ranges of a remote document. */
interface RangeTransport {
  requestDataRange(begin: number, end: number): void;
  onDataRange(begin: number, bytes: Uint8Array): void;
  abort(): void;
}

/** The class of pdf.js, constructed with the length of a document and its first bytes. */
export type RangeTransportClass = new (lengthBytes: number, first: Uint8Array) => RangeTransport;

/** A long document that was recorded as shown and is read on demand. */
export interface RangedDocument {
  /** URL path on this host. */
  readonly address: string;
  /** Quoted ETag of the recorded document; any other version is rejected. */
  readonly etag: string;
}

/** Delays between attempts, in milliseconds: a phone may be switching networks. */
const WAITS_MS = [500, 2000, 5000];

/** Size of the first range: the header and, in many files, the first page. */
const FIRST_BYTES = 65_536;

/** Creates a transport that loads only the ranges requested by pdf.js. */
export async function rangeTransport(
  Base: RangeTransportClass,
  document: RangedDocument,
  onLost: (error: unknown) => void,
): Promise<RangeTransport> {
  const ended = new AbortController();
  const { signal } = ended;
  const first = await readRange(document, 0, FIRST_BYTES, signal);
  class Ranges extends Base {
    override requestDataRange(begin: number, end: number): void {
      void readRange(document, begin, end, signal).then(
        ({ bytes }) => this.onDataRange(begin, bytes),
        (error: unknown) => {
          if (signal.aborted) return;
          ended.abort();
          onLost(error);
        },
      );
    }
    override abort(): void {
      ended.abort();
    }
  }
  return new Ranges(first.allBytes, first.bytes);
}

interface Part {
  readonly bytes: Uint8Array;
  /** Length of the document. */
  readonly allBytes: number;
}

async function readRange(
  document: RangedDocument,
  begin: number,
  end: number,
  signal: AbortSignal,
): Promise<Part> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await readOnce(document, begin, end, signal);
    } catch (error) {
      const waitMs = WAITS_MS[attempt];
      const isOver = error instanceof ChangedError || signal.aborted;
      if (isOver || waitMs === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

async function readOnce(
  { address, etag }: RangedDocument,
  begin: number,
  end: number,
  signal: AbortSignal,
): Promise<Part> {
  const headers = { range: `bytes=${begin}-${end - 1}`, 'if-match': etag };
  const answer = await fetch(address, { headers, redirect: 'error', signal });
  if (answer.status === 412 || answer.status === 404) throw new ChangedError();
  const found = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.headers.get('content-range') ?? '');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const allBytes = Number(found?.[2]);
  // Anything else would be displayed as if it were the requested range.
  const isPart = answer.status === 206 && Number(found?.[1]) === begin;
  if (isPart && bytes.length === Math.min(end, allBytes) - begin) return { bytes, allBytes };
  throw new Error(`no part of the document: ${answer.status}`);
}

/** The recorded document was replaced or no longer exists. */
export class ChangedError extends Error {}
