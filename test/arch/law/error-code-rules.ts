import type { ModuleFacts } from './module-facts.ts';
import { stringOf, walk } from './syntax-tree.ts';

const registryPath = 'base/error-codes.table.ts';

/** Codes that nothing throws although the registry has them, and codes that it has not. */
export function errorCodeFaults(
  modules: readonly ModuleFacts[],
  registry: readonly string[],
  reserved: Readonly<Record<string, string>>,
): string[] {
  const known = new Set(registry);
  const used = usedStrings(modules);
  const unused = registry.filter((code) => !used.has(code) && !(code in reserved));
  const stale = Object.keys(reserved).filter((code) => used.has(code) || !known.has(code));
  return [
    ...unused.map((code) => `${code} is in the registry and nothing uses it`),
    ...stale.map((code) => `${code} is listed as reserved but is used or unknown`),
    ...modules.flatMap((module) => documentedCodeFaults(module, known)),
  ];
}

function usedStrings(modules: readonly ModuleFacts[]): Set<string> {
  const used = new Set<string>();
  for (const module of modules) {
    if (module.path === registryPath) continue;
    walk(module.program, (node) => {
      const text = stringOf(node);
      if (text !== undefined) used.add(text);
    });
  }
  return used;
}

/** Codes named after `@throws` that the registry does not have; `tsa.*` names a family. */
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
