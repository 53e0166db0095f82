import { dirname, join } from 'node:path/posix';
import type { ImportFact, ModuleFacts } from './module-facts.ts';
import { childrenOf, type Node, nodeName, stringOf } from './syntax-tree.ts';

/** The names that files import from one module; `*` means all of them. */
type Taken = Map<string, Set<string>>;

/** A file outside `src/`: its path below the repository, and its text. */
export interface OutsideFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Functions and values that a module exports, or an index re-exports, and that no other file
 * imports. Types are excluded: a signature may need a type that is never named. Modules without an
 * importer (entry points, threads, browser scripts) are excluded too.
 */
export function unusedExportFaults(
  modules: readonly ModuleFacts[],
  outside: readonly OutsideFile[],
): string[] {
  const taken: Taken = new Map();
  for (const module of modules) note(taken, `src/${module.path}`, module.imports);
  for (const file of outside) {
    note(taken, file.path, importsByLook(file.text));
  }
  return modules.filter(isNoEntry).flatMap((module) => {
    const names = taken.get(`src/${module.path}`);
    if (names === undefined || names.has('*')) return [];
    return exportedValues(module.program)
      .filter((name) => !names.has(name))
      .map((name) => `${module.path}: nobody imports ${name}: do not export it`);
  });
}

/** Modules that `bin/` imports from `dist/`. */
const modulesOfBin = ['cli/main.ts', 'adapters/pdf-text/text-thread.ts'];

/** Modules directly in `src/` are for users of the package. */
function isNoEntry({ path }: ModuleFacts): boolean {
  return path.includes('/') && !modulesOfBin.includes(path);
}

/**
 * Tests are many and are not parsed: anything but `{ names }` imports the whole module. `bench/`
 * imports modules from `build/`.
 */
function importsByLook(text: string): Pick<ImportFact, 'specifier' | 'names'>[] {
  const found = text.matchAll(/(?:\{([^{}]*)\}\s*from|\bfrom|\bimport\b[\s(]*)\s*'(\.[^']+)'/g);
  return [...found].map(([, names, specifier = '']) => ({
    specifier: specifier.replace(/\/build\/(.+)\.js$/, '/src/$1.ts'),
    names: names?.split(',').map((each) => /^\s*(?:type\s+)?(\S*)/.exec(each)?.[1] ?? '') ?? ['*'],
  }));
}

function note(
  taken: Taken,
  path: string,
  imports: readonly Pick<ImportFact, 'specifier' | 'names'>[],
): void {
  for (const { specifier, names } of imports) {
    if (!specifier.startsWith('.')) continue;
    const target = join(dirname(path), specifier);
    const known = taken.get(target) ?? new Set();
    for (const name of names) known.add(name);
    taken.set(target, known);
  }
}

/** Names of values: declared and exported, or re-exported from a different module. */
function exportedValues(program: Node): string[] {
  return childrenOf(program).flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement['exportKind'] === 'type')
      return [];
    const declaration = statement['declaration'] as Node | null;
    if (declaration) return /^TS/.test(declaration.type) ? [] : declaredNames(declaration);
    return (statement['specifiers'] as readonly Node[])
      .filter((each) => each['exportKind'] !== 'type')
      .map((each) => nodeName(each['exported']) ?? stringOf(each['exported']) ?? '')
      .filter((name) => name !== '');
  });
}

function declaredNames(declaration: Node): string[] {
  const declarators = (declaration['declarations'] as readonly Node[] | undefined) ?? [declaration];
  return declarators.map((each) => nodeName(each['id'])).filter((name) => name !== undefined);
}
