import { notEvaluated } from './xpath-error.ts';

/** One token; whether a word is a name or an operator depends on the preceding token. */
export interface XPathToken {
  readonly kind: 'literal' | 'number' | 'name' | 'operator' | 'symbol' | 'end';
  /** A literal without quotes; a name with its prefix, if any, where `*` may be the local part. */
  readonly text: string;
}

const asciiWord = '[A-Za-z_][A-Za-z0-9._-]*';
const anyWord = '[\\p{L}\\p{Nl}_][\\p{L}\\p{Nl}\\p{N}\\p{M}._\u00b7-]*';

function patternOf(word: string): RegExp {
  const patterns = [
    `'([^']*)'`,
    `"([^"]*)"`,
    '([0-9]+(?:[.][0-9]*)?|[.][0-9]+)',
    `(${word}(?::(?:${word}|[*]))?(?!:[^:]))`,
    '(::|//|[.][.]|!=|<=|>=|[()\\[\\]@,/|+*=<>.$-])',
  ];
  return new RegExp(`[ \\t\\r\\n]*(?:${patterns.join('|')}|$)`, 'uy');
}

const asciiPattern = patternOf(asciiWord);
const beyondAscii = /[^ -~\t\r\n]/;
let anyPattern: RegExp | undefined;

/** Unicode character classes take two milliseconds to compile, and few expressions need them. */
function patternFor(expression: string): RegExp {
  if (!beyondAscii.test(expression)) return asciiPattern;
  anyPattern ??= patternOf(anyWord);
  return anyPattern;
}
const operators = new Set(['/', '//', '|', '+', '-', '=', '!=', '<', '<=', '>', '>=']);
const words = new Set(['and', 'or', 'mod', 'div']);
/** After these tokens a word is a name, and `*` is any name. */
const openers = new Set(['@', '::', '(', '[', ',', '$']);

/**
 * The tokens of an expression, followed by one of kind `end`.
 *
 * @throws xml.signature.invalid for characters that start no token
 * @spec XPath 1.0 §3.7
 */
export function readTokens(expression: string): readonly XPathToken[] {
  const tokens: XPathToken[] = [];
  const pattern = patternFor(expression);
  pattern.lastIndex = 0;
  for (;;) {
    const at = pattern.lastIndex;
    const match = pattern.exec(expression);
    if (match === null)
      throw notEvaluated(`XPath: "${expression.slice(at, at + 20)}" is unexpected`);
    const [, single, double, number, name, symbol] = match;
    const quoted = single ?? double;
    if (quoted !== undefined) tokens.push({ kind: 'literal', text: quoted });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push(nameToken(name, tokens));
    else if (symbol !== undefined) tokens.push(symbolToken(symbol, tokens));
    else return [...tokens, { kind: 'end', text: 'the end' }];
  }
}

function nameToken(text: string, before: readonly XPathToken[]): XPathToken {
  if (!endsOperand(before)) return { kind: 'name', text };
  if (words.has(text)) return { kind: 'operator', text };
  throw notEvaluated(`XPath: expected an operator, found "${text.slice(0, 60)}"`);
}

function symbolToken(text: string, before: readonly XPathToken[]): XPathToken {
  const isOperator = operators.has(text) || (text === '*' && endsOperand(before));
  return { kind: isOperator ? 'operator' : text === '*' ? 'name' : 'symbol', text };
}

/** Whether the last token ends an operand, so that an operator must follow. */
function endsOperand(before: readonly XPathToken[]): boolean {
  const last = before.at(-1);
  if (last === undefined || last.kind === 'operator') return false;
  return last.kind !== 'symbol' || !openers.has(last.text);
}
