/** A column of twice the length with the same values. */
export function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2);
  more.set(values);
  return more;
}
