/**
 * The word of `words` that `word` most likely means: one with few other letters, or else one that
 * goes on (`at`, `atMs`) or ends earlier; undefined when none is close.
 */
export function findSimilar(word: string, words: Iterable<string>): string | undefined {
  const all = [...words];
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(word.length / 2)) + 1;
  for (const candidate of all) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  const goesOn = (one: string, other: string) =>
    other.length > 1 && one.toLowerCase().startsWith(other.toLowerCase());
  return best ?? all.find((each) => goesOn(each, word) || goesOn(word, each));
}

// Levenshtein over one row; words here are names of settings, so both are short.
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
