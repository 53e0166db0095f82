import { asArray, asNumber, type PdfObject } from '../../syntax/objects.ts';
import type { Operand } from '../content-tokens.ts';
import type { Area, Matrix } from '../matrix.ts';
import { stateOperands } from './operators.table.ts';

interface Resolver {
  resolve(value: PdfObject | undefined): PdfObject;
}

/** The operand at this index if it is a number; otherwise undefined. */
export function numberAt(operands: readonly Operand[], index: number): number | undefined {
  const operand = operands[index];
  return typeof operand === 'number' ? operand : undefined;
}

/** Whether the operands are exactly this many numbers. */
export function areNumbers(
  operands: readonly Operand[],
  count: number,
): operands is readonly number[] {
  return operands.length === count && operands.every((each) => typeof each === 'number');
}

/** The operands that an operator uses; undefined if viewers skip it. */
export function operandsOf(
  operator: string,
  given: readonly Operand[],
): readonly Operand[] | undefined {
  const wanted = stateOperands.get(operator);
  if (wanted === undefined) return given;
  if (given.length < wanted.length) return undefined;
  const own = given.length === wanted.length ? given : given.slice(-wanted.length);
  const fits = own.every((each, at) => wanted[at] !== 'n' || typeof each === 'number');
  return fits ? own : undefined;
}

/** The operands as a matrix if they are six finite numbers; otherwise undefined. */
export function asMatrix(operands: readonly unknown[] | undefined): Matrix | undefined {
  if (operands?.length !== 6) return undefined;
  return operands.every(Number.isFinite) ? (operands as unknown as Matrix) : undefined;
}

/** The first `count` elements of an array as numbers, NaN for other values. */
function numbersOf(
  list: readonly PdfObject[] | undefined,
  count: number,
  source: Resolver,
): number[] | undefined {
  if (list === undefined || list.length < count) return undefined;
  // An array can have as many elements as the file has bytes.
  return list.slice(0, count).map((each) => asNumber(source.resolve(each)) ?? Number.NaN);
}

/** The matrix in an array of a dictionary. */
export function matrixOf(value: PdfObject, source: Resolver): Matrix | undefined {
  // Viewers ignore surplus elements.
  return asMatrix(numbersOf(asArray(value), 6, source));
}

/** The rectangle in an array of a dictionary, normalised. @spec ISO 32000-1 §7.9.5 */
export function areaOf(value: PdfObject, source: Resolver): Area | undefined {
  const list = asArray(value);
  if (list?.length !== 4) return undefined;
  const numbers = numbersOf(list, 4, source);
  if (numbers === undefined || !numbers.every(Number.isFinite)) return undefined;
  const [x1, y1, x2, y2] = numbers as [number, number, number, number];
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}
