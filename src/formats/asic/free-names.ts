import { attempt } from '../../base/errors.ts';
import type { AsicContainer } from './container.ts';
import { parseAsicManifest } from './manifest.ts';
import { archiveManifestName } from './names.table.ts';

/** Names of a new signature or time-stamp and of its manifest. */
export interface ManifestNames {
  readonly signature: string;
  readonly manifest: string;
}

/** Names of a new archive time-stamp and of its manifest, and of the entries renamed for it. */
export interface ArchiveNames extends ManifestNames {
  /** Old name to new name; empty for the first archive time-stamp. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The name of the next file with XAdES signatures in an ASiC-E; `taken` lists all entry names. */
export function nextXadesName(taken: readonly string[]): string {
  return firstFree(taken, (number) => [`META-INF/signatures${number}.xml`])[0] as string;
}

/** The names of the next CAdES signature in an ASiC-E and its manifest, with the same number. */
export function nextCadesNames(taken: readonly string[]): ManifestNames {
  const [signature, manifest] = firstFree(taken, (number) => [
    `META-INF/signature${number}.p7s`,
    `META-INF/ASiCManifest${number}.xml`,
  ]);
  return { signature: signature as string, manifest: manifest as string };
}

/**
 * The names of the next archive time-stamp and its manifest. The newest manifest has the name
 * without a number, so the previous one is renamed before the new one lists it. If another manifest
 * already lists the previous one by that name, as some writers do, it keeps the name and the new
 * manifest gets the number.
 *
 * @param taken all names in use
 * @param listed names that manifests list
 * @spec ETSI EN 319 162-1 Annex A.7
 */
export function nextArchiveNames(
  taken: readonly string[],
  listed: ReadonlySet<string> = new Set(),
): ArchiveNames {
  const [signature] = firstFree(taken, (number) => [`META-INF/timestamp${number}.tst`]);
  const names = { signature: signature as string, renamed: new Map<string, string>() };
  const folded = archiveManifestName.toLowerCase();
  const present = taken.find((name) => name.toLowerCase() === folded);
  if (present === undefined) return { ...names, manifest: archiveManifestName };
  const form = (number: string): string[] => [`META-INF/ASiCArchiveManifest${number}.xml`];
  const numbered = firstFree(taken, form)[0] as string;
  if (listed.has(present)) return { ...names, manifest: numbered };
  names.renamed.set(present, numbered);
  return { ...names, manifest: archiveManifestName };
}

/** The names with the first number from 001 on for which none is taken, ignoring case. */
function firstFree(
  taken: readonly string[],
  forms: (number: string) => readonly string[],
): readonly string[] {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const candidates = forms(String(number).padStart(3, '0'));
    if (candidates.every((name) => !names.has(name.toLowerCase()))) return candidates;
  }
}

/** Names that new files of a container must not use or rename. */
export interface NamesInUse {
  /** Names of all entries, and of signatures named by manifests, whether present or not. */
  readonly taken: readonly string[];
  /** Names that manifests list with a digest: these entries must keep their names. */
  readonly listed: ReadonlySet<string>;
}

/** The names in use; unreadable manifests are ignored. */
export function namesInUse({ archive, manifests }: AsicContainer): NamesInUse {
  const taken = new Set(archive.entries.map(({ name }) => name));
  const listed = new Set<string>();
  for (const { type, read } of manifests) {
    const manifest =
      type === 'open-document' ? undefined : attempt(() => parseAsicManifest(read()));
    if (manifest === undefined) continue;
    if (manifest.signature.name !== undefined) taken.add(manifest.signature.name);
    for (const { name } of manifest.dataObjects) if (name !== undefined) listed.add(name);
  }
  return { taken: [...taken], listed };
}
