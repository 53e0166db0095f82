import { resolveImport } from './import-rules.ts';
import type { ModuleFacts } from './module-facts.ts';
import { childrenOf, isNode, type Node, nodeName, stringOf } from './syntax-tree.ts';

/** A declaration: its module and its name there. */
interface Place {
  readonly path: string;
  readonly name: string;
}

type Modules = ReadonlyMap<string, ModuleFacts>;

/** Types in the public declarations of an entry point that callers cannot name. */
export function unnamedTypes(modules: readonly ModuleFacts[], entry: string): string[] {
  const all: Modules = new Map(modules.map((module) => [module.path, module]));
  const exported = exportsOf(all, entry);
  const named = new Set(exported.map(keyOf));
  const missing = new Map<string, string>();
  const queue = [...exported];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    for (const used of typesOf(all, place)) {
      const key = keyOf(used);
      if (named.has(key)) continue;
      named.add(key);
      missing.set(key, `${entry}: ${used.name} of ${used.path}, in ${place.name}`);
      queue.push(used);
    }
  }
  return [...missing.values()].sort();
}

const keyOf = ({ path, name }: Place) => `${path} ${name}`;

function exportsOf(modules: Modules, path: string): Place[] {
  const statements = statementsOf(modules, path);
  return statements.flatMap((statement) => {
    const source = stringOf(statement['source']);
    if (statement.type === 'ExportAllDeclaration' && source !== undefined) {
      const whole = resolveImport(path, source);
      return whole === undefined ? [] : exportsOf(modules, whole);
    }
    if (statement.type !== 'ExportNamedDeclaration' || source === undefined) return [];
    return specifiers(statement).flatMap((each) => {
      const target = resolveImport(path, source);
      const name = nodeName(each['local']);
      const place = target === undefined || !name ? undefined : find(modules, target, name);
      return place === undefined ? [] : [place];
    });
  });
}

/** Where a name visible in a module is declared; undefined outside `src/`. */
function find(modules: Modules, path: string, name: string): Place | undefined {
  if (!modules.has(path)) return undefined;
  if (declarationOf(modules, { path, name }) !== undefined) return { path, name };
  for (const statement of statementsOf(modules, path)) {
    const source = stringOf(statement['source']);
    if (source === undefined) continue;
    if (statement.type === 'ExportAllDeclaration') {
      const whole = resolveImport(path, source);
      const found = whole === undefined ? undefined : find(modules, whole, name);
      if (found !== undefined) return found;
      continue;
    }
    const isImport = statement.type === 'ImportDeclaration';
    if (!isImport && statement.type !== 'ExportNamedDeclaration') continue;
    for (const each of specifiers(statement)) {
      const [own, other] = isImport ? ['local', 'imported'] : ['exported', 'local'];
      if (nodeName(each[own]) !== name) continue;
      const target = resolveImport(path, source);
      return target === undefined
        ? undefined
        : find(modules, target, nodeName(each[other]) ?? name);
    }
  }
  return undefined;
}

/** The types named by the public part of a declaration. */
function typesOf(modules: Modules, place: Place): Place[] {
  const declaration = declarationOf(modules, place);
  if (declaration === undefined) return [];
  const own = new Set<string>();
  const names = new Set<string>();
  visitTypes(declaration, own, names);
  return [...names]
    .filter((name) => !own.has(name))
    .map((name) => find(modules, place.path, name))
    .filter((found) => found !== undefined);
}

/** Collects the names of types, without private members. */
function visitTypes(node: Node, own: Set<string>, names: Set<string>): void {
  const isHidden = isNode(node['key']) && node['key'].type === 'PrivateIdentifier';
  if (isHidden || node.type === 'BlockStatement' || node.type === 'FunctionBody') return;
  if (node.type === 'TSTypeParameter') own.add(nodeName(node['name']) ?? '');
  const name = nodeName(node['typeName'] ?? (isHeritage(node) ? node['expression'] : undefined));
  if (name !== undefined) names.add(name);
  const isInferred = node.type === 'VariableDeclarator' && !isFunctionNode(node['init']);
  for (const child of childrenOf(node)) {
    if (isInferred && child === node['init']) continue;
    visitTypes(child, own, names);
  }
}

const isHeritage = ({ type }: Node) => /^(TSInterfaceHeritage|TSClassImplements)$/.test(type);

function isFunctionNode(value: unknown): boolean {
  return isNode(value) && /^(ArrowFunctionExpression|FunctionExpression)$/.test(value.type);
}

function declarationOf(modules: Modules, { path, name }: Place): Node | undefined {
  for (const statement of statementsOf(modules, path)) {
    const inner = statement['declaration'];
    const declaration = isNode(inner) ? inner : statement;
    const declarators = declaration['declarations'] as readonly Node[] | undefined;
    const found = (declarators ?? [declaration]).find((each) => nodeName(each['id']) === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const statementsOf = (modules: Modules, path: string): readonly Node[] =>
  childrenOf(modules.get(path)?.program ?? { type: 'Program', start: 0, end: 0 });

const specifiers = (statement: Node): readonly Node[] =>
  (statement['specifiers'] as readonly Node[] | undefined) ?? [];
