import { limits } from '../../../base/limits.ts';
import { byteBits, byteClass } from '../reading/byte-classes.table.ts';
import { isPlainName } from '../reading/characters.ts';
import { malformed, tooMuch } from '../reading/xml-error.ts';

/** Maximum number of probes; only names crafted to collide need more. */
const PROBES = 512;
const WORD = 4;

/** A plain array: a typed array would cost more than all names of a small document. */
function emptySlots(count: number): number[] {
  return new Array<number>(count).fill(0);
}

/** Assigns numbers to strings, from 0 on; equal strings have equal numbers. */
export class WordTable {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];

  /** Returns the number of a word, which is added if new. */
  intern(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.#words.length;
      this.#numbers.set(word, number);
      this.#words.push(word);
    }
    return number;
  }

  /** Returns the number of a word; undefined if it was never added. */
  find(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  /** Returns the word with a number. */
  word(number: number): string {
    return this.#words[number] as string;
  }
}

/** Properties of a distinct name in a document. */
export interface KnownName {
  /** As written, such as `cbc:ID`. */
  readonly text: string;
  /** Offset of its first occurrence. */
  readonly start: number;
  readonly hash: number;
  readonly lengthBytes: number;
  /** Number of the prefix in {@link NameTable.prefixes}; 0 if there is none. */
  readonly prefix: number;
  /** Number of the local part in {@link NameTable.locals}. */
  readonly local: number;
  /** Number of the prefix that an attribute of this name declares; -1 if it declares none. */
  readonly declares: number;
  /** Whether an attribute of this name identifies its element. */
  readonly isId: boolean;
}

/** Names of one document, each parsed once. Elements refer to them by number, for comparison. */
export class NameTable {
  readonly prefixes = new WordTable();
  readonly locals = new WordTable();
  readonly known: KnownName[] = [];
  /** Offset after the name read last. */
  endOffset = 0;
  readonly #bytes: Buffer;
  /** The bytes, for comparing four of them in one operation. */
  readonly #words: DataView;
  /** Hash table with open addressing: numbers of names plus 1; most documents have few names. */
  #slots = emptySlots(256);
  /** The name that followed last time, by name: documents are repetitive. */
  readonly #followers: number[] = [];
  #last = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.prefixes.intern('');
  }

  /**
   * Returns the number of the name at `start`.
   *
   * @throws xml.invalid if there is none; xml.limit for too many names
   */
  read(start: number): number {
    const guess = this.#followers[this.#last];
    const known = guess === undefined ? undefined : this.known[guess];
    if (known !== undefined && this.isAt(known, start)) {
      this.endOffset = start + known.lengthBytes;
      this.#last = guess as number;
    } else {
      const number = this.#lookUp(start);
      this.#followers[this.#last] = number;
      this.#last = number;
    }
    return this.#last;
  }

  /** Whether exactly this name is at `start`, not a longer one. */
  isAt({ start: first, lengthBytes }: KnownName, start: number): boolean {
    const bytes = this.#bytes;
    const end = start + lengthBytes;
    if (end >= bytes.length) return false;
    if (((byteClass[bytes[end] as number] as number) & byteBits.name) !== 0) return false;
    const words = this.#words;
    let at = start;
    let i = first;
    for (; at + WORD <= end; at += WORD, i += WORD) {
      if (words.getInt32(at, true) !== words.getInt32(i, true)) return false;
    }
    for (; at < end; at++, i++) {
      if (bytes[at] !== bytes[i]) return false;
    }
    return true;
  }

  #lookUp(start: number): number {
    const bytes = this.#bytes;
    let hash = 0x811c9dc5;
    let end = start;
    while (end < bytes.length) {
      const byte = bytes[end] as number;
      if (((byteClass[byte] as number) & byteBits.name) === 0) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
      end++;
    }
    this.endOffset = end;
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let probes = 0; probes < PROBES; probes++) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return this.#add(start, end, hash, slot);
      const known = this.known[number] as KnownName;
      if (known.hash === hash && this.#equals(known, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    throw tooMuch('names of one hash', PROBES);
  }

  #equals({ start: first, lengthBytes }: KnownName, start: number, end: number): boolean {
    if (lengthBytes !== end - start) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < lengthBytes; i++) {
      if (bytes[first + i] !== bytes[start + i]) return false;
    }
    return true;
  }

  #add(start: number, end: number, hash: number, slot: number): number {
    const number = this.known.length;
    if (number >= limits.xmlNames) throw tooMuch('different names', limits.xmlNames);
    this.known.push(this.#describe(start, end, hash));
    this.#slots[slot] = number + 1;
    if (number * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #describe(start: number, end: number, hash: number): KnownName {
    const bytes = this.#bytes;
    if (end === start) throw malformed(bytes, start, 'expected a name');
    if (end - start > limits.xmlNameBytes) throw tooMuch('bytes of a name', limits.xmlNameBytes);
    const text = bytes.toString('utf8', start, end);
    const colon = text.indexOf(':');
    const prefix = colon < 0 ? '' : text.slice(0, colon);
    const local = text.slice(colon + 1);
    if (!isPlainName(local) || (colon >= 0 && !isPlainName(prefix))) {
      throw malformed(bytes, start, `"${text.slice(0, 40)}" is not a name`);
    }
    const declared = text === 'xmlns' ? '' : prefix === 'xmlns' ? local : undefined;
    return {
      text,
      start,
      hash,
      lengthBytes: end - start,
      prefix: this.prefixes.intern(prefix),
      local: this.locals.intern(local),
      declares: declared === undefined ? -1 : this.prefixes.intern(declared),
      isId: text === 'Id' || text === 'ID' || text === 'id' || text === 'xml:id',
    };
  }

  #rehash(): void {
    const slots = emptySlots(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.known.length; number++) {
      const { hash } = this.known[number] as KnownName;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
