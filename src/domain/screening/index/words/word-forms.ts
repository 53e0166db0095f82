import { sizeOfForm, type WrittenWord, writeForm } from '../../names/alike/word-form.ts';

/** Initial capacity, in numbers. */
const ROOM = 1 << 16;

/** Forms of words, in one contiguous array. */
export class WordForms {
  /** Replaced when it is full. */
  forms = new Uint16Array(ROOM);
  #end = 1;

  /** Adds a form and returns its position, which is never 0. */
  add(word: WrittenWord): number {
    const place = this.#end;
    this.#end = place + sizeOfForm(word);
    if (this.#end > this.forms.length) {
      const larger = new Uint16Array(2 * this.#end);
      larger.set(this.forms);
      this.forms = larger;
    }
    writeForm(word, this.forms, place);
    return place;
  }
}
