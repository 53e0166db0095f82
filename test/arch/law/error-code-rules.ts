import type { ModuleFacts } from './module-facts.ts';
import { stringOf, walk } from './syntax-tree.ts';

const registryPath = 'base/error-codes.table.ts';
const findingsPath = 'verify/findings/finding-codes.table.ts';

/** Finding codes that are never used; those of containers are composed. */
export function findingCodeFaults(
  modules: readonly ModuleFacts[],
  registry: readonly string[],
): string[] {
  const used = usedStrings(modules, findingsPath);
  const isMade = (code: string) =>
    used.has(code) ||
    ['container.', 'container.file.'].some(
      (begin) => code.startsWith(begin) && used.has(code.slice(begin.length)),
    );
  return registry
    .filter((code) => !isMade(code))
    .map((code) => `${code} is in the registry of findings and nothing makes it`);
}

/** Registered codes that are never thrown, and codes that are not registered. */
export function errorCodeFaults(
  modules: readonly ModuleFacts[],
  registry: readonly string[],
  reserved: Readonly<Record<string, string>>,
): string[] {
  const known = new Set(registry);
  const used = usedStrings(modules, registryPath);
  const unused = registry.filter((code) => !used.has(code) && !(code in reserved));
  const stale = Object.keys(reserved).filter((code) => used.has(code) || !known.has(code));
  return [
    ...unused.map((code) => `${code} is in the registry and nothing uses it`),
    ...stale.map((code) => `${code} is listed as reserved but is used or unknown`),
    ...modules.flatMap((module) => documentedCodeFaults(module, known)),
  ];
}

function usedStrings(modules: readonly ModuleFacts[], except: string): Set<string> {
  const used = new Set<string>();
  for (const module of modules) {
    if (module.path === except) continue;
    walk(module.program, (node) => {
      const text = stringOf(node);
      if (text !== undefined) used.add(text);
    });
  }
  return used;
}

/** Codes named after `@throws` that are not registered; `tsa.*` names a family. */
function documentedCodeFaults(module: ModuleFacts, known: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  for (const [index, line] of module.lines.entries()) {
    const said = /@throws\s+(?:\{\w+\}\s+)?([\w.*, ]+)/.exec(line)?.[1] ?? '';
    for (const code of said.match(/\b[a-z0-9_]+(\.[a-z0-9_]+)+\b(\.\*)?/g) ?? []) {
      if (!code.endsWith('*') && !known.has(code) && !said.includes(`${code}.*`)) {
        faults.push(`${module.path}:${index + 1} documents the unknown code ${code}`);
      }
    }
  }
  return faults;
}
