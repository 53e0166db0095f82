import { defined } from '../../base/defined.ts';
import { writeZip, type ZipFile } from '../zip/index.ts';
import { asicInvalid } from './asic-error.ts';
import type { AsicKind } from './file-types.ts';
import { asicMimeTypes, mimetypeName } from './names.table.ts';

/** Content of a new container. */
export interface AsicContents {
  readonly kind: AsicKind;
  readonly dataFiles: readonly ZipFile[];
  /** Signatures and manifests, named by {@link simpleNames} or the functions for new names. */
  readonly metaFiles: readonly ZipFile[];
  /** Modification time of all entries. Default: 1980-01-01. */
  readonly modified?: Date;
}

/**
 * The bytes of a new container: `mimetype` first and uncompressed, then data, then META-INF.
 *
 * @throws container.invalid if the name of a data file is reserved, or an ASiC-S does not have
 *   exactly one data file in its root
 * @throws container.limit if it would be too large
 * @spec ETSI EN 319 162-1 §4.3, §4.4, Annex A.1
 */
export function buildAsic(contents: AsicContents): Uint8Array {
  const { kind, dataFiles, metaFiles, modified } = contents;
  if (dataFiles.length === 0) throw asicInvalid('a container needs a data file');
  for (const { name } of dataFiles) {
    const folded = name.toLowerCase();
    if (folded === mimetypeName || folded.startsWith('meta-inf/')) {
      throw asicInvalid('a data file has a reserved name');
    }
  }
  const simple = dataFiles.length === 1 && dataFiles[0]?.name.includes('/') === false;
  if (kind === 'asic-s' && !simple) {
    throw asicInvalid('an ASiC-S has exactly one data file, in its root');
  }
  const mimetype = { name: mimetypeName, bytes: Buffer.from(asicMimeTypes[kind]), stored: true };
  return writeZip([mimetype, ...dataFiles, ...metaFiles], defined({ modified }));
}
