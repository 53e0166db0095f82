import { latin1Text } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import type { ZipEntry } from '../zip/index.ts';
import { metaFolder } from './names.table.ts';

/** A container with one data file (simple) or with any number (extended). */
export type AsicKind = 'asic-s' | 'asic-e';

/** Content of a signature file. */
export type SignatureFileType = 'xades' | 'cades' | 'timestamp' | 'evidence-record';

/**
 * Type of a manifest: `signature` lists the files that a CAdES signature or a time-stamp covers,
 * `archive` those that an archive time-stamp covers, `open-document` the files and their media
 * types.
 */
export type ManifestType = 'signature' | 'archive' | 'evidence-record' | 'open-document';

/** Role of a file in META-INF, by its name. */
export type MetaFileType =
  | { readonly role: 'signature'; readonly type: SignatureFileType }
  | { readonly role: 'manifest'; readonly type: ManifestType };

const manifest = (type: ManifestType): MetaFileType => ({ role: 'manifest', type });
const signature = (type: SignatureFileType): MetaFileType => ({ role: 'signature', type });

/**
 * Tried in this order: names of manifests contain those of what they list. Case and folders below
 * META-INF do not matter, as writers differ in them and a signature must not hide from the verifier
 * by its name.
 */
const forms: readonly (readonly [RegExp, MetaFileType])[] = [
  [/ASiCArchiveManifest[^/]*\.xml$/i, manifest('archive')],
  [/ASiCEvidenceRecordManifest[^/]*\.xml$/i, manifest('evidence-record')],
  [/ASiCManifest[^/]*\.xml$/i, manifest('signature')],
  [/^META-INF\/manifest\.xml$/, manifest('open-document')],
  [/signatures[^/]*\.xml$/i, signature('xades')],
  [/signature[^/]*\.p7s$/i, signature('cades')],
  [/timestamp[^/]*\.tst$/i, signature('timestamp')],
  [/evidencerecord[^/]*\.(ers|xml)$/i, signature('evidence-record')],
];

/**
 * The role of a file in META-INF or a folder of it by its name; undefined for all others.
 *
 * @spec ETSI EN 319 162-1 §4.3.3.2, §4.4.3.2, §4.4.4.2
 */
export function metaFileType(name: string): MetaFileType | undefined {
  return formOf(name)?.[1];
}

/** Bytes of a file in which the root of its signatures is looked for. */
const ROOT_BYTES = 4_096;
/** A longer file is not read for its type. */
const READ_BYTES = 4 * 1024 * 1024;

/**
 * The role of a file in META-INF whose name the format does not have, by what it holds: some
 * programs write signatures so, and others show them.
 */
export function strayFileType({ name, sizeBytes, read }: ZipEntry): MetaFileType | undefined {
  if (/\.p7[sm]$/i.test(name)) return signature('cades');
  if (!/xml/i.test(name.slice(metaFolder.length)) || sizeBytes > READ_BYTES) return undefined;
  return attempt(() => {
    const start = latin1Text(read().subarray(0, ROOT_BYTES));
    return /<(?:[\w.-]+:)?XAdESSignatures[\s/>]/.test(start) ? signature('xades') : undefined;
  });
}

function formOf(name: string): (typeof forms)[number] | undefined {
  if (!name.startsWith(metaFolder)) return undefined;
  return forms.find(([form]) => form.test(name));
}

/**
 * True for the name of a signature or manifest that the format does not have, in other letters than
 * it writes, or in a folder of META-INF: programs that go by names take it for none.
 *
 * @spec ETSI EN 319 162-1 §4.3.3.2, §4.4.3.2, §4.4.4.2
 */
export function isOddlyWritten(name: string): boolean {
  const form = formOf(name);
  if (form === undefined) return true;
  return isInSubfolder(name) || !new RegExp(form[0].source).test(name);
}

/** True for the name of a file of META-INF that stands in a folder of it. */
export function isInSubfolder(name: string): boolean {
  return name.includes('/', metaFolder.length);
}
