import { latin1Text } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { once } from '../../../base/memo.ts';
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
  readUndamaged,
} from '../../../formats/pdf/index.ts';
import { isComment } from './comment.ts';
import { readObject } from './reading.ts';

/** References between the objects of a revision, as far as needed to evaluate later updates. */
export interface ReferenceGraph {
  /** Objects reachable from pages, outlines, names or fields: visible or executable ones. */
  readonly content: ReadonlySet<number>;
  /** Annotation arrays of pages that are indirect objects. */
  readonly annotationLists: ReadonlySet<number>;
  /** Referenced objects that the revision does not contain. */
  readonly absent: ReadonlySet<number>;
  /** Objects of the revision that cannot be read. */
  readonly unreadable: ReadonlySet<number>;
  /** True if only page annotation arrays refer to the comment: nothing else draws or runs it. */
  isOnlyComment(objectNumber: number): boolean;
  /** Number of references from objects of the revision to this one. */
  countReferences(objectNumber: number): number;
}

/** Entries of the catalog that refer to nothing visible. The form is handled separately. */
const besideContent = new Set(['AcroForm', 'DSS', 'Extensions', 'Metadata']);

/**
 * Reads every object reachable from the catalog of a revision.
 *
 * @throws limit.exceeded if there is more to read than {@link limits} permit
 */
export function referenceGraph(file: PdfFile): ReferenceGraph {
  const walk = new Walk(file);
  const { catalog } = file;
  for (const [key, value] of catalog) if (!besideContent.has(key)) walk.follow(value);
  const form = asDict(file.resolve(catalog.get('AcroForm')));
  walk.follow(asArray(file.resolve(form?.get('Fields'))) ?? []);
  walk.follow(form?.get('XFA') ?? null);
  const content = new Set(walk.visited);
  for (const key of besideContent) walk.follow(catalog.get(key) ?? null);
  walk.follow(file.trailer.get('Info') ?? null);
  const { annotationLists, absent, unreadable } = walk;
  const others = once(() => reachedWithoutComments(file));
  const counts = once(() => countAll(file, walk.visited));
  return {
    ...{ content, annotationLists, absent, unreadable },
    isOnlyComment: (objectNumber) => !others().has(objectNumber),
    countReferences: (objectNumber) => counts().get(objectNumber) ?? 0,
  };
}

/** Objects reachable from the catalog without following the comments of pages. */
function reachedWithoutComments(file: PdfFile): ReadonlySet<number> {
  const walk = new Walk(file, { comments: false });
  for (const value of file.catalog.values()) walk.follow(value);
  walk.follow(file.trailer.get('Info') ?? null);
  return walk.visited;
}

function countAll(file: PdfFile, visited: ReadonlySet<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const count = (value: PdfObject) => {
    for (const found of referencesIn(value)) counts.set(found, (counts.get(found) ?? 0) + 1);
  };
  count(file.trailer);
  for (const number of visited) count(readUndamaged(() => readObject(file, number)) ?? null);
  return counts;
}

class Walk {
  /** Old signatures refer to the catalog for their locks, which does not make it content. */
  readonly visited: Set<number>;
  readonly annotationLists = new Set<number>();
  readonly absent = new Set<number>();
  readonly unreadable = new Set<number>();
  readonly #file: PdfFile;
  readonly #comments: boolean;
  readonly #open: number[] = [];
  #brokenBytes = 0;

  constructor(file: PdfFile, { comments = true } = {}) {
    this.#file = file;
    this.#comments = comments;
    this.visited = new Set([file.catalogReference.objectNumber]);
  }

  /** Visits everything reachable from the value that was not visited before. */
  follow(value: PdfObject): void {
    this.#collect(value);
    for (let number = this.#open.pop(); number !== undefined; number = this.#open.pop()) {
      this.#collect(this.#read(number));
    }
  }

