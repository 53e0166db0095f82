import { latin1Text } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import type { ZipEntry } from '../zip/index.ts';
import { metaFolder } from './names.table.ts';

/** A container with exactly one data file (simple) or any number of them (extended). */
export type AsicKind = 'asic-s' | 'asic-e';

/** Type of a signature file. */
export type SignatureFileType = 'xades' | 'cades' | 'timestamp' | 'evidence-record';

/**
 * Type of a manifest: `signature` lists the files that a CAdES signature or a time-stamp covers,
 * `archive` those that an archive time-stamp covers, `open-document` all files with their media
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
 * The order matters: names of manifests contain the names of what they list. Letter case and
 * subfolders of META-INF are ignored, because writers differ in them and an unusual name must not
 * hide a signature from the verifier.
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
 * The role of a file in META-INF or a subfolder of it, by its name; undefined for all others.
 *
 * @spec ETSI EN 319 162-1 §4.3.3.2, §4.4.3.2, §4.4.4.2
 */
export function metaFileType(name: string): MetaFileType | undefined {
  return formOf(name)?.[1];
}

/** Length of the prefix of a file that is searched for the root element of its signatures. */
const ROOT_BYTES = 4_096;
/** Maximum size of a file whose content is inspected for its type. */
const READ_BYTES = 4 * 1024 * 1024;

/**
 * The role of a META-INF file with a non-standard name, detected from its content: some programs
 * write such signatures, and others display them.
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
 * True for a signature or manifest whose name is non-standard, differs in letter case, or is in a
 * subfolder of META-INF: programs that rely on names ignore it.
 *
 * @spec ETSI EN 319 162-1 §4.3.3.2, §4.4.3.2, §4.4.4.2
 */
export function hasIrregularName(name: string): boolean {
  const form = formOf(name);
  if (form === undefined) return true;
  return isInSubfolder(name) || !new RegExp(form[0].source).test(name);
}

/** Whether the name of a META-INF file is in a subfolder. */
export function isInSubfolder(name: string): boolean {
  return name.includes('/', metaFolder.length);
}
