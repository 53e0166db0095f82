/** A node of the ESTree that the parser returns, including TypeScript nodes. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** Calls `visit` for a node and everything below it, parents first. */
export function walk(node: Node, visit: (node: Node, parent?: Node) => void, parent?: Node): void {
  visit(node, parent);
  for (const child of childrenOf(node)) walk(child, visit, node);
}

/** The nodes directly below a node, in order of the source. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

/** The name of an identifier or the text of a string key. */
export function nodeName(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'Identifier' || value.type === 'PrivateIdentifier')
    return String(value['name']);
  return stringOf(value);
}

/** The value of a string literal. */
export function stringOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'TSLiteralType') return stringOf(value['literal']);
  return value.type === 'Literal' && typeof value['value'] === 'string'
    ? value['value']
    : undefined;
}

/** True for a node of the tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
