/**
 * Reverses the filter of a row in place.
 *
 * @param type 0 to 4
 * @param above distance in bytes from the row above to this one; 0 for the first
 * @spec ISO/IEC 15948 (PNG) §9
 */
export function undoPngRow(
  rows: Uint8Array,
  start: number,
  count: number,
  type: number,
  above: number,
  pixelBytes: number,
): void {
  if (type === 0) return;
  for (let i = 0; i < count; i++) {
    const at = start + i;
    const left = i < pixelBytes ? 0 : (rows[at - pixelBytes] as number);
    const up = above === 0 ? 0 : (rows[at - above] as number);
    let predicted: number;
    if (type === 1) predicted = left;
    else if (type === 2) predicted = up;
    else if (type === 3) predicted = (left + up) >> 1;
    else {
      const corner = i < pixelBytes || above === 0 ? 0 : (rows[at - above - pixelBytes] as number);
      predicted = paeth(left, up, corner);
    }
    rows[at] = (rows[at] as number) + predicted;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
