import { limits } from '../../../base/limits.ts';
import { getOrCompute } from '../../../base/memo.ts';
import {
  type Axis,
  atContext,
  axes,
  type Expression,
  expressionOf,
  type NodeTest,
  type Predicate,
  predicateOf,
  type Step,
} from './expression.ts';
import { functionTable } from './functions.table.ts';
import { readTokens, type XPathToken } from './tokens.ts';
import { beyondLimit, notEvaluated } from './xpath-error.ts';

/** Namespace URIs longer than this are not cached. */
const KEPT_CHARACTERS = 256;

/** Last expression with the URIs of its prefixes: most signatures contain the same one. */
let last: Parsed | undefined;

interface Parsed {
  readonly text: string;
  readonly prefixes: readonly (readonly [prefix: string, uri: string | undefined])[];
  readonly expression: Expression;
}

/**
 * Parses an expression into a tree.
 *
 * @param namespaceOf returns the URI of a prefix in scope of the expression
 * @throws xml.signature.invalid if it is not an expression, or has variables, unknown functions or
 *   undeclared prefixes; xml.limit if it is too long or nested too deeply
 * @spec XPath 1.0 §2, §3
 */
export function parseXPath(
  text: string,
  namespaceOf: (prefix: string) => string | undefined,
): Expression {
  if (text.length > limits.xmlXPathCharacters) {
    throw beyondLimit(`an XPath expression exceeds ${limits.xmlXPathCharacters} characters`);
  }
  if (last?.text === text && last.prefixes.every(([p, uri]) => namespaceOf(p) === uri)) {
    return last.expression;
  }
  const prefixes = new Map<string, string | undefined>();
  const noted = (prefix: string) => getOrCompute(prefixes, prefix, namespaceOf);
  const expression = new Parser(readTokens(text), noted).parse();
  const isShort = [...prefixes.values()].every((uri = '') => uri.length <= KEPT_CHARACTERS);
  if (isShort) last = { text, prefixes: [...prefixes], expression };
  return expression;
}

const nodeTypes = new Set(['comment', 'text', 'processing-instruction', 'node']);
const anyNode: NodeTest = { kind: 'node' };
const everyDescendant: Step = { axis: 'descendant-or-self', test: anyNode, predicates: [] };
const equalities = ['=', '!='];
const relations = ['<', '<=', '>', '>='];

