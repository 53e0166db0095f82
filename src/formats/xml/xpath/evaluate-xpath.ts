import { limits } from '../../../base/limits.ts';
import type { Expression, Predicate, Step } from './expression.ts';
import {
  BYTES_PER_STEP,
  type FunctionHost,
  functionTable,
  type XPathContext,
} from './functions.table.ts';
import type { NodeTree, Steps, XPathNode } from './node-tree.ts';
import { compare, type Nodes, ordered, toBoolean, toNumber, type XPathValue } from './values.ts';
import { type AxisTest, axisTest, walkAxis } from './walk-axis.ts';
import { beyondLimit, tooManyNodes } from './xpath-error.ts';

/** What expressions may access besides the document. */
export interface XPathSurroundings extends Pick<FunctionHost, 'byId' | 'here'> {}

/** Number of names tested per step. */
const NAMES_A_STEP = 64;
/** Cost of storing a node, in steps: it takes memory. */
const KEPT_STEPS = 3;
/** Cost of starting an axis walk, in steps. */
const WALK_STEPS = 0.5;
/** Maximum number of location steps with results cached for all elements. */
const MAX_CACHED_STEPS = 8;

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** Evaluates expressions over one document; context-independent results are cached. */
export class Evaluator {
  readonly #tree: NodeTree;
  readonly #steps: Steps;
  readonly #host: FunctionHost;
  readonly #constants = new Map<Expression, XPathValue>();
  #constantNodes = 0;
  readonly #tests = new Map<Step, AxisTest>();
  /** Results by element index, for steps to an ancestor or self. */
  readonly #above = new Map<Step, Uint8Array>();

  constructor(tree: NodeTree, { byId, here }: XPathSurroundings) {
    const { steps } = tree;
    this.#tree = tree;
    this.#steps = steps;
    const textOf = (node: XPathNode): string => {
      steps.step(1 + (node.end - node.start) / BYTES_PER_STEP);
      return withinLimit(tree.text(node));
    };
    this.#host = { tree, steps, textOf, byId, here };
  }

  /** Returns the value for a single node. @throws xml.limit, xml.signature.invalid */
  evaluate(expression: Expression, node: XPathNode): XPathValue {
    return this.#value(expression, { node, position: 1, size: 1 });
  }

  /** Returns the boolean value for a single node. @throws xml.limit, xml.signature.invalid */
  test(expression: Expression, node: XPathNode): boolean {
    return this.#test(expression, { node, position: 1, size: 1 });
  }

  /**
   * Returns the indexes of elements whose subtrees `not(ancestor-or-self::NAME)` excludes;
   * undefined for other expressions. Signatures usually exclude other signatures this way.
   */
  elementsAvoided(expression: Expression): readonly number[] | undefined {
    if (expression.kind !== 'call' || expression.name !== 'not') return undefined;
    const [path] = expression.operands;
    if (path?.kind !== 'path' || path.isAbsolute || path.operands.length > 0) return undefined;
    const [step, ...more] = path.steps;
    if (step?.axis !== 'ancestor-or-self' || more.length > 0) return undefined;
    if (step.predicates.some((each) => each.isPositional)) return undefined;
    const found: number[] = [];
    const everywhere = { ...step, axis: 'descendant' } as const;
    walkAxis(this.#tree, this.#tree.root(), this.#testOf(everywhere), this.#steps, (node) => {
      if (this.#passes(node, step)) found.push(node.element);
      return false;
    });
    return found;
  }

  #value(expression: Expression, context: XPathContext): XPathValue {
    if (!expression.isConstant) return this.#compute(expression, context);
    let known = this.#constants.get(expression);
    if (known === undefined) {
      known = this.#compute(expression, context);
      this.#constants.set(expression, known);
      if (typeof known === 'object') this.#constantNodes += known.length;
      if (this.#constantNodes > limits.xmlXPathNodes) throw tooManyNodes();
    } else if (typeof known === 'string') {
      // The string is computed once, but read each time.
      this.#steps.step(known.length / BYTES_PER_STEP);
    }
    return known;
  }

