import type { PdfFile } from '../../../formats/pdf/index.ts';
import { type LaterChange, otherChange } from './later-change.ts';
import { laterSections } from './reading.ts';

/**
 * The first object that updates list with a different generation. Undefined if there is none.
 * `4 0 R` is undefined once object 4 has generation 1, but readers differ in handling it.
 *
 * @spec ISO 32000-2 §7.3.10, §7.5.4
 */
export function findGenerationFault(before: PdfFile, after: PdfFile): LaterChange | undefined {
  /** Generations of objects added by updates; 0 unless recorded. */
  const known = new Map<number, number>();
  for (const section of [...laterSections(before, after)].reverse()) {
    for (const { first, count } of section.ranges) {
      for (let number = first; number < first + count; number++) {
        const entry = section.find(number);
        if (entry === undefined || entry.kind === 'free') continue;
        const generation = entry.kind === 'offset' ? entry.generation : 0;
        const earlier = known.get(number) ?? generationIn(before, number);
        // A freed object number is reused with the generation of its free entry, not compared here.
        const isReused = earlier === undefined && wasFree(before, number);
        if (!isReused && generation !== (earlier ?? 0)) {
          const message = 'an object was listed again with a different generation';
          return otherChange(message, { object: number });
        }
        known.set(number, generation);
      }
    }
  }
  return undefined;
}

function wasFree({ sections }: PdfFile, number: number): boolean {
  return sections.some((section) => section.find(number)?.kind === 'free');
}

function generationIn(file: PdfFile, number: number): number | undefined {
  const location = file.locate(number);
  if (location === undefined) return undefined;
  return location.kind === 'offset' ? location.generation : 0;
}
