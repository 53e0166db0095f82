import { decodeCharacters } from '../reading/characters.ts';
import type { ValueType } from './expression.ts';
import type { NodeTree, Steps, XPathNode } from './node-tree.ts';
import { type Nodes, ordered, toBoolean, toNumber, toText, type XPathValue } from './values.ts';

/** Evaluation context of an expression. @spec XPath 1.0 §1 */
export interface XPathContext {
  readonly node: XPathNode;
  readonly position: number;
  readonly size: number;
}

/** Access of functions to the document and its surroundings. */
export interface FunctionHost {
  readonly tree: NodeTree;
  readonly steps: Steps;
  readonly textOf: (node: XPathNode) => string;
  /** Returns the element with an Id, as a node of the document. */
  readonly byId: (id: string) => XPathNode | undefined;
  /** Returns the element that contains the expression. @throws xml.signature.invalid */
  readonly here: () => XPathNode;
}

/** Number of text bytes read per step. */
export const BYTES_PER_STEP = 8;

type Call = (args: readonly XPathValue[], context: XPathContext, host: FunctionHost) => XPathValue;

/** A library function. */
export interface XPathFunction {
  readonly type: ValueType;
  /** Minimum and maximum number of arguments. */
  readonly least: number;
  readonly most: number;
  /** Whether the first argument must be a node-set. */
  readonly takesNodes?: boolean;
  /** Whether it uses the context node if called without arguments. */
  readonly usesContext?: boolean;
  readonly call: Call;
}

function row(
  type: ValueType,
  least: number,
  most: number,
  call: Call,
  more: Pick<XPathFunction, 'takesNodes' | 'usesContext'> = {},
): XPathFunction {
  return { type, least, most, call, ...more };
}

function textsOf(args: readonly XPathValue[], { textOf }: FunctionHost): readonly string[] {
  return args.map((arg) => toText(arg, textOf));
}

function textRow(least: number, most: number, make: (texts: readonly string[]) => XPathValue) {
  return (type: ValueType) => row(type, least, most, (args, _, host) => make(textsOf(args, host)));
}

function numberRow(make: (value: number) => number): XPathFunction {
  return row('number', 1, 1, ([value = ''], _, { textOf }) => make(toNumber(value, textOf)));
}

/** A function of one string, which defaults to that of the context node. */
function ownText(type: ValueType, make: (text: string) => XPathValue): XPathFunction {
  const call: Call = (args, context, { textOf }) => make(toText(args[0] ?? [context.node], textOf));
  return row(type, 0, 1, call, { usesContext: true });
}

function nameRow(part: 'name' | 'local' | 'uri'): XPathFunction {
  const call: Call = ([nodes], { node }, { tree }) => {
    const [first] = nodes === undefined ? [node] : (nodes as Nodes);
    return first === undefined ? '' : tree.naming(first)[part];
  };
  return row('string', 0, 1, call, { takesNodes: true, usesContext: true });
}

const space = /[ \t\r\n]+/;
const spaces = /[ \t\r\n]+/g;

function byIds([value = '']: readonly XPathValue[], host: FunctionHost): Nodes {
  const { textOf, byId, steps } = host;
  const texts = typeof value === 'object' ? value.map(textOf) : [toText(value, textOf)];
  const ids = new Set(texts.flatMap((text) => text.split(space)).filter((id) => id !== ''));
  steps.step(ids.size);
  return ordered([...ids].map(byId).filter((node) => node !== undefined));
}

/** The function `lang()`. @spec XPath 1.0 §4.3 */
function isLanguage(wanted: string, { node }: XPathContext, host: FunctionHost): boolean {
  const { tree, steps } = host;
  const { names, xmlAttributes, columns, source } = tree.document;
  const key = names.locals.find('lang');
  if (key === undefined || node.element < 0) return false;
  const start = xmlAttributes.find(key, columns.inherited[node.element] as number);
  if (start === undefined) return false;
  const end = source.indexOf(source[start - 1] as number, start);
  steps.step((end - start) / BYTES_PER_STEP);
  const language = decodeCharacters(source, start, end, true).toLowerCase();
  const sought = wanted.toLowerCase();
  return language === sought || language.startsWith(`${sought}-`);
}

function substring(text: string, from: number, count = Number.POSITIVE_INFINITY): string {
  const first = Math.round(from);
  const end = first + Math.round(count);
  // Also true if one of them is NaN.
  if (!(end > first)) return '';
  const start = Math.max(first, 1) - 1;
  const last = Math.max(end - 1, 0);
  if (!surrogate.test(text)) return text.slice(start, last);
  return text.slice(unitOf(text, start), unitOf(text, last));
}

