import { LEAST_LIKENESS } from '../align.ts';
import { EditTarget, editBudget, leastExtra } from '../edit-cost.ts';
import { isSyllable, type Script, scripts } from '../fold.ts';
import { spellingsOfSyllable } from '../korean.ts';
import { likenessOfSpellings, otherSpellings } from '../korean-in-latin.ts';
import { type MandarinWord, mandarinWord } from '../languages/mandarin.ts';
import { mandarinLikeness, UNDECIDED } from '../languages/mandarin-likeness.ts';
import { nicknamesOf } from '../nicknames.ts';
import { areTwoNames, isOneName, type KnownName, knownName } from '../own-names.ts';
import { shapeOfPair } from '../phones.table.ts';
import { SoundTarget } from '../phones.ts';
import { looseSkeleton } from '../skeleton.ts';
import { LEAST_EXTRA, LETTER_H, leastCost } from './letters.ts';
import { formFlag, hasRepeated, part, textOfForm, type WrittenWord } from './word-form.ts';

const INITIAL = 0.9;
const NICKNAME = 0.87;
/** Similarity of spellings of one name. */
const ONE_NAME = 0.95;
/** Similarity of words with equal consonants, by number of consonants. */
const soundLikeness: readonly number[] = [0, 0, 0.88, 0.93];
const MOST_SOUND = 0.96;
/** Similarity of words whose sounds all agree: across scripts, and within one. */
const SCRIPTS_MEET = 0.96;
const SPELLINGS_MEET = 0.95;
/** Exponent across scripts with vowels, where differences are due to spelling, not the word. */
const BETWEEN_SCRIPTS = 0.8;
/** Lower values would end below {@link LEAST_LIKENESS}. */
const LEAST_BETWEEN = 0.64;
/** Deduction if exactly one word is in a script without vowels, by number of consonants. */
const byChance: readonly number[] = [0.1, 0.05, 0.03];
const MISSPELT = 0.05;
const SAME_SOUND = 0.9;
const SHORT_SOUND = 0.74;
/** Deduction for each different consonant of words compared by their consonants alone. */
const OTHER_CONSONANT = 0.65;
/** Similarity of words with equal consonants, by number of consonants: few are equal by chance. */
const sameConsonants: readonly number[] = [0, 0, 0, 0.82, 0.89, 0.92];

/** By number of a script. */
const plain = scripts.map((script) => script === 'latin' || script === 'letters');
const bare = scripts.map(isBareScript);
const syllabic = scripts.map(isSyllable);
const loose = scripts.map((script) => script === 'hangul' || script === 'kana');
const shapes = scripts.map((one) => scripts.map((other) => shapeOfPair(one, other)));
const korean = scripts.indexOf('korean');

/** A word prepared for comparison with many others, passed as forms of {@link WrittenWord}. */
export class AskedWord {
  #word: WrittenWord | undefined;
  #script = 0;
  readonly #letters = new EditTarget();
  readonly #sounds = new SoundTarget();
  readonly #consonants = new EditTarget();
  #loose = '';
  #hasRepeated = false;
  #nicknames: readonly string[] = [];
  #known: KnownName | undefined;
  /** Whether it may be a Korean syllable. */
  #isSyllable = false;
  /** Its readings if it consists of Mandarin syllables. */
  #mandarin: MandarinWord | undefined;

