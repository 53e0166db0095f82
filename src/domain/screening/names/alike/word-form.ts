import { type Script, scripts } from '../fold.ts';

/** The properties of a word that are compared. */
export interface WrittenWord {
  readonly text: string;
  readonly phones: string;
  readonly skeleton: string;
  readonly sound: string;
  readonly letters: number;
  readonly script: Script;
  readonly isInitial: boolean;
  /** Whether it is in the tables of names; always false in scripts without vowels. */
  readonly isKnown: boolean;
  /** It can be read as Mandarin syllables. */
  readonly isMandarin: boolean;
}

/** Offsets of the header of a form, which is followed by letters, phones, skeleton and sound. */
export const part = {
  ...{ length: 0, phones: 1, skeleton: 2, sound: 3, script: 4, flags: 5, letters: 6, text: 8 },
} as const;

/** Bits in the flags of a form. */
export const formFlag = { initial: 1, known: 2, repeated: 4, mandarin: 8 } as const;

/** Size of the form of a word, in numbers. */
export function sizeOfForm({ text, phones, skeleton, sound }: WrittenWord): number {
  return part.text + text.length + phones.length + skeleton.length + sound.length;
}

/** Writes a word as contiguous numbers, because it is read for thousands of comparisons. */
export function writeForm(word: WrittenWord, forms: Uint16Array, at: number): void {
  const { text, phones, skeleton, sound, letters, script } = word;
  forms[at + part.length] = text.length;
  forms[at + part.phones] = phones.length;
  forms[at + part.skeleton] = skeleton.length;
  forms[at + part.sound] = sound.length;
  forms[at + part.script] = scripts.indexOf(script);
  forms[at + part.flags] =
    (word.isInitial ? formFlag.initial : 0) |
    (word.isKnown ? formFlag.known : 0) |
    (hasRepeated(text) ? formFlag.repeated : 0) |
    (word.isMandarin ? formFlag.mandarin : 0);
  forms[at + part.letters] = letters & 0xffff;
  forms[at + part.letters + 1] = letters >>> 16;
  let to = at + part.text;
  for (const each of [text, phones, skeleton, sound]) {
    for (let from = 0; from < each.length; from++) forms[to++] = each.charCodeAt(from);
  }
}

/** Whether a letter repeats the previous one. */
export function hasRepeated(text: string): boolean {
  for (let at = 1; at < text.length; at++) {
    if (text.charCodeAt(at) === text.charCodeAt(at - 1)) return true;
  }
  return false;
}

/** The form of one word. */
export function formOf(word: WrittenWord): Uint16Array {
  const form = new Uint16Array(sizeOfForm(word));
  writeForm(word, form, 0);
  return form;
}

/** The letters of a form. */
export function textOfForm(forms: Uint16Array, at: number): string {
  const start = at + part.text;
  const letters = forms.subarray(start, start + (forms[at + part.length] as number));
  return String.fromCharCode.apply(undefined, letters as unknown as number[]);
}
