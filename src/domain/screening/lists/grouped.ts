/** Groups items by key, in order, mapping each with `make`. */
export function grouped<Item, Made>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
  make: (item: Item) => Made,
): ReadonlyMap<string, readonly Made[]> {
  const found = new Map<string, Made[]>();
  for (const item of items) {
    const key = keyOf(item) ?? '';
    const known = found.get(key);
    if (known === undefined) found.set(key, [make(item)]);
    else known.push(make(item));
  }
  return found;
}
