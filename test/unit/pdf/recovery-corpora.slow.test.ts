import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { openPdf, type PdfFile } from '../../../src/formats/pdf/index.ts';
import { type Recovered, recoverSections } from '../../../src/formats/pdf/repair/recovery.ts';

const folder = fileURLToPath(new URL('../../../../shared/corpora', import.meta.url));
const absent = !existsSync(folder);
const noQpdf = spawnSync('qpdf', ['--version']).error !== undefined;
const why = absent ? ' (skipped: ../shared/corpora is absent)' : '';
const whyQpdf = noQpdf ? ' (skipped: qpdf is absent)' : why;

/** Files that need repair, with the object count of `qpdf --show-xref`. */
const repaired: readonly (readonly [string, number])[] = [
  ['inputs/v-badxref.pdf', 13],
  ['inputs/v-junkhead.pdf', 13],
  ['pdf-lib/assets/pdfs/just_metadata.pdf', 4],
  ['pdf-lib/assets/pdfs/with_invalid_objects.pdf', 4],
  ['pdf20examples/pdf20-utf8-test.pdf', 24],
  ['pdf20examples/PDF 2.0 with offset start.pdf', 8],
  ['pdfjs/test/pdfs/GHOSTSCRIPT-698804-1-fuzzed.pdf', 6],
  ['pdfjs/test/pdfs/bug1795263.pdf', 499],
  ['pdfjs/test/pdfs/helloworld-bad.pdf', 5],
  ['pdfjs/test/pdfs/issue10438_reduced.pdf', 6],
  ['pdfjs/test/pdfs/issue15590.pdf', 2],
  ['pdfjs/test/pdfs/issue17554.pdf', 6],
  ['pdfjs/test/pdfs/issue19800.pdf', 8],
  ['pdfjs/test/pdfs/issue6069.pdf', 4],
  ['pdfjs/test/pdfs/issue9105_reduced.pdf', 6],
  ['pdfjs/test/pdfs/issue9252.pdf', 7],
  ['pdfjs/test/pdfs/named_dest_collision_for_editor.pdf', 7],
  ['pdfjs/test/pdfs/outlines_for_editor.pdf', 22],
  ['pdfjs/test/pdfs/xref_command_missing.pdf', 5],
  ['qpdf/libtests/qtest/logger/warning.pdf', 6],
  ['qpdf/qpdf/qtest/qpdf/bad13.pdf', 6],
  ['qpdf/qpdf/qtest/qpdf/bad3.pdf', 6],
  ['qpdf/qpdf/qtest/qpdf/bad33.pdf', 7],
  ['qpdf/qpdf/qtest/qpdf/bad8.pdf', 6],
  ['qpdf/qpdf/qtest/qpdf/bad9.pdf', 6],
];

const recoverAt = (path: string): Recovered =>
  recoverSections(memorySource(new Uint8Array(readFileSync(path))));

function placesOf({ section }: Recovered): Map<number, string> {
  const places = new Map<number, string>();
  for (const { first, count } of section.ranges) {
    for (let number = first; number < first + count; number++) {
      places.set(number, JSON.stringify(section.find(number)));
    }
  }
  return places;
}

/** Offsets count from the header, as in qpdf. */
function placesByQpdf(path: string): Map<number, string> {
  const bytes = readFileSync(path);
  const base = bytes.indexOf('%PDF-');
  const run = spawnSync('qpdf', ['--warning-exit-0', '--show-xref', path], { encoding: 'latin1' });
  const places = new Map<number, string>();
  const line =
    /^(\d+)\/(\d+): (?:uncompressed; offset = (\d+)|compressed; stream = (\d+), index = (\d+))/gm;
  for (const [, number, generation, offset, container, index] of run.stdout.matchAll(line)) {
    const place =
      offset === undefined
        ? { kind: 'compressed', container: Number(container), index: Number(index) }
        : { kind: 'offset', offsetBytes: Number(offset) + base, generation: Number(generation) };
    places.set(Number(number), JSON.stringify(place));
  }
  return places;
}

test.skipIf(absent).each(repaired)(`recovers the objects of %s${why}`, (name, count) => {
  const recovered = recoverAt(join(folder, name));
  expect(placesOf(recovered).size).toBe(count);
  expect(recovered.section.trailer.has('Root')).toBe(true);
});

test.skipIf(absent || noQpdf).each(repaired)(`repairs %s as qpdf does${whyQpdf}`, (name) => {
  const path = join(folder, name);
  expect(placesOf(recoverAt(path))).toEqual(placesByQpdf(path));
});

/** True if every object of the file is where the scan found it. */
function agrees(file: PdfFile, bytes: Uint8Array, recovered: Recovered): boolean {
  if (!recovered.section.trailer.has('Root')) return false;
  for (let number = 1; number < Math.min(file.objectCount, 20_000); number++) {
    const told = file.locate(number);
    if (told === undefined) continue;
    const found = recovered.section.find(number);
    if (told.kind === 'offset' && found?.kind === 'offset') {
      const between = bytes.subarray(told.offsetBytes, found.offsetBytes);
      if (told.offsetBytes <= found.offsetBytes && /^\s*$/.test(latin1Text(between))) continue;
      return false;
    }
    if (JSON.stringify(told) !== JSON.stringify(found)) return false;
  }
  return true;
}

test.skipIf(absent)(
  `scanning valid files finds the objects of their cross-reference data${why}`,
  () => {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    let opened = 0;
    let same = 0;
    for (const path of paths.filter((name) => name.toLowerCase().endsWith('.pdf'))) {
      const bytes = new Uint8Array(readFileSync(join(folder, path)));
      const source = memorySource(bytes);
      try {
        const recovered = recoverSections(source);
        const file = openPdf(source);
        // Object streams of these are found with the key, which is not available here.
        if (file.security !== undefined) continue;
        opened++;
        if (agrees(file, bytes, recovered)) same++;
      } catch (error) {
        if (!isInnsigliError(error) || error.code === 'internal.unexpected') throw error;
      }
    }
    expect(opened).toBeGreaterThan(350);
    expect(same / opened).toBeGreaterThan(0.93);
  },
);