  #compute(expression: Expression, context: XPathContext): XPathValue {
    this.#steps.step(1);
    const { textOf } = this.#host;
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'and':
      case 'or':
        return this.#test(expression, context);
      case 'negate':
        return -toNumber(this.#value(expression.operands[0], context), textOf);
      case 'compare': {
        const [left, right] = this.#both(expression.operands, context);
        return compare(expression.operator, left, right, textOf);
      }
      case 'arithmetic': {
        const [left, right] = this.#both(expression.operands, context);
        return calculate(expression.operator, toNumber(left, textOf), toNumber(right, textOf));
      }
      case 'union':
        return this.#union(expression.operands, context);
      case 'call':
        return this.#call(expression.name, expression.operands, context);
      case 'filter': {
        const nodes = this.#nodes(expression.operands[0], context);
        return this.#filtered(nodes, expression.predicates);
      }
      case 'path':
        return this.#path(expression, context);
    }
  }

  #both(
    [left, right]: readonly [Expression, Expression],
    context: XPathContext,
  ): readonly [XPathValue, XPathValue] {
    return [this.#value(left, context), this.#value(right, context)];
  }

  #union(operands: readonly Expression[], context: XPathContext): Nodes {
    const found: XPathNode[] = [];
    for (const operand of operands) {
      const nodes = this.#nodes(operand, context);
      this.#steps.step(nodes.length);
      for (const node of nodes) found.push(node);
      if (found.length > limits.xmlXPathNodes) throw tooManyNodes();
    }
    return ordered(found);
  }

  #nodes(expression: Expression, context: XPathContext): Nodes {
    return this.#value(expression, context) as Nodes;
  }

  #call(name: string, operands: readonly Expression[], context: XPathContext): XPathValue {
    if (name === 'not') return !this.#test(operands[0] as Expression, context);
    if (name === 'boolean') return this.#test(operands[0] as Expression, context);
    const found = functionTable.get(name) as NonNullable<ReturnType<typeof functionTable.get>>;
    const args = operands.map((each) => this.#value(each, context));
    const value = found.call(args, context, this.#host);
    if (typeof value !== 'string') return value;
    this.#steps.step(value.length / BYTES_PER_STEP);
    return withinLimit(value);
  }

  /** The value as boolean; for a node-set, the search ends at the first node. */
  #test(expression: Expression, context: XPathContext): boolean {
    if (expression.kind === 'and') {
      return expression.operands.every((each) => this.#test(each, context));
    }
    if (expression.kind === 'or' || expression.kind === 'union') {
      return expression.operands.some((each) => this.#test(each, context));
    }
    if (expression.isConstant || expression.kind !== 'path') {
      return toBoolean(this.#value(expression, context));
    }
    const { operands, steps } = expression;
    const [only, ...more] = steps;
    const isOne = operands.length === 0 && more.length === 0 && only !== undefined;
    if (!isOne || only.predicates.some((each) => each.isPositional)) {
      return this.#path(expression, context).length > 0;
    }
    const isKept = this.#above.has(only) || this.#above.size < MAX_CACHED_STEPS;
    if (isKept && only.axis === 'ancestor-or-self' && only.test.kind === 'name') {
      return this.#isInside(only, context.node);
    }
    return this.#someOf(only, context.node);
  }

  #someOf(step: Step, node: XPathNode): boolean {
    // Most axes are empty for most nodes.
    this.#steps.step(WALK_STEPS);
    return walkAxis(this.#tree, node, this.#testOf(step), this.#steps, (found) =>
      this.#passes(found, step),
    );
  }

  #passes(node: XPathNode, { predicates }: Step): boolean {
    return predicates.every(({ condition }) =>
      this.#test(condition, { node, position: 1, size: 1 }),
    );
  }

  /** Whether the element of the node, or one of its ancestors, passes. Tests each element once. */
  #isInside(step: Step, { element }: XPathNode): boolean {
    const { count } = this.#tree.document.columns;
    let known = this.#above.get(step);
    if (known === undefined) {
      known = new Uint8Array(count);
      this.#above.set(step, known);
    }
    const { passesIndex } = this.#testOf(step);
    let index = element;
    let answer = NO;
    for (; index >= 0; index = this.#tree.parentIndex(index)) {
      answer = known[index] as number;
      if (answer !== UNKNOWN) break;
      this.#steps.step(1);
      const isNamed = passesIndex?.(index) === true;
      answer = isNamed && this.#passes(this.#tree.element(index), step) ? YES : NO;
      if (answer === YES) break;
    }
    // The result also applies to all elements in between.
    const top = index;
    for (index = element; index !== top && index >= 0; index = this.#tree.parentIndex(index)) {
      known[index] = answer;
    }
    if (top >= 0) known[top] = answer;
    return answer === YES;
  }

  #path(
    { operands, isAbsolute, steps }: Expression & { readonly kind: 'path' },
    context: XPathContext,
  ): Nodes {
    const [start] = operands;
    let nodes: Nodes = [isAbsolute ? this.#tree.root() : context.node];
    if (start !== undefined) nodes = this.#nodes(start, context);
    for (const step of steps) {
      const found: XPathNode[] = [];
      for (const node of nodes) this.#step(node, step, found);
      nodes = nodes.length > 1 || isReverse(step) ? ordered(found) : found;
    }
    return nodes;
  }

  /** Adds the nodes that a step selects. */
  #step(node: XPathNode, step: Step, found: XPathNode[]): void {
    const test = this.#testOf(step);
    const { predicates } = step;
    const isPositional = predicates.some((each) => each.isPositional);
    const into = isPositional ? [] : found;
    walkAxis(this.#tree, node, test, this.#steps, (each) => {
      if (!isPositional && !this.#passes(each, step)) return false;
      into.push(each);
      this.#steps.step(KEPT_STEPS);
      if (into.length > limits.xmlXPathNodes) throw tooManyNodes();
      return false;
    });
    if (into !== found) for (const each of this.#filtered(into, predicates)) found.push(each);
  }

  /** Returns the nodes, in axis order, that satisfy all predicates. @spec XPath 1.0 §2.4 */
  #filtered(nodes: Nodes, predicates: readonly Predicate[]): Nodes {
    let left = nodes;
    for (const { condition } of predicates) {
      const size = left.length;
      left = left.filter((node, i) => {
        const context = { node, position: i + 1, size };
        if (condition.type !== 'number') return this.#test(condition, context);
        return this.#value(condition, context) === context.position;
      });
    }
    return left;
  }

  #testOf(step: Step): AxisTest {
    let test = this.#tests.get(step);
    if (test === undefined) {
      // Creating a test reads every name of the document.
      this.#steps.step(this.#tree.document.names.known.length / NAMES_A_STEP);
      test = axisTest(step, this.#tree);
      this.#tests.set(step, test);
    }
    return test;
  }
}

function withinLimit(text: string): string {
  if (text.length <= limits.xmlXPathTextCharacters) return text;
  throw beyondLimit(`an XPath text exceeds ${limits.xmlXPathTextCharacters} characters`);
}

function isReverse({ axis }: Step): boolean {
  return axis.startsWith('ancestor') || axis.startsWith('preceding');
}

function calculate(operator: string, left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  return operator === 'div' ? left / right : left % right;
}
