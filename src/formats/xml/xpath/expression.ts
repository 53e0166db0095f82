/** Type of the value of an expression. @spec XPath 1.0 §1 */
export type ValueType = 'nodes' | 'boolean' | 'number' | 'string';

/** Properties of an expression that save evaluations. */
interface Traits {
  readonly type: ValueType;
  /** Whether the value is the same in every context. */
  readonly isConstant: boolean;
  /** True if all but elements and root have their parent's value: only ancestor names matter. */
  readonly isInherited: boolean;
  /** Whether the value depends on the position or size of the context. */
  readonly usesPosition: boolean;
}

/** Kinds of expressions. */
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
      /** The expression at which the steps start; if empty, the context node or the root. */
      readonly operands: readonly Expression[];
      readonly isAbsolute: boolean;
      readonly steps: readonly Step[];
    };

/** A parsed expression. */
export type Expression = ExpressionShape & Traits;

/** A condition in brackets. */
export interface Predicate {
  readonly condition: Expression;
  /** Whether it depends on the position or size, as in `[2]` and `[last()]`. */
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

/** Axis of a step. */
export type Axis = (typeof axes)[number];

/** The nodes that a step selects from its axis. @spec XPath 1.0 §2.3 */
export type NodeTest =
  | {
      readonly kind: 'name';
      /** Undefined: any namespace; empty: none. */
      readonly namespaceUri: string | undefined;
      /** Undefined: any name. */
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

/** An expression with traits derived from its operands. */
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

/** Whether a step selects ancestors by name: texts and attributes share those of their element. */
function looksUp(step: Step | undefined): boolean {
  return step?.axis === 'ancestor-or-self' && step.test.kind === 'name';
}

/** A call of a function that depends on its context. */
export function atContext(call: Expression, name: string): Expression {
  const usesPosition = call.usesPosition || name === 'position' || name === 'last';
  return { ...call, isConstant: false, isInherited: false, usesPosition };
}

/** The predicate with a condition. */
export function predicateOf(condition: Expression): Predicate {
  return { condition, isPositional: condition.type === 'number' || condition.usesPosition };
}
