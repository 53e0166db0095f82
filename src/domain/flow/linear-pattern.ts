/** Remaining steps for matching, counted down; shared by all patterns of one evaluation. */
export interface WorkMeter {
  stepsLeft: number;
}

/** A regular expression whose matching time is linear in the text. */
interface LinearPattern {
  test(text: string): boolean;
  /** Source of the pattern. */
  toString(): string;
}

type Instruction =
  | { readonly op: 'char'; readonly test: (character: string) => boolean }
  | { readonly op: 'assert'; readonly holds: (before: string, after: string) => boolean }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

const instructionsMax = 2_000;
const buildStepsMax = 20_000;

/** Thrown when a pattern needs more steps than the meter has left. */
export class PatternWorkExceeded extends Error {
  override readonly name = 'PatternWorkExceeded';
}

/**
 * Compiles the pattern in `source`, or returns why it is not supported: invalid, uses look-around
 * or back-references, or too large. Matching simulates all states in parallel and never backtracks,
 * which rules out look-around and back-references.
 */
export function compilePattern(source: string, meter: WorkMeter): LinearPattern | string {
  const node = parsePattern(source);
  if (typeof node === 'string') return node;
  const program = emitProgram(node);
  if (program === undefined) return `is larger than ${instructionsMax} steps`;
  return {
    test: (text) => runProgram(program, text, meter),
    toString: () => `/${source}/u`,
  };
}

function emitProgram(root: PatternNode): readonly Instruction[] | undefined {
  const program: Instruction[] = [];
  let steps = 0;
  let isTooLarge = false;
  const put = <T extends Instruction>(instruction: T): T => {
    program.push(instruction);
    return instruction;
  };
  const emit = (node: PatternNode): void => {
    steps += 1;
    isTooLarge ||= steps > buildStepsMax || program.length > instructionsMax;
    if (isTooLarge) return;
    switch (node.kind) {
      case 'char':
        put({ op: 'char', test: node.test });
        return;
      case 'assert':
        put({ op: 'assert', holds: node.holds });
        return;
      case 'sequence':
        for (const each of node.nodes) emit(each);
        return;
      case 'choice':
        emitChoice(node.nodes);
        return;
      case 'repeat':
        emitRepeat(node);
    }
  };
  const emitChoice = (nodes: readonly PatternNode[]): void => {
    const exits: { to: number }[] = [];
    for (const [index, each] of nodes.entries()) {
      if (index === nodes.length - 1) {
        emit(each);
        break;
      }
      const split = put({ op: 'split', first: program.length + 1, second: 0 });
      emit(each);
      exits.push(put({ op: 'jump', to: 0 }));
      split.second = program.length;
    }
    for (const exit of exits) exit.to = program.length;
  };
  const emitRepeat = ({ node, min, max }: Extract<PatternNode, { kind: 'repeat' }>): void => {
    for (let count = 0; count < min && !isTooLarge; count++) emit(node);
    if (max === undefined) {
      const start = program.length;
      const split = put({ op: 'split', first: start + 1, second: 0 });
      emit(node);
      put({ op: 'jump', to: start });
      split.second = program.length;
      return;
    }
    const splits: { second: number }[] = [];
    for (let count = min; count < max && !isTooLarge; count++) {
      splits.push(put({ op: 'split', first: program.length + 1, second: 0 }));
      emit(node);
    }
    for (const split of splits) split.second = program.length;
  };
  emit(root);
  put({ op: 'match' });
  return isTooLarge ? undefined : program;
}

function runProgram(program: readonly Instruction[], text: string, meter: WorkMeter): boolean {
  const characters = [...text];
  const marks = new Int32Array(program.length).fill(-1);
  let states: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const before = characters[at - 1] ?? '';
    const character = characters[at] ?? '';
    // A match may start at any position.
    const reached = closure(program, [...states, 0], marks, at, before, character, meter);
    if (reached === undefined) return true;
    states = [];
    if (at === characters.length) return false;
    for (const state of reached) {
      const instruction = program[state];
      if (instruction?.op === 'char' && instruction.test(character)) states.push(state + 1);
    }
  }
  return false;
}

/** The states that consume a character, reachable without consuming one; undefined at a match. */
function closure(
  program: readonly Instruction[],
  stack: number[],
  marks: Int32Array,
  at: number,
  before: string,
  after: string,
  meter: WorkMeter,
): readonly number[] | undefined {
  const waiting: number[] = [];
  for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
    if (marks[state] === at) continue;
    marks[state] = at;
    meter.stepsLeft -= 1;
    if (meter.stepsLeft < 0) throw new PatternWorkExceeded('the patterns need too much work');
    const instruction = program[state];
    if (instruction === undefined || instruction.op === 'match') return undefined;
    if (instruction.op === 'char') waiting.push(state);
    else if (instruction.op === 'jump') stack.push(instruction.to);
    else if (instruction.op === 'split') stack.push(instruction.second, instruction.first);
    else if (instruction.holds(before, after)) stack.push(state + 1);
  }
  return waiting;
}

/** A regular expression as a tree. */
export type PatternNode =
  | {
      readonly kind: 'char';
      readonly test: (character: string) => boolean;
      /** The character, if the test accepts exactly one. */
      readonly only?: string;
    }
  /** Asserted between two characters; an empty text represents either end. */
  | { readonly kind: 'assert'; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      /** Absent: unlimited. */
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

/** Tokens of a pattern. The order of the alternatives matters. */
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
 * Parses the pattern in `source`, with the syntax of JavaScript under the flag `u`. Returns its
 * tree, or a text that states why it is not supported.
 */
export function parsePattern(source: string): PatternNode | string {
  if (source.length > charactersMax) return `has more than ${charactersMax} characters`;
  try {
    // Only compiled, never run: this rejects malformed patterns.
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
  if (isPlain) return { kind: 'char', test: (character) => character === token, only: token };
  // One character against one class: backtracking is impossible.
  const single = new RegExp(`^${token}$`, 'u');
  return { kind: 'char', test: (character) => single.test(character) };
}
