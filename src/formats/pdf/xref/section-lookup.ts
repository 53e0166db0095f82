import type { XrefEntry, XrefSection } from './xref.ts';

/** With fewer sections, a linear search is as fast as an index. */
const LEAST_SECTIONS = 16;
/** A section with more entries is searched for every object instead of being indexed. */
const MOST_ENTRIES = 256;
/** Maximum number of cached entries. */
const KEPT_ENTRIES = 65_536;

/** Returns the newest entry of an object number. */
export type EntryFinder = (objectNumber: number) => XrefEntry | undefined;

/**
 * A finder over sections. A file with hundreds of updates has hundreds of sections with one or two
 * objects each. The first lookup builds an index of the object numbers, so that each lookup reads
 * only the sections that list the object. Results are cached.
 *
 * @param sections newest first
 */
export function sectionLookup(sections: readonly XrefSection[]): EntryFinder {
  if (sections.length < LEAST_SECTIONS) return (number) => firstEntry(sections, number);
  return remembering(indexedFinder(sections));
}

function remembering(find: EntryFinder): EntryFinder {
  const known = new Map<number, XrefEntry | undefined>();
  return (objectNumber) => {
    const before = known.get(objectNumber);
    if (before !== undefined || known.has(objectNumber)) return before;
    const entry = find(objectNumber);
    if (known.size < KEPT_ENTRIES) known.set(objectNumber, entry);
    return entry;
  };
}

function indexedFinder(sections: readonly XrefSection[]): EntryFinder {
  let index: SectionIndex | undefined;
  return (objectNumber) => {
    index ??= indexOf(sections);
    const { long, short } = index;
    const speaking = short.get(objectNumber) ?? [];
    // Both are in section order, and the newest section with an entry wins.
    for (let i = 0, j = 0; i < speaking.length || j < long.length; ) {
      const isShort = (speaking[i] ?? sections.length) < (long[j] ?? sections.length);
      const at = (isShort ? speaking[i++] : long[j++]) as number;
      const entry = sections[at]?.find(objectNumber);
      if (entry !== undefined) return entry;
    }
    return undefined;
  };
}

/** Indices into the list of sections, ascending. */
interface SectionIndex {
  readonly long: readonly number[];
  /** Sections with few entries, by the object numbers they list. */
  readonly short: ReadonlyMap<number, readonly number[]>;
}

function indexOf(sections: readonly XrefSection[]): SectionIndex {
  const long: number[] = [];
  const short = new Map<number, number[]>();
  sections.forEach(({ ranges }, place) => {
    const entries = ranges.reduce((sum, { count }) => sum + count, 0);
    if (entries > MOST_ENTRIES) long.push(place);
    else for (const range of ranges) addRange(short, range, place);
  });
  return { long, short };
}

function addRange(
  short: Map<number, number[]>,
  { first, count }: { readonly first: number; readonly count: number },
  place: number,
): void {
  for (let number = first; number < first + count; number++) {
    const places = short.get(number);
    if (places === undefined) short.set(number, [place]);
    else if (places[places.length - 1] !== place) places.push(place);
  }
}

function firstEntry(sections: readonly XrefSection[], objectNumber: number): XrefEntry | undefined {
  for (const section of sections) {
    const entry = section.find(objectNumber);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
