import { createDigest } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';
import type { ZipArchive, ZipEntry } from '../../formats/zip/index.ts';

/** Maximum number of times that all contents of a container are read again after the first time. */
const ROUNDS = 32;

/** Cost factor of reading a compressed file. */
const INFLATING = 4;

/** Files of a container. Each is digested once per algorithm; small ones are decompressed once. */
export interface ContainerContents {
  /**
   * The content of the file with exactly this name. Undefined if there is none, or it is a folder.
   *
   * @throws container.invalid if it is corrupt
   */
  read(name: string): Uint8Array | undefined;
  /** Like `read`, for a caller that reads all of it. @throws limit.exceeded if too much is read */
  lend(name: string): Uint8Array | undefined;
  /** The digest of the content. Undefined if there is no such file. */
  digest(name: string, algorithm: DigestAlgorithm): Uint8Array | undefined;
}

/** Opens the files of an archive. Large contents are not cached but decompressed each time. */
export function containerContents(archive: ZipArchive): ContainerContents {
  const kept = new Map<string, Uint8Array>();
  const digests = new Map<string, Uint8Array>();
  let roomBytes: number = limits.containerKeptBytes;
  let leftBytes: number = limits.containerLentBytes;
  for (const { sizeBytes } of archive.entries) leftBytes += ROUNDS * sizeBytes;

  const find = (name: string): ZipEntry | undefined => {
    const entry = archive.find(name);
    return entry?.isFolder === true ? undefined : entry;
  };
  const read = (name: string): Uint8Array | undefined => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const entry = find(name);
    if (entry === undefined) return undefined;
    const content = entry.read();
    const takenBytes = entry.method === 'stored' ? 0 : content.length;
    if (takenBytes <= roomBytes) {
      kept.set(name, content);
      roomBytes -= takenBytes;
    }
    return content;
  };
  return {
    read,
    lend(name) {
      const content = read(name);
      leftBytes -= (content?.length ?? 0) * (kept.has(name) ? 1 : INFLATING);
      if (leftBytes >= 0) return content;
      throw new InnsigliError('limit.exceeded', 'the signatures read the files too many times');
    },
    digest(name, algorithm) {
      const key = `${algorithm} ${name}`;
      const known = digests.get(key);
      if (known !== undefined) return known;
      // Content that is only digested is not cached.
      const content = kept.get(name) ?? find(name)?.read();
      if (content === undefined) return undefined;
      const digest = new Uint8Array(createDigest(algorithm).update(content).digest());
      digests.set(key, digest);
      return digest;
    },
  };
}
