/** A copy of a column with twice the length. */
export function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2);
  more.set(values);
  return more;
}