  /** Sets the word. */
  begin(word: WrittenWord): void {
    if (this.#word === word) return;
    const { text, phones, script } = word;
    this.#word = word;
    this.#script = scripts.indexOf(script);
    this.#letters.begin(text);
    this.#sounds.begin(phones);
    this.#loose = '';
    this.#hasRepeated = hasRepeated(text);
    this.#nicknames = nicknamesOf(text);
    this.#isSyllable = plain[this.#script] === true && otherSpellings(text).size > 0;
    this.#mandarin = word.isMandarin ? mandarinWord(text) : undefined;
    this.#known = word.isKnown ? knownName(text) : undefined;
  }

  /** Similarity to the word of a form, 0 to 1. Below {@link LEAST_LIKENESS} the words differ. */
  likeness(forms: Uint16Array, at: number): number {
    const { text } = this.#word as WrittenWord;
    if (isText(text, forms, at)) return 1;
    const own = this.#script;
    const other = forms[at + part.script] as number;
    if (own !== other) {
      const alike = this.#koreanLikeness(own, other, forms, at);
      if (alike > 0) return alike;
    }
    const ofTables = this.#tableLikeness(forms, at);
    if (ofTables !== 1 && ofTables !== NICKNAME) return ofTables;
    const ofMandarin = this.#mandarinLikeness(forms, at);
    if (ofMandarin === 0) return 0;
    const ofSyllable = Math.max(ofMandarin, this.#syllableLikeness(other, forms, at));
    const likeness = Math.min(ofTables, this.#unevenLikeness(own, other, forms, at));
    // A word that is not a known spelling of a syllable is more often a different syllable.
    if (syllabic[own] || syllabic[other]) return Math.max(ofMandarin, likeness - MISSPELT);
    const isAsWritten = own === other || bare[own] || bare[other];
    const isBetween = !isAsWritten && likeness >= LEAST_LIKENESS;
    return Math.max(ofSyllable, isBetween ? likeness ** BETWEEN_SCRIPTS : likeness);
  }

  #mandarinLikeness(forms: Uint16Array, at: number): number {
    const flags = forms[at + part.flags] as number;
    if (this.#mandarin === undefined || (flags & formFlag.mandarin) === 0) return UNDECIDED;
    const listed = textOfForm(forms, at);
    const ofListed = mandarinWord(listed);
    if (ofListed === undefined) return UNDECIDED;
    const { text } = this.#word as WrittenWord;
    return mandarinLikeness(this.#mandarin, ofListed, text, listed);
  }

  /** Similarity of two romanisations of a Korean syllable; otherwise 0. */
  #syllableLikeness(other: number, forms: Uint16Array, at: number): number {
    if (!this.#isSyllable || !plain[other]) return 0;
    return likenessOfSpellings((this.#word as WrittenWord).text, textOfForm(forms, at));
  }

  /** Maximum similarity in the tables: forms in other languages count like short forms. */
  #tableLikeness(forms: Uint16Array, at: number): number {
    const a = this.#known;
    if (a === undefined || ((forms[at + part.flags] as number) & formFlag.known) === 0) return 1;
    const b = knownName(textOfForm(forms, at));
    if (b === undefined) return 1;
    if (isOneName(a, b)) return ONE_NAME;
    return areTwoNames(a, b) && !this.#isNickname(forms, at) ? 0 : NICKNAME;
  }

  #isNickname(forms: Uint16Array, at: number): boolean {
    const nicknames = this.#nicknames;
    for (let each = 0; each < nicknames.length; each++) {
      if (isText(nicknames[each] as string, forms, at)) return true;
    }
    return false;
  }

  #unevenLikeness(own: number, other: number, forms: Uint16Array, at: number): number {
    const { text, letters, isInitial } = this.#word as WrittenWord;
    const length = forms[at + part.length] as number;
    if (isInitial || ((forms[at + part.flags] as number) & formFlag.initial) !== 0) {
      return text.charCodeAt(0) === forms[at + part.text] ? INITIAL : 0;
    }
    const shorter = Math.min(text.length, length);
    const longer = Math.max(text.length, length);
    // `Liz` is a short form of `Elizabeth`.
    if (longer > 2 * shorter + 2) return this.#isNickname(forms, at) ? NICKNAME : 0;
    // Spellings within one script, where equal sounds do not count.
    const isSameScript = own === other && !plain[own];
    if (syllabic[own] && syllabic[other]) return 0;
    const budget = editBudget(shorter);
    const consonants = forms[at + part.skeleton] as number;
    const isSound = !isSameScript && consonants >= 2 && this.#hasSkeleton(forms, at);
    const most = isSound ? Math.max(budget, longer * mostOf(consonants)) : budget;
    const ofForm =
      (forms[at + part.letters] as number) | ((forms[at + part.letters + 1] as number) << 16);
    const isFar = (longer - shorter) * LEAST_EXTRA > most || leastCost(letters, ofForm) > most;
    const hasH = ((letters | ofForm) & LETTER_H) !== 0;
    const cost = isFar ? most + 1 : this.#cost(forms, at, length, most, hasH);
    let best = cost <= budget ? 1 - cost / longer : 0;
    if (isSameScript) return best;
    const isSameSound = this.#hasSound(forms, at);
    const isSyllabic = syllabic[own] || syllabic[other];
    const isBareBeside = bare[own] !== bare[other];
    const ofSound = isSameSound && shorter > 1 ? (shorter > 3 ? SAME_SOUND : SHORT_SOUND) : 0;
    // If other criteria give enough, the sounds, which cost more to compare, are not needed.
    if (!isSyllabic && !isBareBeside) {
      best = Math.max(best, ofSound);
      if (isSound && cost <= most) {
        best = Math.max(best, (soundLikeness[consonants] ?? MOST_SOUND) * (1 - cost / longer / 2));
      }
    }
    if (own !== other) {
      best = this.#bySound(other, forms, at, best, LEAST_BETWEEN, SCRIPTS_MEET, hasH);
    }
    // Consistent with the index, which skips words whose letters differ too much.
    else if (!isFar || isSound || isSameSound) {
      best = this.#bySound(other, forms, at, best, LEAST_LIKENESS, SPELLINGS_MEET, hasH);
    }
    // Syllables are short: their consonants often agree by chance.
    if (isSyllabic) return best;
    if (isBareBeside) {
      const { skeleton } = this.#word as WrittenWord;
      const count = Math.min(skeleton.length, consonants);
      best = Math.max(best, this.#consonantLikeness(other, forms, at)) - (byChance[count] ?? 0);
      best = Math.max(best, ofSound);
    }
    if (best < NICKNAME && this.#isNickname(forms, at)) best = NICKNAME;
    return best;
  }

  /** Cost of the edits; any value above `most` if it exceeds `most`. */
  #cost(forms: Uint16Array, at: number, length: number, most: number, hasH: boolean): number {
    const start = at + part.text;
    const flags = forms[at + part.flags] as number;
    const extra = leastExtra(this.#hasRepeated || (flags & formFlag.repeated) !== 0, hasH);
    if (this.#letters.isFar(forms, start, length, most, extra)) return most + 1;
    return this.#letters.cost(forms, start, length, most, extra);
  }

  #hasSkeleton(forms: Uint16Array, at: number): boolean {
    const { skeleton } = this.#word as WrittenWord;
    return isPart(skeleton, forms, skeletonAt(forms, at), forms[at + part.skeleton] as number);
  }

  #hasSound(forms: Uint16Array, at: number): boolean {
    const { sound } = this.#word as WrittenWord;
    const length = forms[at + part.sound] as number;
    if (sound.length !== length) return false;
    const start = skeletonAt(forms, at) + (forms[at + part.skeleton] as number);
    return isPart(sound, forms, start, length);
  }

  /** The maximum of `best` and the share of agreeing sounds; full agreement counts as `full`. */
  #bySound(
    other: number,
    forms: Uint16Array,
    at: number,
    best: number,
    least: number,
    full: number,
    hasH: boolean,
  ): number {
    if (best >= full) return best;
    const rest = 1 - full;
    const start = at + part.text + (forms[at + part.length] as number);
    const costs = (shapes[this.#script] as (typeof shapes)[number])[other];
    const wanted = Math.max(best, least) + rest;
    const length = forms[at + part.phones] as number;
    if (costs === undefined) return best;
    return Math.max(best, this.#sounds.share(forms, start, length, costs, wanted, hasH) - rest);
  }

  #consonantLikeness(other: number, forms: Uint16Array, at: number): number {
    const { skeleton } = this.#word as WrittenWord;
    const length = forms[at + part.skeleton] as number;
    const longer = Math.max(skeleton.length, length);
    if (longer < 2) return 0;
    const start = skeletonAt(forms, at);
    const isLoose = loose[this.#script] || loose[other];
    if (isLoose && this.#loose === '') this.#loose = looseSkeleton(skeleton);
    const asked = isLoose ? this.#loose : skeleton;
    const own = isLoose ? loosened(forms, start, length) : forms;
    const from = isLoose ? 0 : start;
    if (isPart(asked, own, from, length)) return sameConsonants[longer] ?? 0.94;
    const target = this.#consonants;
    target.begin(asked);
    if (longer < 4 || target.isFar(own, from, length, 1, LEAST_EXTRA)) return 0;
    const cost = target.cost(own, from, length, 1);
    return cost > 1 ? 0 : 0.88 - (OTHER_CONSONANT * cost) / longer;
  }

  /** Similarity of a Korean syllable to a word that may be its romanisation; otherwise 0. */
  #koreanLikeness(own: number, other: number, forms: Uint16Array, at: number): number {
    const { text } = this.#word as WrittenWord;
    if (own === korean) return plain[other] ? spelt(text, textOfForm(forms, at)) : 0;
    return other === korean && plain[own] ? spelt(textOfForm(forms, at), text) : 0;
  }
}

function spelt(syllable: string, word: string): number {
  return spellingsOfSyllable(syllable).get(word) ?? 0;
}

/** Maximum share of a word that vowels may cost: beyond, the similarity is below LEAST_LIKENESS. */
function mostOf(consonants: number): number {
  return Math.min(0.5, 2 - (2 * LEAST_LIKENESS) / (soundLikeness[consonants] ?? MOST_SOUND)) + 1e-9;
}

function skeletonAt(forms: Uint16Array, at: number): number {
  return at + part.text + (forms[at + part.length] as number) + (forms[at + part.phones] as number);
}

function isText(text: string, forms: Uint16Array, at: number): boolean {
  return isPart(text, forms, at + part.text, forms[at + part.length] as number);
}

function isPart(text: string, forms: Uint16Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at++) {
    if (forms[start + at] !== text.charCodeAt(at)) return false;
  }
  return true;
}

const [B, F, L, R] = [98, 102, 108, 114];
let looseCodes = new Uint16Array(64);

/** See {@link looseSkeleton}. */
function loosened(forms: Uint16Array, start: number, length: number): Uint16Array {
  if (length > looseCodes.length) looseCodes = new Uint16Array(2 * length);
  for (let at = 0; at < length; at++) {
    const code = forms[start + at] as number;
    looseCodes[at] = code === L ? R : code === F ? B : code;
  }
  return looseCodes;
}

/** Whether a script omits vowels or adds unpronounced ones. */
export function isBareScript(script: Script): boolean {
  return script === 'abjad' || script === 'indic' || script === 'hangul' || script === 'kana';
}
