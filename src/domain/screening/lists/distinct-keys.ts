/** Numbers repeated keys, `7#2`, so that no entry is lost. They cost no more than distinct ones. */
export function distinctKeys(): (key: string) => string {
  /** For each key: the number of its last copy. */
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
