import {
  asArray,
  asDict,
  asNumber,
  encodeText,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  pdfName,
} from '../formats/pdf/index.ts';
import type { SignatureAlgorithm } from '../formats/x509/index.ts';

/** An extension of PDF 2.0 published by ISO. */
interface IsoExtension {
  readonly level: number;
  readonly url: string;
}

const iso32001 = { level: 32001, url: 'https://www.iso.org/standard/45874.html' };
const iso32002 = { level: 32002, url: 'https://www.iso.org/standard/45875.html' };

/**
 * Returns the catalog entries by which a document declares that a signature uses extensions of PDF
 * 2.0: EdDSA (ISO/TS 32002), SHA-3 with SHAKE256 (ISO/TS 32001). Empty if the algorithm needs none,
 * or the document already declares it. Other declared extensions are preserved. An older version is
 * raised to 2.0, which the extensions require.
 */
export function declareExtensions(
  file: PdfFile,
  { scheme, digest }: SignatureAlgorithm,
): ReadonlyMap<string, PdfObject> {
  const needed: IsoExtension[] = [];
  if (digest.startsWith('sha3-') || digest === 'shake256') needed.push(iso32001);
  if (scheme === 'ed25519' || scheme === 'ed448') needed.push(iso32002);
  const old: PdfDict = asDict(file.resolve(file.catalog.get('Extensions'))) ?? new Map();
  const iso = file.resolve(old.get('ISO_'));
  const known = iso === undefined || iso === null ? [] : (asArray(iso) ?? [iso]);
  const levels = known.map((item) =>
    asNumber(file.resolve(asDict(file.resolve(item))?.get('ExtensionLevel'))),
  );
  const missing = needed.filter(({ level }) => !levels.includes(level));
  if (missing.length === 0) return new Map();
  const list = [...known, ...missing.map(entryOf)];
  const entries = new Map<string, PdfObject>([['Extensions', new Map(old).set('ISO_', list)]]);
  if (Number(file.version) < 2) entries.set('Version', pdfName('2.0'));
  return entries;
}

function entryOf({ level, url }: IsoExtension): PdfObject {
  return new Map<string, PdfObject>([
    ['Type', pdfName('DeveloperExtensions')],
    ['BaseVersion', pdfName('2.0')],
    ['ExtensionLevel', level],
    ['ExtensionRevision', encodeText(':2022')],
    ['URL', encodeText(url)],
  ]);
}
