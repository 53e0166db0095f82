/**
 * Gives each key once: further ones of the same text get a number, `7#2`, so that nobody is lost.
 * A list with one key many times costs no more than any other.
 */
export function distinctKeys(): (key: string) => string {
  /** By key that was given: the number of the last copy of it. */
  const copies = new Map<string, number>();
  return (key) => {
    let copy = copies.get(key);
    if (copy === undefined) {
      copies.set(key, 1);
      return key;
    }
    let own: string;
    do {
      copy += 1;
      own = `${key}#${String(copy)}`;
    } while (copies.has(own));
    copies.set(key, copy);
    copies.set(own, 1);
    return own;
  };
}
