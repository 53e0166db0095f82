import { latin1Text } from '../../base/bytes.ts';
import type { ZipArchive, ZipEntry } from '../zip/index.ts';
import { asicInvalid } from './asic-error.ts';
import {
  type AsicKind,
  isInSubfolder,
  type ManifestType,
  metaFileType,
  type SignatureFileType,
  strayFileType,
} from './file-types.ts';
import { mimeTypeOfName, unknownMimeType } from './mime-types.table.ts';
import {
  asicMimeTypes,
  metaFolder,
  mimetypeName,
  openDocumentPrefix,
  relatedMimeTypes,
  simpleNames,
} from './names.table.ts';

/** A file of META-INF with the type that its name indicates. */
export interface AsicFile<Type extends string> {
  readonly name: string;
  readonly type: Type;
  /** Returns the content, inflated on each call. @throws container.invalid if it is corrupt */
  read(): Uint8Array;
}

/** A rule of ASiC that a readable container violates. */
export interface AsicFault {
  readonly code:
    | 'mimetype'
    | 'mimetype.place'
    | 'mimetype.form'
    | 'mimetype.content'
    | 'data.count'
    | 'data.place'
    | 'signature.count'
    | 'signature.name'
    | 'manifest.unexpected';
  readonly message: string;
}

/** ASiC container, classified by name: only `mimetype` and unknown META-INF files were read. */
export interface AsicContainer {
  readonly archive: ZipArchive;
  readonly kind: AsicKind;
  /** Content of entry `mimetype`, else of the archive comment; undefined if both are missing. */
  readonly mimetype: string | undefined;
  /** Entries outside META-INF, except `mimetype` and folders. */
  readonly dataFiles: readonly ZipEntry[];
  readonly signatureFiles: readonly AsicFile<SignatureFileType>[];
  readonly manifests: readonly AsicFile<ManifestType>[];
  /** All other files of META-INF. */
  readonly otherFiles: readonly ZipEntry[];
  /** Violations of ASiC: a verifier reports them, a sealer rejects the container. */
  readonly faults: readonly AsicFault[];
}

/** Maximum length of a media type in `mimetype`. */
const mimetypeBytes = 256;

/**
 * Sorts the files of an archive into data, signatures and manifests, and checks the rules that
 * depend on names only. `mimetype` determines the kind. If it is missing or unrecognised, an
 * archive with one data file in its root and one signature file with a name of ASiC-S is an ASiC-S,
 * and any other an ASiC-E.
 *
 * @throws container.invalid if it has neither a recognised media type nor a signature file
 * @spec ETSI EN 319 162-1 §4.3, §4.4, Annex A.1
 */
export function readAsic(archive: ZipArchive): AsicContainer {
  const faults: AsicFault[] = [];
  const files = sortFiles(archive);
  const mimetype = readMimetype(archive, faults);
  const stated = kindOfMimetype(mimetype);
  if (stated === undefined && files.signatureFiles.every(({ name }) => isInSubfolder(name))) {
    throw asicInvalid(
      'the ZIP archive is not an ASiC container: it has neither its media type nor a signature',
    );
  }
  const kind = stated ?? kindOfFiles(files);
  faults.push(...mimetypeFaults(mimetype, kind, files));
  faults.push(...(kind === 'asic-s' ? simpleFaults(files) : extendedFaults(files)));
  return { archive, kind, mimetype, ...files, faults };
}

/** Maximum number of META-INF files with unrecognised names that are searched for signatures. */
const STRAYS_MAX = 16;

type SortedFiles = Pick<AsicContainer, 'dataFiles' | 'signatureFiles' | 'manifests' | 'otherFiles'>;

function sortFiles(archive: ZipArchive): SortedFiles {
  const dataFiles: ZipEntry[] = [];
  const signatureFiles: AsicFile<SignatureFileType>[] = [];
  const manifests: AsicFile<ManifestType>[] = [];
  const otherFiles: ZipEntry[] = [];
  let strays = 0;
  for (const entry of archive.entries) {
    const { name, read } = entry;
    if (entry.isFolder || name === mimetypeName) continue;
    const known = metaFileType(name);
    const isStray = known === undefined && name.startsWith(metaFolder);
    const meta = isStray && strays++ < STRAYS_MAX ? strayFileType(entry) : known;
    if (meta?.role === 'signature') signatureFiles.push({ name, type: meta.type, read });
    else if (meta?.role === 'manifest') manifests.push({ name, type: meta.type, read });
    else if (name.startsWith(metaFolder)) otherFiles.push(entry);
    else dataFiles.push(entry);
  }
  return { dataFiles, signatureFiles, manifests, otherFiles };
}

