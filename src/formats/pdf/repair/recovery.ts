import type { ByteSource } from '../../../base/bytes.ts';
import { budgetExceeded, type ReadBudget, tolerantBudget } from '../budget.ts';
import { asDict, asName, type PdfObject, PdfReference, type PdfStream } from '../syntax/objects.ts';
import type { XrefSection } from '../xref/xref.ts';
import { type ContainerReader, containerReader } from './containers.ts';
import { bodyAt } from './damaged-object.ts';
import { NumberTable } from './number-table.ts';
import { DETAIL, indexObjects, LOCATION, NUMBER, type ObjectIndex } from './object-index.ts';
import { buildTrailer, CATALOG, type RecoveredTrailer } from './recovery-trailer.ts';
import {
  ByteScanner,
  type FoundContainer,
  type FoundTrailer,
  type Scan,
  type SettledLengths,
  scanObjects,
  settleLengths,
} from './scan/index.ts';

/** Fault of a file that had to be scanned. */
export type RecoveryCode =
  | 'xref.misplaced'
  | 'xref.rebuilt'
  | 'object.unclosed'
  | 'object.broken'
  | 'object.number'
  | 'stream.length'
  | 'container.broken'
  | 'dictionary.stray'
  | 'trailer.broken'
  | 'trailer.root'
  | 'reading.ambiguous';

/** A fault of the file, and how it was handled. */
export interface RecoveryFinding {
  readonly code: RecoveryCode;
  readonly message: string;
}

/** The objects of a file, found without its cross-reference data. */
export interface Recovered {
  /**
   * A section that lists every object, with a trailer of /Size, /Root, /Encrypt, /Info and /ID as
   * far as found. Without a catalog there is no /Root.
   */
  readonly section: XrefSection;
  /** Actual length of streams whose /Length is incorrect or unresolvable, by object offset. */
  readonly streamLengths: ReadonlyMap<number, number>;
  /** Offsets of those streams that have no `endstream`. */
  readonly unended: ReadonlySet<number>;
  /** Numbers of unreadable object streams. */
  readonly brokenContainers: readonly number[];
  /** Offsets of the cross-reference streams. */
  readonly sectionOffsets: readonly number[];
  /** Every definition found, oldest first, with the columns of an index. */
  readonly rows: NumberTable;
  /** The /Root references of the trailers; if none leads to a catalog, every catalog found. */
  readonly roots: readonly PdfReference[];
  readonly findings: readonly RecoveryFinding[];
}

interface Context {
  readonly source: ByteSource;
  readonly budget: ReadBudget;
  readonly scan: Scan;
  readonly lengths: SettledLengths;
}

/**
 * The objects of a file with missing or damaged cross-reference data, found by scanning the whole
 * file once from the header on. The later definition of an object counts, by position in the file;
 * an object in an object stream has the position of its stream. Unreadable definitions are skipped
 * if there are others. Deleted objects reappear: only the lost data recorded the deletion.
 *
 * @param decoder decrypts and decodes an object stream of an encrypted file; undefined if that
 *   fails. `explicit` contains the objects outside object streams and a trailer with /Encrypt and
 *   /ID, enough to derive the key from
 * @throws limit.exceeded
 */
export function recoverSections(
  source: ByteSource,
  decoder?: (number: number, stream: PdfStream, explicit: XrefSection) => Uint8Array | undefined,
): Recovered {
  const budget = tolerantBudget(source.lengthBytes);
  const scan = scanObjects(source, budget);
  const context = { source, budget, scan, lengths: settle(source, scan, budget) };
  const explicitRows = visibleRows(context);
  const explicit = indexRows(context, explicitRows);
  const containers = usableContainers(context, explicit);
  const readExplicit = (reference: PdfReference): PdfObject | undefined =>
    readObject(context, explicit, reference);
  let preliminary: XrefSection | undefined;
  const reader = containerReader(
    source,
    budget,
    (value) => (value instanceof PdfReference ? readExplicit(value) : value) ?? null,
    decoder &&
      ((objectNumber, stream) => {
        preliminary ??= sectionOf(context, explicit, trailerOf(context, explicit, []));
        return decoder(objectNumber, stream, preliminary);
      }),
  );
  const { rows, broken } = addMembers(context, explicitRows, containers, reader);
  const index = containers.length === 0 ? explicit : indexRows(context, rows);
  const trailer = trailerOf(context, index, containers, reader);
  return {
    section: sectionOf(context, index, trailer),
    streamLengths: new Map([...scan.lengths, ...context.lengths.wrong]),
    unended: scan.unended,
    brokenContainers: broken,
    sectionOffsets: scan.sections.map(({ offsetBytes }) => offsetBytes),
    rows,
    roots: trailer.roots,
    findings: findingsOf(context, index, trailer, broken),
  };
}

