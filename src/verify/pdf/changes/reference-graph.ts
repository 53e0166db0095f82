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

/** References between the objects of a revision, as far as judging later updates needs them. */
export interface ReferenceGraph {
  /** Objects that pages, outlines, names or fields lead to: visible or executable ones. */
  readonly content: ReadonlySet<number>;
  /** Lists of annotations of pages that stand in objects of their own. */
  readonly annotationLists: ReadonlySet<number>;
  /** Objects that are referred to and that the revision does not have. */
  readonly absent: ReadonlySet<number>;
  /** Objects that the revision has and that cannot be read. */
  readonly unreadable: ReadonlySet<number>;
  /** True when pages list the comment, and nothing else leads to it: it is not drawn or run. */
  isOnlyComment(objectNumber: number): boolean;
  /** The number of references from objects of the revision to this one. */
  countReferences(objectNumber: number): number;
}

/** Entries of the catalog that lead to nothing that is seen; the form is looked at apart. */
const besideContent = new Set(['AcroForm', 'DSS', 'Extensions', 'Metadata']);

/**
 * Reads every object that the catalog of a revision leads to.
 *
 * @throws limit.exceeded when there is more to read than {@link limits} allow
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

/** Objects that can be reached from the catalog, without the comments of pages. */
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
  /** Old signatures refer to the catalog for its locks: that does not make it content. */
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

  /** Visits all that the value leads to and that was not visited before. */
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

  /**
   * References of a broken object, found by a scan: other readers may repair objects that we cannot
   * read.
   */
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

  /** A page with its list of annotations in place: that may grow although pages are content. */
  #withoutAnnotationList(value: PdfObject): PdfObject {
    const page = asDict(value);
    const list = asReference(page?.get('Annots'));
    if (page === undefined || list === undefined) return value;
    if (asName(page.get('Type'))?.value !== 'Page') return value;
    // Many pages can share one long list: it is read once.
    if (this.annotationLists.has(list.objectNumber)) return new Map([...page, ['Annots', null]]);
    const items = asArray(this.#read(list.objectNumber));
    if (items === undefined) return value;
    this.annotationLists.add(list.objectNumber);
    return new Map([...page, ['Annots', items]]) satisfies PdfDict;
  }

  /** A page without the comments on it; tags lead to them as well. */
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

/** Numbers of all objects that a value refers to. The parser bounds how deep values are. */
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
    // Everything else is skipped as a whole: comments, names, words and numbers.
    '%[^\\r\\n]*',
    '/[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]*',
    '[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]+',
  ].join('|'),
  'y',
);

/**
 * Numbers of the objects that a broken object seems to refer to. It is read as far as its
 * `endobj` or its data; words inside strings and comments are no such ends. Behind a string that
 * does not end, all is read.
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

/** Behind the string that starts here; undefined when it does not end. */
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
