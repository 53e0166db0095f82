/** Number of bytes drawn in one call. Larger requests bypass the pool. */
const POOL_BYTES = 4096;
const LARGEST_BYTES = 256;

/**
 * Returns random bytes of `draw` from a pool: for short requests, most of the cost is the call to
 * the operating system or OpenSSL. No byte is returned twice, and returned bytes are erased from
 * the pool.
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
    // Buffer.prototype.slice would return a view of the same memory.
    const given = new Uint8Array(pool.subarray(at, at + count));
    pool.fill(0, at, at + count);
    at += count;
    return given;
  };
}