function settle(source: ByteSource, scan: Scan, budget: ReadBudget): SettledLengths {
  const { definitions } = scan;
  let index: ObjectIndex | undefined;
  const offsetsOf = (objectNumber: number, atMost: number): readonly number[] => {
    index ??= indexObjects(definitions);
    return index.findRows(objectNumber, atMost).map((row) => definitions.at(row, LOCATION));
  };
  return settleLengths(source, scan, offsetsOf, budget);
}

/** The definitions found by the scan, without those that turned out to be stream data. */
function visibleRows({ scan, lengths }: Context): NumberTable {
  const { definitions } = scan;
  if (lengths.longer.size === 0) return definitions;
  const rows = new NumberTable(3);
  for (let row = 0; row < definitions.count; row++) {
    if (lengths.isInData(definitions.at(row, LOCATION))) continue;
    rows.push(
      definitions.at(row, NUMBER),
      definitions.at(row, LOCATION),
      definitions.at(row, DETAIL),
    );
  }
  return rows;
}

/** An index of the objects; if there are several definitions, unparsable ones are skipped. */
function indexRows({ source, budget }: Context, rows: NumberTable): ObjectIndex {
  return indexObjects(rows, (row) => {
    const place = rows.at(row, LOCATION);
    return place < 0 || bodyAt(source, place, budget)?.value !== undefined;
  });
}

/** Object streams that a reader would find by their number. */
function usableContainers(
  { scan, lengths }: Context,
  explicit: ObjectIndex,
): readonly FoundContainer[] {
  return scan.containers
    .filter(({ objectNumber, offsetBytes }) => {
      const location = explicit.find(objectNumber);
      return location?.kind === 'offset' && location.offsetBytes === offsetBytes;
    })
    .map((container) => {
      const lengthBytes = lengths.longer.get(container.offsetBytes);
      return lengthBytes === undefined ? container : { ...container, lengthBytes };
    });
}

/** The rows, with the objects of each object stream after the stream itself. */
function addMembers(
  { budget }: Context,
  explicit: NumberTable,
  containers: readonly FoundContainer[],
  reader: ContainerReader,
): { readonly rows: NumberTable; readonly broken: readonly number[] } {
  const broken: number[] = [];
  if (containers.length === 0) return { rows: explicit, broken };
  const numbers = new Set(containers.map(({ objectNumber }) => objectNumber));
  const rows = new NumberTable(3);
  let next = 0;
  for (let row = 0; row < explicit.count; row++) {
    const offset = explicit.at(row, LOCATION);
    rows.push(explicit.at(row, NUMBER), offset, explicit.at(row, DETAIL));
    const container = containers[next];
    if (container?.offsetBytes !== offset) continue;
    next++;
    const members = reader.members(container);
    if (members === undefined) broken.push(container.objectNumber);
    members?.forEach((member, index) => {
      // A stream cannot be inside an object stream: such a row would hide the object stream itself.
      if (member === 0 || numbers.has(member)) return;
      if (--budget.values < 0) throw budgetExceeded('number of objects');
      rows.push(member, -container.objectNumber, index);
    });
  }
  return { rows, broken };
}

function readObject(
  { source, budget }: Context,
  index: ObjectIndex,
  reference: PdfReference,
  containers: readonly FoundContainer[] = [],
  reader?: ContainerReader,
): PdfObject | undefined {
  const { objectNumber, generation } = reference;
  const location = index.find(objectNumber);
  if (location?.kind === 'offset') {
    if (location.generation !== generation) return undefined;
    return bodyAt(source, location.offsetBytes, budget)?.value;
  }
  const container = containers.find((found) => found.objectNumber === location?.container);
  if (location === undefined || container === undefined || generation !== 0) return undefined;
  return reader?.read(container, objectNumber, location.index);
}

