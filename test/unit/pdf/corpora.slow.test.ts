import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { concatBytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import {
  beginUpdate,
  certificationOf,
  firstPage,
  listSignatureFields,
  openPdf,
  type PdfObject,
  serializeObject,
} from '../../../src/formats/pdf/index.ts';

const folder = fileURLToPath(new URL('../../../../shared/corpora', import.meta.url));
const absent = !existsSync(folder);
const why = absent ? ' (skipped: ../shared/corpora is absent)' : '';

const serialized = (object: PdfObject): string => latin1Text(serializeObject(object));

/**
 * Opens and updates the file. Returns `ok` with kind, field names and certification, or the code.
 */
function outcomeOf(path: string): string {
  const bytes = new Uint8Array(readFileSync(path));
  try {
    const file = openPdf(memorySource(bytes));
    const page = firstPage(file);
    const names = listSignatureFields(file).map((field) => field.name);
    const update = beginUpdate(file);
    if (page.reference !== undefined) update.set(page.reference, page.dict);
    const whole = openPdf(memorySource(concatBytes([bytes, update.finish().bytes])));
    expect(serialized(firstPage(whole).dict)).toBe(serialized(page.dict));
    expect(listSignatureFields(whole).map((field) => field.name)).toEqual(names);
    const kind = file.sections[0]?.kind;
    return `ok ${kind} [${names.join()}] ${certificationOf(file) ?? '-'}`;
  } catch (error) {
    if (isInnsigliError(error) && error.code !== 'internal.unexpected') return error.code;
    throw error;
  }
}

const inputs: readonly (readonly [string, string])[] = [
  ['hybrid.pdf', 'ok hybrid [] -'],
  ['small-aes128.pdf', 'pdf.password.needed'],
  ['small-aes256-emptyuser.pdf', 'ok table [] -'],
  ['small-aes256.pdf', 'pdf.password.needed'],
  ['small-lin.pdf', 'ok table [] -'],
  ['small-rc4.pdf', 'pdf.password.needed'],
  ['small-xrefstm.pdf', 'ok stream [] -'],
  ['small.pdf', 'ok table [] -'],
  ['v-badxref.pdf', 'ok table [] -'],
  ['v-blta.pdf', 'ok table [Sig1,Timestamp-ad8da86d-be05-4880-86e3-e5098fce0dbe] -'],
  ['v-cert-p1.pdf', 'ok table [Cert] 1'],
  ['v-cert-p2.pdf', 'ok table [Cert] 2'],
  ['v-field.pdf', 'ok table [MyField] -'],
  ['v-junkhead.pdf', 'ok table [] -'],
  ['v-junktail.pdf', 'ok table [] -'],
  ['v-lin-signed.pdf', 'ok table [Lin1] -'],
  ['v-pyenc.pdf', 'pdf.password.needed'],
  ['v-signed.pdf', 'ok table [Sig1] -'],
  ['v-xrefstm-signed.pdf', 'ok stream [Sig1] -'],
];

test.skipIf(absent).each(inputs)(`%s${why}`, (name, expected) => {
  expect(outcomeOf(join(folder, 'inputs', name))).toBe(expected);
});

test.skipIf(absent)(`every PDF of the corpora is read or rejected with a code${why}`, () => {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const outcomes = paths
    .filter((path) => path.toLowerCase().endsWith('.pdf'))
    .map((path) => outcomeOf(join(folder, path)));
  expect(outcomes.length).toBeGreaterThan(500);
  const read = outcomes.filter((outcome) => outcome.startsWith('ok'));
  expect(read.length).toBeGreaterThan(0.65 * outcomes.length);
});
