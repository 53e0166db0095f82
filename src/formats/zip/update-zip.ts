import type { ZipArchive, ZipEntry } from './read-zip.ts';
import { type EntryPart, joinParts, newPart, unchangedPart } from './write-records.ts';
import { dosTimeOf, partOf, type ZipFile, type ZipOptions } from './write-zip.ts';
import { shownName, zipInvalid } from './zip-error.ts';

/** Changes to an archive. */
export interface ZipChanges {
  /** Files that replace the entry with the same name, or are appended if there is none. */
  readonly files?: readonly ZipFile[];
  /** Old name to new name; data and position are kept. `files` has the names after renaming. */
  readonly renamed?: ReadonlyMap<string, string>;
}

/**
 * The bytes of the archive with the changes. Entries not mentioned keep every byte, including
 * headers, and their order; a renamed entry keeps its compressed data. Nothing is inflated.
 *
 * @throws container.invalid for a name that no archive may contain, or names that are the same
 * @throws container.limit if it would be too large
 */
export function updateZip(
  archive: ZipArchive,
  changes: ZipChanges,
  options: ZipOptions = {},
): Uint8Array {
  const dosTime = dosTimeOf(options.modified);
  const pending = new Map<string, ZipFile>();
  for (const file of changes.files ?? []) {
    if (pending.has(file.name)) throw zipInvalid(`two files are named ${shownName(file.name)}`);
    pending.set(file.name, file);
  }
  const parts: EntryPart[] = [];
  for (const entry of archive.entries) {
    const name = changes.renamed?.get(entry.name) ?? entry.name;
    const file = pending.get(name);
    pending.delete(name);
    if (file !== undefined) parts.push(partOf(file, dosTime));
    else if (name === entry.name)
      parts.push(unchangedPart(archive.bytes, entry.record, entry.place.end));
    else parts.push(renamedPart(archive, entry, name));
  }
  for (const file of pending.values()) parts.push(partOf(file, dosTime));
  return joinParts(parts, archive.comment);
}

function renamedPart(archive: ZipArchive, entry: ZipEntry, name: string): EntryPart {
  const { dataStart } = entry.place;
  const { method, dosTime, crc, sizeBytes, compressedBytes } = entry.record;
  const data = archive.bytes.subarray(dataStart, dataStart + compressedBytes);
  return newPart({ name, method, dosTime, crc, sizeBytes, data });
}
