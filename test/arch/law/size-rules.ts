import { basename, dirname } from 'node:path/posix';
import { secondLevelFolder } from './import-rules.ts';
import type { ModuleFacts } from './module-facts.ts';

/** Size limits of architecture.md §3. */
export const sizes = {
  fileLines: 400,
  functionLines: 70,
  columns: 100,
  indexLines: 40,
  folderFiles: 17,
} as const;

const forbiddenNames = /^(utils?|helpers?|common|misc|managers?)$/;

/** Files, functions and lines that are too long, and names without meaning. */
export function sizeFaults(module: ModuleFacts): string[] {
  const { path } = module;
  const faults: string[] = [];
  const lineCount = module.lines.length - (module.text.endsWith('\n') ? 1 : 0);
  const isTable = path.endsWith('.table.ts');
  if (!isTable && lineCount > sizes.fileLines) {
    faults.push(`${path} has ${lineCount} lines, at most ${sizes.fileLines}`);
  }
  const isIndex = basename(path) === 'index.ts' && secondLevelFolder(path) !== undefined;
  if (isIndex && lineCount > sizes.indexLines) {
    faults.push(`${path} has ${lineCount} lines, an index at most ${sizes.indexLines}`);
  }
  for (const each of module.functions) {
    if (each.lineCount > sizes.functionLines) {
      const said = `${each.name} has ${each.lineCount} lines, at most ${sizes.functionLines}`;
      faults.push(`${path}:${each.line} ${said}`);
    }
  }
  for (const [index, line] of module.lines.entries()) {
    if (line.length > sizes.columns) faults.push(`${path}:${index + 1} is ${line.length} wide`);
  }
  return faults;
}

/** Folders with too many files, which need subfolders. */
export function folderFaults(modules: readonly ModuleFacts[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of modules) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > sizes.folderFiles)
    .map(([folder, count]) => `${folder} has ${count} files, at most ${sizes.folderFiles}`);
}

/** Forbidden names, default exports and left-over words. */
export function styleFaults(module: ModuleFacts): string[] {
  const { path } = module;
  const faults: string[] = [];
  for (const part of path.replace(/(\.(table|types|d))?\.ts$/, '').split('/')) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)) faults.push(`${path}: ${part} is not kebab-case`);
    if (part.split('-').some((word) => forbiddenNames.test(word))) {
      faults.push(`${path}: a name like ${part} says nothing`);
    }
  }
  if (module.hasDefaultExport) faults.push(`${path} has a default export`);
  for (const [index, line] of module.lines.entries()) {
    if (/\b(TODO|FIXME|XXX|HACK)\b/.test(line))
      faults.push(`${path}:${index + 1} leaves work open`);
  }
  return faults;
}

/** Exported symbols without a doc comment. */
export function documentationFaults(module: ModuleFacts): string[] {
  return module.exports
    .filter((each) => !each.documented)
    .map((each) => `${module.path}:${each.line} exports ${each.name} without a doc comment`);
}
