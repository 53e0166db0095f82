import { type ByteSource, memorySource, sourceFrom } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import { budgetOf, tolerantBudget } from './budget.ts';
import type { PdfSecurity } from './encryption/index.ts';
import { ObjectReader } from './object-reader.ts';
import { type ParsedObjects, parsedObjects } from './parsed-objects.ts';
import type { OpenOptions, PdfFile } from './pdf-file.types.ts';
import { requireUnencrypted } from './repair/lost-encryption.ts';
import {
  compareReadings,
  type ReadingComparison,
  type RepairedObject,
} from './repair/other-readings.ts';
import { hasEarlierState, isRepairable, recoverAll, securityOf } from './repair/recover-file.ts';
import type { Recovered, RecoveryFinding } from './repair/recovery.ts';
import { isScannedByViewers, soundDoubt } from './repair/sound-doubts.ts';
import { readStatedOffsets } from './repair/stated-places.ts';
import {
  asDict,
  asName,
  asReference,
  type PdfDict,
  type PdfObject,
  type PdfReference,
  type PdfStream,
} from './syntax/objects.ts';
import { requireOffsets } from './xref/check-offsets.ts';
import { findLastSection } from './xref/last-section.ts';
import { findOffsetBase } from './xref/offset-base.ts';
import { countObjects, readSections } from './xref/sections.ts';
import { type PdfHeader, readHeader, readStartXref } from './xref/tail.ts';
import { type XrefLocation, type XrefSection, xrefInvalid } from './xref/xref.ts';

/**
 * Opens a PDF: reads its header, trailer, cross-reference sections and catalog. Other objects and
 * table entries are read on demand.
 *
 * If these are damaged, first the last section is searched for, then the whole file is scanned; the
 * findings report it. A truncated file is not repaired.
 *
 * @throws pdf.empty, pdf.notpdf, pdf.truncated
 * @throws pdf.password.needed, pdf.password.wrong, pdf.encryption.*
 * @throws pdf.xref.invalid, pdf.syntax.invalid, pdf.structure.invalid, pdf.object.missing
 * @throws limit.exceeded
 */
export function openPdf(source: ByteSource, options: OpenOptions = {}): PdfFile {
  const header = readHeader(source);
  const origin = header.offsetBytes === 0 ? 0 : findOffsetBase(source, header);
  if (options.repair === 'always') return rebuild(source, header, options, undefined);
  try {
    return openAt(source, header, origin, options, readStartXref);
  } catch (error) {
    if (!isRepairable(error) || options.repair === 'never') throw error;
    return (
      openAtLastSection(source, header, origin, options) ?? rebuild(source, header, options, error)
    );
  }
}

/** Opens the file with the sections at the offset that `findStart` returns. */
function openAt(
  source: ByteSource,
  header: PdfHeader,
  originBytes: number,
  options: OpenOptions,
  findStart: (view: ByteSource) => number,
  misplaced?: RecoveryFinding,
): PdfFile {
  const view = originBytes === 0 ? source : sourceFrom(source, originBytes);
  const { lengthBytes } = source;
  const budget = budgetOf(options, lengthBytes);
  const start = findStart(view);
  const { earlier } = options;
  const isSameOrigin = earlier?.originBytes === originBytes;
  const known = isSameOrigin
    ? { startOffset: earlier.previous, sections: earlier.sections }
    : undefined;
  const sections = readSections(view, start, budget, known);
  // Not every reader skips a comment before a section.
  const previous = sections[0]?.offsetBytes ?? start;
  if (misplaced === undefined) {
    const parsed = options.parsed?.originBytes === originBytes ? options.parsed : undefined;
    const shared = options.strict ? undefined : (parsed ?? parsedObjects(originBytes));
    const reader = new ObjectReader(view, sections, budget, undefined, shared);
    const rest = {
      header,
      reader,
      previous,
      findings: [],
      options,
      ...defined({ parsed: shared }),
    };
    return new OpenPdfFile({ source, originBytes, ...rest });
  }
  const recovered = recoverAll(view, options.password);
  const reader = new ObjectReader(view, sections, budget, recovered.streamLengths);
  // One incorrect offset makes others likely.
  requireOffsets(reader);
  const findings: RecoveryFinding[] = [misplaced];
  const parts = { source, originBytes, header, reader, previous, findings, options };
  const file = new OpenPdfFile(parts);
  // Other readers scan such a file: they must find what the sections state.
  file.check(recovered, findings);
  return file;
}

