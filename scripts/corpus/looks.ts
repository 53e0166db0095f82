import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';

/** A program that renders PDFs. */
export type Viewer = 'poppler' | 'mupdf';

/** Output of a viewer for the first pages. */
export interface View {
  readonly text: string;
  readonly pixels: string;
}

/** Output of each viewer. Undefined if it cannot open the file, `late` if it timed out. */
export type Looks = Readonly<Record<Viewer, View | 'late' | undefined>>;

const PAGES = 2;
const DOTS_PER_INCH = '24';
const TIMEOUT_MS = 15_000;
const OUTPUT_BYTES = 128 * 1024 * 1024;

const viewers: readonly Viewer[] = ['poppler', 'mupdf'];

/** Returns the names of the viewers that are not installed. */
export async function missingViewers(): Promise<readonly string[]> {
  const programs = ['pdftotext', 'pdftoppm', 'mutool'];
  const found = await Promise.all(programs.map((program) => hashOf(program, ['-v'])));
  return programs.filter((_, index) => found[index] === 'absent');
}

/** Returns the output of poppler and mupdf for the first pages. */
export async function looksOf(path: string, password = ''): Promise<Looks> {
  return { poppler: await popplerView(path, password), mupdf: await mupdfView(path, password) };
}

/**
 * Returns the first change in appearance, such as `mupdf pixels`; undefined if there is none.
 * Viewers that could not open the file before are not compared.
 */
export function changedLooks(before: Looks, after: Looks): string | undefined {
  const changes = viewers.flatMap((viewer) => {
    const was = before[viewer];
    const is = after[viewer];
    if (was === undefined || was === 'late' || is === 'late') return [];
    if (is === undefined) return [`${viewer} no longer opens it`];
    if (was.text !== is.text) return [`${viewer} text`];
    return was.pixels === is.pixels ? [] : [`${viewer} pixels`];
  });
  return changes.length === 0 ? undefined : changes.join(', ');
}

/** Returns the viewers that display nothing of the file, or time out. */
export function unopened(looks: Looks): readonly Viewer[] {
  return viewers.filter((viewer) => typeof looks[viewer] !== 'object');
}

function popplerView(path: string, password: string): Promise<Looks[Viewer]> {
  const common = [...(password === '' ? [] : ['-upw', password]), '-l', String(PAGES)];
  return viewFrom(
    ['pdftoppm', [...common, '-r', DOTS_PER_INCH, path]],
    ['pdftotext', [...common, path, '-']],
  );
}

function mupdfView(path: string, password: string): Promise<Looks[Viewer]> {
  const common = ['draw', '-q', ...(password === '' ? [] : ['-p', password]), '-o', '-'];
  const pages = `1-${PAGES}`;
  return viewFrom(
    ['mutool', [...common, '-r', DOTS_PER_INCH, '-F', 'pnm', path, pages]],
    ['mutool', [...common, '-F', 'txt', path, pages]],
  );
}

type Call = readonly [program: string, args: readonly string[]];

async function viewFrom(drawing: Call, reading: Call): Promise<Looks[Viewer]> {
  const pixels = await hashOf(...drawing);
  if (typeof pixels !== 'object') return pixels === 'late' ? pixels : undefined;
  const text = await hashOf(...reading);
  if (typeof text !== 'object') return text === 'late' ? text : undefined;
  return { text: text.sha256, pixels: pixels.sha256 };
}

/** Digest of the program's output; an empty output counts for text, but not for pictures. */
function hashOf(
  program: string,
  args: readonly string[],
): Promise<{ readonly sha256: string } | 'absent' | 'late' | 'nothing'> {
  return new Promise((resolve) => {
    const settings = { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES, encoding: 'buffer' } as const;
    execFile(program, args, settings, (error, stdout) => {
      if (error !== null && 'code' in error && error.code === 'ENOENT') return resolve('absent');
      // Viewers exit with an error for many files that they display nevertheless.
      const stopped = error !== null && typeof error.code !== 'number';
      if (stopped) return resolve('late');
      if (args.includes('-r') && isEmpty(stdout)) return resolve('nothing');
      resolve({ sha256: createHash('sha256').update(stdout).digest('hex') });
    });
  });
}

/**
 * True if there is no page, and for pages of one pixel: poppler renders pages that it cannot find
 * like that.
 */
function isEmpty(pictures: Buffer): boolean {
  return /^(?:P6\s1 1\s255\s[\s\S]{3})*$/.test(pictures.subarray(0, 64).toString('latin1'));
}
