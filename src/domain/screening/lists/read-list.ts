import {
  csvOpening,
  namedRow,
  openCsv,
  type RawCsvRow,
  rawCsvRows,
  readCsv,
} from '../../../base/csv.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { parseXml, type XmlElement } from '../../../formats/xml/index.ts';
import type { ListFormat } from '../../list-formats.ts';
import type { ListedPerson } from '../listed-person.ts';
import { parseListedDate } from './dates.ts';
import { distinctKeys } from './distinct-keys.ts';
import { type Draft, entryOf } from './draft.ts';
import { euDrafts } from './eu.ts';
import type { ReadList } from './list.types.ts';
import {
  ofacAdvancedDate,
  ofacAdvancedDrafts,
  ofacCsvDrafts,
  ofacXmlDrafts,
} from './ofac/index.ts';
import { type FtmEntity, ftmDraft, simpleDraft } from './open-sanctions.ts';
import { canadaDrafts, popoloDraft } from './others.ts';
import { type OwnListOptions, readOwnList } from './own.ts';
import { ukDrafts } from './uk.ts';
import { unDrafts } from './un.ts';
import { textOf } from './xml-reader.ts';

/** A file of a list. */
export interface ListFile {
  /** File name without folders. Distinguishes the files of one list. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Opens a list from one file, or from the several files of the US Treasury. `own` applies to the
 * format `csv` only. Entries are parsed during iteration, which throws their errors.
 *
 * @throws screening.list.invalid if it is not a list of this format, or has no entries
 * @throws xml.* for XML that is not well-formed or has a document type declaration
 * @throws validation.error with the row, limit.exceeded
 */
export function openList(
  files: readonly ListFile[],
  format: ListFormat = sniffFormat(files),
  own: OwnListOptions = {},
): ReadList & { readonly format: ListFormat } {
  if (files.length > 1 && format !== 'ofac-sdn-csv') {
    const hint = 'import each under a separate name; only OFAC CSV has several files';
    throw invalidList(`${format}: expected one file, found ${files.length}`, hint);
  }
  const { entries, ...list } = readers[format](files, own);
  return { ...list, format, entries: someOf(entries, format) };
}

/** Like {@link openList}, with all entries parsed. @throws as {@link openList} */
export function readList(
  ...given: Parameters<typeof openList>
): ReadList & { readonly format: ListFormat; readonly entries: readonly ListedPerson[] } {
  const list = openList(...given);
  return { ...list, entries: [...list.entries] };
}

function* someOf(entries: Iterable<ListedPerson>, format: ListFormat): Generator<ListedPerson> {
  let count = 0;
  for (const entry of entries) {
    count += 1;
    yield entry;
  }
  if (count === 0) throw invalidList(`expected entries of ${format}, found none`);
}

type Reader = (files: readonly ListFile[], own: OwnListOptions) => ReadList;

const readers: Readonly<Record<ListFormat, Reader>> = {
  'un-xml': xmlReader('CONSOLIDATED_LIST', unDrafts, (root) => root.attribute('dateGenerated')),
  'eu-fsf-xml': xmlReader('export', euDrafts, (root) => root.attribute('generationDate')),
  'ofac-sdn-xml': xmlReader('sdnList', ofacXmlDrafts, ofacDate),
  'ofac-advanced-xml': xmlReader('Sanctions', ofacAdvancedDrafts, ofacAdvancedDate),
  'canada-xml': xmlReader('data-set', canadaDrafts, () => undefined),
  'ofac-sdn-csv': (files) => {
    const find = (word: string) => files.find(({ name }) => name.toLowerCase().includes(word));
    const rows = (file: ListFile | undefined) => (file === undefined ? [] : cellsOf(file));
    const main = find('sdn.csv') ?? files[0];
    const tables = { sdn: rows(main), alt: rows(find('alt')), comments: rows(find('comments')) };
    return { entries: entriesOf(ofacCsvDrafts(tables)) };
  },
  'uk-csv': (files) => {
    const text = publishedText(firstOf(files));
    const lineEnd = text.search(/\r?\n/);
    const first = text.slice(0, lineEnd);
    const date = parseListedDate(/[:,]\s*"?(\d+[/-]\w+[/-]\d+)/.exec(first)?.[1] ?? '')?.from;
    const { rows } = readCsv(text.slice(lineEnd + 1).trimStart());
    const entries = entriesOf(ukDrafts(rows.map(({ cells }) => cells)));
    return { entries, ...dated(date) };
  },
  'ftm-json': (files) => ({ entries: entriesOf(ftmDrafts(textOfFile(firstOf(files)))) }),
  'opensanctions-csv': (files) => {
    const { names, rows } = openCsv(marked(textOfFile(firstOf(files))));
    return { entries: entriesOf(simpleDrafts(names, rows)) };
  },
  'popolo-json': (files) => {
    const list = json(textOfFile(firstOf(files))) as { readonly persons?: unknown } | null;
    const persons = list?.persons;
    if (!Array.isArray(persons)) throw invalidList('expected the member "persons"');
    return { entries: entriesOf(persons.map(popoloDraft)) };
  },
  csv: (files, own) => ({ entries: readOwnList(textOfFile(firstOf(files)), own) }),
};

/** Detects the format from the content. @throws screening.list.invalid if it is unknown */
function sniffFormat(files: readonly ListFile[]): ListFormat {
  const { name } = firstOf(files);
  const formats = files.map(formatOf);
  // The only list of several files: those that accompany sdn.csv do not reveal their format.
  const found = formats.find((format) => format === 'ofac-sdn-csv') ?? formats[0];
  if (found !== undefined) return found;
  if (files.every(isBesideSdn)) {
    throw invalidList(`${name.slice(0, 80)}: expected sdn.csv, to which this file belongs`);
  }
  const hint = `${formatsHint}; your own CSV file may need --column`;
  throw invalidList(`${name.slice(0, 80)}: the format is not recognised`, hint);
}

function headOf({ content }: ListFile): string {
  return new TextDecoder().decode(content.subarray(0, HEAD_BYTES)).replace(/^\ufeff/, '');
}

/** Whether a file of the US Treasury supplements the persons in sdn.csv: `7,12,"aka",…`. */
function isBesideSdn(file: ListFile): boolean {
  const isNamedSo = /(?:^|[\\/])(?:alt|add|sdn_comments)\.csv$/i.test(file.name);
  return isNamedSo || /^\d+ *,\d+ *,"[afn]ka"/.test(headOf(file));
}

function formatOf(file: ListFile): ListFormat | undefined {
  const head = headOf(file);
  return signs.find(([, sign]) => sign.test(head))?.[0];
}

const HEAD_BYTES = 4096;
const signs: readonly (readonly [ListFormat, RegExp])[] = [
  ['un-xml', /<CONSOLIDATED_LIST\b/],
  ['eu-fsf-xml', /<(?:\w+:)?export\b[^>]*(?:fsd|generationDate)/],
  ['ofac-sdn-xml', /<(?:\w+:)?sdnList\b/],
  ['ofac-advanced-xml', /<(?:\w+:)?Sanctions\b[^>]*ADVANCED_XML/],
  ['canada-xml', /<data-set\b/],
  ['popolo-json', /^\s*\{[\s\S]*"persons"\s*:/],
  ['ftm-json', /^\s*\{[^\n]*"schema"\s*:/],
  ['opensanctions-csv', /^"?id"?,"?schema"?,"?name"?,"?aliases"?,/],
  ['uk-csv', /^[^\n]*(?:Last Updated|Report Date)[^\n]*\n[^\n]*Name 6/i],
  ['ofac-sdn-csv', /^\d+ *,"[^"\n]*","?(?:individual|-0-|vessel|aircraft)/m],
  ['csv', /^[^\n]*\b(?:last_name|category)\b/i],
];

function xmlReader(
  root: string,
  draftsOf: (element: XmlElement) => readonly Draft[],
  dateOf: (element: XmlElement) => string | undefined,
): Reader {
  return (files) => {
    const document = parseXml(firstOf(files).content);
    const found = document.root.localName;
    if (found !== root) throw invalidList(`expected <${root}>, found <${found.slice(0, 80)}>`);
    const date = parseListedDate(dateOf(document.root) ?? '')?.from;
    return { entries: entriesOf(draftsOf(document.root)), ...dated(date) };
  };
}

/** The date has the month first. */
function ofacDate(root: XmlElement): string | undefined {
  const information = root.children.find(({ localName }) =>
    /^publ?i?shInformation$/.test(localName),
  );
  const [month, day, year] = (information && textOf(information, 'Publish_Date'))?.split('/') ?? [];
  return year === undefined ? undefined : `${year}-${month ?? ''}-${day ?? ''}`;
}

function dated(date: string | undefined): { readonly publishedDate?: string } {
  return date === undefined ? {} : { publishedDate: date };
}

function* entriesOf(drafts: Iterable<Draft>): Generator<ListedPerson> {
  const keyFor = distinctKeys();
  for (const draft of drafts) {
    const entry = entryOf({ ...draft, key: keyFor(draft.key) });
    if (entry !== undefined) yield entry;
  }
}

function firstOf(files: readonly ListFile[]): ListFile {
  const [first] = files;
  if (first === undefined) throw invalidList('expected a file, found none');
  return first;
}

function textOfFile({ content, name }: ListFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    const message = `${name.slice(0, 80)}: expected UTF-8, found a different encoding`;
    throw new InnsigliError('screening.list.invalid', message, { cause });
  }
}

/** Rows of a US Treasury file. Old ones are in a Windows code page and end with the EOF of DOS. */
function cellsOf({ content }: ListFile): readonly (readonly string[])[] {
  const end = content.indexOf(0x1a);
  const part = end < 0 ? content : content.subarray(0, end);
  const text = publishedText({ content: part });
  const { body, sign, skipped } = csvOpening(text);
  return rawCsvRows(body, sign, skipped).rows.map(({ cells }) => cells);
}

/** Text of an authority whose older files are in windows-1252. */
function publishedText({ content }: Pick<ListFile, 'content'>): string {
  try {
    return marked(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}

/** Replacement characters in the published file become question marks: the rest stays valid. */
function marked(text: string): string {
  return text.replaceAll('\ufffd', '?');
}

function* simpleDrafts(names: readonly string[], rows: Iterable<RawCsvRow>): Generator<Draft> {
  for (const row of rows) yield simpleDraft(namedRow(names, row).cells);
}

function* ftmDrafts(text: string): Generator<Draft> {
  let line = 0;
  for (const each of linesOf(text)) {
    if (each.trim() === '') continue;
    line += 1;
    const draft = ftmDraft(ftmOf(json(each, line)));
    if (draft !== undefined) yield draft;
  }
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, end);
    at = end + 1;
  }
}

function json(text: string, line?: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const place = line === undefined ? '' : `line ${String(line)}: `;
    throw new InnsigliError('screening.list.invalid', `${place}expected JSON`, { cause });
  }
}

function ftmOf(value: unknown): FtmEntity {
  const entity = value as Partial<FtmEntity> | null;
  const { id, schema, properties } = entity ?? {};
  const isEntity = typeof id === 'string' && typeof schema === 'string';
  const isWhole = isEntity && typeof properties === 'object' && properties !== null;
  if (!isWhole) throw invalidList('expected id and schema, with properties');
  const texts = Object.entries(properties).map(([name, values]) => [
    name,
    Array.isArray(values) ? values.filter(isText) : [],
  ]);
  const { caption, datasets } = entity ?? {};
  return {
    ...{ id, schema, properties: Object.fromEntries(texts) as FtmEntity['properties'] },
    ...(typeof caption === 'string' ? { caption } : {}),
    ...(Array.isArray(datasets) ? { datasets: datasets.filter(isText) } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const formatsHint = 'list the formats with innsigli help screen lists import';

function invalidList(message: string, hint = formatsHint): InnsigliError {
  return new InnsigliError('screening.list.invalid', message, { hint });
}
