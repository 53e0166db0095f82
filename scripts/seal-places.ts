/**
 * Draws seals on pages of real documents and checks them with foreign programs: no word of
 * `pdftotext -bbox` may be under a seal if the page has a free rectangle of its size, and
 * `zbarimg` must read its QR code from a picture of 150 dots per inch.
 *
 *     node scripts/run-ts.mjs scripts/seal-places.ts [DIR] [--short] [--pages N] [--only TEXT]
 *
 * Default of DIR: ../shared/corpora. Exit code 1 if a seal covers words unnecessarily, or cannot be
 * read; the last line is `seals: N passed, N failed, N skipped`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  isInnsigliError,
  keyObjectSigner,
  type SealPdfOptions,
  sealPdf,
  type VisibleSeal,
} from '../src/index.ts';
import { openDevelopmentTrust } from '../src/toolkit.ts';
import { type CorpusFile, listFiles } from './corpus/files.ts';
import { lastBox, timesToLook } from './seal-places/sealed.ts';
import { hasRoom, outputOf, wordsOf, wordsUnder } from './seal-places/words.ts';

const counts = {
  pages: 0,
  free: 0,
  warned: 0,
  noRoom: 0,
  refused: 0,
  unopened: 0,
  codes: 0,
  unread: 0,
  onlyMupdf: 0,
};
const failures: string[] = [];
const times: number[] = [];
let unknown = 0;

/** Larger pictures take too long. */
const LARGEST_POINTS = 2_000;
/** A short run uses one file in this many. */
const SHORT_EVERY = 4;

async function tryFile(file: CorpusFile, pages: number, work: string, options: SealPdfOptions) {
  const bytes = new Uint8Array(readFileSync(file.path));
  const words = await wordsOf(file.path, file.password, pages);
  if (words === undefined) {
    counts.unopened++;
    return;
  }
  const opened = file.password === undefined ? options : { ...options, password: file.password };
  try {
    for (const { ms, isKnown } of timesToLook(bytes, file.password, words.length)) {
      times.push(ms);
      if (!isKnown) unknown++;
    }
    for (const [index, page] of words.entries()) {
      const pageNumber = index + 1;
      const visible: VisibleSeal = { page: pageNumber };
      const sealed = await sealPdf(bytes, { ...opened, level: 'B-B', visible });
      const box = lastBox(sealed.bytes, file.password, pageNumber);
      const isWarned = sealed.warnings.some((text) => text.includes('the seal'));
      const under = wordsUnder(page, box);
      const isRoom = hasRoom(page, box[2] - box[0], box[3] - box[1]);
      counts.pages++;
      if (isWarned) counts.warned++;
      for (const text of sealed.warnings) note(text);
      if (!isRoom) counts.noRoom++;
      if (under === 0) counts.free++;
      else if (isRoom || !isWarned) {
        const at = box.map(Math.round).join(' ');
        const why = `${under} words under ${at}${isWarned ? ', warned' : ''}`;
        failures.push(`${file.name} page ${pageNumber}: ${why}`);
      }
      if (index === 0) await tryCode(file, bytes, page, work, opened);
    }
  } catch (error) {
    // A document may be rejected for its own properties only.
    if (!isInnsigliError(error) || !/^(pdf|limit|seal)\./.test(error.code)) throw error;
    counts.refused++;
  }
}

async function tryCode(
  file: CorpusFile,
  bytes: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  work: string,
  options: SealPdfOptions,
): Promise<void> {
  if (Math.max(width, height) > LARGEST_POINTS) return;
  const sealed = await sealPdf(bytes, { ...options, level: 'B-B', visible: { qr: true } });
  const isSmall = sealed.warnings.some((text) => text.includes('QR code'));
  const path = join(work, 'code.pdf');
  writeFileSync(path, sealed.bytes);
  const password = file.password === undefined ? [] : ['-upw', file.password];
  const picture = ['-r', '150', '-gray', '-cropbox', '-singlefile', '-png'];
  const image = join(work, 'code');
  await outputOf('pdftoppm', [...password, ...picture, path, image]);
  const said = await outputOf('zbarimg', ['-q', '--raw', `${image}.png`]);
  counts.codes++;
  if (said?.includes('SHA-256')) return;
  // Poppler draws no signature field if the form requires regenerated appearances.
  const asked = file.password === undefined ? [] : ['-p', file.password];
  await outputOf('mutool', ['draw', '-q', ...asked, '-r', '150', '-o', `${image}.png`, path, '1']);
  const other = await outputOf('zbarimg', ['-q', '--raw', `${image}.png`]);
  if (other?.includes('SHA-256')) {
    counts.onlyMupdf++;
    return;
  }
  counts.unread++;
  if (!isSmall) failures.push(`${file.name}: the QR code cannot be read`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      pages: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
    },
  });
  const folder = resolve(positionals[0] ?? '../shared/corpora');
  const missing = await missingOf(['pdftotext', 'pdftoppm', 'mutool', 'zbarimg']);
  if (!existsSync(folder) || missing !== undefined) {
    console.log(`skipped: ${missing ?? folder} is absent`);
    console.log('seals: 0 passed, 0 failed, 1 skipped');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'innsigli-seals-'));
  try {
    const options = await sealOptions(work);
    const files = listFiles(folder, undefined).filter(({ name }) => name.includes(values.only));
    for (const [index, file] of files.entries()) {
      if (values.short && index % SHORT_EVERY !== 0) continue;
      await tryFile(file, values.short ? 1 : Number(values.pages), work, options);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  print();
}

async function missingOf(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    if ((await outputOf('which', [program])) === undefined) return program;
  }
  return undefined;
}

async function sealOptions(directory: string): Promise<SealPdfOptions> {
  const trust = await openDevelopmentTrust({ directory });
  const signer = keyObjectSigner(trust.seal('ec'));
  return { signer, level: 'B-B', trust: [trust.rootCertificate] };
}

const said = new Map<string, number>();

function note(text: string): void {
  const kind = text.replace(/\d+/g, '#').slice(0, 60);
  if (text.includes('seal')) said.set(kind, (said.get(kind) ?? 0) + 1);
}

function print(): void {
  for (const [text, count] of said) console.log(`${count} times: ${text}…`);
  times.sort((a, b) => a - b);
  const at = (part: number): string =>
    (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(1);
  for (const failure of failures) console.log(`FAIL ${failure}`);
  console.log(
    `${counts.pages} pages: ${counts.free} seals that cover no word, ${counts.noRoom} pages without a ` +
      `free rectangle, ${counts.warned} warnings, ${counts.refused} documents rejected, ` +
      `${counts.unopened} not opened by poppler`,
  );
  console.log(
    `${counts.codes} QR codes: ${counts.unread} not readable, ${counts.onlyMupdf} only with mupdf`,
  );
  const slow = times.filter((ms) => ms > 50).length;
  console.log(
    `checking a page, ms of CPU time: median ${at(0.5)}, 95 % ${at(0.95)}, ` +
      `maximum ${at(1)}; ${slow} over 50; ${unknown} of ${times.length} undetermined`,
  );
  const passed = counts.pages + counts.codes - failures.length;
  console.log(`seals: ${passed} passed, ${failures.length} failed, 0 skipped`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

await main();