class Parser {
  readonly #tokens: readonly XPathToken[];
  readonly #namespaceOf: (prefix: string) => string | undefined;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly XPathToken[], namespaceOf: (prefix: string) => string | undefined) {
    this.#tokens = tokens;
    this.#namespaceOf = namespaceOf;
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#token().kind !== 'end') throw this.#unexpected('an operator');
    return expression;
  }

  #token(ahead = 0): XPathToken {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as XPathToken;
  }

  /** Consumes an operator or symbol if it is next. */
  #take(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at++;
    return true;
  }

  #isNext(text: string, ahead = 0): boolean {
    const token = this.#token(ahead);
    return token.text === text && (token.kind === 'operator' || token.kind === 'symbol');
  }

  #require(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(`"${text}"`);
  }

  #unexpected(expected: string): Error {
    return notEvaluated(`XPath: expected ${expected}, found "${this.#token().text.slice(0, 60)}"`);
  }

  #expression(): Expression {
    if (++this.#depth > limits.xmlXPathDepth) throw tooDeep();
    const expression = this.#list('or', () => this.#list('and', () => this.#equality()));
    this.#depth--;
    return expression;
  }

  #list(kind: 'and' | 'or', next: () => Expression): Expression {
    const first = next();
    if (!this.#isNext(kind)) return first;
    const operands = [first];
    while (this.#take(kind)) operands.push(next());
    return expressionOf({ kind, operands }, 'boolean');
  }

  #equality(): Expression {
    return this.#chain('compare', equalities, () =>
      this.#chain('compare', relations, () =>
        this.#chain('arithmetic', ['+', '-'], () =>
          this.#chain('arithmetic', ['*', 'div', 'mod'], () => this.#negation()),
        ),
      ),
    );
  }

  /** Parses operators of equal precedence, left-associative. */
  #chain(
    kind: 'compare' | 'arithmetic',
    operators: readonly string[],
    next: () => Expression,
  ): Expression {
    let left = next();
    for (let count = 0; ; count++) {
      const operator = operators.find((each) => this.#isNext(each));
      if (operator === undefined) return left;
      if (count >= limits.xmlXPathDepth) throw tooDeep();
      this.#at++;
      const type = kind === 'compare' ? 'boolean' : 'number';
      left = expressionOf({ kind, operator, operands: [left, next()] }, type);
    }
  }

  #negation(): Expression {
    let signs = 0;
    while (this.#take('-')) signs++;
    const operand = this.#union();
    if (signs === 0) return operand;
    const negated = expressionOf({ kind: 'negate', operands: [operand] }, 'number');
    // A second minus cancels the first, but the result is still a number.
    return signs % 2 === 1
      ? negated
      : expressionOf({ kind: 'negate', operands: [negated] }, 'number');
  }

  #union(): Expression {
    const first = this.#path();
    if (!this.#isNext('|')) return first;
    const operands = [first];
    while (this.#take('|')) operands.push(this.#path());
    for (const operand of operands) requireNodes(operand, 'of "|"');
    return expressionOf({ kind: 'union', operands }, 'nodes');
  }

  #path(): Expression {
    if (this.#startsPrimary()) {
      const start = this.#filtered();
      if (!this.#isNext('/') && !this.#isNext('//')) return start;
      requireNodes(start, 'before "/"');
      return this.#pathOf([start], false, this.#moreSteps());
    }
    if (this.#isNext('//')) return this.#pathOf([], true, this.#moreSteps());
    if (!this.#take('/')) return this.#pathOf([], false, [this.#step(), ...this.#moreSteps()]);
    const steps = this.#startsStep() ? [this.#step(), ...this.#moreSteps()] : [];
    return this.#pathOf([], true, steps);
  }

  #pathOf(
    operands: readonly Expression[],
    isAbsolute: boolean,
    steps: readonly Step[],
  ): Expression {
    return expressionOf({ kind: 'path', operands, isAbsolute, steps: joined(steps) }, 'nodes');
  }

  #moreSteps(): readonly Step[] {
    const steps: Step[] = [];
    for (;;) {
      if (this.#take('//')) steps.push(everyDescendant);
      else if (!this.#take('/')) return steps;
      steps.push(this.#step());
    }
  }

  /** True for a literal, number, `(`, `$` or call; a node type followed by `(` starts a step. */
  #startsPrimary(): boolean {
    const { kind, text } = this.#token();
    if (kind === 'literal' || kind === 'number') return true;
    if (kind === 'symbol') return text === '(' || text === '$';
    return kind === 'name' && this.#isNext('(', 1) && !nodeTypes.has(text);
  }

  #startsStep(): boolean {
    const { kind, text } = this.#token();
    return kind === 'name' || (kind === 'symbol' && ['.', '..', '@'].includes(text));
  }

  #filtered(): Expression {
    const primary = this.#primary();
    const predicates = this.#predicates();
    if (predicates.length === 0) return primary;
    requireNodes(primary, 'before "["');
    return expressionOf({ kind: 'filter', operands: [primary], predicates }, 'nodes');
  }

  #primary(): Expression {
    const { kind, text } = this.#token();
    this.#at++;
    if (kind === 'literal') return expressionOf({ kind: 'literal', value: text }, 'string');
    if (kind === 'number') return expressionOf({ kind: 'literal', value: Number(text) }, 'number');
    if (text === '$') throw notEvaluated('XPath: a signature has no variables');
    if (kind === 'name') return this.#call(text);
    const inner = this.#expression();
    this.#require(')');
    return inner;
  }

  #call(name: string): Expression {
    const found = functionTable.get(name);
    if (found === undefined) {
      throw notEvaluated(`XPath: there is no function ${name.slice(0, 60)}()`);
    }
    this.#require('(');
    const operands: Expression[] = [];
    if (!this.#isNext(')')) {
      do operands.push(this.#expression());
      while (this.#take(','));
    }
    this.#require(')');
    const { type, least, most } = found;
    if (operands.length < least || operands.length > most) {
      throw notEvaluated(`XPath: ${name}() with ${operands.length} arguments`);
    }
    if (found.takesNodes === true && operands[0] !== undefined) {
      requireNodes(operands[0], `of ${name}()`);
    }
    const call = expressionOf({ kind: 'call', name, operands }, type);
    const looksAround = operands.length === 0 ? found.usesContext : name === 'lang';
    return looksAround === true ? atContext(call, name) : call;
  }

  #step(): Step {
    if (this.#take('.')) return { axis: 'self', test: anyNode, predicates: [] };
    if (this.#take('..')) return { axis: 'parent', test: anyNode, predicates: [] };
    const axis = this.#axis();
    return { axis, test: this.#nodeTest(), predicates: this.#predicates() };
  }

  #axis(): Axis {
    if (this.#take('@')) return 'attribute';
    const { kind, text } = this.#token();
    if (kind !== 'name' || !this.#isNext('::', 1)) return 'child';
    const axis = axes.find((each) => each === text);
    if (axis === undefined) throw notEvaluated(`XPath: there is no axis ${text.slice(0, 60)}`);
    this.#at += 2;
    return axis;
  }

  #nodeTest(): NodeTest {
    const { kind, text } = this.#token();
    if (kind !== 'name') throw this.#unexpected('a step');
    this.#at++;
    if (nodeTypes.has(text) && this.#take('(')) return this.#nodeType(text);
    if (text === '*') return { kind: 'name', namespaceUri: undefined, localName: undefined };
    const colon = text.indexOf(':');
    if (colon < 0) return { kind: 'name', namespaceUri: '', localName: text };
    const namespaceUri = this.#namespaceOf(text.slice(0, colon));
    if (namespaceUri === undefined) {
      throw notEvaluated(`XPath: the prefix of ${text.slice(0, 60)} is not declared`);
    }
    const localName = text.slice(colon + 1);
    return { kind: 'name', namespaceUri, localName: localName === '*' ? undefined : localName };
  }

  #nodeType(type: string): NodeTest {
    if (type !== 'processing-instruction') {
      this.#require(')');
      return { kind: type as 'node' | 'text' | 'comment' };
    }
    const { kind, text } = this.#token();
    if (kind === 'literal') this.#at++;
    this.#require(')');
    return { kind: 'instruction', target: kind === 'literal' ? text : undefined };
  }

  #predicates(): readonly Predicate[] {
    const predicates: Predicate[] = [];
    while (this.#take('[')) {
      predicates.push(predicateOf(this.#expression()));
      this.#require(']');
    }
    return predicates;
  }
}

function requireNodes({ type }: Expression, where: string): void {
  if (type !== 'nodes') throw notEvaluated(`XPath: expected nodes ${where}, found a ${type}`);
}

function tooDeep(): Error {
  return beyondLimit(`an XPath expression is nested deeper than ${limits.xmlXPathDepth} levels`);
}

/** The steps, with `//a` merged into one descendant step where positions do not matter. */
function joined(steps: readonly Step[]): readonly Step[] {
  const fewer: Step[] = [];
  for (const step of steps) {
    const isPlain = step.axis === 'child' && !step.predicates.some((each) => each.isPositional);
    if (fewer.at(-1) === everyDescendant && isPlain) {
      fewer[fewer.length - 1] = { ...step, axis: 'descendant' };
    } else fewer.push(step);
  }
  return fewer;
}
