import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ResolvedConfig } from '../../wire/config.ts';
import { makeFolders } from '../../wire/documents.ts';
import type { BatchOptions, BatchTask, InputEntry } from './batch.types.ts';
import { commonFolder } from './selection.ts';

/** Folder of the results for files that were taken away from a watched folder. */
export const quarantineName = '.innsigli-quarantine';

/** The folder of the journal: that of the results, or in place the one that holds all inputs. */
export function journalFolder(outDir: string | undefined, entries: readonly InputEntry[]): string {
  if (outDir !== undefined) return outDir;
  const roots = new Set(
    entries.map(({ path, relative }) => path.slice(0, path.length - relative.length)),
  );
  return commonFolder([...roots].map((root) => join(root, 'file')));
}

/** A digest of everything that makes one result differ from another, hexadecimal. */
export function fingerprintOf(options: BatchOptions, config: ResolvedConfig): string {
  const { command, seal, sealXml, container, form, suffix, inPlace } = options;
  const { key, level, digest } = config;
  const facts = { command, seal, sealXml, container, form, suffix, inPlace, key, level, digest };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/**
 * Removes temporary files that killed runs left where results go: `.NAME.<12 hex>.tmp`. Only
 * names of this plan are touched. Gives the number of removed files.
 */
export function removeLeftovers(tasks: readonly BatchTask[]): number {
  const planned = new Map<string, Set<string>>();
  for (const { output } of tasks) {
    if (output === undefined) continue;
    const folder = dirname(output);
    const names = planned.get(folder) ?? new Set();
    planned.set(folder, names.add(basename(output).slice(0, 80)));
  }
  let count = 0;
  for (const [folder, names] of planned) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      const [, of] = /^\.(.+)\.[0-9a-f]{12}\.tmp$/s.exec(name) ?? [];
      if (of === undefined || !names.has(of)) continue;
      unlinkSync(join(folder, name));
      count += 1;
    }
  }
  return count;
}

/** Moves an input below the quarantine of the result folder and gives its new path. */
export function moveToQuarantine(task: BatchTask, outDir: string): string {
  const wanted = join(outDir, quarantineName, task.relative);
  makeFolders(dirname(wanted));
  let target = wanted;
  for (let count = 1; existsSync(target); count += 1) target = `${wanted}.${count}`;
  try {
    renameSync(task.path, target);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause;
    copyFileSync(task.path, target);
    unlinkSync(task.path);
  }
  return target;
}
