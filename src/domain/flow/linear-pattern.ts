import { type PatternNode, parsePattern } from './pattern-parser.ts';

/** Work that patterns may do, counted down; shared by all patterns of one conclusion. */
export interface WorkMeter {
  stepsLeft: number;
}

/** A regular expression that takes time in proportion to its text, whatever it says. */
export interface LinearPattern {
  test(text: string): boolean;
  /** Names the pattern. */
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

/** Thrown when a pattern asks for more work than the meter has. */
export class PatternWorkExceeded extends Error {
  override readonly name = 'PatternWorkExceeded';
}

/**
 * The pattern in `source`, or why it cannot be had: wrong, with look-around or back-references,
 * or too large. It is run as a set of states that move along the text together, so that no text
 * makes it go back; that is why the two cannot be had.
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
    // A match may begin anywhere.
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

/** The states that wait for a character, reached without one; undefined at a match. */
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
    if (meter.stepsLeft < 0) throw new PatternWorkExceeded('the patterns ask for too much work');
    const instruction = program[state];
    if (instruction === undefined || instruction.op === 'match') return undefined;
    if (instruction.op === 'char') waiting.push(state);
    else if (instruction.op === 'jump') stack.push(instruction.to);
    else if (instruction.op === 'split') stack.push(instruction.second, instruction.first);
    else if (instruction.holds(before, after)) stack.push(state + 1);
  }
  return waiting;
}
