/** Type of the value of an expression. @spec XPath 1.0 §1 */
export type ValueType = 'nodes' | 'boolean' | 'number' | 'string';

/** Properties of an expression that spare evaluations. */
interface Traits {
  readonly type: ValueType;
  /** The value is the same for each context. */
  readonly isConstant: boolean;
  /**
   * For every node that is neither element nor root the value is that of its parent: only names of
   * ancestors are looked at.
   */
  readonly isInherited: boolean;
  /** Position or size of the context are looked at. */
  readonly usesPosition: boolean;
}

/** Shapes of expressions. */
export type ExpressionShape =
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'and' | 'or' | 'union'; readonly operands: readonly Expression[] }
  | { readonly kind: 'negate'; readonly operands: readonly [Expression] }
  | {
      readonly kind: 'compare' | 'arithmetic';
      readonly operator: string;
      readonly operands: readonly [Expression, Expression];
    }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }
  | {
      readonly kind: 'filter';
      readonly operands: readonly [Expression];
      readonly predicates: readonly Predicate[];
    }
  | {
      readonly kind: 'path';
      /** The expression that the steps begin at; the context or root of the document otherwise. */
      readonly operands: readonly Expression[];
      readonly isAbsolute: boolean;
      readonly steps: readonly Step[];
    };

/** A parsed expression. */
export type Expression = ExpressionShape & Traits;

/** A condition in brackets. */
export interface Predicate {
  readonly condition: Expression;
  /** Position or size decide: `[2]`, `[last()]`. */
  readonly isPositional: boolean;
}

/** All axes by name. @spec XPath 1.0 §2.2 */
export const axes = [
  'ancestor',
  'ancestor-or-self',
  'attribute',
  'child',
  'descendant',
  'descendant-or-self',
  'following',
  'following-sibling',
  'namespace',
  'parent',
  'preceding',
  'preceding-sibling',
  'self',
] as const;

/** Direction of a step. */
export type Axis = (typeof axes)[number];

/** What a step selects of its axis. @spec XPath 1.0 §2.3 */
export type NodeTest =
  | {
      readonly kind: 'name';
      /** Undefined: any; empty: none. */
      readonly namespaceUri: string | undefined;
      /** Undefined: any. */
      readonly localName: string | undefined;
    }
  | { readonly kind: 'node' | 'text' | 'comment' }
  | { readonly kind: 'instruction'; readonly target: string | undefined };

/** One step of a location path. */
export interface Step {
  readonly axis: Axis;
  readonly test: NodeTest;
  readonly predicates: readonly Predicate[];
}

/** An expression whose traits follow from its operands. */
export function expressionOf(shape: ExpressionShape, type: ValueType): Expression {
  const operands = shape.kind === 'literal' ? [] : shape.operands;
  const startsAtContext = shape.kind === 'path' && !shape.isAbsolute && operands.length === 0;
  return {
    ...shape,
    type,
    isConstant: !startsAtContext && operands.every(({ isConstant }) => isConstant),
    isInherited: startsAtContext
      ? looksUp(shape.steps[0])
      : operands.every(({ isInherited }) => isInherited),
    usesPosition: operands.some(({ usesPosition }) => usesPosition),
  };
}

/** True for a step to named ancestors: a text or attribute has the same ones as its element. */
function looksUp(step: Step | undefined): boolean {
  return step?.axis === 'ancestor-or-self' && step.test.kind === 'name';
}

/** A call of a function that looks at its context. */
export function atContext(call: Expression, name: string): Expression {
  const usesPosition = call.usesPosition || name === 'position' || name === 'last';
  return { ...call, isConstant: false, isInherited: false, usesPosition };
}

/** The predicate of a condition. */
export function predicateOf(condition: Expression): Predicate {
  return { condition, isPositional: condition.type === 'number' || condition.usesPosition };
}
