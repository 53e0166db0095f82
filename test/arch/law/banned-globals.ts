import { coreZones, zoneOf } from './import-rules.ts';
import { isFunction, lineFinder, type ModuleFacts } from './module-facts.ts';
import { childrenOf, isNode, type Node, nodeName, walk } from './syntax-tree.ts';

const bannedNames = new Set([
  'process',
  'console',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'performance',
  'crypto',
  'require',
  'globalThis',
]);

// URL.canParse of Node 20 rejects Latin-1 letters once it is compiled: base/network/is-url.
const bannedMembers = new Set(['Date.now', 'Math.random', 'URL.canParse']);

/** Uses of clock, randomness, environment or I/O in a module of the core. */
export function globalFaults(module: ModuleFacts): string[] {
  if (!coreZones.includes(zoneOf(module.path))) return [];
  const lineOf = lineFinder(module.text);
  const faults: string[] = [];
  visitScope(module.program, new Set(), (node, parent, declared) => {
    const name = bannedUse(node, parent, declared);
    if (name !== undefined) faults.push(`${module.path}:${lineOf(node.start)} uses ${name}`);
  });
  return faults;
}

type Visit = (node: Node, parent: Node | undefined, declared: ReadonlySet<string>) => void;

/** Walks the tree with the names declared by the module or an enclosing function. */
function visitScope(scope: Node, outer: ReadonlySet<string>, visit: Visit): void {
  const declared = new Set([...outer, ...namesDeclaredIn(scope)]);
  const enter = (node: Node, parent: Node | undefined): void => {
    if (node !== scope && isFunction(node)) {
      visitScope(node, declared, visit);
      return;
    }
    visit(node, parent, declared);
    for (const child of childrenOf(node)) enter(child, node);
  };
  enter(scope, undefined);
}

function namesDeclaredIn(scope: Node): string[] {
  const names: string[] = [];
  for (const parameter of (scope['params'] as readonly Node[] | undefined) ?? []) {
    collectPattern(parameter, names);
  }
  const enter = (node: Node): void => {
    if (node !== scope && isFunction(node)) {
      if (node.type === 'FunctionDeclaration') collectPattern(node['id'], names);
      return;
    }
    if (/^(VariableDeclarator|ClassDeclaration)$/.test(node.type))
      collectPattern(node['id'], names);
    if (/^Import.*Specifier$/.test(node.type)) collectPattern(node['local'], names);
    if (node.type === 'CatchClause') collectPattern(node['param'], names);
    for (const child of childrenOf(node)) enter(child);
  };
  enter(scope);
  return names;
}

function collectPattern(pattern: unknown, names: string[]): void {
  if (!isNode(pattern)) return;
  walk(pattern, (node, parent) => {
    const isKey = parent?.type === 'Property' && parent['key'] === node && !parent['shorthand'];
    if (node.type === 'Identifier' && !isKey) names.push(String(node['name']));
  });
}

function bannedUse(
  node: Node,
  parent: Node | undefined,
  declared: ReadonlySet<string>,
): string | undefined {
  if (node.type === 'MemberExpression') {
    const name = `${nodeName(node['object'])}.${nodeName(node['property'])}`;
    return bannedMembers.has(name) ? name : undefined;
  }
  const callee = nodeName(node['callee']);
  if (callee === 'Date' && node.type === 'CallExpression') return 'Date()';
  if (callee === 'Date' && (node['arguments'] as readonly Node[]).length === 0) return 'new Date()';
  if (node.type !== 'Identifier') return undefined;
  const name = String(node['name']);
  if (!bannedNames.has(name) || declared.has(name)) return undefined;
  return isPlainName(node, parent) ? undefined : name;
}

/** True where an identifier is only a label: a property, a key, a type member, a parameter name. */
function isPlainName(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent['property'] === node && !parent['computed'];
  if (/^(Property|PropertyDefinition|MethodDefinition)$/.test(parent.type)) {
    return parent['key'] === node && !parent['computed'];
  }
  return parent.type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)Expression$/.test(parent.type);
}
