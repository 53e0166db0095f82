/** Revisions that are kept open: more than most files have. */
const KEPT_REVISIONS = 8;

/** The revisions of a file that were asked for last, by their length. */
export interface KeptRevisions<T> {
  /** The revision of this length, as it was opened before or as `open` opens it. */
  get(lengthBytes: number, open: () => T): T;
}

/** An empty cache. Errors of `open` are not cached. */
export function keptRevisions<T>(): KeptRevisions<T> {
  const kept = new Map<number, T>();
  return {
    get(lengthBytes, open) {
      const known = kept.get(lengthBytes);
      if (known !== undefined) return known;
      const revision = open();
      const [oldest] = kept.keys();
      if (kept.size >= KEPT_REVISIONS && oldest !== undefined) kept.delete(oldest);
      kept.set(lengthBytes, revision);
      return revision;
    },
  };
}