/** The media type from the entry `mimetype`, otherwise from the archive comment `mimetype=…`. */
function readMimetype(archive: ZipArchive, faults: AsicFault[]): string | undefined {
  const comment = /^mimetype=(.*)$/s.exec(latin1Text(archive.comment))?.[1];
  const entry = archive.find(mimetypeName);
  if (entry === undefined) return comment;
  const add = (code: AsicFault['code'], message: string): void => {
    faults.push({ code, message });
  };
  if (entry !== archive.entries[0]) add('mimetype.place', 'mimetype is not the first entry');
  if (entry.method !== 'stored' || entry.extraBytes > 0) {
    add('mimetype.form', 'mimetype is compressed or has an extra field');
  }
  if (entry.sizeBytes > mimetypeBytes) {
    add('mimetype.content', `mimetype has ${entry.sizeBytes} bytes, expected only a media type`);
    return comment;
  }
  const content = latin1Text(entry.read());
  const mimetype = content.trim();
  if (content !== mimetype)
    add('mimetype.content', 'mimetype has white space before or after its value');
  if (comment !== undefined && comment !== mimetype) {
    add('mimetype.content', 'mimetype and the comment of the archive differ');
  }
  return mimetype;
}

/** Other programs may process a container by the media type it declares. */
function mimetypeFaults(
  mimetype: string | undefined,
  kind: AsicKind,
  { manifests, dataFiles }: SortedFiles,
): AsicFault[] {
  if (mimetype === undefined || Object.values<string>(asicMimeTypes).includes(mimetype)) return [];
  const said = JSON.stringify(mimetype.slice(0, 80));
  if (kindOfMimetype(mimetype) === undefined) {
    // An ASiC-S may have the media type of its data file.
    const held = mimeTypeOfName(dataFiles[0]?.name ?? '');
    if (kind === 'asic-s' && (held === mimetype || held === unknownMimeType)) return [];
    return [{ code: 'mimetype', message: `mimetype names a different format: ${said}` }];
  }
  if (manifests.some(({ type }) => type === 'open-document')) return [];
  const message = `mimetype is ${said}, and the manifest.xml of such a file is missing`;
  return [{ code: 'mimetype', message }];
}

function kindOfMimetype(mimetype: string | undefined): AsicKind | undefined {
  if (mimetype === undefined) return undefined;
  if (mimetype === asicMimeTypes['asic-s']) return 'asic-s';
  const extended =
    mimetype === asicMimeTypes['asic-e'] ||
    mimetype.startsWith(openDocumentPrefix) ||
    relatedMimeTypes.includes(mimetype);
  return extended ? 'asic-e' : undefined;
}

function kindOfFiles(files: SortedFiles): AsicKind {
  return simpleFaults(files).length === 0 ? 'asic-s' : 'asic-e';
}

/** One data file in the root and one signature file; archive time-stamps may be added to it. */
function simpleFaults(files: SortedFiles): AsicFault[] {
  const { dataFiles, signatureFiles, manifests } = files;
  const faults: AsicFault[] = [];
  if (dataFiles.length !== 1) {
    const message = `expected one data file in an ASiC-S, found ${dataFiles.length}`;
    faults.push({ code: 'data.count', message });
  } else if (dataFiles[0]?.name.includes('/')) {
    faults.push({ code: 'data.place', message: 'the data file of an ASiC-S must be in its root' });
  }
  const archives = manifests.filter((each) => each.type === 'archive').length;
  const stamps = signatureFiles.filter((each) => each.type === 'timestamp').length;
  const count = signatureFiles.length - Math.min(archives, stamps);
  if (count !== 1) {
    const message = `expected one signature file in an ASiC-S, found ${count}`;
    faults.push({ code: 'signature.count', message });
  } else if (!signatureFiles.some((each) => isSimpleName(each))) {
    const message = `${signatureFiles[0]?.name} is not a valid name of a signature file in ASiC-S`;
    faults.push({ code: 'signature.name', message });
  }
  if (manifests.some((each) => each.type === 'signature')) {
    faults.push({
      code: 'manifest.unexpected',
      message: 'an ASiC-S must not have an ASiCManifest',
    });
  }
  return faults;
}

function isSimpleName(file: AsicFile<SignatureFileType>): boolean {
  if (file.type === 'evidence-record')
    return /^META-INF\/evidencerecord\.(ers|xml)$/.test(file.name);
  return file.name === simpleNames[file.type];
}

function extendedFaults(files: SortedFiles): AsicFault[] {
  if (files.dataFiles.length > 0) return [];
  return [{ code: 'data.count', message: 'the container has no data file' }];
}
