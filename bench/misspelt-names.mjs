// Misspelt names, derived from those of a list; the same in each run.

/** Returns a generator of numbers from 0 up to, but excluding, 1. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Returns `count` names of a list with one to three mistakes each. */
export function misspeltNames(names, count, seed = 1) {
  const random = numbers(seed);
  const below = (end) => Math.floor(random() * end);
  const ways = [typo, typo, typo, glued, gluedWithTypo, parted, initial, leftOut, turned];
  return Array.from({ length: count }, () => {
    let words = names[below(names.length)].split(/\s+/u).filter(Boolean);
    for (let mistakes = 1 + below(3); mistakes > 0; mistakes--) {
      words = ways[below(ways.length)](words, below);
    }
    return words.join(' ');
  });
}

/** Replaces, omits, adds or swaps a letter. */
function typo(words, below) {
  const at = below(words.length);
  const characters = [...words[at]];
  if (characters.length < 4) return words;
  const place = 1 + below(characters.length - 1);
  const kind = below(4);
  if (kind === 0) characters[place] = letters[below(26)];
  else if (kind === 1) characters.splice(place, 1);
  else if (kind === 2) characters.splice(place, 0, letters[below(26)]);
  else characters.splice(place - 1, 2, characters[place], characters[place - 1]);
  return words.with(at, characters.join(''));
}

function glued(words, below) {
  if (words.length < 2) return words;
  const at = below(words.length - 1);
  return words.toSpliced(at, 2, words[at] + words[at + 1]);
}

function gluedWithTypo(words, below) {
  if (words.length < 2) return words;
  const at = below(words.length - 1);
  const [word] = typo([words[at] + words[at + 1]], below);
  return words.toSpliced(at, 2, word);
}

function parted(words, below) {
  const at = below(words.length);
  const characters = [...words[at]];
  if (characters.length < 6) return words;
  const place = 3 + below(characters.length - 5);
  const parts = [characters.slice(0, place).join(''), characters.slice(place).join('')];
  return words.toSpliced(at, 1, ...parts);
}

function initial(words, below) {
  if (words.length < 2) return words;
  const at = below(words.length);
  return words.with(at, [...words[at]][0]);
}

function leftOut(words, below) {
  return words.length < 3 ? words : words.toSpliced(below(words.length), 1);
}

function turned(words) {
  return words.length < 2 ? words : [words.at(-1), ...words.slice(0, -1)];
}
