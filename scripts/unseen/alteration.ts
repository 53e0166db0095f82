import type { Random } from '../xml-fuzz/random.ts';

/** An altered file: what was done, and its bytes; undefined where there was nothing to do it to. */
export interface Alteration {
  readonly name: string;
  /** @throws anything: the alteration does not apply */
  make(): Uint8Array | undefined;
}

/** What alterations of one file may take from others. */
export interface AlterationContext {
  readonly random: Random;
  /** Another file of the same format. */
  readonly other: Uint8Array | undefined;
}

/** The bytes with one of them changed. */
export function flipped(bytes: Uint8Array, at: number, mask = 0x01): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[at] = (copy[at] as number) ^ mask;
  return copy;
}

/** Alterations that know no format: single bits anywhere, ends cut off, ends put on. */
export function blindAlterations(
  bytes: Uint8Array,
  { random }: AlterationContext,
): readonly Alteration[] {
  const flips = Array.from({ length: 6 }, (_, index): Alteration => {
    const at = random.below(bytes.length);
    return { name: `flip-${index}`, make: () => flipped(bytes, at, 1 << random.below(8)) };
  });
  const cut = (name: string, end: number): Alteration => ({
    name,
    make: () => bytes.slice(0, end),
  });
  const tail = (name: string, more: string): Alteration => ({
    name,
    make: () => new Uint8Array(Buffer.concat([bytes, Buffer.from(more)])),
  });
  return [
    ...flips,
    cut('cut-1', bytes.length - 1),
    cut('cut-third', bytes.length - Math.ceil(bytes.length / 3)),
    tail('tail-newline', '\n'),
    tail('tail-garbage', '\0\0<x/>garbage'),
  ];
}
