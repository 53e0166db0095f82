// Seals one file with @libpdf/core, or all files of a folder into another.
//
//     node libpdf-file.mjs KEY.p12 OUTPUT INPUT
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { P12Signer, PDF } from '@libpdf/core';

const [keyPath, target, input] = process.argv.slice(2);
const signer = await P12Signer.create(new Uint8Array(readFileSync(keyPath)), 'bench');

if (statSync(input).isDirectory()) {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(input)) await seal(join(input, name), join(target, name));
} else await seal(input, target);

async function seal(from, to) {
  const pdf = await PDF.load(new Uint8Array(readFileSync(from)));
  const { bytes } = await pdf.sign({ signer, level: 'B-B' });
  writeFileSync(to, bytes);
}
