import { deflateRawSync } from 'node:zlib';
import { latin1Text } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import {
  type AsicContainer,
  type AsicKind,
  asicMimeTypes,
  readAsic,
} from '../../../formats/asic/index.ts';
import { entryNameFault, looksLikeZip, readZip, type ZipFile } from '../../../formats/zip/index.ts';
import { type FileObject, requireText } from '../xml/request.ts';

/** Length of a local file header up to the name of the first entry. */
const HEADER_BYTES = 30;

/**
 * Returns the container to which a signature is to be added; undefined if the files are to be put
 * into a new one. A ZIP archive that is not an ASiC container is treated as an ordinary file.
 *
 * @throws container.* if it claims to be a container but is not valid
 */
export function givenContainer(files: readonly FileObject[]): AsicContainer | undefined {
  const [first, second] = files;
  if (first === undefined || second !== undefined || !looksLikeZip(first.content)) return undefined;
  try {
    const container = readAsic(readZip(first.content));
    const { mimetype, signatureFiles } = container;
    const isAsic =
      mimetype === undefined
        ? signatureFiles.length > 0
        : Object.values<string>(asicMimeTypes).includes(mimetype);
    return isAsic ? container : undefined;
  } catch (error) {
    if (!isInnsigliError(error) || claimsToBeAsic(first.content)) throw error;
    return undefined;
  }
}

/**
 * Whether the first entry is `mimetype` with the content of ASiC.
 *
 * @spec EN 319 162-1 Annex A.1
 */
function claimsToBeAsic(bytes: Uint8Array): boolean {
  const start = latin1Text(bytes.subarray(HEADER_BYTES, HEADER_BYTES + 64));
  return start.startsWith('mimetypeapplication/vnd.etsi.asic-');
}

/**
 * Requires a container to which a signature can be added.
 *
 * @throws container.invalid if it violates a rule; usage.invalid if a different kind is requested
 */
export function requireExtensible(container: AsicContainer, wanted: AsicKind): void {
  const { faults, kind, signatureFiles } = container;
  const isUnsigned = signatureFiles.length === 0;
  const fault = faults.find(({ code }) => !(isUnsigned && code === 'signature.count'));
  if (fault !== undefined) {
    throw new InnsigliError('container.invalid', `cannot add a signature: ${fault.message}`, {
      hint: 'extract the documents and seal them in a new container',
    });
  }
  if (kind === wanted) return;
  const label = kind === 'asic-s' ? 'ASiC-S' : 'ASiC-E';
  throw new InnsigliError('usage.invalid', `the document is already an ${label} container`, {
    hint: `to add a signature to it, choose ${kind}`,
  });
}

/** Smaller files are deflated without sampling. */
const SAMPLED_BYTES = 1 << 18;
const SAMPLE_BYTES = 1 << 14;

/** Prepares a file for a new container; a file that does not shrink is stored uncompressed. */
export function packed({ name, content }: FileObject): ZipFile {
  return { name, bytes: content, stored: content.length >= SAMPLED_BYTES && isDense(content) };
}

/** True if samples of start, middle and end hardly shrink: images, archives, most PDFs. */
function isDense(content: Uint8Array): boolean {
  const last = content.length - SAMPLE_BYTES;
  return [0, last >> 1, last].every((start) => {
    const sample = content.subarray(start, start + SAMPLE_BYTES);
    return deflateRawSync(sample).length > SAMPLE_BYTES * 0.95;
  });
}

/**
 * Requires files that are permitted in a new container of the kind.
 *
 * @throws usage.invalid
 */
export function requireContents(files: readonly FileObject[], kind: AsicKind): void {
  if (files.length === 0) throw new InnsigliError('usage.invalid', 'expected a file, found none');
  const names = new Set<string>();
  for (const { name, mimeType } of files) {
    requireText('file name', name);
    requireText('mimeType', mimeType);
    const fault = entryNameFault(name);
    const isOwn = /^(?:mimetype$|meta-inf(?:\/|$))/i.test(name);
    const reason = fault ?? (isOwn ? 'is a reserved name of containers' : undefined);
    if (reason !== undefined || name.endsWith('/')) {
      const why = reason ?? 'ends with /';
      throw new InnsigliError('usage.invalid', `the file name "${name}" ${why}`);
    }
    const path = name.toLowerCase().normalize('NFC');
    if (names.has(path)) {
      throw new InnsigliError('usage.invalid', `two files have the name "${name}"`);
    }
    names.add(path);
  }
  if (kind === 'asic-e') return;
  if (files.length > 1) {
    const message = `expected one file for an ASiC-S, found ${files.length}`;
    throw new InnsigliError('usage.invalid', message, { hint: 'use asic-e' });
  }
  if (files[0]?.name.includes('/')) {
    throw new InnsigliError('usage.invalid', 'the file name in an ASiC-S must not have a folder');
  }
}
