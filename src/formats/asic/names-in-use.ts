import { readable } from '../../base/errors.ts';
import type { AsicContainer } from './container.ts';
import { parseAsicManifest } from './manifest.ts';

/** The names that new files of a container may not take, or not take away. */
export interface NamesInUse {
  /** Names of all entries, and those that manifests give to signatures, present or not. */
  readonly taken: readonly string[];
  /** Names that manifests list with a digest: their entries must keep them. */
  readonly listed: ReadonlySet<string>;
}

/** The names in use; manifests that cannot be read use none. */
export function namesInUse({ archive, manifests }: AsicContainer): NamesInUse {
  const taken = new Set(archive.entries.map(({ name }) => name));
  const listed = new Set<string>();
  for (const { type, read } of manifests) {
    const manifest =
      type === 'open-document' ? undefined : readable(() => parseAsicManifest(read()));
    if (manifest === undefined) continue;
    if (manifest.signature.name !== undefined) taken.add(manifest.signature.name);
    for (const { name } of manifest.dataObjects) if (name !== undefined) listed.add(name);
  }
  return { taken: [...taken], listed };
}
