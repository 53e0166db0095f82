import type { ColorKind } from './colors.ts';

/** Operation on the current path. @spec ISO 32000-1 §8.5.3 */
export interface Painting {
  readonly close?: boolean;
  readonly fill?: boolean;
  readonly stroke?: boolean;
  readonly evenOdd?: boolean;
}

/** Operators that end a path. */
export const paintings: ReadonlyMap<string, Painting> = new Map<string, Painting>([
  ['n', {}],
  ['S', { stroke: true }],
  ['s', { stroke: true, close: true }],
  ['f', { fill: true }],
  ['F', { fill: true }],
  ['f*', { fill: true, evenOdd: true }],
  ['B', { fill: true, stroke: true }],
  ['B*', { fill: true, stroke: true, evenOdd: true }],
  ['b', { fill: true, stroke: true, close: true }],
  ['b*', { fill: true, stroke: true, close: true, evenOdd: true }],
]);

/** Operators that build a path, with the number of their operands. @spec ISO 32000-1 §8.5.2 */
export const pathOperands: ReadonlyMap<string, number> = new Map([
  ['m', 2],
  ['l', 2],
  ['c', 6],
  ['v', 4],
  ['y', 4],
  ['re', 4],
  ['h', 0],
  ['W', 0],
  ['W*', 0],
]);

/** Operators that set a device colour, in lower case. @spec ISO 32000-1 §8.6.8 */
export const deviceColors: ReadonlyMap<string, ColorKind> = new Map<string, ColorKind>([
  ['g', 'light'],
  ['rg', 'light'],
  ['k', 'ink'],
]);

/**
 * Operand types of the operators for state, text and colours: `n` for a number, any other letter
 * for any type. Surplus leading operands are ignored; viewers skip operators with missing or
 * mistyped operands.
 */
export const stateOperands: ReadonlyMap<string, string> = new Map([
  ['cm', 'nnnnnn'],
  ['w', 'n'],
  ['gs', '*'],
  ['Tf', '*n'],
  ['Tc', 'n'],
  ['Tw', 'n'],
  ['Tz', 'n'],
  ['TL', 'n'],
  ['Ts', 'n'],
  ['TD', 'nn'],
  ['Td', 'nn'],
  ['Tm', 'nnnnnn'],
  ['"', 'nn*'],
  ["'", '*'],
  ['Tj', '*'],
  ['TJ', '*'],
  ['cs', '*'],
  ['CS', '*'],
  ['g', 'n'],
  ['G', 'n'],
  ['rg', 'nnn'],
  ['RG', 'nnn'],
  ['k', 'nnnn'],
  ['K', 'nnnn'],
]);
