import { createHash } from 'node:crypto';
import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';
import type { ZipArchive } from '../../formats/zip/index.ts';

/** How often the contents of a container may be gone through, besides what every one may be. */
const ROUNDS = 32;

/** The files of a container: each is inflated once, and digested once for each algorithm. */
export interface ContainerContents {
  /**
   * The content of the file of exactly that name; undefined for none, and for a folder.
   *
   * @throws container.invalid when it is damaged
   */
  read(name: string): Uint8Array | undefined;
  /** As `read`, for somebody who goes through all of it. @throws limit.exceeded after too much */
  lend(name: string): Uint8Array | undefined;
  /** The digest of the content; undefined when there is no such file. */
  digest(name: string, algorithm: DigestAlgorithm): Uint8Array | undefined;
}

/** The files of an archive. */
export function containerContents(archive: ZipArchive): ContainerContents {
  const contents = new Map<string, Uint8Array>();
  const digests = new Map<string, Uint8Array>();
  let leftBytes: number = limits.containerLentBytes;
  for (const { sizeBytes } of archive.entries) leftBytes += ROUNDS * sizeBytes;

  const read = (name: string): Uint8Array | undefined => {
    const known = contents.get(name);
    if (known !== undefined) return known;
    const entry = archive.find(name);
    if (entry === undefined || entry.isFolder) return undefined;
    const content = entry.read();
    contents.set(name, content);
    return content;
  };
  return {
    read,
    lend(name) {
      const content = read(name);
      leftBytes -= content?.length ?? 0;
      if (leftBytes >= 0) return content;
      throw new CoreError('limit.exceeded', 'the signatures go through the files too often');
    },
    digest(name, algorithm) {
      const key = `${algorithm} ${name}`;
      const known = digests.get(key);
      if (known !== undefined) return known;
      const content = read(name);
      if (content === undefined) return undefined;
      const digest = new Uint8Array(createHash(algorithm).update(content).digest());
      digests.set(key, digest);
      return digest;
    },
  };
}