/** The file if only its `startxref` is incorrect. */
function openAtLastSection(
  source: ByteSource,
  header: PdfHeader,
  originBytes: number,
  options: OpenOptions,
): PdfFile | undefined {
  const findStart = (view: ByteSource): number => {
    const offset = findLastSection(view);
    if (offset === undefined) throw xrefInvalid('expected a section', view.lengthBytes);
    return offset;
  };
  const message = '"startxref" does not lead to the cross-reference section';
  try {
    const misplaced = { code: 'xref.misplaced', message } as const;
    return openAt(source, header, originBytes, options, findStart, misplaced);
  } catch (error) {
    if (isRepairable(error)) return undefined;
    throw error;
  }
}

/** The file as found by a scan. For a file without an end, the original error is thrown. */
function rebuild(
  source: ByteSource,
  header: PdfHeader,
  options: OpenOptions,
  cause: InnsigliError | undefined,
): PdfFile {
  const originBytes = header.offsetBytes;
  const view = originBytes === 0 ? source : sourceFrom(source, originBytes);
  const recovered = recoverAll(view, options.password);
  const { section, streamLengths, findings } = recovered;
  const isCut = findings.some(({ code }) => code === 'object.unclosed' || code === 'trailer.root');
  if (cause?.code === 'pdf.truncated' && (isCut || hasEarlierState(view, cause))) throw cause;
  if (cause !== undefined && !section.trailer.has('Root')) throw cause;
  requireUnencrypted(view, section.trailer);
  const budget = tolerantBudget(source.lengthBytes);
  const reader = new ObjectReader(view, [section], budget, streamLengths);
  const previous = undefined;
  const all = [...findings];
  const parts = { source, originBytes, header, reader, previous, findings: all, options };
  const file = new OpenPdfFile(parts);
  file.check(recovered, all);
  if (budget.strayWords !== 0) {
    const message = 'the catalog has values without a key, which were skipped';
    all.push({ code: 'dictionary.stray', message });
  }
  return file;
}

function headOf(source: ByteSource, lengthBytes: number): ByteSource {
  if (source.bytes !== undefined) return memorySource(source.bytes.subarray(0, lengthBytes));
  return { lengthBytes, slice: (start, end) => source.slice(start, end) };
}

/** Number of revisions kept open: more than most files have. */
const KEPT_REVISIONS = 8;

class OpenPdfFile implements PdfFile {
  readonly source: ByteSource;
  readonly originBytes: number;
  readonly leadingBytes: number;
  readonly findings: readonly RecoveryFinding[];
  readonly previous: number | undefined;
  readonly version: string;
  readonly trailer: PdfDict;
  readonly objectCount: number;
  readonly catalogReference: PdfReference;
  readonly catalog: PdfDict;
  readonly #reader: ObjectReader;
  readonly #options: OpenOptions;
  readonly #parsed: ParsedObjects | undefined;
  /** The most recently used ones, by length. */
  readonly #revisions = new Map<number, PdfFile>();
  #comparison: ReadingComparison | undefined;
  #strict: PdfFile | undefined;

  constructor(parts: {
    readonly source: ByteSource;
    readonly originBytes: number;
    readonly header: PdfHeader;
    readonly reader: ObjectReader;
    readonly previous: number | undefined;
    readonly findings: readonly RecoveryFinding[];
    readonly options: OpenOptions;
    readonly parsed?: ParsedObjects;
  }) {
    const { reader } = parts;
    this.source = parts.source;
    this.originBytes = parts.originBytes;
    this.leadingBytes = parts.header.offsetBytes;
    this.findings = parts.findings;
    this.previous = parts.previous;
    this.#reader = reader;
    this.#options = parts.options;
    this.#parsed = parts.parsed;
    this.trailer = (reader.sections[0] as XrefSection).trailer;
    this.objectCount = countObjects(reader.sections);
    reader.security = securityOf(reader, parts.options.password);
    const root = asReference(this.trailer.get('Root'));
    if (root === undefined) {
      throw new InnsigliError('pdf.structure.invalid', 'the trailer has no reference to a catalog');
    }
    const catalog = asDict(reader.require(root));
    if (catalog === undefined) {
      throw new InnsigliError('pdf.structure.invalid', 'the catalog is not a dictionary');
    }
    this.catalogReference = root;
    this.catalog = catalog;
    const version = asName(reader.resolve(catalog.get('Version')))?.value ?? '';
    const stated = parts.header.version;
    this.version = Number(version) > Number(stated) ? version : stated;
  }

