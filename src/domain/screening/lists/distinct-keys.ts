/**
 * Gives each key once: further ones of the same text get a number, `7#2`, so that nobody is lost.
 * A list with one key many times costs no more than any other.
 */
export function distinctKeys(): (key: string) => string {
  const given = new Set<string>();
  const copies = new Map<string, number>();
  return (key) => {
    let own = key;
    let copy = copies.get(key) ?? 1;
    while (given.has(own)) {
      copy += 1;
      own = `${key}#${String(copy)}`;
    }
    copies.set(key, copy);
    given.add(own);
    return own;
  };
}
