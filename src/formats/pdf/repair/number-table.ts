/** Rows of numbers in one growing array: a million rows take a few megabytes, not hundreds. */
export class NumberTable {
  readonly #columns: number;
  #cells: Float64Array;
  #count = 0;

  /** `columns` is the number of numbers per row. */
  constructor(columns: 2 | 3 | 4) {
    this.#columns = columns;
    this.#cells = new Float64Array(columns * 64);
  }

  /** Number of rows. */
  get count(): number {
    return this.#count;
  }

  /** Adds a row and returns its index; numbers beyond the columns are dropped. */
  push(first: number, second: number, third = 0, fourth = 0): number {
    const start = this.#count * this.#columns;
    if (start + this.#columns > this.#cells.length) {
      const grown = new Float64Array(this.#cells.length * 2);
      grown.set(this.#cells);
      this.#cells = grown;
    }
    this.#cells[start] = first;
    this.#cells[start + 1] = second;
    if (this.#columns > 2) this.#cells[start + 2] = third;
    if (this.#columns > 3) this.#cells[start + 3] = fourth;
    return this.#count++;
  }

  /** Returns a number of an existing row. */
  at(row: number, column: number): number {
    return this.#cells[row * this.#columns + column] as number;
  }
}
