import { createSign, randomFillSync } from 'node:crypto';
import { memorySource } from '../../src/base/bytes.ts';
import { childrenOf, type DerNode, der, derOf, readDer } from '../../src/formats/asn1/index.ts';
import { openPdf, PdfReference, serializeObject } from '../../src/formats/pdf/index.ts';
import { serializeSignatureAlgorithm } from '../../src/formats/x509/index.ts';
import type { TestMember } from './pki.ts';

/** An element of any length: the product's writer is limited to 16 MiB. */
export function largeElement(tag: number, parts: readonly Uint8Array[]): Buffer {
  const lengthBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.of(tag, 0x84, 0, 0, 0, 0);
  header.writeUInt32BE(lengthBytes, 2);
  return Buffer.concat([header, ...parts]);
}

const entryBytes = 31;

/**
 * A CRL of about this many bytes by the issuer, valid except for its size; revokes random numbers.
 */
export function largeCrl(issuer: TestMember, nowMs: number, lengthBytes: number): Buffer {
  const day = 24 * 3_600_000;
  const entries = Buffer.alloc(entryBytes * Math.floor(lengthBytes / entryBytes));
  randomFillSync(entries);
  const date = Buffer.from('250101000000Z', 'latin1');
  for (let at = 0; at < entries.length; at += entryBytes) {
    entries.writeUInt32BE(0x301d020c, at);
    // A serial number must be positive, and differ from those of a test PKI.
    entries[at + 4] = 0x11;
    entries.writeUInt16BE(0x170d, at + 16);
    date.copy(entries, at + 18);
  }
  const algorithm = serializeSignatureAlgorithm(issuer.algorithm);
  const tbs = largeElement(0x30, [
    der.smallInteger(1),
    algorithm,
    issuer.certificate.subjectDer,
    der.certificateTime(nowMs - day),
    der.certificateTime(nowMs + 7 * day),
    largeElement(0x30, [entries]),
  ]);
  const signature = createSign('sha256').update(tbs).sign(issuer.privateKey);
  return largeElement(0x30, [tbs, algorithm, der.bitString(signature)]);
}

/** The CMS with additional certificates or CRLs, DER, in its lists. */
export function cmsWith(
  cms: Uint8Array,
  list: 'certificates' | 'crls',
  values: readonly Uint8Array[],
): Buffer {
  const [type, wrapped] = childrenOf(readDer(cms)) as [DerNode, DerNode];
  const [signedData] = childrenOf(wrapped) as [DerNode];
  const fields = childrenOf(signedData);
  const signers = fields[fields.length - 1] as DerNode;
  const known = fields.find(({ tag }) => tag === 0xa0);
  const own = known === undefined ? [] : childrenOf(known).map(derOf);
  const parts = [
    ...fields.slice(0, 3).map(derOf),
    largeElement(0xa0, list === 'certificates' ? [...own, ...values] : own),
    ...(list === 'crls' ? [largeElement(0xa1, values)] : []),
    derOf(signers),
  ];
  return largeElement(0x30, [derOf(type), largeElement(0xa0, [largeElement(0x30, parts)])]);
}

/** The PDF with an update that adds a document security store with unfiltered streams. */
export function pdfWithStore(
  pdf: Uint8Array,
  list: 'Certs' | 'CRLs' | 'OCSPs',
  values: readonly Uint8Array[],
): Buffer {
  const file = openPdf(memorySource(pdf));
  const [previous] = file.sections;
  const { objectNumber: root } = file.catalogReference;
  const size = file.objectCount;
  const parts: Uint8Array[] = [pdf];
  let at = pdf.length;
  const offsets: number[] = [];
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [index, value] of values.entries()) {
    offsets.push(at);
    add(`${size + index} 0 obj\n<</Length ${value.length}>>stream\n`);
    add(value);
    add('\nendstream\nendobj\n');
  }
  const catalogAt = at;
  const references = values.map((_, index) => new PdfReference(size + index, 0));
  const catalog = new Map([...file.catalog, ['DSS', new Map([[list, references]])]] as const);
  add(`${root} 0 obj\n`);
  add(serializeObject(catalog));
  add('\nendobj\n');
  const xref = at;
  const row = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n\r\n`;
  add(`xref\n${root} 1\n${row(catalogAt)}${size} ${values.length}\n${offsets.map(row).join('')}`);
  add(`trailer\n<</Size ${size + values.length}/Root ${root} 0 R/Prev ${previous?.offsetBytes}`);
  add(`>>\nstartxref\n${xref}\n%%EOF\n`);
  return Buffer.concat(parts);
}

const places = {
  crl: ['<xades:CRLValues>', 'EncapsulatedCRLValue'],
  certificate: ['<xades:CertificateValues>', 'EncapsulatedX509Certificate'],
} as const;

/** An XML signature with additional validation data, DER. */
export function xmlWith(
  xml: Uint8Array,
  kind: keyof typeof places,
  values: readonly Uint8Array[],
): Buffer {
  const [place, name] = places[kind];
  const text = Buffer.from(xml).toString('latin1');
  const at = text.indexOf(place);
  if (at < 0) throw new Error(`expected ${place}`);
  const more = values.map(
    (value) => `<xades:${name}>${Buffer.from(value).toString('base64')}</xades:${name}>`,
  );
  const behind = at + place.length;
  return Buffer.from(text.slice(0, behind) + more.join('') + text.slice(behind), 'latin1');
}