/** The index of the code unit at which a character starts. */
function unitOf(text: string, character: number): number {
  let at = 0;
  for (let i = 0; i < character && at < text.length; i++) {
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  }
  return at;
}

const surrogate = /[\ud800-\udfff]/;
const pair = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Number of characters; some take two code units. */
function lengthOf(text: string): number {
  return surrogate.test(text) ? text.replace(pair, '_').length : text.length;
}

function translate([text = '', from = '', to = '']: readonly string[]): string {
  const targets = Array.from(to);
  const map = new Map<string, string>();
  Array.from(from).forEach((character, i) => {
    if (!map.has(character)) map.set(character, targets[i] ?? '');
  });
  return text.replace(surrogate.test(text) ? /./gsu : /./gs, (each) => map.get(each) ?? each);
}

/** The text before or after the first occurrence of `mark`. */
function cutAt([text = '', mark = '']: readonly string[], isBefore: boolean): string {
  const at = text.indexOf(mark);
  if (at < 0) return '';
  return isBefore ? text.slice(0, at) : text.slice(at + mark.length);
}

/**
 * The core function library, and `here()`.
 *
 * @spec XPath 1.0 §4, XML-Signature Syntax and Processing 1.1 §6.6.3.1
 */
export const functionTable: ReadonlyMap<string, XPathFunction> = new Map([
  ['last', row('number', 0, 0, (_, { size }) => size, { usesContext: true })],
  ['position', row('number', 0, 0, (_, { position }) => position, { usesContext: true })],
  ['count', row('number', 1, 1, ([nodes]) => (nodes as Nodes).length, { takesNodes: true })],
  ['id', row('nodes', 1, 1, (args, _, host) => byIds(args, host))],
  ['local-name', nameRow('local')],
  ['namespace-uri', nameRow('uri')],
  ['name', nameRow('name')],
  ['string', ownText('string', (text) => text)],
  ['concat', textRow(2, 1_000, (texts) => texts.join(''))('string')],
  ['starts-with', textRow(2, 2, ([a = '', b = '']) => a.startsWith(b))('boolean')],
  ['contains', textRow(2, 2, ([a = '', b = '']) => a.includes(b))('boolean')],
  ['substring-before', textRow(2, 2, (texts) => cutAt(texts, true))('string')],
  ['substring-after', textRow(2, 2, (texts) => cutAt(texts, false))('string')],
  [
    'substring',
    row('string', 2, 3, ([text = '', from = '', count], _, { textOf }) =>
      substring(
        toText(text, textOf),
        toNumber(from, textOf),
        count === undefined ? undefined : toNumber(count, textOf),
      ),
    ),
  ],
  ['string-length', ownText('number', lengthOf)],
  ['normalize-space', ownText('string', (text) => text.replace(spaces, ' ').replace(/^ | $/g, ''))],
  [
    'translate',
    row('string', 3, 3, (args, _, host) => {
      const texts = textsOf(args, host);
      // Processing the text character by character takes longer than reading it.
      host.steps.step((texts[0]?.length ?? 0) / 2);
      return translate(texts);
    }),
  ],
  ['boolean', row('boolean', 1, 1, ([value = false]) => toBoolean(value))],
  ['not', row('boolean', 1, 1, ([value = false]) => !toBoolean(value))],
  ['true', row('boolean', 0, 0, () => true)],
  ['false', row('boolean', 0, 0, () => false)],
  [
    'lang',
    row('boolean', 1, 1, ([wanted = ''], context, host) =>
      isLanguage(toText(wanted, host.textOf), context, host),
    ),
  ],
  [
    'number',
    row('number', 0, 1, (args, { node }, { textOf }) => toNumber(args[0] ?? [node], textOf), {
      usesContext: true,
    }),
  ],
  [
    'sum',
    row(
      'number',
      1,
      1,
      ([nodes], _, { textOf }) =>
        (nodes as Nodes).reduce((sum, node) => sum + toNumber(textOf(node), textOf), 0),
      { takesNodes: true },
    ),
  ],
  ['floor', numberRow(Math.floor)],
  ['ceiling', numberRow(Math.ceil)],
  ['round', numberRow(Math.round)],
  ['here', row('nodes', 0, 0, (_, __, { here }) => [here()])],
]);