/** The trailers that are not within stream data. */
function trailersOf({ scan, lengths }: Context): readonly FoundTrailer[] {
  return scan.trailers.filter(({ offsetBytes }) => !lengths.isInData(offsetBytes));
}

function trailerOf(
  context: Context,
  index: ObjectIndex,
  containers: readonly FoundContainer[],
  reader?: ContainerReader,
): RecoveredTrailer {
  return buildTrailer(
    trailersOf(context),
    index.size,
    (reference) => readObject(context, index, reference, containers, reader),
    () => findCatalogs(context, index, containers, reader),
  );
}

/** Every object of /Type /Catalog, in file order. */
function findCatalogs(
  context: Context,
  index: ObjectIndex,
  containers: readonly FoundContainer[],
  reader: ContainerReader | undefined,
): readonly PdfReference[] {
  const { source, budget, scan } = context;
  const { definitions } = scan;
  const scanner = new ByteScanner(source);
  const found: { readonly at: number; readonly reference: PdfReference }[] = [];
  const isCatalog = (value: PdfObject | undefined): boolean =>
    asName(asDict(value)?.get('Type'))?.value === 'Catalog';
  let row = 0;
  for (let at = scanner.find(CATALOG, 0); at >= 0; at = scanner.find(CATALOG, at + 1)) {
    while (row + 1 < definitions.count && definitions.at(row + 1, LOCATION) < at) row++;
    const objectNumber = definitions.count === 0 ? 0 : definitions.at(row, NUMBER);
    const location = index.find(objectNumber);
    if (location?.kind !== 'offset' || location.offsetBytes !== definitions.at(row, LOCATION))
      continue;
    if (!isCatalog(bodyAt(source, location.offsetBytes, budget)?.value)) continue;
    const reference = new PdfReference(objectNumber, location.generation);
    found.push({ at: location.offsetBytes, reference });
  }
  for (const container of containers) {
    reader?.members(container)?.forEach((objectNumber, position) => {
      const location = index.find(objectNumber);
      if (location?.kind !== 'compressed' || location.index !== position) return;
      if (location.container !== container.objectNumber) return;
      if (!isCatalog(reader.read(container, objectNumber, position))) return;
      found.push({ at: container.offsetBytes, reference: new PdfReference(objectNumber) });
    });
  }
  return found.sort((a, b) => a.at - b.at).map(({ reference }) => reference);
}

function sectionOf(
  { scan }: Context,
  index: ObjectIndex,
  { trailer }: RecoveredTrailer,
): XrefSection {
  const { ranges, find } = index;
  const streams = scan.sections.length > 0 || scan.containers.length > 0;
  return { offsetBytes: 0, kind: streams ? 'stream' : 'table', trailer, ranges, find };
}

function findingsOf(
  { scan, lengths }: Context,
  index: ObjectIndex,
  { root }: RecoveredTrailer,
  broken: readonly number[],
): readonly RecoveryFinding[] {
  const findings: RecoveryFinding[] = [];
  const add = (code: RecoveryCode, count: number, message: string): void => {
    if (count > 0) findings.push({ code, message });
  };
  const wrong = scan.lengths.size + lengths.wrong.size;
  add('xref.rebuilt', 1, `the cross-reference data was rebuilt from ${index.count} objects`);
  add('object.unclosed', scan.unclosed, `${scan.unclosed} objects end without "endobj"`);
  add('object.broken', scan.broken, `${scan.broken} objects cannot be read and were skipped`);
  add('object.number', scan.outOfRange, `${scan.outOfRange} object numbers are out of range`);
  add('stream.length', wrong, `${wrong} streams have an incorrect /Length or none`);
  add(
    'container.broken',
    broken.length,
    `${broken.length} object streams cannot be read: ${broken.slice(0, 8).join(', ')}`,
  );
  add('trailer.broken', scan.brokenTrailers, `${scan.brokenTrailers} trailers cannot be read`);
  if (root === 'type') add('trailer.root', 1, 'the catalog was found by its /Type');
  if (root === 'none') add('trailer.root', 1, 'no catalog was found');
  return findings;
}
