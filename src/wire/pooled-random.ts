/** Bytes that are drawn at once; larger requests are drawn by themselves. */
const POOL_BYTES = 4096;
const LARGEST_BYTES = 256;

/**
 * Gives random bytes of `draw`, many of which are drawn at once: a call of the operating system or
 * of OpenSSL for each is most of the cost of short ones. No byte is given twice, and none stays in
 * the pool after it was given.
 */
export function pooledRandom(draw: (count: number) => Uint8Array): (count: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array();
  let at = 0;
  return (count) => {
    if (count > LARGEST_BYTES) return draw(count);
    if (at + count > pool.length) {
      pool = draw(POOL_BYTES);
      at = 0;
    }
    // A Buffer's own slice is a view of the same bytes.
    const given = new Uint8Array(pool.subarray(at, at + count));
    pool.fill(0, at, at + count);
    at += count;
    return given;
  };
}
