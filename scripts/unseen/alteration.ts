import type { Random } from '../xml-fuzz/random.ts';

/** An altered file: name of the alteration, and the bytes. Undefined if it does not apply. */
export interface Alteration {
  readonly name: string;
  /** @throws anything if the alteration does not apply */
  make(): Uint8Array | undefined;
}

/** Context of alterations: data that they may take from other files. */
export interface AlterationContext {
  readonly random: Random;
  /** Another file of the same format. */
  readonly other: Uint8Array | undefined;
}

/** Returns the bytes with one of them changed. */
export function flipped(bytes: Uint8Array, at: number, mask = 0x01): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[at] = (copy[at] as number) ^ mask;
  return copy;
}

/** Returns alterations independent of the format: single bits, truncated and extended ends. */
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