  #read(objectNumber: number): PdfObject {
    const location = readUndamaged(() => this.#file.locate(objectNumber));
    if (location === undefined) {
      this.absent.add(objectNumber);
      return null;
    }
    const found = readUndamaged(() => readObject(this.#file, objectNumber));
    if (found !== undefined) return found;
    this.unreadable.add(objectNumber);
    return location.kind === 'offset' ? this.#scan(objectNumber, location.offsetBytes) : null;
  }

  /** Scans a malformed object for references: other readers may repair what this one cannot. */
  #scan(objectNumber: number, offsetBytes: number): PdfObject {
    const { source, originBytes } = this.#file;
    const start = Math.min(originBytes + offsetBytes, source.lengthBytes);
    const end = Math.min(start + limits.brokenObjectBytes, source.lengthBytes);
    const body = latin1Text(source.slice(start, end));
    this.#brokenBytes += body.length;
    if (this.#brokenBytes > limits.brokenBytes) {
      throw new InnsigliError('limit.exceeded', 'the document has too many damaged objects');
    }
    return scanReferences(body)
      .filter((number) => number !== objectNumber)
      .map((number) => new PdfReference(number));
  }

  #collect(value: PdfObject): void {
    const page = this.#withoutAnnotationList(value);
    for (const found of referencesIn(this.#comments ? page : this.#withoutComments(page))) {
      if (this.visited.has(found)) continue;
      this.visited.add(found);
      this.#open.push(found);
    }
  }

  /** Inlines the annotation array of a page: it may grow although pages are content. */
  #withoutAnnotationList(value: PdfObject): PdfObject {
    const page = asDict(value);
    const list = asReference(page?.get('Annots'));
    if (page === undefined || list === undefined) return value;
    if (asName(page.get('Type'))?.value !== 'Page') return value;
    // Many pages can share one long array, which is read once.
    if (this.annotationLists.has(list.objectNumber)) return new Map([...page, ['Annots', null]]);
    const items = asArray(this.#read(list.objectNumber));
    if (items === undefined) return value;
    this.annotationLists.add(list.objectNumber);
    return new Map([...page, ['Annots', items]]) satisfies PdfDict;
  }

  /** Removes the comments from a page, and references from structure elements to them. */
  #withoutComments(value: PdfObject): PdfObject {
    const dict = asDict(value);
    if (dict === undefined) return value;
    const type = asName(dict.get('Type'))?.value;
    if (type === 'OBJR') return new Map([...dict, ['Obj', null]]);
    if (type !== 'Page') return value;
    const items = readUndamaged(() => asArray(this.#file.resolve(dict.get('Annots')))) ?? [];
    const others = items.filter((item) => {
      const annotation = readUndamaged(() => this.#file.resolve(item)) ?? null;
      return !isComment(this.#file, annotation);
    });
    return new Map([...dict, ['Annots', others]]) satisfies PdfDict;
  }
}

/** Numbers of all objects that a value refers to. The parser limits the nesting depth of values. */
export function referencesIn(value: PdfObject): readonly number[] {
  const found: number[] = [];
  addReferences(value, found);
  return found;
}

function addReferences(value: PdfObject, found: number[]): void {
  if (value instanceof PdfReference) found.push(value.objectNumber);
  else if (value instanceof PdfStream) addReferences(value.dict, found);
  else if (Array.isArray(value)) for (const item of value) addReferences(item, found);
  else if (value instanceof Map) for (const item of value.values()) addReferences(item, found);
}

const space = '(?:[\\0\\t\\n\\f\\r ]|%[^\\r\\n]*(?:[\\r\\n]|$))';
const word = new RegExp(
  [
    `(?<number>\\d{1,7})${space}+\\d{1,5}${space}+R(?![A-Za-z0-9])`,
    '(?<end>endobj|stream)(?![A-Za-z0-9])',
    // Everything else is skipped as a unit: comments, names, keywords and numbers.
    '%[^\\r\\n]*',
    '/[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]*',
    '[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]+',
  ].join('|'),
  'y',
);

/**
 * Numbers of the objects that a malformed object seems to refer to. It is scanned up to `endobj` or
 * its stream data; these keywords are ignored in strings and comments. After an unterminated
 * string, everything is scanned.
 */
function scanReferences(text: string): readonly number[] {
  const found: number[] = [];
  let at = 0;
  let stringsEnd = true;
  while (at < text.length) {
    if (text[at] === '(' && stringsEnd) {
      const end = endOfString(text, at);
      stringsEnd = end !== undefined;
      at = end ?? at + 1;
      continue;
    }
    word.lastIndex = at;
    const match = word.exec(text);
    if (match === null) {
      at++;
      continue;
    }
    const { number, end } = match.groups ?? {};
    if (end !== undefined) break;
    if (number !== undefined) found.push(Number(number));
    at += match[0].length;
  }
  return found;
}

/** Offset after the string that starts here. Undefined if it is unterminated. */
function endOfString(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const byte = text[at];
    if (byte === '\\') at++;
    else if (byte === '(') depth++;
    else if (byte === ')' && --depth === 0) return at + 1;
  }
  return undefined;
}
