import { latin1Text } from '../base/bytes.ts';
import { limits } from '../base/limits.ts';
import {
  asArray,
  asDict,
  asName,
  asReference,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  PdfReference,
  PdfStream,
  type XrefEntry,
  type XrefSection,
} from '../formats/pdf/index.ts';
import { attempt } from './attempt.ts';

/** What refers to what in a file, as far as judging its later updates needs it. */
export interface ReferenceGraph {
  /** True for an object that pages, outlines, names or fields lead to: what people see or run. */
  isContent(objectNumber: number): boolean;
  /** True for the list of annotations of a page that stands in an object of its own. */
  isAnnotationList(objectNumber: number): boolean;
  /**
   * An object that was absent from the file when it had only its `oldest` sections although it was
   * referred to then, and is there now; undefined when there is none.
   */
  filledAfter(oldest: number): number | undefined;
}

/** Entries of the catalog that lead to nothing that is seen; the form is looked at apart. */
const besideContent = new Set(['AcroForm', 'DSS', 'Metadata']);

const graphs = new WeakMap<PdfFile, ReferenceGraph>();

/**
 * The graph of a file, made once. It reads every object that the catalog leads to; one that cannot
 * be read leads where it seems to.
 *
 * @throws limit.exceeded when there is more to read than {@link limits} allow
 */
export function referenceGraph(file: PdfFile): ReferenceGraph {
  const known = graphs.get(file) ?? buildGraph(file);
  graphs.set(file, known);
  return known;
}

function buildGraph(file: PdfFile): ReferenceGraph {
  const walk = new Walk(file);
  const { catalog } = file;
  for (const [key, value] of catalog) if (!besideContent.has(key)) walk.follow(value);
  const form = asDict(file.resolve(catalog.get('AcroForm')));
  walk.follow(asArray(file.resolve(form?.get('Fields'))) ?? []);
  walk.follow(form?.get('XFA') ?? null);
  const content = new Set(walk.visited);
  for (const key of besideContent) walk.follow(catalog.get(key) ?? null);
  walk.follow(file.trailer.get('Info') ?? null);
  return {
    isContent: (objectNumber) => content.has(objectNumber),
    isAnnotationList: (objectNumber) => walk.annotationLists.has(objectNumber),
    filledAfter: (oldest) =>
      walk.filled.find(({ referredIn, madeIn }) => referredIn < oldest && oldest <= madeIn)
        ?.objectNumber,
  };
}

/** Sections are counted from the oldest on. */
interface FilledLater {
  readonly objectNumber: number;
  /** Section of the object that refers to it. */
  readonly referredIn: number;
  /** First section that has it. */
  readonly madeIn: number;
}

class Walk {
  readonly visited: Set<number>;
  readonly annotationLists = new Set<number>();
  readonly filled: FilledLater[] = [];
  readonly #file: PdfFile;
  readonly #open: number[] = [];
  readonly #noted = new Set<string>();

  constructor(file: PdfFile) {
    this.#file = file;
    // Old signatures refer to the catalog for its locks: that does not make it content.
    this.visited = new Set([file.catalogReference.objectNumber]);
    this.#note(file.catalogReference.objectNumber, file.catalog);
  }

  /** Visits all that the value leads to and that was not visited before. */
  follow(value: PdfObject): void {
    this.#collect(value);
    for (let number = this.#open.pop(); number !== undefined; number = this.#open.pop()) {
      const object = this.#read(number);
      this.#note(number, object);
      this.#collect(object);
    }
  }

  #read(objectNumber: number): PdfObject {
    const location = attempt(() => this.#file.locate(objectNumber));
    if (location === undefined) return null;
    const generation = location.kind === 'offset' ? location.generation : 0;
    const found = attempt(() => this.#file.read(new PdfReference(objectNumber, generation)));
    if (found !== undefined) return found;
    return location.kind === 'offset' ? this.#scan(location.offsetBytes) : null;
  }

  /** What a broken object refers to, by its look: other readers may mend what we cannot. */
  #scan(offsetBytes: number): PdfObject {
    const { source, originBytes } = this.#file;
    const start = Math.min(originBytes + offsetBytes, source.lengthBytes);
    const end = Math.min(start + limits.brokenObjectBytes, source.lengthBytes);
    const [body = ''] = latin1Text(source.slice(start, end)).split('endobj', 1);
    const found = body.matchAll(/(\d{1,7})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R/g);
    return [...found].map(([, number]) => new PdfReference(Number(number), 0));
  }

  #collect(value: PdfObject): void {
    for (const found of referencesIn(this.#withoutAnnotationList(value))) {
      if (this.visited.has(found)) continue;
      this.visited.add(found);
      this.#open.push(found);
    }
  }

  /** A page with its list of annotations in place: that may grow although pages are content. */
  #withoutAnnotationList(value: PdfObject): PdfObject {
    const page = asDict(value);
    const list = asReference(page?.get('Annots'));
    if (page === undefined || list === undefined) return value;
    if (asName(page.get('Type'))?.value !== 'Page') return value;
    // Many pages can share one long list: it is looked at once.
    if (this.annotationLists.has(list.objectNumber)) return new Map([...page, ['Annots', null]]);
    const items = asArray(this.#read(list.objectNumber));
    if (items === undefined) return value;
    this.annotationLists.add(list.objectNumber);
    this.#note(list.objectNumber, items);
    return new Map([...page, ['Annots', items]]) satisfies PdfDict;
  }

  /** Notes what the object refers to and what was made after it. */
  #note(objectNumber: number, value: PdfObject): void {
    const { sections } = this.#file;
    if (sections.length === 1) return;
    const referredIn = this.#newestOf(objectNumber);
    if (referredIn === sections.length - 1) return;
    for (const target of referencesIn(value)) {
      if (this.#newestOf(target) <= referredIn) continue;
      const madeIn = this.#oldestOf(target);
      const kind = `${referredIn} ${madeIn}`;
      if (madeIn <= referredIn || this.#noted.has(kind)) continue;
      this.#noted.add(kind);
      this.filled.push({ objectNumber: target, referredIn, madeIn });
    }
  }

  #newestOf(objectNumber: number): number {
    const { sections } = this.#file;
    const index = sections.findIndex((section) => entryOf(section, objectNumber) !== undefined);
    return index < 0 ? -1 : sections.length - 1 - index;
  }

  /** The oldest section that has the object and does not call it free. */
  #oldestOf(objectNumber: number): number {
    const { sections } = this.#file;
    const index = sections.findLastIndex((section) => {
      const entry = entryOf(section, objectNumber);
      return entry !== undefined && entry.kind !== 'free';
    });
    return index < 0 ? -1 : sections.length - 1 - index;
  }
}

/** The entry of an object; a section that cannot be read has none. */
function entryOf(section: XrefSection, objectNumber: number): XrefEntry | undefined {
  return attempt(() => section.find(objectNumber));
}

/** Numbers of all objects that a value refers to. The parser bounds how deep values are. */
export function* referencesIn(value: PdfObject): Generator<number> {
  if (value instanceof PdfReference) yield value.objectNumber;
  else if (value instanceof PdfStream) yield* referencesIn(value.dict);
  else if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  else if (value instanceof Map) for (const item of value.values()) yield* referencesIn(item);
}
