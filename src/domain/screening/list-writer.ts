import { arraysOf, IndexBuilder } from './index/build.ts';
import { serializedLength, writeArrays } from './index/serialize.ts';
import { listLayout } from './list-content.ts';
import type { ListedPerson } from './listed-person.ts';

/** Concatenated texts, stored in chunks so that growing copies nothing. */
class Texts {
  readonly #full: Uint8Array[] = [];
  #piece = Buffer.alloc(0);
  #used = 0;
  /** Start of each text, and the end of the last. */
  readonly starts = [0];

  add(text: string): void {
    const most = MOST_BYTES * text.length;
    if (this.#used + most > this.#piece.length) {
      this.#full.push(this.#piece.subarray(0, this.#used));
      this.#piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, most));
      this.#used = 0;
    }
    const length = this.#piece.write(text, this.#used);
    this.#used += length;
    this.starts.push((this.starts.at(-1) as number) + length);
  }

  write(bytes: Uint8Array, from: number): void {
    let at = from;
    for (const piece of [...this.#full, this.#piece.subarray(0, this.#used)]) {
      bytes.set(piece, at);
      at += piece.length;
    }
  }
}

const PIECE_BYTES = 2 ** 20;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES = 3;

/** Serializes a list from its persons without retaining them. */
export class ListWriter {
  readonly #index = new IndexBuilder();
  readonly #texts = new Texts();

  add(person: ListedPerson): void {
    this.#index.add(person);
    this.#texts.add(JSON.stringify(person));
  }

  /**
   * Returns the persons and the index of their names in the {@link listLayout}.
   *
   * @throws limit.exceeded
   */
  finish(): Uint8Array {
    const arrays = arraysOf(this.#index);
    const { starts } = this.#texts;
    const count = starts.length - 1;
    const indexBytes = serializedLength(arrays);
    const indexStart = listLayout.indexAt(count);
    const textStart = listLayout.personsAt(count, indexBytes);
    const bytes = new Uint8Array(textStart + (starts[count] as number));
    bytes.set(Buffer.from(listLayout.magic));
    new Float64Array(bytes.buffer, listLayout.lengthsAt, 2).set([count, indexBytes]);
    new Float64Array(bytes.buffer, listLayout.startsAt, count + 1).set(starts);
    writeArrays(arrays, bytes.subarray(indexStart, indexStart + indexBytes));
    this.#texts.write(bytes, textStart);
    return bytes;
  }
}

/** Serializes a list. @throws limit.exceeded */
export function serializeList(persons: Iterable<ListedPerson>): Uint8Array {
  const writer = new ListWriter();
  for (const person of persons) writer.add(person);
  return writer.finish();
}
