interface Part {
  readonly text: string;
  /** A single letter, which matches any part that starts with it. */
  readonly isInitial: boolean;
  /** Joined to another part by a hyphen, and therefore never omitted. */
  readonly isTied: boolean;
}

/**
 * Whether two names can belong to one person. The rule compares letters only and makes no guesses:
 *
 * - Compatibility forms, case, accents, apostrophes and points are ignored; þ, ð, æ and ø equal th,
 *   d, ae and o.
 * - The first parts must match, and so must the last. Parts between them may be missing in one of
 *   the names, and a single letter matches a part that starts with it; no other part may differ.
 * - A hyphenated part matches its parts written separately, but none of them may be omitted.
 * - `Family, Given` equals `Given Family`. Without a comma the family name may also come first, if
 *   no part is missing.
 * - A patronymic is a part like any other: -son does not equal -dóttir.
 */
export function isNameOfOne(a: string, b: string): boolean {
  const [first, second] = [splitName(a), splitName(b)];
  return (
    agree(first, second) || areSame(familyLast(first), second) || areSame(first, familyLast(second))
  );
}

/** Whether the names are equal, ignoring case and spaces. */
export function isSameText(a: string, b: string): boolean {
  return plainName(a) === plainName(b);
}

/** Normalises the case and spaces of a name. */
export function plainName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

// In other scripts, marks are letters: a vowel sign makes a different name.
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu;

function splitName(name: string): readonly Part[] {
  const [family = '', given = ''] = name.normalize('NFKC').split(/,(.*)/su);
  const inOrder = given.trim() === '' ? family : `${given} ${family}`;
  const written = inOrder
    .replace(/\p{Cf}/gu, '')
    .replaceAll('.', ' ')
    .normalize('NFC');
  return written.split(/\s+/).flatMap((word) => {
    const texts = word.replace(/['\u2019`]/g, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const isTied = texts.length > 1;
    return texts.map((text) => {
      const isInitial = [...text].length === 1;
      return { text: foldedName(text, accents).normalize('NFC'), isInitial, isTied };
    });
  });
}

function agree(a: readonly Part[], b: readonly Part[]): boolean {
  if (a.length < 2 || b.length < 2) return areSame(a, b);
  if (a[0]?.text !== b[0]?.text || a.at(-1)?.text !== b.at(-1)?.text) return false;
  const [between, others] = [a.slice(1, -1), b.slice(1, -1)];
  return covers(between, others) || covers(others, between);
}

/** Whether `few` is a subsequence of `many`. */
function covers(many: readonly Part[], few: readonly Part[]): boolean {
  let found = 0;
  for (const part of many) {
    const next = few[found];
    if (next !== undefined && isPart(part, next)) found += 1;
    else if (part.isTied) return false;
  }
  return found === few.length;
}

function isPart(a: Part, b: Part): boolean {
  const stands = (initial: Part, whole: Part) =>
    initial.isInitial && whole.text.startsWith(initial.text);
  return a.text === b.text || stands(a, b) || stands(b, a);
}

function areSame(a: readonly Part[], b: readonly Part[]): boolean {
  return a.length > 0 && a.length === b.length && a.every(({ text }, at) => text === b[at]?.text);
}

function familyLast([family, ...given]: readonly Part[]): readonly Part[] {
  return family === undefined ? [] : [...given, family];
}

const letters: Readonly<Record<string, string>> = {
  þ: 'th',
  ð: 'd',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  ı: 'i',
  ħ: 'h',
};

/** `name` in lower case and basic letters, without `marks`, apostrophes and points. */
function foldedName(name: string, marks: RegExp): string {
  return name
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(/[þð\u0111æ\u0153ø\u0142ß\u0131\u0127]/g, (letter) => letters[letter] ?? letter)
    .replace(/['\u2019`.]/g, '');
}
