import {
  families,
  finals,
  hushed,
  initials,
  liquid,
  medials,
  nasal,
  type Spelling,
  unwritten,
} from './tables/index.ts';

/** The first Hangul syllable. The rest follow in the order of their letters. */
const FIRST = 0xac00;
const [FINALS, MEDIALS] = [finals.length, medials.length];
const COUNT = initials.length * MEDIALS * FINALS;
/** Maximum number of syllables of a family and given name written as one word. */
const WHOLE_MAX = 4;
/** Maximum number of given names, and of syllables in each. */
const [GIVEN_MAX, SYLLABLES_MAX] = [2, 2];
/** Similarity of the usual spelling of a syllable, and the deduction per hundredth of rarity. */
const USUAL = 0.97;
const HUNDREDTH = 0.01;
const RAREST = 9;
/** More than the number of syllables in names, of which there are a few hundred. */
const REMEMBERED_MAX = 1000;

/** Whether a name is Korean: a Korean family name first or last, and given names. */
export function isKoreanName(text: string): boolean {
  const words = text.match(/\p{Script=Hangul}+/gu) ?? [];
  const [first = ''] = words;
  if (words.length === 1) return first.length <= WHOLE_MAX && families.has(first.charAt(0));
  const last = words.at(-1) ?? '';
  const given = families.has(first) ? words.slice(1) : words.slice(0, -1);
  if (!families.has(first) && !families.has(last)) return false;
  return given.length <= GIVEN_MAX && given.every(({ length }) => length <= SYLLABLES_MAX);
}

/** The syllables of a Hangul word in the Revised Romanisation. Other letters are omitted. */
export function syllablesOf(word: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < word.length; at++) {
    const place = word.charCodeAt(at) - FIRST;
    if (place < 0 || place >= COUNT) continue;
    const initial = Math.floor(place / (MEDIALS * FINALS));
    const medial = Math.floor(place / FINALS) % MEDIALS;
    found.push(usual(initials, initial) + usual(medials, medial) + usual(finals, place % FINALS));
  }
  return found;
}

function usual(letters: readonly (readonly Spelling[])[], at: number): string {
  return letters[at]?.[0]?.[0] ?? '';
}

const remembered = new Map<string, ReadonlyMap<string, number>>();

/** Spellings of a syllable of {@link syllablesOf} with similarities, 0 to 1, most usual first. */
export function spellingsOfSyllable(syllable: string): ReadonlyMap<string, number> {
  const known = remembered.get(syllable);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const made = spellingsUpTo(syllable, RAREST);
  remembered.set(syllable, made);
  return made;
}

/** Like {@link spellingsOfSyllable}, up to a given rarity in hundredths, without caching. */
export function spellingsUpTo(syllable: string, rarest: number): ReadonlyMap<string, number> {
  const [, initial = '', medial = '', final = ''] = parts.exec(syllable) ?? [];
  const found = new Map<string, number>();
  const add = (text: string, rareness: number) => {
    const alike = USUAL - HUNDREDTH * rareness;
    if (rareness <= rarest && alike > (found.get(text) ?? 0)) found.set(text, alike);
  };
  for (const [first, ofFirst] of beginnings(initial, medial)) {
    for (const [vowel, ofVowel] of lettersOf(medials, medial)) {
      if (ofFirst + ofVowel > rarest) continue;
      for (const [last, ofLast] of lettersOf(finals, final)) {
        const rareness = ofFirst + ofVowel + ofLast;
        const text = first + vowel + last;
        add(text, rareness);
        if (text.startsWith('hw')) add(`wh${text.slice(2)}`, rareness + 1);
      }
    }
  }
  return new Map([...found].sort(([, a], [, b]) => b - a));
}

const parts = /^([^aeiouyw]*)([aeiouyw]+)(.*)$/;

function lettersOf(letters: readonly (readonly Spelling[])[], text: string): readonly Spelling[] {
  return letters.find(([first]) => first?.[0] === text) ?? [];
}

function beginnings(initial: string, medial: string): readonly Spelling[] {
  const isPalatal = medial.startsWith('y') || medial === 'i';
  if (initial === '') {
    if (medial.startsWith('y')) return unwritten.y;
    if (medial === 'i' || medial === 'ui' || medial === 'u') return unwritten[medial];
    return unwritten.other;
  }
  if (initial === 'r' && isPalatal) return liquid;
  if (initial === 'n' && !isPalatal) return nasal;
  if (initial === 's' && medial === 'i') return hushed;
  return lettersOf(initials, initial);
}

/** Minimum total for the two syllables of a word: two rare spellings are not combined. */
const LEAST_OF_BOTH = 2 * USUAL - 5 * HUNDREDTH - 1e-9;

/** Calls `take` with the spellings of two syllables as one word, except two rare ones combined. */
export function joinedSpellings(
  first: string,
  second: string,
  take: (before: string, after: string) => void,
): void {
  const seconds = [...spellingsOfSyllable(second)];
  for (const [before, ofBefore] of spellingsOfSyllable(first)) {
    for (let at = 0; at < seconds.length; at++) {
      const [after, ofAfter] = seconds[at] as [string, number];
      if (ofBefore + ofAfter < LEAST_OF_BOTH) break;
      take(before, after);
    }
  }
}

/** Similarity of two joined syllables to a word; 0 if the word cannot be these syllables. */
export function joinedSyllables(first: string, second: string, word: string): number {
  const [before, after] = [spellingsOfSyllable(first), spellingsOfSyllable(second)];
  let best = 0;
  for (let at = 1; at < word.length; at++) {
    const alike = before.get(word.slice(0, at));
    if (alike === undefined) continue;
    const both = alike + (after.get(word.slice(at)) ?? 0);
    if (both >= LEAST_OF_BOTH) best = Math.max(best, both / 2);
  }
  return best;
}
