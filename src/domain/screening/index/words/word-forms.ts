import { sizeOfForm, type WrittenWord, writeForm } from '../../names/alike/word-form.ts';

/** Numbers that there is room for at first. */
const ROOM = 1 << 16;

/** Forms of words, side by side. */
export class WordForms {
  /** Another array when there is no more room. */
  forms = new Uint16Array(ROOM);
  #end = 1;

  /** The place of another form; it is not 0. */
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
