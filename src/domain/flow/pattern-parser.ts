/** A regular expression as a tree. */
export type PatternNode =
  | { readonly kind: 'char'; readonly test: (character: string) => boolean }
  /** Checked between two characters; empty at the ends of the text. */
  | { readonly kind: 'assert'; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      /** Absent: without end. */
      readonly max?: number;
    };

const charactersMax = 1_000;

const isWord = (character: string): boolean => /^[A-Za-z0-9_]$/.test(character);
const isBoundary = (before: string, after: string): boolean => isWord(before) !== isWord(after);

const escapes = [
  /u\{[0-9a-fA-F]{1,6}\}/,
  /u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/,
  /u[0-9a-fA-F]{4}/,
  /x[0-9a-fA-F]{2}/,
  /c[A-Za-z]/,
  /[pP]\{[^{}]*\}/,
  /k<[^>]*>/,
  /[1-9]\d*/,
  /[\s\S]/,
];

/** What stands alone in a pattern; the order matters. */
const tokenForm = new RegExp(
  [
    String.raw`\\(?:${escapes.map(({ source }) => source).join('|')})`,
    /\[(?:\\[\s\S]|[^\]\\])*\]/.source,
    /\(\?(?:[:=!]|<[=!]|<[^>]*>)/.source,
    /[*+?]\??/.source,
    /\{\d+(?:,\d*)?\}\??/.source,
    /[\s\S]/.source,
  ].join('|'),
  'uy',
);

/**
 * The tree of the pattern in `source`, which is read as JavaScript reads it with the flag `u`; or,
 * as a text, why it cannot be had.
 */
export function parsePattern(source: string): PatternNode | string {
  if (source.length > charactersMax) return `has more than ${charactersMax} characters`;
  try {
    // Only read, never run: whatever passes is well-formed.
    new RegExp(source, 'u');
  } catch {
    return 'is not a regular expression';
  }
  const tokens = tokensOf(source);
  if (tokens.some((token) => /^\(\?(?:[=!]|<[=!])/.test(token))) return 'looks around';
  if (tokens.some((token) => /^\\(?:[1-9]|k<)/.test(token))) return 'refers back';
  if (tokens.some((token) => /^\(\?[^:<]/.test(token))) return 'changes flags';
  return new Parser(tokens).parse();
}

function tokensOf(source: string): readonly string[] {
  const tokens: string[] = [];
  tokenForm.lastIndex = 0;
  for (let match = tokenForm.exec(source); match !== null; match = tokenForm.exec(source)) {
    tokens.push(match[0]);
    if (tokenForm.lastIndex >= source.length) break;
  }
  tokenForm.lastIndex = 0;
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  parse(): PatternNode {
    const choices: PatternNode[] = [];
    for (;;) {
      choices.push(this.#sequence());
      if (this.#tokens[this.#at] !== '|') break;
      this.#at += 1;
    }
    return choices.length === 1 ? (choices[0] as PatternNode) : { kind: 'choice', nodes: choices };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token === '|' || token === ')') break;
      this.#at += 1;
      nodes.push(this.#quantified(this.#atom(token)));
    }
    return { kind: 'sequence', nodes };
  }

  #atom(token: string): PatternNode {
    if (!token.startsWith('(')) return atomOf(token);
    const inner = this.parse();
    this.#at += 1;
    return inner;
  }

  #quantified(node: PatternNode): PatternNode {
    const token = this.#tokens[this.#at] ?? '';
    const counts = /^\{(\d+)(,)?(\d*)\}/.exec(token);
    if (!/^[*+?]/.test(token) && counts === null) return node;
    this.#at += 1;
    if (counts !== null) {
      const min = Number(counts[1]);
      if (counts[2] === undefined) return { kind: 'repeat', node, min, max: min };
      const isOpen = counts[3] === '';
      return { kind: 'repeat', node, min, ...(isOpen ? {} : { max: Number(counts[3]) }) };
    }
    if (token.startsWith('?')) return { kind: 'repeat', node, min: 0, max: 1 };
    return { kind: 'repeat', node, min: token.startsWith('+') ? 1 : 0 };
  }
}

function atomOf(token: string): PatternNode {
  if (token === '^') return { kind: 'assert', holds: (before) => before === '' };
  if (token === '$') return { kind: 'assert', holds: (_, after) => after === '' };
  if (token === '\\b') return { kind: 'assert', holds: isBoundary };
  if (token === '\\B') {
    return { kind: 'assert', holds: (before, after) => !isBoundary(before, after) };
  }
  const isPlain = token !== '.' && !token.startsWith('\\') && !token.startsWith('[');
  if (isPlain) return { kind: 'char', test: (character) => character === token };
  // One character against one class: nothing here can go back.
  const single = new RegExp(`^${token}$`, 'u');
  return { kind: 'char', test: (character) => single.test(character) };
}
