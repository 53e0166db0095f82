import { der } from '../../src/formats/asn1/index.ts';
import { cmsBy } from './hand-signed.ts';
import { PdfBuilder } from './pdf-builder.ts';
import type { TestMember } from './pki.ts';

const FIRST_FIELD = 10;
/** Bytes of `/Contents`: a CMS by a P-256 key with its chain has about 2,000. */
const CONTENTS_BYTES = 2_400;
const RANGE_CHARACTERS = 48;
const head = '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20260601120000Z)';

/** Arrangement of the signatures of {@link manySignatures} in the file. */
export type SignaturePlaces = 'updates' | 'together';

/**
 * A PDF with this many intact signatures. `updates`: each in a separate update, which fills a field
 * of the first revision; `together`: all values in one revision, each with the same gap, so that
 * all of them are one CMS over the same bytes.
 *
 * @param paddingBytes of white space after the value, for `together`
 */
export function manySignatures(
  signer: TestMember,
  count: number,
  places: SignaturePlaces,
  paddingBytes = 0,
): Uint8Array {
  return places === 'updates' ? inUpdates(signer, count) : together(signer, count, paddingBytes);
}

function begin(count: number, entryOf: (index: number) => string): PdfBuilder {
  const pdf = new PdfBuilder();
  const numbers = Array.from({ length: count }, (_, index) => FIRST_FIELD + index);
  pdf.object(1, '<</Type/Catalog/Pages 2 0 R/AcroForm 3 0 R>>');
  pdf.object(2, '<</Type/Pages/Kids[4 0 R]/Count 1>>');
  pdf.object(3, `<</SigFlags 3/Fields[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`);
  pdf.object(4, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>');
  numbers.forEach((number, index) => {
    pdf.object(number, `<</FT/Sig/T(f${index})${entryOf(index)}>>`);
  });
  return pdf;
}

interface Hole {
  readonly start: number;
  readonly end: number;
  readonly rangeAt: number;
}

/** Writes a value with space for its CMS and its byte range. */
function writeValue(pdf: PdfBuilder, number: number): Hole {
  pdf.at(number, pdf.offset).raw(`${number} 0 obj\n${head}/Contents`);
  const start = pdf.offset;
  pdf.raw(`<${'0'.repeat(2 * CONTENTS_BYTES)}>`);
  const end = pdf.offset;
  pdf.raw('/ByteRange');
  const rangeAt = pdf.offset;
  pdf.raw(`${' '.repeat(RANGE_CHARACTERS)}>>\nendobj\n`);
  return { start, end, rangeAt };
}

function fill(bytes: Buffer, { start, end, rangeAt }: Hole, signer: TestMember, until: number) {
  bytes.write(`[0 ${start} ${end} ${until - end}]`.padEnd(RANGE_CHARACTERS), rangeAt, 'latin1');
  const covered = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end, until)]);
  const digits = Buffer.from(cmsBy(signer)(covered)).toString('hex');
  if (digits.length > end - start - 2) throw new Error('the CMS does not fit');
  bytes.write(digits, start + 1, 'latin1');
}

function together(signer: TestMember, count: number, paddingBytes: number): Uint8Array {
  const pdf = begin(count, () => '/V 5 0 R');
  const hole = writeValue(pdf, 5);
  pdf.raw(new Uint8Array(paddingBytes).fill(0x20));
  pdf.raw(`startxref\n${pdf.table()}\n%%EOF\n`);
  const bytes = Buffer.from(pdf.bytes);
  fill(bytes, hole, signer, bytes.length);
  return bytes;
}

function inUpdates(signer: TestMember, count: number): Uint8Array {
  const pdf = begin(count, () => '');
  let previous = pdf.table();
  pdf.raw(`startxref\n${previous}\n%%EOF\n`);
  const holes: { readonly hole: Hole; readonly until: number }[] = [];
  for (let index = 0; index < count; index++) {
    const [field, value] = [FIRST_FIELD + index, FIRST_FIELD + count + index];
    const at = pdf.offset;
    pdf.raw(`${field} 0 obj\n<</FT/Sig/T(f${index})/V ${value} 0 R>>\nendobj\n`);
    const valueAt = pdf.offset;
    const hole = writeValue(pdf, value);
    const row = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n\r\n`;
    const section = pdf.offset;
    pdf.raw(`xref\n${field} 1\n${row(at)}${value} 1\n${row(valueAt)}`);
    pdf.raw(`trailer\n<</Size ${FIRST_FIELD + 2 * count}/Root 1 0 R/Prev ${previous}>>\n`);
    pdf.raw(`startxref\n${section}\n%%EOF\n`);
    previous = section;
    holes.push({ hole, until: pdf.offset });
  }
  const bytes = Buffer.from(pdf.bytes);
  for (const { hole, until } of holes) fill(bytes, hole, signer, until);
  return bytes;
}

/**
 * This many different certificates, DER; only the serial numbers differ, and no signature matches.
 */
export function manyCertificates(one: Uint8Array, count: number): Uint8Array[] {
  const serial = Buffer.from(one).indexOf(Buffer.of(0x02, 0x0c, 0x4d));
  if (serial < 0) throw new Error('a serial number of a test PKI was expected');
  return Array.from({ length: count }, (_, index) => {
    const copy = Buffer.from(one);
    copy.writeUInt32BE(index, serial + 4);
    // They differ at the end, for fast comparison.
    copy.writeUInt32BE(index, copy.length - 4);
    return copy;
  });
}

/** A name of this many bytes. */
export function longName(lengthBytes: number): Uint8Array {
  const value = der.utf8String('a'.repeat(lengthBytes));
  return der.sequence(der.setOf(der.sequence(der.oid('2.5.4.3'), value)));
}
