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

/** `name` in lower case and basic letters: without `marks`, apostrophes and points. */
export function foldedName(name: string, marks: RegExp): string {
  return name
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(/[þðđæœøłßıħ]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’`.]/g, '');
}