  get doubt(): string | undefined {
    return this.#compared.different;
  }

  get repaired(): readonly RepairedObject[] {
    return this.#compared.repaired;
  }

  /** Compares a damaged file with what other readers find in it, and adds to the findings. */
  check(recovered: Recovered, findings: RecoveryFinding[]): ReadingComparison {
    const { view, sections, security } = this.#reader;
    const budget = tolerantBudget(view.lengthBytes);
    const reader = new ObjectReader(view, sections, budget, recovered.streamLengths);
    reader.security = security;
    const root = this.catalogReference;
    const isScanned = sections[0] === recovered.section;
    const stated = isScanned ? readStatedOffsets(this.source, this.originBytes) : undefined;
    const comparison = compareReadings({ source: view, reader, root, recovered, stated, budget });
    const { different } = comparison;
    this.#comparison = comparison;
    if (different !== undefined) {
      const message = `programs read it in different ways: ${different}`;
      findings.push({ code: 'reading.ambiguous', message });
    }
    return comparison;
  }

  get #compared(): ReadingComparison {
    if (this.#comparison !== undefined) return this.#comparison;
    const { view } = this.#reader;
    const different = soundDoubt(this.#reader);
    if (different !== undefined) {
      this.#comparison = { different, repaired: [] };
    } else if (this.#isScannedByViewers()) {
      const { repaired } = this.check(recoverAll(view, this.#options.password), []);
      // Viewers that scan repair it, others do not: no update suits both.
      const [wrong] = repaired;
      if (wrong !== undefined) {
        const different = `object ${wrong.reference.objectNumber} has an incorrect /Length`;
        this.#comparison = { different, repaired: [] };
      }
    }
    this.#comparison ??= { different: undefined, repaired: [] };
    return this.#comparison;
  }

  #isScannedByViewers(): boolean {
    const { view, sections } = this.#reader;
    // Viewers count offsets from the header, and find nothing at them.
    if (this.leadingBytes > 0 && this.originBytes === 0) return true;
    return !this.#hasPages() || isScannedByViewers(view, sections);
  }

  #hasPages(): boolean {
    try {
      return asDict(this.#reader.resolve(this.catalog.get('Pages'))) !== undefined;
    } catch (error) {
      // The code that reads the pages encounters the error and repairs the file.
      if (isRepairable(error)) return true;
      throw error;
    }
  }

  get sections(): readonly XrefSection[] {
    return this.#reader.sections;
  }

  get security(): PdfSecurity | undefined {
    return this.#reader.security;
  }

  read(reference: PdfReference): PdfObject {
    return this.#reader.read(reference);
  }

  resolve(value: PdfObject | undefined): PdfObject {
    return this.#reader.resolve(value);
  }

  decode(stream: PdfStream): Uint8Array {
    return this.#reader.decode(stream);
  }

  locate(objectNumber: number): XrefLocation | undefined {
    return this.#reader.locate(objectNumber);
  }

  revisionAt(lengthBytes: number): PdfFile {
    const { source } = this;
    if (lengthBytes === source.lengthBytes) return this;
    return getOrCompute(this.#revisions, lengthBytes, () => {
      const options = { ...this.#options, ...defined({ parsed: this.#parsed }) };
      const revision = openPdf(headOf(source, lengthBytes), { ...options, repair: 'never' });
      const [oldest] = this.#revisions.keys();
      if (this.#revisions.size >= KEPT_REVISIONS) this.#revisions.delete(oldest as number);
      return revision;
    });
  }

  endSharing(): void {
    this.#parsed?.close();
  }

  readStrictly(): PdfFile {
    const { earlier: _, parsed: __, ...options } = this.#options;
    this.#strict ??= openPdf(this.source, { ...options, repair: 'never', strict: true });
    return this.#strict;
  }
}
