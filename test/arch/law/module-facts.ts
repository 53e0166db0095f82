import { parseAst } from 'vitest/node';
import { childrenOf, type Node, nodeName, stringOf, walk } from './syntax-tree.ts';

/** One import, re-export or dynamic import of a module. */
export interface ImportFact {
  readonly specifier: string;
  /** Imported names; `*` for all, as in a dynamic import. */
  readonly names: readonly string[];
  /** True for `import type`, which does not exist at run time. */
  readonly typeOnly: boolean;
  /** True for `import('x')`. */
  readonly lazy: boolean;
  readonly line: number;
}

/** One function with its extent. */
export interface FunctionFact {
  readonly name: string;
  readonly line: number;
  readonly lineCount: number;
}

/** One name that a module exports by declaring it. */
export interface ExportFact {
  readonly name: string;
  readonly line: number;
  readonly documented: boolean;
}

/** What the rules read from one source file. */
export interface ModuleFacts {
  /** Path below `src/`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly program: Node;
  readonly imports: readonly ImportFact[];
  readonly functions: readonly FunctionFact[];
  readonly exports: readonly ExportFact[];
  readonly hasDefaultExport: boolean;
}

/** The facts of a TypeScript source; `path` is relative to `src/`. */
export function readModule(path: string, text: string): ModuleFacts {
  const program = parseAst(text, { lang: 'ts', astType: 'ts' }, path) as unknown as Node;
  const lineOf = lineFinder(text);
  const imports: ImportFact[] = [];
  const functions: FunctionFact[] = [];
  walk(program, (node, parent) => {
    imports.push(...importsOf(node, lineOf));
    if (isFunction(node)) {
      const line = lineOf(node.start);
      functions.push({
        name: functionName(node, parent),
        line,
        lineCount: lineOf(node.end) - line + 1,
      });
    }
  });
  return {
    path,
    text,
    lines: text.split('\n'),
    program,
    imports,
    functions,
    exports: exportsOf(program, text, lineOf),
    hasDefaultExport: childrenOf(program).some((node) => node.type === 'ExportDefaultDeclaration'),
  };
}

/** Returns the line, counted from 1, of an offset. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function importsOf(node: Node, lineOf: (offset: number) => number): ImportFact[] {
  if (!/^(?:Import|Export|TSImportType)/.test(node.type)) return [];
  const line = lineOf(node.start);
  if (node.type === 'ImportExpression') {
    const specifiers = specifiersOf(node['source'] as Node);
    return specifiers.map((each) => ({
      specifier: each,
      names: ['*'],
      typeOnly: false,
      lazy: true,
      line,
    }));
  }
  if (node.type === 'TSImportType') {
    const specifier = stringOf(node['source']) ?? stringOf(node['argument']) ?? '<computed>';
    return [{ specifier, names: [], typeOnly: true, lazy: false, line }];
  }
  const kind = node.type === 'ImportDeclaration' ? node['importKind'] : node['exportKind'];
  const specifier = stringOf(node['source']);
  if (specifier === undefined || !/^(Import|Export)(Named|All)?Declaration$/.test(node.type)) {
    return [];
  }
  const specifiers = (node['specifiers'] as readonly Node[] | undefined) ?? [];
  const allTypes = specifiers.length > 0 && specifiers.every(isTypeSpecifier);
  const names = node.type === 'ExportAllDeclaration' ? ['*'] : specifiers.map(takenName);
  return [{ specifier, names, typeOnly: kind === 'type' || allTypes, lazy: false, line }];
}

/** Both modules of `import(secure ? 'node:https' : 'node:http')`. */
function specifiersOf(source: Node): string[] {
  if (source.type === 'ConditionalExpression') {
    return [source['consequent'], source['alternate']].flatMap((each) =>
      specifiersOf(each as Node),
    );
  }
  return [stringOf(source) ?? '<computed>'];
}

/** The imported name of a specifier; `*` for the whole module. */
function takenName(node: Node): string {
  if (node.type === 'ImportDefaultSpecifier') return 'default';
  return (
    nodeName(node['imported'] ?? (node.type === 'ExportSpecifier' ? node['local'] : null)) ?? '*'
  );
}

function isTypeSpecifier(node: Node): boolean {
  return node['importKind'] === 'type' || node['exportKind'] === 'type';
}

/** True for a function with a body. */
export function isFunction(node: Node): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function functionName(node: Node, parent: Node | undefined): string {
  return (
    nodeName(node['id']) ?? nodeName(parent?.['key']) ?? nodeName(parent?.['id']) ?? '(anonymous)'
  );
}

function exportsOf(program: Node, text: string, lineOf: (offset: number) => number): ExportFact[] {
  const found: ExportFact[] = [];
  const statements = childrenOf(program);
  const seen = new Set<string>();
  const note = (name: string, statement: Node): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const documented = hasDocComment(text, statement.start);
    found.push({ name, line: lineOf(statement.start), documented });
  };
  for (const statement of statements) {
    if (statement.type !== 'ExportNamedDeclaration' || statement['source']) continue;
    const declaration = statement['declaration'] as Node | null;
    if (declaration) {
      for (const name of declaredNames(declaration)) note(name, statement);
      continue;
    }
    for (const each of statement['specifiers'] as readonly Node[]) {
      const local = nodeName(each['local']) ?? '';
      const home = statements.find((other) => declaredNames(other).includes(local));
      if (home !== undefined) note(local, home);
    }
  }
  return found;
}

function declaredNames(declaration: Node): string[] {
  const declarators = declaration['declarations'] as readonly Node[] | undefined;
  const named = declarators ?? [declaration];
  return named.map((each) => nodeName(each['id'])).filter((name) => name !== undefined);
}

function hasDocComment(text: string, start: number): boolean {
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith('*/')) return false;
  return before.slice(before.lastIndexOf('/*')).startsWith('/**');
}
