import type { NodeTree, XPathNode } from './node-tree.ts';

/** Nodes in document order, without duplicates. */
export type Nodes = readonly XPathNode[];

/** Value of an expression. */
export type XPathValue = Nodes | boolean | number | string;

/** The nodes in document order, without duplicates. */
export function ordered(nodes: XPathNode[]): Nodes {
  if (nodes.length < 2) return nodes;
  nodes.sort((a, b) => a.order - b.order);
  return nodes.filter(({ order }, i) => i === 0 || nodes[i - 1]?.order !== order);
}

/** The value as boolean. @spec XPath 1.0 §4.3 */
export function toBoolean(value: XPathValue): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  return value.length > 0;
}

/** The value as string. @spec XPath 1.0 §4.2 */
export function toText(value: XPathValue, textOf: NodeText): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberText(value);
  const [first] = value;
  return first === undefined ? '' : textOf(first);
}

/** The value as number. @spec XPath 1.0 §4.4 */
export function toNumber(value: XPathValue, textOf: NodeText): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return parseNumber(toText(value, textOf));
}

/** String-value of a node. */
export type NodeText = NodeTree['text'];

const numberForm = /^[ \t\r\n]*(-?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+))[ \t\r\n]*$/;

function parseNumber(text: string): number {
  const [, digits] = numberForm.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits);
}

/** A number in decimal form, never with an exponent. */
function numberText(value: number): string {
  if (value === 0) return '0';
  const text = String(value);
  const [, sign = '', whole = '', fraction = '', power] =
    /^(-?)([0-9]+)(?:[.]([0-9]+))?e([+-][0-9]+)$/.exec(text) ?? [];
  if (power === undefined) return text;
  const point = whole.length + Number(power);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}

/** The result of a comparison. @spec XPath 1.0 §3.4 */
export function compare(
  operator: string,
  left: XPathValue,
  right: XPathValue,
  textOf: NodeText,
): boolean {
  const isEquality = operator === '=' || operator === '!=';
  const nodes = typeof left === 'object' ? left : typeof right === 'object' ? right : undefined;
  if (nodes === undefined) {
    return isEquality
      ? areEqual(left, right, textOf) === (operator === '=')
      : isOrdered(operator, toNumber(left, textOf), toNumber(right, textOf));
  }
  const other = nodes === left ? right : left;
  if (typeof other === 'boolean') {
    return compare(operator, toBoolean(left), toBoolean(right), textOf);
  }
  if (!isEquality) {
    // The extremes suffice: one pass over each side instead of all pairs.
    const [low, high] = range(left, textOf);
    const [least, most] = range(right, textOf);
    const isLess = operator.startsWith('<');
    return isLess ? isOrdered(operator, low, most) : isOrdered(operator, high, least);
  }
  if (typeof other === 'number') {
    return nodes.some((node) => (toNumber(textOf(node), textOf) === other) === (operator === '='));
  }
  return haveText(operator, nodes, typeof other === 'string' ? [other] : other, textOf);
}

function areEqual(left: XPathValue, right: XPathValue, textOf: NodeText): boolean {
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    return toBoolean(left) === toBoolean(right);
  }
  if (typeof left === 'number' || typeof right === 'number') {
    return toNumber(left, textOf) === toNumber(right, textOf);
  }
  return left === right;
}

/** For `=`, whether a text is on both sides; for `!=`, whether two texts across sides differ. */
function haveText(
  operator: string,
  nodes: Nodes,
  others: Nodes | readonly string[],
  textOf: NodeText,
): boolean {
  const texts = new Set<string>();
  for (const other of others) texts.add(typeof other === 'string' ? other : textOf(other));
  if (operator === '=') return nodes.some((node) => texts.has(textOf(node)));
  const [only, ...more] = texts;
  if (only === undefined || nodes.length === 0) return false;
  return more.length > 0 || nodes.some((node) => textOf(node) !== only);
}

/** Least and greatest number of the nodes; NaN, which makes comparisons false, if none. */
function range(value: XPathValue, textOf: NodeText): readonly [number, number] {
  if (typeof value !== 'object') {
    const number = toNumber(value, textOf);
    return [number, number];
  }
  let low = Number.NaN;
  let high = Number.NaN;
  for (const node of value) {
    const number = parseNumber(textOf(node));
    if (!(number >= low)) low = Number.isNaN(number) ? low : number;
    if (!(number <= high)) high = Number.isNaN(number) ? high : number;
  }
  return [low, high];
}

function isOrdered(operator: string, left: number, right: number): boolean {
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
