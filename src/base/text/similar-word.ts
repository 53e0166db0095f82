/**
 * The most similar word of `words`: one that differs in few letters, or else one of which `word` is
 * a prefix (`at`, `atMs`) or which is a prefix of `word`. Undefined if none is similar.
 */
export function findSimilar(word: string, words: Iterable<string>): string | undefined {
  return similarWords(word, [...words])[0];
}

/** Maximum number of words with the same prefix in a hint. If there are more, there is no hint. */
const NAMED_MAX = 4;

/**
 * A hint with the word that was probably meant, according to {@link findSimilar}. If several words
 * start with `word`, it lists all of them. Undefined if none is similar.
 */
export function meantHint(word: string, words: Iterable<string>): string | undefined {
  const similar = similarWords(word, [...words]);
  const last = similar.at(-1);
  if (last === undefined || similar.length > NAMED_MAX) return undefined;
  const others = similar.slice(0, -1).join(', ');
  return `did you mean ${others === '' ? '' : `${others} or `}${last}?`;
}

/** The closest word, else all that start with `word`, else the first that is a prefix of it. */
function similarWords(word: string, words: readonly string[]): readonly string[] {
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(word.length / 2)) + 1;
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined) return [best];
  const goesOn = (one: string, other: string) =>
    other.length > 1 && one.toLowerCase().startsWith(other.toLowerCase());
  const longer = words.filter((each) => goesOn(each, word));
  return longer.length > 0 ? longer : words.filter((each) => goesOn(word, each)).slice(0, 1);
}

// Levenshtein distance with one row. The words are names of settings, so both are short.
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3 || a.length > 64) return 99;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 99;
}
