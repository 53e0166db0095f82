import { resolveImport, secondLevelFolder } from './import-rules.ts';
import type { ModuleFacts } from './module-facts.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Cycles between files (without dynamic imports) and between second-level folders. */
export function cycleFaults(modules: readonly ModuleFacts[]): string[] {
  const files = fileGraph(modules);
  return [...cyclesOf(files), ...cyclesOf(folderGraph(files))].map((path) => `cycle: ${path}`);
}

function fileGraph(modules: readonly ModuleFacts[]): Graph {
  return new Map(
    modules.map((module) => {
      const targets = module.imports
        .filter((each) => !each.lazy)
        .map((each) => resolveImport(module.path, each.specifier))
        .filter((target) => target !== undefined);
      return [module.path, new Set(targets)];
    }),
  );
}

function folderGraph(files: Graph): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, targets] of files) {
    const home = secondLevelFolder(from);
    if (home === undefined) continue;
    const edges = graph.get(home) ?? new Set<string>();
    graph.set(home, edges);
    for (const target of targets) {
      const folder = secondLevelFolder(target);
      if (folder !== undefined && folder !== home) edges.add(folder);
    }
  }
  return graph;
}

function cyclesOf(graph: Graph): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      found.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
      return;
    }
    state.set(node, 'open');
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    state.set(node, 'done');
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}
