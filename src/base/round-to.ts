/** Rounds a value to this number of decimal places, without trailing zeros. */
export function roundTo(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
